# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""View models: what a program shows, and what it can be told to do; views of them, reactors."""
