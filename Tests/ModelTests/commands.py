# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Models and their commands, law 16: a part of the stream (stream.py), and one of the reference (reference.py)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Iterable

from answers import CORE_ERROR
from contract import (
    CANCELLED,
    DISABLED,
    EXECUTING,
    FULL,
    INCOMPLETE,
    INVALID,
    LAYER_VIEW,
    LAYER_VIEWMODEL,
    LATE,
    OK,
    OUTSIDE,
    PAYLOAD_BOOL,
    PAYLOAD_NONE,
    PAYLOAD_TEXT,
    ROLE_MASK,
    ROLE_REQUEST,
    ROLE_RESPONSE,
    ROLE_VALUE,
    STALE,
    TOO_BIG,
    TRACKED,
)
from process import Frame
from values import Callback, Completion, Event, Pending, Scope

REFUSE, QUEUE, NEWEST, CONCURRENT = range(4)
MOST_WAITING = 64
#: What the library says of a failure without a text that fits.
NO_TEXT = b"the command has failed"
#: The types of a command, by what stands behind its name, in the order in which they are registered.
TYPES = {
    ".done": ROLE_RESPONSE | LAYER_VIEWMODEL,
    "": ROLE_REQUEST | LAYER_VIEW,
    ".enabled": PAYLOAD_BOOL | ROLE_VALUE | LAYER_VIEWMODEL,
    ".executing": PAYLOAD_BOOL | ROLE_VALUE | LAYER_VIEWMODEL,
    ".error": PAYLOAD_TEXT | ROLE_VALUE | LAYER_VIEWMODEL,
}
#: The commands of a model in a script, and what their requests and answers carry.
COMMANDS = {"go": PAYLOAD_TEXT, "up": PAYLOAD_NONE}
MAY = PAYLOAD_BOOL | ROLE_VALUE | LAYER_VIEW


def types_of(
    owner: str, commands: Iterable[str] = tuple(COMMANDS)
) -> list[tuple[str, int, str | None]]:
    """Name, contract and response of each type of a model with these commands."""
    types: list[tuple[str, int, str | None]] = [(f"{owner}.may", MAY, None)]
    for name in commands:
        payload = COMMANDS[name]
        for suffix, contract in TYPES.items():
            carries = payload if suffix in ("", ".done") else 0
            response = f"{owner}.{name}.done" if not suffix else None
            types.append((f"{owner}.{name}{suffix}", contract | carries, response))
    return types


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
        if event.flags & LATE or not event.flags & TRACKED:
            return
        refusal = self.refusal_of(command)
        if refusal:
            self.answer_run(command, event, refusal)
            return
        waits = command.policy != CONCURRENT and bool(command.is_busy or command.waiting)
        run = Run(command, event.copy(), self.undelivered[event.position])
        run.pending.run = run
        command.runs.append(run)
        if not waits:
            self.begin_run(run, event)
            return
        run.state, run.is_kept = "waits", True
        self.retained += 1
        if command.policy == NEWEST:
            self.replace_runs(run)

    def refusal_of(self, command: Command) -> int:
        if not self.is_enabled(command):
            return DISABLED
        if command.policy == REFUSE and command.is_busy:
            return EXECUTING
        return FULL if command.policy == QUEUE and len(command.waiting) >= MOST_WAITING else OK

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
        self.answer_run(command, event, OK if is_done else INCOMPLETE)

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
                response = Event(self.response_of(run.event.type), CORE_ERROR, "", status=CANCELLED)
                self.answer(run.event, response)
                if not self.hold(response):
                    self.put(response)

    def release_run(self, run: Run) -> None:
        self.retained -= run.is_kept
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
        has_failed = has_run and answer.status not in (OK, CANCELLED)
        if has_failed:
            self.forget_failure(command)
            command.failure = answer
        if has_failed or run.state == "executes" or command.can_go_on:
            self.owe(command.scope)
            with self.process.inside(Frame(self, answer, holder=command.scope)):
                self.go_on(command, answer)
            self.run_hooks()

    def go_on(self, command: Command, answer: Event) -> None:
        while command.can_go_on and not self.closing:
            run = command.waiting[0]
            if not self.is_enabled(command):
                run.state = "dropped"
                self.answer_run(command, run.event, DISABLED)
                self.release_run(run)
                continue
            event = run.event
            event.failed, event.fail = False, self.failing(command, event, answer)
            self.begin_run(run, event)
            self.release_run(run)
            return

    def failing(self, command: Command, event: Event, answer: Event) -> Callable[[int, str], None]:
        """A run that waited fails as its handler does, in a callback of the answer."""

        def fail(code: int, sentence: str) -> None:
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
            told.type = event.type
            self.report(told, command.scope, (code, sentence), handler.failures)

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


class Hold:
    """What a view waits for: the function of a run, until its binding drops it."""

    def __init__(self, stream: Any, runs: list[Hold], fn: Any, hook: Any) -> None:
        self.stream, self.runs, self.fn, self.hook = stream, runs, fn, hook
        self.is_calling = False
        runs.append(self)

    def call(self, event: Event) -> None:
        if self.fn is None:
            self.stream.deliveries -= 1  # nobody is called
            return
        self.is_calling = True
        self.fn(event)

    def end(self) -> None:
        if self in self.runs:
            self.runs.remove(self)
        if self.hook:
            self.hook()


class Models:
    """The calls of models: a part of the reference."""

    def model_add(
        self,
        parent: Scope,
        name: str,
        told: Callback,
        commands: list[tuple[str, int, bool, Callback]],
        hook: Callable[[], None],
        show: Callable[[Scope], int] | None,
    ) -> Any:
        status = self.check_changing(parent)
        numbers: dict[str, int] = {}
        for whole, contract, response in types_of(name, [each[0] for each in commands]):
            if not status:
                status, numbers[whole] = self.type_add(parent, whole, contract, response)
        if status:
            return status, None
        made = [
            self.command_of(name, each, policy, is_enabled, fn, numbers)
            for each, policy, is_enabled, fn in commands
        ]
        rows = [(f"{name}.may", told, 2)]
        rows += [
            (f"{name}.{each[0]}", self.handler_of(command), 1)
            for each, command in zip(commands, made)
        ]
        ends = self.hook_of_model(parent.stream, made, hook)
        show = self.show_of(made, show)
        status, server = self.server_add(parent, name, rows, ends, None, show)
        if server:
            server.commands = made
            for command in made:
                command.scope = server
        return status, server

    def command_of(
        self, owner: str, name: str, policy: int, is_enabled: bool, fn: Any, known: dict[str, int]
    ) -> Command:
        types = {each: known[f"{owner}.{name}{each}"] for each in TYPES}
        enabler = known[f"{owner}.may"] if is_enabled else 0
        return Command(policy, fn, COMMANDS[name] == PAYLOAD_NONE, types, enabler)

    def handler_of(self, command: Command) -> Callback:
        return lambda event: event.context.stream.carry_out(command, event)

    def hook_of_model(self, stream: Any, commands: list[Command], hook: Any) -> Any:
        def run() -> None:
            for command in commands:
                for each in command.runs:
                    stream.release_run(each)
            hook()

        run.label = getattr(hook, "label", None)
        return run

    def show_of(self, commands: list[Command], show: Any) -> Callable[[Scope], int]:
        def run(scope: Scope) -> int:
            for command in commands:
                command.scope = scope
            scope.stream.note_executing(commands)
            status = show(scope) if show else OK
            for command in commands:
                failed = self.show_command(command)
                status = status or failed
            return status

        return run

    def show_command(self, command: Command) -> int:
        stream, name = command.scope.stream, command.scope.name
        is_enabled = not command.enabler or stream.will_be_true(command.enabler, name)
        executes = any(each.state == "executes" for each in command.runs)
        for what, value in ((".enabled", is_enabled), (".executing", executes)):
            if command.shown.get(what) != value:
                status = self.value_set(command.scope, command.types[what], bytes([value]))
                if status:
                    return status
                command.shown[what] = value
        if command.failure or command.is_failure_old or "error" not in command.shown:
            return self.show_error(command)
        return OK

    def show_error(self, command: Command) -> int:
        text = command.failure.text.encode() if command.failure else b""
        status = self.value_set(command.scope, command.types[".error"], text)
        if status == TOO_BIG and command.failure:
            status = self.value_set(command.scope, command.types[".error"], NO_TEXT)
            status = OK if status == TOO_BIG else status
        if not status:
            command.shown["error"] = "text" if command.failure else ""
            command.failure, command.is_failure_old = None, False
        return status

    def binding_run(self, binding: Any, name: str, data: bytes, fn: Any, hook: Any) -> Any:
        status = self.check_binding(binding, True)
        view, owner = binding.view, binding.owner
        if status or owner is None or owner.ended:
            return status or STALE, None
        stream, known = view.stream, self.find_value(owner, name)
        if not known or known.contract & ROLE_MASK != ROLE_REQUEST:
            return INVALID, None
        status = self.check_event(view, known.number, data)
        if status:
            return status, None
        event = Event(known.number, data, owner.name, flags=TRACKED | OUTSIDE)
        # Before it is known whether the model refuses it, and before it is sent.
        self.check_after_leftovers(view)
        status = self.refusal_at_once(owner, known.number)
        if not status:
            self.check_after_leftovers(view)
            status = self.check_binding(binding)
        if not status and (owner.ended or binding.owner is not owner):
            status = STALE
        status = status or self.check_room(stream, event)
        if status:
            return status, None
        hold = Hold(stream, binding.runs, fn, hook)
        completion = Completion(hold.call, view, False, None, hold.end)
        pending = Pending(event, owner, completion)
        stream.put(event, pending)
        return OK, pending

    def refusal_at_once(self, owner: Scope, number: int) -> int:
        """Where nothing waits that may change it."""
        stream = owner.stream
        frame = self.process.frame(stream)
        is_inside = frame is not None and not frame.is_elsewhere
        if is_inside or stream.delivering or stream.queue or stream.unshown or stream.owed_again:
            return OK
        for command in owner.commands:
            if command.types[""] == number:
                return stream.refusal_of(command)
        return OK
