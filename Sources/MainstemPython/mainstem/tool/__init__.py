# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The command `mainstem`: one file for each subcommand. See docs/tools.md."""
