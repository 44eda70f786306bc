# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Plays Tests/scenarios/reactors.txt, as C and Swift do: the same actions, the same values.

Where the payloads are the same in all three languages, the same events, too.
"""

from __future__ import annotations

from typing import Any, Dict, List

import mainstem
import pytest
from conftest import ROOT
from mainstem import LATER, Failure, MainstemError, Status
from reactors import Alerts, Counter, Feed, RequestPage, ResponsePage, Stopwatch

KINDS = {"counter": Counter, "stopwatch": Stopwatch, "alerts": Alerts, "feed": Feed}


def scripts() -> Dict[str, List[str]]:
    found: Dict[str, List[str]] = {}
    steps: List[str] = []
    for line in (ROOT / "Tests/scenarios/reactors.txt").read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.strip().startswith("#"):
            continue
        if line.startswith(" "):
            steps.append(line.strip())
        else:
            steps = found[line] = []
    return found


SCRIPTS = scripts()


class Player:
    """A program, and what its views see."""

    def __init__(self, context: mainstem.Context, kind: Any) -> None:
        self.context, self.kind = context, kind
        self.seen: List[str] = []
        self.asked: List[Any] = []
        self.answered = 0
        self.log: List[str] = []
        context.observe()(self.see)
        context.trace(self.log.append)
        context.serve(RequestPage, self.keep)
        self.again()

    def keep(self, request: RequestPage) -> Any:
        self.asked.append(request.event.retain())
        return LATER

    def again(self) -> None:
        self.reactor = self.context.open(self.kind())
        self.view = self.reactor.bind()

    def see(self, value: Any) -> None:
        event = value.event
        for row in self.kind.__mainstem_model__.rows.values():
            is_shown = row.arguments is None and row.python != "mutation"
            if is_shown and event.name == f"{self.kind.__name__}.{row.name}":
                said = row.form.decode(event.data)
                said = str(said).lower() if isinstance(said, bool) else said
                self.seen.append(f"{row.name}={said}")

    def step(self, line: str) -> None:
        verb, _, rest = line.partition(" ")
        getattr(self, f"do_{verb}")(rest)

    def do_run(self, rest: str) -> None:
        called, _, wanted = rest.partition(" -> ")
        name, *given = called.split(" ", 1)
        try:
            getattr(self.view, name)(*given)
            assert not wanted
        except MainstemError as error:
            assert error.status.name == wanted

    def do_see(self, rest: str) -> None:
        self.context.drain()
        assert " ".join(self.seen) == rest
        self.seen.clear()

    def do_sent(self, rest: str) -> None:
        if rest:
            assert self.log.pop(0) == rest
        else:
            self.log.clear()

    def do_wait(self, rest: str) -> None:
        self.context.advance(int(rest) / 1000)

    def answer(self, answer: Any) -> None:
        asked = self.asked[self.answered]
        self.answered += 1
        try:
            asked.answer(answer)
        except MainstemError as error:
            # What a run that has ended asked for was given up.
            assert error.status == Status.STALE

    def do_page(self, rest: str) -> None:
        self.answer(ResponsePage(rest))

    def do_fail(self, rest: str) -> None:
        self.answer(Failure("OFFLINE", user_message=rest))

    def do_asked(self, rest: str) -> None:
        assert len(self.asked) == int(rest)

    def do_again(self, _: str) -> None:
        mainstem.end(self.view)
        self.reactor.scope.end()
        self.again()


@pytest.mark.parametrize("program", SCRIPTS)
def test_a_script_of_actions_shows_the_same_values_in_the_same_order(program) -> None:
    with mainstem.Context(clock="virtual", raises=True) as context:
        player = Player(context, KINDS[program])
        for line in SCRIPTS[program]:
            player.step(line)
