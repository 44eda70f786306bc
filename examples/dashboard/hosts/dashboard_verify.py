#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Proves a recorded session of a host in any language: feeds what views and site sent to the app.

    dashboard-host --record session.journal http://…
    dashboard_verify.py session.journal

No site is needed: its answers are in the journal.
"""

from __future__ import annotations

from dashboard_core import install, verifier

if __name__ == "__main__":
    verifier.run(install)
