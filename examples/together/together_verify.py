#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Proves a recorded session of the five apps: feeds what came from outside to their cores again.

    together.py --record session.journal
    together_verify.py session.journal

No site and no store is needed: their answers are in the journal.
"""

from __future__ import annotations

from cores import lines, prove, verifier

if __name__ == "__main__":
    lines.run(lambda: verifier.main(verifier.parser(), prove))
