# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The parts of a journal's file, in pure Python. See docs/journal-format.md and journal_file.py."""
