# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Plays the scenarios of Tests/scenarios on the package's public face: docs/testing.md."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any, Callable, Dict, List

import mainstem
from mainstem import LATER, Context, Failure, Gap, Limits, MainstemError, Replay, Scope, Status
from mainstem.journal_file import Journal
from scenario import Case, Line, Words
from scenario_commands import Commands
from scenario_views import Shown, Views

LIMITS = ("events", "bytes", "posts", "post_bytes", "cascade", "payload", "observers")


def name_of(status: int) -> str:
    return status.name if status < Status.APP else str(int(status))


class Called:
    """A callback; once the library and the player have let go of it, that is noted."""

    def __init__(self, stage: "Stage", name: str, line: Line) -> None:
        self.stage, self.name, self.line = stage, name, line

    def __call__(self, value: Any) -> Any:
        return self.stage.call(self.name, self.line, value)


class Observer(Called):
    is_taken = True

    def __del__(self) -> None:
        if self.is_taken:
            self.stage.note(f"~{self.name}")

    def taken(self, register: Callable[[], Any]) -> Any:
        """Registers it. If that is refused, there is nothing to release."""
        try:
            return register()
        except MainstemError:
            self.is_taken = False
            raise


class Stage(Views, Commands):
    """What a case plays on: its context, what it has named, and what has happened so far."""

    context: Context
    replay: Replay

    def __init__(self, case: Case, threads: str, path: Path) -> None:
        self.options = case.options
        self.threads = threads
        self.path = path
        self.thread = threading.get_ident()
        #: Released at the end of each callback on a scheduler's own thread.
        self.beside = threading.Semaphore(0)
        self.depth = 0
        self.entries: List[str] = []
        self.open()

    def open(self) -> None:
        """Opens its context, for which everything is named anew."""
        options = self.options
        self.context = Context(
            threads=self.threads,
            limits=Limits(**{name: options.number(name) for name in LIMITS}),
            clock=options.after("clock") or "monotonic",
            times=options.after("times") is not None,
            seed=options.number("seed"),
            deliver=options.after("deliver") or "immediate",
            on_exception=lambda exception, value: None,
        )
        self.known = False
        self.named: Dict[str, Any] = {}

    def play(self, lines: List[Line]) -> None:
        """Plays a case: each step causes exactly what the file shows below it."""
        for line in lines:
            self.step(line, line.text, None)
            for _ in range(line.shown_beside()):
                self.beside.acquire(timeout=30)
            self.let_go()
            seen = "\n".join([line.text, *(f"  | {entry}" for entry in self.entries)])
            assert self.entries == line.shown(), seen
            self.entries = []

    def note(self, text: str) -> None:
        self.entries.append("  " * self.depth + text)

    def note_call(self, text: str) -> bool:
        """Notes what somebody got, and on which thread, unless on that of the case.

        Says whether the thread is the library's, which names it after its scheduler.
        """
        is_elsewhere = threading.current_thread().name == "elsewhere"
        is_beside = threading.get_ident() != self.thread and not is_elsewhere
        place = " elsewhere" if is_elsewhere else f" on {thread_name()}" if is_beside else ""
        self.note(text + place)
        return is_beside

    def let_go(self) -> None:
        """Keeps no observer that the library has let go of, so that this is noted now."""
        for name, one in list(self.named.items()):
            if getattr(one, "released", False) is True:
                del self.named[name]

    def call(self, name: str, line: Line, value: Any) -> Any:
        self.let_go()
        is_beside = self.note_call(entry(name, value))
        self.depth += 1
        try:
            for step in line.steps():
                at = re.match(r"at (\d+) ", step.text)
                if at is None or int(at.group(1)) == value.event.position:
                    self.step(step, step.text[at.end() if at else 0 :], value.event)
        finally:
            self.depth -= 1
            if is_beside:
                self.beside.release()
        return LATER

    def step(self, line: Line, text: str, event: Any) -> None:
        """Runs one step; what it gave is noted if it is not what is wanted."""
        if text.startswith("elsewhere "):
            text = text[len("elsewhere ") :]
            thread = threading.Thread(target=self.step, args=(line, text, event), name="elsewhere")
            thread.start()
            thread.join()
            return
        step = Words(text)
        verb: Callable[..., Any] = getattr(self, f"step_{step[0]}")
        try:
            gave = verb(step, line, event)
        except Failure:
            raise
        except MainstemError as error:
            gave = error.status
        gave = "OK" if gave is None else name_of(gave) if isinstance(gave, Status) else str(gave)
        # Ending twice what has ended is silent in Python.
        is_silent = step.wanted == "STALE" and step[0] in ("cancel", "cancel_wait", "end", "close")
        if gave != step.wanted and not (is_silent and gave == "OK"):
            self.note(f"{text} gave {gave}")

    def observer(self, name: str, line: Line) -> Observer:
        return Observer(self, name, line)

    def where(self, step: Words) -> Scope:
        scope = step.after("in")
        return self.context if scope is None else self.named[scope]

    def type(self, name: str) -> str:
        """Registers the types of the scenarios when the first one is named."""
        if name == "all" or self.known:
            return name
        self.known = True
        self.context.add_type("Notice", str)
        self.context.add_type("Other", str, layer="view")
        self.context.add_type("RequestAsk", str, response="ResponseAnswer")
        self.context.add_type("ResponseAnswer", str)
        for value in ("Value", "Cell.name", "Cell.size"):
            self.context.add_type(value, str, role="value")
        return name

    def step_observe(self, step: Words, line: Line, _event: Any) -> None:
        kinds = [] if self.type(step[2]) == "all" else [step[2]]
        options: Dict[str, Any] = {"history": step.after("history") is None}
        of = step.after("of")
        if of:
            options.update(of=self.context if of == "root" else self.named[of])
        on = step.after("on")
        if on:
            options.update(on=on if on == "host" else self.named[on])
            options.update(policy=step.after("policy") or "reject")
            options.update(limit=step.number("limit"), limit_bytes=step.number("bytes"))
        called = Observer(self, step[1], line)
        options.update(on_gap=called)
        scope = self.where(step)
        self.named[step[1]] = called.taken(lambda: scope.observe(*kinds, called, **options))

    def step_serve(self, step: Words, line: Line, _event: Any) -> None:
        called = Observer(self, step[1], line)
        scope, kind, shows = self.where(step), self.type(step[2]), step.after("shows")
        if shows:
            shown = Shown(called, shows)
            table = {kind: shown.handle}
            self.named[step[1]] = called.taken(
                lambda: scope.server(step[1], table, show=shown.show)
            )
            return
        table = {kind: called}
        tables = ({}, table) if step.after("for") else (table, {})
        handlers, own = tables
        beside = step.after("beside") is not None
        self.named[step[1]] = called.taken(
            lambda: scope.server(step[1], handlers, own=own, several=beside)
        )

    def step_serial(self, step: Words, _line: Line, _event: Any) -> None:
        self.named[step[1]] = self.context.serial(step[1])

    def step_wake(self, step: Words, _line: Line, _event: Any) -> None:
        self.context.on_wake(lambda: self.note_call(step[1]))

    def step_scope(self, step: Words, _line: Line, _event: Any) -> None:
        name = step.after("named") or step[1]
        self.named[step[1]] = self.where(step).scope(name, observers=step.number("observers"))

    def step_request(self, step: Words, line: Line, _event: Any) -> None:
        called = Called(self, step[1], line)
        timeout = step.number("timeout") / 1000 if step.after("timeout") else None
        self.named[step[1]] = self.where(step).request(
            self.type(step[2]), step.payload, then=called, progress=called, timeout=timeout
        )

    def step_send(self, step: Words, _line: Line, _event: Any) -> None:
        place, kind = self.where(step), self.type(step[1])
        if step.after("after"):
            place.send_after(step.number("after") / 1000, kind, step.payload)
        elif step.after("every"):
            place.send_every(step.number("every") / 1000, kind, step.payload)
        else:
            place.send(kind, step.payload)

    def step_send_many(self, step: Words, _line: Line, _event: Any) -> None:
        self.where(step).send_many(self.type(step[1]), step.payloads)

    def step_post(self, step: Words, _line: Line, _event: Any) -> None:
        self.where(step).post(self.type(step[1]), step.payload)

    def step_answer(self, step: Words, _line: Line, event: Any) -> None:
        (event if step[1] == "it" else self.named[step[1]]).respond(step.payload)

    def step_refuse(self, step: Words, _line: Line, event: Any) -> None:
        failure = Failure(step.payload, code=int(step[2]))
        (event if step[1] == "it" else self.named[step[1]]).respond(failure)

    def step_tell(self, step: Words, _line: Line, event: Any) -> None:
        asked = event if step[1] == "it" else self.named[step[1]]
        asked.progress(self.type(step[2]), step.payload)

    def step_keep(self, step: Words, _line: Line, event: Any) -> None:
        self.named[step[1]] = event.retain()

    def step_fail(self, step: Words, _line: Line, _event: Any) -> None:
        raise Failure(step.payload, code=int(step[1]))

    def step_cancel(self, step: Words, _line: Line, _event: Any) -> None:
        if step[1] in self.named:
            self.named[step[1]].cancel()

    def step_cancel_wait(self, step: Words, _line: Line, _event: Any) -> None:
        if step[1] in self.named:
            self.named[step[1]].cancel_wait()

    def step_give_up(self, step: Words, _line: Line, _event: Any) -> Status:
        return Status.OK if self.named[step[1]].cancel() else Status.STALE

    def step_end(self, step: Words, _line: Line, _event: Any) -> None:
        scope = self.named[step[1]]
        self.forget_observers(step)
        scope.end()

    def forget_observers(self, step: Words, *others: type) -> None:
        """Before many end at once: only the library knows in which order."""
        if step.wanted != "OK":
            return
        for name, one in list(self.named.items()):
            if isinstance(one, (mainstem.Subscription, *others)):
                del self.named[name]

    def step_drain(self, step: Words, _line: Line, _event: Any) -> None:
        self.context.drain(*map(int, step.words[1:]))

    def step_flush(self, _step: Words, _line: Line, _event: Any) -> None:
        self.context.flush()

    def step_wait(self, _step: Words, _line: Line, _event: Any) -> Status:
        return Status.OK if self.context.wait(0) else Status.TIMEOUT

    def step_close(self, step: Words, _line: Line, _event: Any) -> None:
        self.forget_observers(step, mainstem.Binding)
        self.context.close()

    def step_open(self, _step: Words, _line: Line, _event: Any) -> None:
        self.open()

    def step_from(self, step: Words, _line: Line, _event: Any) -> int:
        return self.named[step[1]].from_

    def step_count(self, step: Words, _line: Line, _event: Any) -> int:
        if step[1] == "durable":
            return self.context.journal_stats().durable
        return getattr(self.context.stats(), step[1])

    def step_history(self, step: Words, _line: Line, _event: Any) -> None:
        age = step.number("age") / 1000 if step.after("age") else None
        self.context.keep_history(self.type(step[1]), int(step[2]), age)

    def step_set(self, step: Words, _line: Line, _event: Any) -> None:
        self.where(step).set(self.type(step[1]), step.payload)

    def step_get(self, step: Words, _line: Line, _event: Any) -> Any:
        event = self.where(step).get(self.type(step[1]))
        return Status.UNSET if event is None else event.text

    def step_advance(self, step: Words, _line: Line, _event: Any) -> None:
        self.context.advance(int(step[1]) / 1000)

    def step_now(self, _step: Words, _line: Line, _event: Any) -> int:
        return round(self.context.now() * 1000)

    def step_random(self, _step: Words, _line: Line, _event: Any) -> int:
        return self.context.random()

    def step_id(self, _step: Words, _line: Line, _event: Any) -> str:
        return self.context.id()

    def step_record(self, step: Words, _line: Line, _event: Any) -> None:
        self.context.record(self.path, durability=(step.words[1:] or ["process"])[0])

    def step_recorded(self, _step: Words, _line: Line, _event: Any) -> int:
        """The last position in the file, without asking the library."""
        with Journal(str(self.path)) as journal:
            return max((event.position for event in journal.events()), default=0)

    def step_sync(self, _step: Words, _line: Line, _event: Any) -> None:
        self.context.sync_journal()

    def step_replay(self, _step: Words, _line: Line, _event: Any) -> None:
        self.replay = self.context.replay(self.path)

    def step_verify(self, _step: Words, _line: Line, _event: Any) -> None:
        self.replay = self.context.replay(self.path, verify=True)

    def step_feed(self, step: Words, _line: Line, _event: Any) -> None:
        if step.words[1:]:
            self.replay.step(int(step[1]))
        else:
            self.replay.to_end()

    def step_difference(self, _step: Words, _line: Line, _event: Any) -> str:
        found = self.replay.difference
        return "none" if found is None else f"{found.position} {found.field}"


def thread_name() -> str:
    path = Path(f"/proc/self/task/{threading.get_native_id()}/comm")
    return path.read_text(encoding="utf-8").rstrip("\n")


def entry(name: str, value: Any) -> str:
    """An event as its observer got it: `a 3 Notice "hello" cause 1`."""
    if isinstance(value, Gap):
        return f"{name} gap {value.first}-{value.last} lost {value.count}"
    event = value.event
    words = [name, str(event.position), event.name]
    if event.failed:
        words.append(name_of(event.status))
        words += [f'"{event.error.message}"'] if event.status >= Status.APP else []
    elif event.data:
        words.append(event.text if event.text.startswith("{") else f'"{event.text}"')
    words += [f"cause {event.cause}"] if event.cause else []
    words += [f"answers {event.answers}"] if event.answers else []
    words += ["outside"] if event.cause and event.outside else []
    words += ["progress"] if event.is_progress else []
    words += ["late"] if event.late else []
    return " ".join(words)
