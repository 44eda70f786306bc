# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a programmer sees at the prompt: dir, completion, help, repr and str."""

from __future__ import annotations

import dataclasses
import inspect
import pydoc
import rlcompleter
import sys

import mainstem
import pytest
from greeting import Said, Tapped
from mainstem import Context


class Counter(mainstem.ViewModel):
    count: int = mainstem.shown(0)
    step: int = mainstem.writable(1)
    password: str = mainstem.writable("hunter2", secret=True)

    @mainstem.command
    def up(self, by: int = 1) -> int:
        """Counts up."""
        self.count += by * self.step
        return self.count

    @mainstem.command
    def fail(self) -> None:
        raise mainstem.Failure("STUCK", code=1042)


class Ticker(mainstem.Reactor):
    @dataclasses.dataclass(frozen=True)
    class State:
        ticks: int = 0

    state = State()

    @mainstem.action
    def tick(self):
        yield 1

    @staticmethod
    def reduce(state, by: int):
        return Ticker.State(state.ticks + by)


@pytest.fixture
def view(context):
    return context.open(Counter()).bind()


def test_dir_of_a_view_is_what_it_has(view):
    names = ["count", "fail", "fail_enabled", "fail_error", "fail_executing", "password", "step"]
    assert dir(view) == [*names, "up", "up_enabled", "up_error", "up_executing"]
    assert dir(view.up) == ["enabled", "error", "executing"]


def test_completion_knows_them(view):
    completer = rlcompleter.Completer({"view": view})

    found = [completer.complete("view.u", place) for place in range(5)]

    assert [each.rstrip("(") for each in found if each] == [
        "view.up",
        "view.up_enabled",
        "view.up_error",
        "view.up_executing",
    ]


@pytest.mark.skipif(sys.version_info < (3, 9), reason="help of 3.8 shows the class")
def test_help_of_a_command_is_the_commands(view):
    told = pydoc.plain(pydoc.render_doc(view.up))

    assert "<command Counter.up(by: " in told
    assert "Counts up." in told
    assert list(inspect.signature(view.up).parameters) == ["by"]
    assert view.up.__name__ == "up"


def test_a_view_model_says_what_it_has_but_no_secret(context):
    counter = Counter()
    assert repr(counter) == "<Counter, not open: count=0, step=1>"
    context.open(counter).bind().up(2).result()
    assert repr(counter) == "<Counter, open: count=2, step=1>"


def test_a_reactor_says_its_state(context):
    ticker = Ticker()
    context.open(ticker).bind().tick().result()
    assert repr(ticker) == "<Ticker, open: Ticker.State(ticks=1)>"


def test_a_run_says_how_far_it_is(view):
    run = view.up()
    run.result()
    assert repr(run) == "<mainstem Run of Counter.up, answered>"
    run = view.fail()
    with pytest.raises(mainstem.Failure):
        run.result()
    assert repr(run) == "<mainstem Run of Counter.fail, failed: APP_1042>"


def look(event):
    pass


def test_a_subscription_says_what_it_observes(context):
    subscription = context.observe(Said, Tapped, look)
    assert repr(subscription) == "<mainstem Subscription of Said, Tapped: look>"
    subscription.cancel()
    assert repr(subscription) == "<mainstem Subscription of Said, Tapped, ended: look>"
    assert repr(context.observe(look)) == "<mainstem Subscription of events: look>"


def test_a_closed_context_says_so():
    context = Context()
    assert repr(context) == "<mainstem Context>"
    context.close()
    assert repr(context) == "<mainstem Context, closed>"
    assert repr(context.scope) != ""


def test_equal_events_may_have_lines_of_their_own(context):
    """`==` and repr are about fields; str is the line on the stream."""
    got = []
    context.observe(Said, got.append)
    context.send(Said("a"))
    context.send(Said("a"))

    assert got[0] == got[1] == Said("a")
    assert repr(got[0]) == repr(Said("a")) == str(Said("a"))
    assert [str(each) for each in got] == ["#1 Said a", "#2 Said a"]
