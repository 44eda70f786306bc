# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The commands of models, law 16: a part of the stream (model.py)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Iterable

from reference.declarations import d
from reference.flow.answers import CORE_ERROR
from reference.flow.process import Frame
from reference.flow.values import Callback, Event, Pending

MOST_WAITING = 64
#: What the library says of a failure without a text that fits.
NO_TEXT = b"the command has failed"
#: The types of a command, by what stands behind its name, in the order of registration.
TYPES = {
    ".done": d.ROLE_RESPONSE | d.LAYER_VIEWMODEL,
    "": d.ROLE_REQUEST | d.LAYER_VIEW,
    ".enabled": d.PAYLOAD_BOOL | d.ROLE_VALUE | d.LAYER_VIEWMODEL,
    ".executing": d.PAYLOAD_BOOL | d.ROLE_VALUE | d.LAYER_VIEWMODEL,
    ".error": d.PAYLOAD_TEXT | d.ROLE_VALUE | d.LAYER_VIEWMODEL,
}
#: The commands of a model in a script, and what their requests and answers carry.
COMMANDS = {"go": d.PAYLOAD_TEXT, "up": d.PAYLOAD_NONE}
MAY = d.PAYLOAD_BOOL | d.ROLE_VALUE | d.LAYER_VIEW
#: How the names of reactors begin, what they show besides, and what their mutations are.
REACTOR = "reactor "
SHOWN_BY_REACTORS = {
    "sum": d.PAYLOAD_TEXT | d.ROLE_VALUE | d.LAYER_VIEWMODEL,
    "beep": d.PAYLOAD_TEXT | d.ROLE_NOTICE | d.LAYER_VIEWMODEL,
}
MUTATION = d.PAYLOAD_TEXT | d.ROLE_NOTICE | d.LAYER_VIEWMODEL


def types_of(
    owner: str, commands: Iterable[str] = tuple(COMMANDS)
) -> list[tuple[str, int, str | None]]:
    """Name, contract and response of each type of a model, or reactor, with these commands."""
    is_reactor = owner.startswith(REACTOR)
    types: list[tuple[str, int, str | None]] = [(f"{owner}.may", MAY, None)]
    for name, contract in SHOWN_BY_REACTORS.items() if is_reactor else ():
        types.append((f"{owner}.{name}", contract, None))
    for name in commands:
        payload = COMMANDS[name]
        for suffix, contract in TYPES.items():
            carries = payload if suffix == "" or (suffix == ".done" and not is_reactor) else 0
            response = f"{owner}.{name}.done" if not suffix else None
            types.append((f"{owner}.{name}{suffix}", contract | carries, response))
    return types + [(f"{owner}.mutation", MUTATION, None)] * is_reactor


def rows_of(owner: str, actions: Iterable[str]) -> list[str]:
    """The types that a reactor's functions get, in their order."""
    return [f"{owner}.{name}" for name in ("may", *SHOWN_BY_REACTORS, *actions, "mutation")]


@dataclass(eq=False)
class Run:
    command: Command
    event: Event
    pending: Pending
    state: str = "begun"
    #: A copy of the request is kept.
    is_kept: bool = False


@dataclass(eq=False)
class Command:
    policy: int
    fn: Callback
    answers_itself: bool
    #: The numbers of its types, by what stands behind its name.
    types: dict[str, int]
    #: The type of the value that enables it; 0 = always enabled.
    enabler: int
    scope: Any = None
    runs: list[Run] = field(default_factory=list)
    failure: Event | None = None
    is_failure_old: bool = False
    shown: dict[str, Any] = field(default_factory=dict)

    @property
    def is_busy(self) -> bool:
        return any(each.state in ("begun", "executes") for each in self.runs)

    @property
    def waiting(self) -> list[Run]:
        return [each for each in self.runs if each.state == "waits"]

    @property
    def can_go_on(self) -> bool:
        return bool(self.waiting) and not self.is_busy


class Commands:
    """What becomes of runs: a part of the stream."""

    def carry_out(self, command: Command, event: Event) -> None:
        """The handler of a command."""
        command.scope = event.context
        if event.flags & d.EVENT_LATE or not event.flags & d.EVENT_TRACKED:
            return
        refusal = self.refusal_of(command)
        if refusal:
            self.answer_run(command, event, refusal)
            return
        waits = command.policy != d.COMMAND_CONCURRENT and bool(command.is_busy or command.waiting)
        run = Run(command, event.copy(), self.undelivered[event.position])
        run.pending.run = run
        command.runs.append(run)
        if not waits:
            self.begin_run(run, event)
            return
        run.state, run.is_kept = "waits", True
        self.retained += 1
        self.add_holder(event)
        if command.policy == d.COMMAND_LATEST:
            self.replace_runs(run)

    def refusal_of(self, command: Command) -> int:
        if not self.is_enabled(command):
            return d.DISABLED
        if command.policy == d.COMMAND_REFUSE and command.is_busy:
            return d.EXECUTING
        return (
            d.FULL
            if command.policy == d.COMMAND_QUEUE and len(command.waiting) >= MOST_WAITING
            else d.OK
        )

    def is_enabled(self, command: Command) -> bool:
        """As was last delivered."""
        known = self.present.get((command.types[".enabled"], command.scope.name))
        return known.payload == b"\1" if known else not command.enabler

    def begin_run(self, run: Run, event: Event) -> None:
        command, frame = run.command, self.process.frame(self)
        run.state = "begun"
        self.forget_failure(command)
        frame.running, frame.has_kept = event, False
        command.fn(event)
        frame.running = None
        if frame.has_kept or self.holds_answer(run):
            return
        is_done = command.answers_itself and not event.failed
        self.answer_run(command, event, d.OK if is_done else d.INCOMPLETE)

    def forget_failure(self, command: Command) -> None:
        command.failure, command.is_failure_old = None, command.shown.get("error") == "text"

    def holds_answer(self, run: Run) -> bool:
        return any(each.settles is run.pending for each in run.command.scope.held)

    def answer_run(self, command: Command, event: Event, status: int) -> None:
        """Answers as the model."""
        if self.closing or event.position not in self.open:
            return
        data = CORE_ERROR if status else b""
        response = Event(self.response_of(event.type), data, command.scope.name, status=status)
        response.answerer = command.scope
        self.answer(event, response)
        if not self.hold(response):
            self.put(response)

    def replace_runs(self, last: Run) -> None:
        for run in list(last.command.runs) if not self.closing else ():
            if run is last or run.state not in ("executes", "waits"):
                continue
            if run.state == "waits":
                run.state = "dropped"
                self.release_run(run)
            if run.event.position in self.open:
                response = Event(
                    self.response_of(run.event.type), CORE_ERROR, "", status=d.CANCELLED
                )
                self.answer(run.event, response)
                if not self.hold(response):
                    self.put(response)

    def release_run(self, run: Run) -> None:
        self.retained -= run.is_kept
        if run.is_kept:
            self.let_go(run.event, run.command.scope, released=True)
        run.is_kept = False

    def end_run(self, answer: Event) -> None:
        """Everybody has been told of the answer: the model goes on."""
        run = answer.settles.run
        if not run:
            return
        self.may_notice_what_others_cancelled()
        command = run.command
        command.runs.remove(run)
        self.release_run(run)
        if self.has_ended(command.scope):
            return
        has_run = run.state not in ("waits", "dropped")
        has_failed = has_run and answer.status not in (d.OK, d.CANCELLED)
        if has_failed:
            self.forget_failure(command)
            command.failure = answer
        if has_failed or run.state == "executes" or command.can_go_on:
            self.owe(command.scope)
            frame = Frame(self, answer, holder=command.scope)
            with self.process.inside(frame):
                self.go_on(command, answer)
            self.run_hooks()

    def go_on(self, command: Command, answer: Event) -> None:
        while command.can_go_on and not self.closing:
            run = command.waiting[0]
            if not self.is_enabled(command):
                run.state = "dropped"
                self.answer_run(command, run.event, d.DISABLED)
                self.release_run(run)
                continue
            event = run.event
            event.failed, event.fail = False, self.failing(command, event, answer)
            self.process.frame(self).fail = event.fail
            self.begin_run(run, event)
            self.release_run(run)
            return

    def failing(self, command: Command, event: Event, answer: Event) -> Callable[[int, str], None]:
        """A run that waited fails as its handler does, in a callback of the answer."""

        def fail(code: int, message: str, number: int = 0) -> None:
            if event.failed:
                return
            event.failed = True
            handler = next(
                each
                for each in self.subscriptions
                if each.scope is command.scope and each.filter.types == [event.type]
            )
            handler.failures += 1
            told = answer.copy()
            told.type = number or event.type
            self.report(told, command.scope, (code, message), handler.failures)

        return fail

    def note_executing(self, commands: list[Command]) -> None:
        for command in commands:
            for run in command.runs:
                if run.state == "begun":
                    run.state = "answered" if self.holds_answer(run) else "executes"

    def will_be_true(self, number: int, owner: str) -> bool:
        """A value when what is on its way has been delivered."""
        event = Event(number, b"", owner)
        last = self.last_output(event)
        if not self.sends_output():
            last = self.last_input(event) or last
        last = last or self.present.get((number, owner))
        return last is not None and last.payload == b"\1"
