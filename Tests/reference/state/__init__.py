# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Models, reactors and bindings, on the stream."""
