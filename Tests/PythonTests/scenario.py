# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Plays the scenarios of Tests/scenarios on the package's public face: docs/testing.md."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple

import mainstem
from mainstem import LATER, Context, Failure, Gap, Limits, MainstemError, Scope, Status

FOLDER = Path(__file__).resolve().parents[1] / "scenarios"
WORD = re.compile(r'"[^"]*"|\S+')
LIMITS = ("events", "bytes", "posts", "post_bytes", "cascade", "payload", "observers")


class Line(NamedTuple):
    """A line, and the lines below it that are further in."""

    text: str
    below: List[Any]

    def steps(self) -> List["Line"]:
        return [line for line in self.below if not line.text.startswith("|")]

    def shown(self) -> List[str]:
        return [line.text[2:] for line in self.below if line.text.startswith("|")]


class Case(NamedTuple):
    law: int
    sentence: str
    options: "Words"
    lines: List[Line]

    @property
    def id(self) -> str:
        return f"law_{self.law}_{self.sentence.replace(' ', '_')}"


class Words:
    """One step: `send Notice "hello" in Scope -> FULL`."""

    def __init__(self, text: str) -> None:
        text, _, wanted = text.partition(" -> ")
        self.words = WORD.findall(text)
        self.wanted = wanted or "OK"

    def __getitem__(self, index: int) -> str:
        return self.words[index]

    def after(self, word: str) -> Optional[str]:
        """The word behind this one."""
        return self.words[self.words.index(word) + 1] if word in self.words[1:] else None

    def number(self, word: str) -> int:
        return int(self.after(word) or 0)

    @property
    def payload(self) -> str:
        return next((word[1:-1] for word in self.words if word.startswith('"')), "")


def tree(rows: List[Tuple[int, str]], indent: int) -> List[Line]:
    """Takes the lines from `rows` that are this far in, each with what is below it."""
    lines = []
    while rows and rows[0][0] == indent:
        text = rows.pop(0)[1]
        lines.append(Line(text, tree(rows, indent + 2)))
    return lines


def cases(path: Path) -> Iterator[Case]:
    text = re.sub(r"^ *#.*$", "", path.read_text(encoding="utf-8"), flags=re.M)
    for part in re.split(r"^case ", text, flags=re.M)[1:]:
        sentence, *rest = [row for row in part.splitlines() if row.strip()]
        options = Words(rest.pop(0) if rest[0].startswith("with ") else "with")
        rows = [(len(row) - len(row.lstrip()), row.strip()) for row in rest]
        lines = tree(rows, 0)
        assert not rows, f"{path}: {rows[0][1]}: two spaces further in, or as far as a line above"
        yield Case(int(path.stem.split("_")[1]), sentence, options, lines)


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


class Stage:
    """What a case plays on: its context, what it has named, and what has happened so far."""

    def __init__(self, case: Case, threads: str) -> None:
        options = case.options
        self.context = Context(
            threads=threads,
            limits=Limits(**{name: options.number(name) for name in LIMITS}),
            clock=options.after("clock") or "monotonic",
            deliver=options.after("deliver") or "immediate",
            on_exception=lambda exception, value: None,
        )
        self.known = False
        self.depth = 0
        self.entries: List[str] = []
        self.named: Dict[str, Any] = {}

    def play(self, lines: List[Line]) -> None:
        """Plays a case: each step causes exactly what the file shows below it."""
        for line in lines:
            self.step(line, line.text, None)
            self.let_go()
            seen = "\n".join([line.text, *(f"  | {entry}" for entry in self.entries)])
            assert self.entries == line.shown(), seen
            self.entries = []

    def note(self, text: str) -> None:
        self.entries.append("  " * self.depth + text)

    def let_go(self) -> None:
        """Keeps no observer that the library has let go of, so that this is noted now."""
        for name, one in list(self.named.items()):
            if getattr(one, "released", False) is True:
                del self.named[name]

    def call(self, name: str, line: Line, value: Any) -> Any:
        self.let_go()
        self.note(entry(name, value))
        self.depth += 1
        try:
            for step in line.steps():
                at = re.match(r"at (\d+) ", step.text)
                if at is None or int(at.group(1)) == value.event.position:
                    self.step(step, step.text[at.end() if at else 0 :], value.event)
        finally:
            self.depth -= 1
        return LATER

    def step(self, line: Line, text: str, event: Any) -> None:
        """Runs one step; what it gave is noted if it is not what is wanted."""
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
        return name

    def step_observe(self, step: Words, line: Line, _event: Any) -> None:
        kinds = [] if self.type(step[2]) == "all" else [step[2]]
        options: Dict[str, Any] = {"history": step.after("history") is None}
        if step.after("on"):
            options.update(on="host", policy=step.after("policy") or "reject")
            options.update(limit=step.number("limit"), limit_bytes=step.number("bytes"))
        called = Observer(self, step[1], line)
        options.update(on_gap=called)
        scope = self.where(step)
        self.named[step[1]] = called.taken(lambda: scope.observe(*kinds, called, **options))

    def step_serve(self, step: Words, line: Line, _event: Any) -> None:
        called = Observer(self, step[1], line)
        scope, kind = self.where(step), self.type(step[2])
        self.named[step[1]] = called.taken(lambda: scope.server(step[1], {kind: called}))

    def step_scope(self, step: Words, _line: Line, _event: Any) -> None:
        self.named[step[1]] = self.where(step).scope(step[1], observers=step.number("observers"))

    def step_request(self, step: Words, line: Line, _event: Any) -> None:
        called = Called(self, step[1], line)
        timeout = step.number("timeout") / 1000 if step.after("timeout") else None
        self.named[step[1]] = self.where(step).request(
            self.type(step[2]), step.payload, then=called, progress=called, timeout=timeout
        )

    def step_send(self, step: Words, _line: Line, _event: Any) -> None:
        self.where(step).send(self.type(step[1]), step.payload)

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
        self.forget_observers()
        scope.end()

    def forget_observers(self) -> None:
        """Before many end at once: only the library knows in which order."""
        for name, one in list(self.named.items()):
            if isinstance(one, mainstem.Subscription):
                del self.named[name]

    def step_drain(self, step: Words, _line: Line, _event: Any) -> None:
        self.context.drain(*map(int, step.words[1:]))

    def step_flush(self, _step: Words, _line: Line, _event: Any) -> None:
        self.context.flush()

    def step_wait(self, _step: Words, _line: Line, _event: Any) -> Status:
        return Status.OK if self.context.wait(0) else Status.TIMEOUT

    def step_close(self, _step: Words, _line: Line, event: Any) -> None:
        if event is None:
            self.forget_observers()
        self.context.close()

    def step_from(self, step: Words, _line: Line, _event: Any) -> int:
        return self.named[step[1]].from_

    def step_count(self, step: Words, _line: Line, _event: Any) -> int:
        return getattr(self.context.stats(), step[1])

    def step_history(self, step: Words, _line: Line, _event: Any) -> None:
        self.context.keep_history(self.type(step[1]), int(step[2]))

    def step_advance(self, step: Words, _line: Line, _event: Any) -> None:
        self.context.advance(int(step[1]) / 1000)


def entry(name: str, value: Any) -> str:
    """An event as its observer got it: `a 3 Notice "hello" cause 1`."""
    if isinstance(value, Gap):
        return f"{name} gap {value.first}-{value.last} lost {value.count}"
    event = value.event
    words = [name, str(event.position), event.name]
    if event.failed:
        words.append(name_of(event.status))
        words += [f'"{event.error.sentence}"'] if event.status >= Status.APP else []
    elif event.data:
        words.append(event.text if event.text.startswith("{") else f'"{event.text}"')
    words += [f"cause {event.cause}"] if event.cause else []
    words += [f"answers {event.answers}"] if event.answers else []
    words += ["outside"] if event.cause and event.outside else []
    words += ["progress"] if event.is_progress else []
    words += ["late"] if event.late else []
    return " ".join(words)
