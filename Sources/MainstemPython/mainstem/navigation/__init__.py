# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Navigation: routes, components, moves, guards, and the navigator that opens and closes them."""
