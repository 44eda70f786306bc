#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Proves a recorded session of a todo host: feeds what views and store sent to its servers again.

    todo --record session.journal
    verify.py session.journal

No store is needed: its answers are in the journal.
"""

from __future__ import annotations

from todostream import install, verifier

if __name__ == "__main__":
    verifier.run(lambda context: install(context, "/no/store"))
