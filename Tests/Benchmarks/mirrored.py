# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A mirror beside NATS' C client alone: mirrored.py PROGRAM WORK, with mainstem on the path.

PROGRAM is mirrored.c, built on the installed bridge. Each round publishes the same entries both
ways to a server on the loopback; the ratio is taken within the round. Not bounded.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "NATSTests"))

import mainstem
from servers import Server

ROUNDS = 7
CASES = ((200_000, 100), (20_000, 4_000), (2_000, 100_000))


def record(path: Path, count: int, size: int) -> None:
    with mainstem.Context() as context:
        context.record(path, durability="buffered")
        context.add_type("Sample", bytes)
        for _ in range(count):
            context.send("Sample", b"s" * size)


def main(program: str, work: str) -> None:
    folder = Path(work)
    print(
        "A mirror and the client alone, entries a second, and how many times as fast the mirror is:"
    )
    for count, size in CASES:
        journal = folder / f"sample-{size}"
        record(journal, count, size)
        server = Server(folder / f"server-{size}")
        try:
            said = subprocess.check_output([program, journal, server.url, str(ROUNDS)], text=True)
        finally:
            server.close()
        rounds = [tuple(map(float, line.split())) for line in said.splitlines()]
        alone = median(number / own * 1e9 for number, own, _ in rounds)
        mirrored = median(number / taken * 1e9 for number, _, taken in rounds)
        ratio = median(own / taken for _, own, taken in rounds)
        print(f"{size:9,} bytes {alone:12,.0f} {mirrored:12,.0f} {ratio:8.2f} x")


if __name__ == "__main__":
    main(*sys.argv[1:])
