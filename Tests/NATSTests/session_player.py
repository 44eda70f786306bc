# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Plays a session with real machines and a real server, and compares it with the model wherever all
is quiet."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path
from typing import Any, Dict, List, Optional, Set, Tuple

import foreign
import session_model as model
from servers import Server
from session_check import Checks
from session_host import Host
from session_machine import Failed, Gone, Process
from session_script import Script, sent

#: Steps that are called otherwise here.
STEPS = {"import": "take_in", "server": "server_is"}


class Player(Checks):
    """One session."""

    def __init__(self, script: Script, server: Server, folder: Path) -> None:
        self.script, self.nats, self.folder = script, server, folder
        self.hosts = [Host(number, spec, folder) for number, spec in enumerate(script["machines"])]
        self.worker: Optional[Process] = None
        #: Where the mirrors and imports that are there run.
        self.mirrors: Dict[int, Optional[Process]] = {}
        self.imports: Set[int] = set()
        self.is_up, self.is_stopped = True, False
        self.before = {}
        self.begun = set()

    def play(self) -> None:
        """All of it; raises what differs."""
        try:
            with self.nats.client() as client:
                for name, config in self.script["streams"].items():
                    answer = client.ask(f"STREAM.CREATE.{name}", {"name": name, **config})
                    assert "error" not in answer, answer
            for name, *arguments in self.script["steps"]:
                getattr(self, STEPS.get(name, name))(*arguments)
            self.finish()
        finally:
            self.end()

    def end(self) -> None:
        """Ends what is there, however it is."""
        for process in [host.process for host in self.hosts] + [self.worker]:
            if process:
                process.kill()
        self.server_is("on")
        names = {each["stream"] for each in self.script["mirrors"]}
        with self.nats.client() as client:
            for name in names:
                client.ask(f"STREAM.DELETE.{name}")
        shutil.rmtree(self.folder)

    # Machines -------------------------------------------------------------------------------------

    def process(self, host: Host) -> Process:
        if host.process is None:
            host.process = Process(host.spec, host.path, self.nats.url)
        return host.process

    def workers(self) -> Process:
        if self.worker is None:
            self.worker = Process({}, self.folder, self.nats.url)
        return self.worker

    def open(self, number: int) -> None:
        host = self.hosts[number]
        if host.is_open:
            return
        host.lives.append(self.folder / f"life-{number}-{len(host.lives)}")
        self.process(host).tell("open", str(host.lives[-1]))
        host.is_open = host.has_opened = True

    def close(self, number: int, first: str) -> None:
        host = self.hosts[number]
        if not host.is_open:
            return
        if first == "imports":
            self.check_imports(host)
        self.process(host).tell("close", first)
        host.is_open, host.sure = False, len(host.sent)
        self.forget_imports(number)

    def forget_imports(self, number: int) -> None:
        ended = {each for each in self.imports if self.into(each) is self.hosts[number]}
        self.imports -= ended
        self.before = {key: each for key, each in self.before.items() if key[1] not in ended}

    def into(self, number: int) -> Host:
        return self.hosts[self.script["imports"][number]["into"]]

    def send(self, number: int, how: str, times: int, rows: List[Any]) -> None:
        host = self.hosts[number]
        if not host.is_open:
            return
        each = sent(times, rows)
        accepted = self.process(host).tell("send", how, each)
        host.sent += [host.meant(row) for row, is_in in zip(each, accepted) if is_in]
        if host.spec["level"] != "buffered":
            host.sure = len(host.sent)

    def kill_in(self, number: int, seconds: float, how: str, times: int, rows: List[Any]) -> None:
        """It dies while it sends, or when it has."""
        host = self.hosts[number]
        if not host.is_open or host.spec["queue"] or host.spec["limits"]:
            return
        each = sent(times, rows)
        with contextlib.suppress(Gone):
            self.process(host).tell("die_in", seconds, how, each)
        host.sent += [host.meant(row) for row in each]
        self.bury(host)

    def kill(self, number: int) -> None:
        host = self.hosts[number]
        if host.process:
            self.bury(host)

    def bury(self, host: Host) -> None:
        """What its journal has of what it sent is what was sent; all that was sure is there."""
        assert host.process
        host.process.kill()
        self.before.clear()
        self.mirrors = {
            number: where for number, where in self.mirrors.items() if where is not host.process
        }
        host.process = None
        self.forget_imports(host.number)
        if not host.is_open:
            return
        host.is_open, host.was_killed = False, True
        if host.spec["is_recorded"]:
            host.cut()

    def drain(self, number: int) -> None:
        host = self.hosts[number]
        if host.is_open:
            self.process(host).tell("drain")

    def kill_worker(self) -> None:
        if self.worker:
            self.worker.kill()
            self.before.clear()
            self.mirrors = {n: where for n, where in self.mirrors.items() if where != self.worker}
            self.worker = None

    # Bridges --------------------------------------------------------------------------------------

    def mirror(self, number: int, where: str) -> None:
        spec = self.script["mirrors"][number]
        host = self.hosts[spec["of"]]
        if number in self.mirrors or not host.has_opened:
            return
        process = self.process(host) if where == "own" else self.workers()
        options = {key: value for key, value in spec.items() if key != "of"}
        process.tell("mirror", number, host.path, options)
        self.begins(("mirror", number))
        self.mirrors[number] = process

    def end_mirror(self, number: int) -> None:
        where = self.mirrors.pop(number, None)
        if where:
            self.before.pop(("mirror", number), None)
            where.tell("end_mirror", number)

    def take_in(self, number: int) -> None:
        spec = self.script["imports"][number]
        host = self.into(number)
        if number in self.imports or not host.is_open:
            return
        if spec["source"] is None or self.hosts[spec["source"]].has_opened:
            self.process(host).tell("take_in", *self.imported(number))
            self.begins(("import", number))
            self.imports.add(number)

    def imported(self, number: int) -> Tuple[Any, ...]:
        """How an import begins."""
        spec = self.script["imports"][number]
        options = {key: spec[key] for key in ("scope", "window", "sends")}
        options["is_named"] = number % 2 == 1
        if spec["source"] is not None:
            options["source"] = model.id_of(self.hosts[spec["source"]].path)
        return number, spec["stream"], spec["types"], options

    def again(self, number: int) -> None:
        if number in self.imports:
            self.before.pop(("import", number), None)
            self.process(self.into(number)).tell("again", *self.imported(number))

    def end_import(self, number: int) -> None:
        if number in self.imports:
            self.imports.remove(number)
            self.before.pop(("import", number), None)
            self.process(self.into(number)).tell("end_import", number)

    # The server -----------------------------------------------------------------------------------

    def server_is(self, what: str) -> None:
        """`on` undoes whatever was done to it."""
        if what != "on":
            self.before.clear()
        if self.is_up and what in ("restart", "down"):
            self.nats.kill()
        if self.is_up and what == "stop":
            self.nats.stop()
        if what == "restart" and self.is_up:
            self.nats.start()
        if not self.is_up and what in ("on", "restart"):
            if self.is_stopped:
                self.nats.go_on()
            else:
                self.nats.start()
            self.is_up = True
        elif what in ("down", "stop"):
            self.is_stopped = what == "stop" if self.is_up else self.is_stopped
            self.is_up = False

    def foreign(self, number: int, kind: str, count: int, seed: int) -> None:
        """Others publish to a mirror's stream."""
        spec = self.script["mirrors"][number]
        host, stream = self.hosts[spec["of"]], spec["stream"]
        if not self.is_up or not host.has_opened:
            return
        # Imports count what they refuse.
        self.before.clear()
        with self.nats.client() as client:
            if not client.state(stream):
                return
            there = self.found(spec, {stream: [*model.made(client.entries(stream))]})
        identity = model.id_of(host.path)
        with self.nats.client() as client:
            for turn in range(count):
                what = foreign.message(kind, spec["prefix"], identity, there, seed + turn)
                foreign.publish(client, what)

    # Quiet points ---------------------------------------------------------------------------------

    def quiet(self) -> None:
        """Lets all that runs come to rest, and compares."""
        self.server_is("on")
        for host in self.hosts:
            if host.is_open:
                self.settle(host)
            for number, where in self.mirrors.items():
                if self.script["mirrors"][number]["of"] == host.number and where:
                    where.tell("flush_mirror", number)
        self.check()

    def settle(self, host: Host) -> None:
        with self.nats.client() as client:
            imports = [
                number
                for number in self.imports
                if self.into(number) is host
                and client.state(self.script["imports"][number]["stream"])
            ]
        self.process(host).tell("settle", imports)
        self.process(host).tell("written")
        host.sure = len(host.sent)

    def check_imports(self, host: Host) -> None:
        for number in self.imports:
            if self.into(number) is host:
                stats = self.process(host).tell("import_stats", number)
                del stats

    # The way back ---------------------------------------------------------------------------------

    def fetch(self, number: int) -> None:
        """At any time: what comes back is whole as far as it goes, or refused."""
        if not self.is_up or not self.hosts[self.script["mirrors"][number]["of"]].has_opened:
            return
        try:
            self.check_fetched(number, 1)
        except Failed as failed:
            if "INVALID" not in str(failed) and "IO" not in str(failed):
                raise

    # The end --------------------------------------------------------------------------------------

    def finish(self) -> None:
        """All come back, all is mirrored and taken in, all is closed, fetched and verified."""
        self.server_is("on")
        for host in self.hosts:
            self.open(host.number)
        for number in range(len(self.script["mirrors"])):
            self.mirror(number, "own")
        for number in range(len(self.script["imports"])):
            self.take_in(number)
        self.quiet()
        for host in self.hosts:
            self.close(host.number, "imports")
        self.quiet()
        entries = self.entries()
        for number, mirror in enumerate(self.script["mirrors"]):
            self.check_back(number, mirror, entries)
        for host in self.hosts:
            if host.spec["is_recorded"]:
                self.verify(host)
