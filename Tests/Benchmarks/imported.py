# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""An import beside NATS' C client alone: imported.py PROGRAM WORK, with mainstem on the path.

PROGRAM is imported.c, built on the installed bridge. Each round takes the same stream from a server
on the loopback, with the client alone, into a context, and into one that is recorded; the ratios
are taken within the round. Not bounded.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "NATSTests"))

from mainstem import nats
from mirrored import CASES, record
from servers import Server

ROUNDS = 7


def rounds_of(program: str, folder: Path, count: int, size: int) -> list[tuple[float, ...]]:
    journal = folder / f"sample-{size}"
    record(journal, count, size)
    server = Server(folder / f"server-{size}")
    try:
        with nats.mirror(journal, server.url, prefix="sample") as mirror:
            mirror.flush(600)
        said = subprocess.check_output(
            [program, "sample", server.url, str(count), str(ROUNDS), folder / "own"], text=True
        )
    finally:
        server.close()
    return [tuple(map(float, line.split())) for line in said.splitlines()]


def main(program: str, work: str) -> None:
    print("The client alone, an import, and one into a recorded context: entries a second, and how")
    print("many times as fast as the client alone:")
    for count, size in CASES:
        rounds = rounds_of(program, Path(work), count, size)
        alone, memory, file = (
            median(row[0] / row[each] * 1e9 for row in rounds) for each in (1, 2, 3)
        )
        ratios = [median(row[1] / row[each] for row in rounds) for each in (2, 3)]
        print(
            f"{size:9,} bytes {alone:12,.0f} {memory:12,.0f} {ratios[0]:6.2f} x "
            f"{file:12,.0f} {ratios[1]:6.2f} x"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
