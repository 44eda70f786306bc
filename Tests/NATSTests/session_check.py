# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Compares a session with the model: what it has at a quiet point, and what it leaves behind."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path
from typing import Any, Dict, List, Optional, Set, Tuple

import session_model as model
from client import Entry
from compared import files_of, is_own
from servers import Server
from session_host import Host
from session_machine import Process
from session_model import Came, Row, World
from session_script import Script

#: The entries of all streams, by name.
Entries = Dict[str, List[Entry]]


class Checks:
    """The part of a player that compares."""

    script: Script
    nats: Server
    folder: Path
    hosts: List[Host]
    mirrors: Dict[int, Process]
    imports: Set[int]
    #: Counters at the last quiet point of those that nothing has disturbed since then.
    before: Dict[Tuple[str, int], Tuple[Optional[int], ...]]
    begun: Set[Tuple[str, int]]

    def check(self) -> None:
        """Journals, streams and imports are as the model says."""
        entries = self.entries()
        machines = {
            model.id_of(host.path): host.number
            for host in self.hosts
            if host.spec["is_recorded"] and host.has_opened
        }
        world = World(self.script, machines)
        for host in self.hosts:
            if host.has_opened and host.spec["is_recorded"]:
                self.check_journal(host, entries, world)
            elif host.has_opened:
                self.check_lives(host, entries, world)
        for number, mirror in enumerate(self.script["mirrors"]):
            self.check_stream(number, mirror, entries)
        for number, where in self.mirrors.items():
            self.check_mirror(number, where.tell("mirror_stats", number), entries)
        for number in self.imports:
            stats = self.process_of(number).tell("import_stats", number)
            self.check_import(number, stats, entries, world)

    def entries(self) -> Entries:
        streams = {each["stream"] for each in self.script["mirrors"]}
        found = {}
        for stream in streams:
            with self.nats.client() as client:
                found[stream] = model.made(client.entries(stream))
        return found

    def check_journal(self, host: Host, entries: Entries, world: World) -> None:
        rows = model.rows_of(host.path)
        name = host.path.name
        own, came, echoes = model.parted(rows)
        model.check_own(own, model.own_of(host.spec, host.sent), name)
        is_exact = not (host.was_killed or host.spec["queue"] or host.spec["limits"])
        model.check_echoes(rows, echoes, is_exact, name)
        for number, spec in enumerate(self.script["imports"]):
            if self.into(number) is host:
                wanted = model.expected(spec, entries[spec["stream"]], world)
                found = came.pop(spec["scope"], [])
                what = f"import {number} in {name}"
                model.check_taken(found, wanted, number in self.imports, what)
        assert not came, came.keys()

    def check_lives(self, host: Host, entries: Entries, world: World) -> None:
        lives = [parts_of(path) for path in host.lives]
        for number, spec in enumerate(self.script["imports"]):
            if self.into(number) is host:
                wanted = model.expected(spec, entries[spec["stream"]], world)
                found = [life.get(spec["scope"], []) for life in lives]
                what = f"import {number} in m{host.number}"
                model.check_lives(found, wanted, number in self.imports, what)

    def check_stream(self, number: int, mirror: Any, entries: Entries) -> None:
        host = self.hosts[mirror["of"]]
        if not host.has_opened:
            return
        config = self.script["streams"].get(mirror["stream"], {})
        most = min(model.MAX_PAYLOAD, config.get("max_msg_size", model.MAX_PAYLOAD))
        left = model.streamed(host.path, mirror, entries[mirror["stream"]], most)
        assert number not in self.mirrors or left == 0, f"mirror {number}: {left} are missing"

    def process_of(self, number: int) -> Process:
        """Where an import runs."""
        process = self.hosts[self.script["imports"][number]["into"]].process
        assert process
        return process

    def check_mirror(self, number: int, stats: Dict[str, Any], entries: Entries) -> None:
        """It has read all, and has counted what has come into its stream."""
        mirror = self.script["mirrors"][number]
        path = self.hosts[mirror["of"]].path
        last = max((row.position for row in model.rows_of(path)), default=0)
        assert (stats["state"], stats["status"], stats["lost"]) == ("running", 0, 0), stats
        assert stats["read"] == last, (stats, last)
        there = [each for each in self.found(mirror, entries) if not is_own(each)]
        left_out = sum("Mainstem-Payload" in each.headers for each in there)
        now = stats["entries"] - len(there), stats["left_out"] - left_out
        self.check_counted(("mirror", number), now)

    def check_import(
        self, number: int, stats: Dict[str, Any], entries: Entries, world: World
    ) -> None:
        """It has counted what its scope has sent, and what it has left out since it was quiet."""
        assert stats["seen"] in (None, stats["entries"]), stats
        spec = self.script["imports"][number]
        fates = list(model.judged(spec, entries[spec["stream"]], world))
        left = stats["left_out"] + stats["refused"] if spec["source"] is None else 0
        wanted = fates.count(None) if spec["source"] is None else 0
        self.check_counted(("import", number), (left - wanted, stats["repeated"]))

    def begins(self, key: Tuple[str, int]) -> None:
        """What begins for the first time counts all that there is, where nobody else writes."""
        is_foreign = any(step[0] == "foreign" for step in self.script["steps"])
        if key not in self.begun and not is_foreign:
            self.before[key] = (0, None)
        self.begun.add(key)

    def check_counted(self, key: Tuple[str, int], now: Tuple[int, ...]) -> None:
        """What is counted here and there goes apart only when something is killed or ended."""
        for was, is_now in zip(self.before.get(key, now), now):
            assert was is None or was == is_now, (key, self.before[key], now)
        self.before[key] = now

    def found(self, mirror: Dict[str, Any], entries: Entries) -> List[Entry]:
        """What a stream has of a journal."""
        identity = model.id_of(self.hosts[mirror["of"]].path)
        return [
            each
            for each in entries[mirror["stream"]]
            if each.headers["Nats-Msg-Id"].startswith(identity)
        ]

    # The way back ---------------------------------------------------------------------------------

    def check_fetched(self, number: int, patience: float) -> Dict[str, Any]:
        """What a stream gives back: if it is whole, the journal, as far as it goes."""
        mirror = self.script["mirrors"][number]
        path = self.hosts[mirror["of"]].path
        options = {"stream": mirror["stream"], "prefix": mirror["prefix"], "timeout": patience}
        to = self.folder / "fetched" / "fetched"
        shutil.rmtree(to.parent, ignore_errors=True)
        to.parent.mkdir()
        report: Dict[str, Any] = self.workers().tell(
            "fetch", to, {**options, "journal": model.id_of(path)}
        )
        rows = model.rows_of(to)
        assert len(rows) == report["events"], report
        if report["is_whole"]:
            theirs = files_of(path)
            for name, data in files_of(to).items():
                assert theirs[name].startswith(data), f"{name} of what was fetched differs"
        return report

    def check_back(self, number: int, mirror: Dict[str, Any], entries: Entries) -> None:
        """All that the stream has comes back, whole if it has all."""
        path, back = self.hosts[mirror["of"]].path, self.folder / "fetched" / "fetched"
        there = {
            int(each.headers["Nats-Msg-Id"].split("-")[1]): "Mainstem-Payload" in each.headers
            for each in self.found(mirror, entries)
            if not is_own(each)
        }
        report = self.check_fetched(number, 30)
        is_chosen = bool(mirror["layers"] or mirror["types"])
        left_out, last = sum(there.values()), max(there, default=0)
        assert report["is_whole"] == (not is_chosen and left_out == 0), report
        assert (report["events"], report["left_out"]) == (len(there), left_out), report
        assert report["missing"] == (last - len(there) if is_chosen else 0), report
        if report["is_whole"]:
            assert files_of(path) == files_of(back)
            return
        wanted = [row for row in model.rows_of(path) if row.position in there]
        model.check_same(
            [plain(row) for row in model.rows_of(back)],
            [plain(row, there[row.position]) for row in wanted],
            f"what {mirror['stream']} gives back",
        )

    def verify(self, host: Host) -> None:
        """Each session does again what it did."""
        process = Process(host.spec, host.path, self.nats.url)
        try:
            events = process.tell("verify", host.path, host.was_killed)
        finally:
            process.kill()
        wanted = len(model.rows_of(host.path))
        assert events <= wanted and (host.was_killed or events == wanted), (events, wanted)


def plain(row: Row, is_left_out: bool = False) -> Tuple[Any, ...]:
    payload = None if is_left_out else row.payload
    return row.position, row.cause, row.type, row.layer, row.origin, payload


def parts_of(path: Path) -> Dict[str, List[Came]]:
    """What each scope of an import took in, as the context that is not recorded has seen it."""
    rows = []
    with path.open("rb") as file:
        while True:
            try:
                position, cause, name, origin, payload = pickle.load(file)
            except EOFError:
                break
            rows.append(Row(position, cause, model.OUTSIDE, name, "", origin, payload))
    return model.parted(rows)[1]
