# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What streams of mirrors take of their servers: streams.py WORK, with mainstem on the path.

Processor time and bytes on the disk of an entry, on one server and on three; memory of a stream
that is idle. Processor time is the servers' own, so it depends little on what else the machine
does. For docs/beyond.md; not bounded.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from time import process_time
from typing import List

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "NATSTests"))

from mainstem import nats
from mirrored import record
from servers import Server, cluster

ENTRIES, STREAMS = 200_000, 1000


def processor(server: Server) -> float:
    """Its seconds so far, in user and system."""
    words = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def memory(server: Server) -> int:
    """Bytes of it in memory."""
    pages = int(Path(f"/proc/{server.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def disk(server: Server) -> int:
    """Bytes of what it keeps."""
    return sum(path.stat().st_size for path in server.folder.rglob("*.blk"))


def entries(servers: List[Server], journal: Path) -> None:
    """What an entry costs."""
    before, own = [processor(server) for server in servers], process_time()
    with nats.mirror(journal, servers[0].url, prefix="session", replicas=len(servers)) as mirror:
        mirror.flush(600)
        assert mirror.stats.done == ENTRIES
    spent = [(processor(s) - b) / ENTRIES * 1e6 for s, b in zip(servers, before)]
    kept = disk(servers[0]) / ENTRIES
    each = ", ".join(f"{one:.1f}" for one in spent)
    own = (process_time() - own) / ENTRIES * 1e6
    print(f"the mirror: {own:.1f} µs of a processor an entry")
    print(f"{len(servers)} servers: {each} µs of a processor an entry; {kept:.0f} bytes on a disk")


def idle(server: Server) -> None:
    """What a stream costs that has one entry."""
    with server.client() as client:
        before = memory(server)
        for number in range(STREAMS):
            config = {"name": f"s{number}", "subjects": [f"s{number}.>"]}
            client.ask(f"STREAM.CREATE.s{number}", config)
            client.publish(f"s{number}.x", b"x")
        client.ask("STREAM.INFO.s0", {})
        print(f"a stream: {(memory(server) - before) / STREAMS / 1024:.0f} KiB in memory")


def main(work: str) -> None:
    folder = Path(work)
    folder.mkdir(parents=True, exist_ok=True)
    record(folder / "session", ENTRIES, 100)
    for count in (1, 3):
        made = folder / f"servers-{count}"
        servers = cluster(made, 3) if count == 3 else [Server(made)]
        try:
            entries(servers, folder / "session")
            if count == 1:
                idle(servers[0])
        finally:
            for server in servers:
                server.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
