#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Proves a recorded session of a host in any language: feeds what views and site sent to the app.

    dashboard-host --record session.journal http://…
    dashboard_verify.py session.journal

No site is needed: its answers are in the journal.
"""

from __future__ import annotations

import argparse

from dashboard_core import install, lines, mainstem


def main() -> None:
    parser = argparse.ArgumentParser(description="Feed a recorded session to the app again.")
    parser.add_argument("journal")
    options = parser.parse_args()
    with mainstem.Context() as context:
        with context.replay(options.journal, verify=True) as replay:
            install(context)
            replay.to_end()
            info = replay.info
        lines.say(f"{info.last} events, digest {info.digest:016x}")


if __name__ == "__main__":
    lines.run(main)
