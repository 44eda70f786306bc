# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A machine of a session: a process with a context, mirrors and imports. It does what it is told,
and may die at any time."""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import pickle
import signal
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from session_script import value_of

PAYLOADS = {"int": int, "float": float, "bool": bool, "none": None}
PAYLOADS.update(bytes=bytes, text=str, json="json")  # type: ignore[dict-item]
PATIENCE = 90
PR_SET_PDEATHSIG = 1


def add_types(context: Any, types: Dict[str, Any]) -> None:
    """Registers them, and adds the program: every seventh tick has an echo."""
    import mainstem

    for name, each in types.items():
        options = {key: each[key] for key in ("layer", "record", "secret")}
        context.add_type(name, PAYLOADS[each["kind"]], **options)
    context.add_type("Echo", int)

    @context.observe("Tick")
    def answer(event: Any) -> None:
        if event.value % 7 == 0:
            with contextlib.suppress(mainstem.MainstemError):
                context.send("Echo", event.value * 2)


class Machine:
    """The process itself."""

    def __init__(self, spec: Dict[str, Any], path: Path, url: str) -> None:
        self.spec, self.path, self.url = spec, path, url
        self.context: Any = None
        self.scopes: Dict[str, Any] = {}
        self.mirrors: Dict[int, Any] = {}
        self.imports: Dict[int, Tuple[Any, Dict[str, Any], Optional[int]]] = {}
        self.seen: Dict[str, int] = {}
        self.last = 0

    # The context ----------------------------------------------------------------------------------

    def open(self, life: str) -> None:
        """Opens the context; what it gets goes to a file, if it is not recorded."""
        import mainstem

        spec = self.spec
        limits = mainstem.Limits(**spec["limits"])
        self.context = context = mainstem.Context(limits=limits, **spec["mode"])
        if spec["is_recorded"]:
            context.record(self.path, durability=spec["level"], segment_size=spec["segment"])
        add_types(context, spec["types"])
        self.scopes = {"": context}
        self.seen, self.last = {}, 0
        self.log = None if spec["is_recorded"] else os.open(life, os.O_CREAT | os.O_WRONLY)
        context.observe()(self.note)
        if spec["queue"]:
            context.observe("Tick", on="host", limit=spec["queue"], policy="reject")(len_of)

    def note(self, event: Any) -> None:
        """What the context has accepted."""
        self.seen[event.origin] = self.seen.get(event.origin, 0) + (event.name != "NATSImported")
        self.last = event.position
        if self.log is not None:
            row = (event.position, event.cause, event.name, event.origin, bytes(event.data))
            os.write(self.log, pickle.dumps(row))

    def close(self, first: str) -> None:
        """Closes imports and context, in this order or the other."""
        if first == "context":
            self.context.close()
        else:
            before = self.context.stats()
            count = len(self.imports)
            for bridge, _, _ in self.imports.values():
                bridge.close()
            after = self.context.stats()
            assert after.scopes == before.scopes - count, (before, after)
            assert after.subscriptions == before.subscriptions - count, (before, after)
            self.context.close()
        for bridge, _, _ in self.imports.values():
            bridge.close()
        self.imports.clear()
        self.context = None

    def scope(self, name: str) -> Any:
        if name not in self.scopes:
            self.scopes[name] = self.context.scope(name)
        return self.scopes[name]

    def send(self, how: str, rows: List[List[Any]]) -> List[bool]:
        """Which were accepted."""
        import mainstem

        accepted = []
        for name, scope, size, salt in rows:
            value = value_of(self.spec["types"][name]["kind"], size, salt)
            try:
                if how == "post":
                    self.scope(scope).post(name, value)
                elif how == "many":
                    self.scope(scope).send_many([(name, value)])
                else:
                    self.scope(scope).send(name, value)
                accepted.append(True)
            except mainstem.MainstemError as error:
                if error.status not in (mainstem.Status.FULL, mainstem.Status.TOO_BIG):
                    raise
                accepted.append(False)
        self.drain()
        return accepted

    def die_in(self, seconds: float, how: str, rows: List[List[Any]]) -> List[bool]:
        """Sends, and dies meanwhile or after."""
        signal.setitimer(signal.ITIMER_REAL, seconds)
        return self.send(how, rows)

    def drain(self) -> None:
        """Once."""
        self.context.drain()

    def settle(self, imports: List[int]) -> None:
        """Takes in what the streams of these imports have."""
        for number in imports:
            self.flush(number)
        while self.context.drain():
            pass

    def written(self) -> int:
        """Everything that was accepted is in the file."""
        if self.spec["is_recorded"]:
            self.context.sync_journal()
        return int(self.context.stats().events)

    def flush(self, number: int) -> None:
        """What is in a buffer is not written by itself."""
        import mainstem

        bridge = self.imports[number][0]
        for _ in range(PATIENCE * 10 if self.spec["level"] == "buffered" else 1):
            try:
                bridge.flush(0.1 if self.spec["level"] == "buffered" else PATIENCE)
                return
            except mainstem.MainstemError as error:
                if error.status != mainstem.Status.TIMEOUT:
                    raise
                last = error
                if self.spec["is_recorded"]:
                    self.context.sync_journal()
        raise last

    # Bridges --------------------------------------------------------------------------------------

    def mirror(self, number: int, path: Path, options: Dict[str, Any]) -> None:
        from mainstem import nats

        self.mirrors[number] = nats.mirror(path, self.url, **options)

    def flush_mirror(self, number: int) -> None:
        """All that the file has."""
        self.mirrors[number].flush(PATIENCE)

    def mirror_stats(self, number: int) -> Dict[str, Any]:
        return dict(self.mirrors[number].stats._asdict())

    def end_mirror(self, number: int) -> None:
        self.mirrors.pop(number).close()

    def take_in(self, number: int, stream: str, types: Any, options: Dict[str, Any]) -> None:
        from mainstem import nats

        own = {"journal": self.path} if self.spec["is_recorded"] else {"durable": f"d{number}"}
        if options.pop("is_named", False):
            own["durable"] = f"d{number}"
        # What an earlier import has brought, and is not delivered yet, would be counted as new.
        stats = self.context.stats()
        is_known = stats.waiting == 0 and stats.events == self.last
        bridge = nats.import_stream(self.context, stream, types, self.url, **own, **options)
        seen = self.seen.get(options["scope"], 0) if is_known else None
        self.imports[number] = (bridge, options, seen)

    def again(self, number: int, stream: str, types: Any, options: Dict[str, Any]) -> None:
        """Ends an import as soon as something came, if that is soon, and begins it anew."""
        before = self.context.stats().events
        for _ in range(200):
            self.context.drain()
            if self.context.stats().events > before:
                break
        self.end_import(number)
        self.take_in(number, stream, types, options)

    def end_import(self, number: int) -> None:
        bridge, _, _ = self.imports.pop(number)
        before = self.context.stats()
        bridge.close()
        after = self.context.stats()
        assert after.scopes == before.scopes - 1, (before, after)
        assert after.subscriptions == before.subscriptions - 1, (before, after)

    def import_stats(self, number: int) -> Dict[str, Any]:
        """How it does, and how many events its scope has sent since it began, if that is known."""
        bridge, options, before = self.imports[number]
        seen = None if before is None else self.seen.get(options["scope"], 0) - before
        return {**bridge.stats._asdict(), "seen": seen}

    def fetch(self, to: Path, options: Dict[str, Any]) -> Dict[str, Any]:
        from mainstem import nats

        return dict(nats.fetch(to, self.url, **options)._asdict())

    def verify(self, path: Path, was_killed: bool) -> int:
        """Replays each session, and compares. Returns how many events came again. Where a program
        was killed before it delivered its last inputs, nobody knows their order."""
        import mainstem

        events, session = 0, 1
        while True:
            with mainstem.Context(**self.spec["mode"]) as context:
                try:
                    replay = context.replay(path, verify=True, session=session)
                except mainstem.MainstemError as error:
                    if session == 1 or "beyond the last session" not in str(error):
                        raise
                    return events
                add_types(context, self.spec["types"])
                replay.to_end()
                assert replay.info.ended or was_killed, replay.info
                events += replay.info.fed + replay.info.matched
                replay.close()
            session += 1


def len_of(event: Any) -> int:
    """An observer that does nothing of note."""
    return len(event.data)


def work(machine: Machine, connection: Connection) -> None:
    """Does what it is told until nobody tells it anything."""
    import mainstem

    with contextlib.suppress(EOFError):
        while True:
            name, arguments = connection.recv()
            try:
                answer = ("", getattr(machine, name)(*arguments))
            except mainstem.MainstemError as error:
                answer = (mainstem.Status(error.status).name + ": " + str(error), None)
            except Exception as error:
                answer = (f"{type(error).__name__}: {error}", None)
            connection.send(answer)


class Failed(Exception):
    """A machine said no."""


class Gone(Exception):
    """A machine has died."""


class Process:
    """A machine, seen from outside."""

    def __init__(self, spec: Dict[str, Any], path: Path, url: str) -> None:
        self.connection, theirs = multiprocessing.Pipe()
        self.pid: Optional[int] = os.fork()
        if self.pid == 0:
            try:
                ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
                self.connection.close()
                work(Machine(spec, path, url), theirs)
            finally:
                os._exit(0)
        theirs.close()

    def tell(self, name: str, *arguments: Any) -> Any:
        """Has something done, and returns what came of it."""
        try:
            self.connection.send((name, arguments))
            if not self.connection.poll(PATIENCE + 30):
                raise Failed(f"{name} hangs")
            message, value = self.connection.recv()
        except (EOFError, ConnectionError) as error:
            raise Gone(name) from error
        if message:
            raise Failed(f"{name}: {message}")
        return value

    def kill(self) -> None:
        """Without a word."""
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.connection.close()
        self.pid = None
