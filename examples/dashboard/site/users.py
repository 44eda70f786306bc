#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The site: who there is.

site/users.py                 serves until its input ends; says where
site/users.py --delay 0.5     takes that many seconds for each answer
site/users.py --fail 2        the first two answers are failures

/users   [{"id", "name", "username"} …]
"""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Dict, List

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "providers"))
from http_site import Site  # noqa: E402

#: The site has more of each than the app wants.
USERS: List[Dict[str, Any]] = [
    {"id": 1, "name": "Clark Kent", "username": "Superman", "address": {"city": "Metropolis"}},
    {"id": 2, "name": "Bruce Wayne", "username": "Batman", "address": {"city": "Gotham"}},
]


def serve(users: Any = USERS) -> Site:
    """Starts the site."""
    return Site({"/users": lambda query: users})


def main() -> None:
    parser = argparse.ArgumentParser(description="Serves users until its input ends.")
    parser.add_argument("--delay", type=float, default=0, metavar="SECONDS")
    parser.add_argument("--fail", type=int, default=0, metavar="TIMES")
    options = parser.parse_args()
    with serve() as site:
        site.delay = options.delay
        site.fail(503, options.fail)
        print(site.url(""), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):  # of a terminal; the host gets it, too
        main()
