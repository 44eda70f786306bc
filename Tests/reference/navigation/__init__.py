# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The navigator and the router."""
