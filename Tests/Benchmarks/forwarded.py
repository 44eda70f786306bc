# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Requests to another process, beside NATS' C client alone: forwarded.py PROGRAM WORK.

PROGRAM is forwarded.c, built on the installed bridge. Each round asks both ways over one server on
the loopback; the ratio is taken within the round. Not bounded.
"""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import DefaultDict, List, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "NATSTests"))

from servers import Server

ROUNDS = 11
NAMES = {"one": "one at a time", "many": "64 open", "written": "64, by hand"}


def main(program: str, work: str) -> None:
    server = Server(Path(work) / "server")
    try:
        said = subprocess.check_output([program, server.url, str(ROUNDS)], text=True)
    finally:
        server.close()
    rounds: DefaultDict[Tuple[str, int], List[Tuple[float, float]]] = defaultdict(list)
    for line in said.splitlines():
        case, size, alone, forwarded = line.split()
        rounds[case, int(size)].append((float(alone), float(forwarded)))
    print(
        "A request by the client alone and by the bridge, microseconds, and how many times as long:"
    )
    for (case, size), times in rounds.items():
        alone = median(own for own, _ in times) / 1000
        forwarded = median(taken for _, taken in times) / 1000
        ratio = median(taken / own for own, taken in times)
        print(f"{NAMES[case]:14} {size:6,} bytes {alone:9.1f} {forwarded:9.1f} {ratio:6.2f} x")


if __name__ == "__main__":
    main(*sys.argv[1:])
