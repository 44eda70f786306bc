# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The stream: its laws, its parts, and the calls of the header on it."""
