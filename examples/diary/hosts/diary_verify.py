#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Proves a recorded session of a host in any language: feeds what views and store sent to the app.

    diary --record session.journal
    diary_verify.py session.journal

No store is needed, and none is there: its answers are in the journal. A session of an earlier
version, whose events have changed since, is read with --muted.
"""

from __future__ import annotations

from diary_app import install, verifier

if __name__ == "__main__":
    verifier.run(install)
