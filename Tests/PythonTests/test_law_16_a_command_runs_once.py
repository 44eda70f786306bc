# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 16: a command runs once, and its views are told when it may, and whether it does."""

from __future__ import annotations

from typing import List

import mainstem
import pytest
from mainstem import Failure, MainstemError, Status
from mainstem.testing import TestContext


class Door(mainstem.ViewModel):
    """Opens slowly, and says how often it was opened."""

    count: int = mainstem.shown(0)
    may: bool = mainstem.writable(True)

    @mainstem.command
    def knock(self) -> None:
        self.count += 1

    @mainstem.command(enabled="may")
    async def go(self, text: str) -> str:
        await self.sleep(1)
        if text == "stuck":
            raise Failure("STUCK", user_message="It is stuck.")
        return text

    @mainstem.command(policy="queue")
    async def queue(self, text: str) -> str:
        await self.sleep(1)
        self.count += 1
        return text


def _seen(test: TestContext) -> List[str]:
    """The names of what is sent from here on, without the door's."""
    names: List[str] = []
    test.context.observe()(lambda event: names.append(event.name.replace("Door.", "")))
    # What is there comes first (law 13).
    names.clear()
    test.keep()
    return names


def test_what_is_answered_when_it_is_shown_never_was_executing() -> None:
    with TestContext() as test:
        view = test.open(Door()).bind()
        names = _seen(test)
        view.knock()
        assert names == ["knock", "count", "knock.done"]
        test.skip()


def test_a_second_run_is_refused_and_nothing_has_happened() -> None:
    with TestContext() as test:
        view = test.open(Door()).bind()
        names = _seen(test)
        run = view.go("a")
        with pytest.raises(MainstemError) as refused:
            view.go("b")
        assert refused.value.status == Status.EXECUTING
        assert names == ["go", "go.executing"]
        assert run.result() == "a"
        assert names[-2:] == ["go.done", "go.executing"]
        view.may = False
        with pytest.raises(MainstemError) as refused:
            view.go("c")
        assert refused.value.status == Status.DISABLED
        test.skip()


def test_an_error_is_shown_until_the_next_run_begins() -> None:
    with TestContext() as test:
        errors: List[str] = []
        view = test.open(Door()).bind(go_error=errors.append)
        with pytest.raises(Failure, match="STUCK"):
            view.go("stuck").result()
        assert errors == ["", "It is stuck."]
        run = view.go("a")
        assert errors == ["", "It is stuck.", ""]
        assert run.result() == "a"
        test.skip()


def test_what_waits_begins_when_the_one_before_it_has_its_answer() -> None:
    with TestContext() as test:
        door = test.open(Door())
        view = door.bind()
        runs = [view.queue(text) for text in "abc"]
        assert [run.result() for run in runs] == ["a", "b", "c"]
        assert (door.count, test.now()) == (3, 3)
        test.skip()
