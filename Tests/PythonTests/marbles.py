# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The marbles of docs/signals.md: its tables, and drawings as observables and back.

MainstemTesting reads and draws them alike, see Marbles.swift.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Tuple

import mainstem
import reactivex
from mainstem import rx

PAGE = Path(__file__).resolve().parents[2] / "docs" / "signals.md"
#: How many milliseconds a character stands for.
FRAME = 10

#: What is sent, and when: next, completed or failed, and the value.
Mark = Tuple[int, str, str]


class MarbleFailure(Exception):
    """What a drawing shows as #."""


class Row(NamedTuple):
    """A line of a table, with the inputs above it."""

    expression: str
    expected: str
    inputs: Dict[str, str]


def rows() -> List[Row]:
    """All lines of the page's tables that are not inputs."""
    found: List[Row] = []
    inputs: Dict[str, str] = {}
    is_table = False
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            is_table, inputs = line == "```marbles", {}
        elif is_table:
            name, _, drawn = line.partition("   ")
            if len(name) == 1:
                inputs[name] = drawn.strip()
            else:
                found.append(Row(name, drawn.strip(), inputs))
    return found


def marks(drawing: str) -> List[Mark]:
    """Reads a drawing."""
    found: List[Mark] = []
    time, grouped, long = 0, False, None
    for character in drawing:
        if character == "{":
            long = ""
        elif character == "}":
            found.append((time, "next", long or ""))
            long = None
        elif long is not None:
            long += character
        elif character in "()":
            grouped = character == "("
        elif character != "-":
            kind = {"|": "completed", "#": "failed"}.get(character, "next")
            found.append((time, kind, character))
        if long is None and not grouped:
            time += FRAME
    return found


def draw(marks: List[Mark]) -> str:
    """Draws. What is not at the beginning of a frame has its time beside it."""
    line, time = "", 0
    for when, group in itertools.groupby(marks, key=lambda mark: mark[0]):
        while time + FRAME <= when:
            line += "-"
            time += FRAME
        drawn = [
            {"completed": "|", "failed": "#"}.get(kind)
            or (value if len(value) == 1 else f"{{{value}}}")
            for _, kind, value in group
        ]
        line += drawn[0] if len(drawn) == 1 else f"({''.join(drawn)})"
        line += f"@{when}" if when != time else ""
        time += FRAME
    return line


def cold(drawing: str) -> reactivex.Observable[str]:
    """A cold observable that sends what a drawing shows."""

    def subscribe(observer: Any, scheduler: Any = None) -> Any:
        def send(kind: str, value: str) -> Any:
            calls = {"next": lambda: observer.on_next(value), "completed": observer.on_completed}
            call = calls.get(kind, lambda: observer.on_error(MarbleFailure()))
            return lambda *_: call()

        group = reactivex.disposable.CompositeDisposable()
        for time, kind, value in marks(drawing):
            group.add(scheduler.schedule_relative(time / 1000, send(kind, value)))
        return group

    return reactivex.Observable(subscribe)


def drawn(source: reactivex.Observable[Any]) -> str:
    """Runs an observable for a second of a context's virtual time, and draws what it sends."""
    heard: List[Mark] = []
    with mainstem.Context(clock="virtual", raises=True) as context:

        def hear(kind: str, value: Any = "") -> None:
            assert kind != "failed" or isinstance(value, MarbleFailure), value
            heard.append((round(context.now() * 1000), kind, value))

        clock = rx.ContextScheduler(context)
        run = source.subscribe(
            lambda value: hear("next", value),
            lambda error: hear("failed", error),
            lambda: hear("completed"),
            scheduler=clock,
        )
        context.advance(1)
        run.dispose()
        assert context.stats().timers == 0
    return draw(heard)
