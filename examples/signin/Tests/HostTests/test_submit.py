# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A-65: signs in, fails, submits twice, cancels, signs out, and hears late.

In Python here, and in C by the program submit.c, which prints the same lines.
"""

from __future__ import annotations

import subprocess
from typing import Any, List

import mainstem
import pytest
from mainstem import Failure, Status
from world import BUILT, World

UNSIGNED, SIGNING_IN, SIGNING_OUT = '{"unsigned":{}}', '{"signingIn":{}}', '{"signingOut":{}}'
SIGNED = '{"signed":{"user":{"name":"jack","time":"09:41"}}}'
LINES = f"""\
says: Please enter your name.
{UNSIGNED}
says: Please enter your password.
says: {""}
{SIGNING_IN}
{UNSIGNED}
says: Not you.
submit APP
says: {""}
{SIGNING_IN}
submit refused EXECUTING
submit CANCELLED
cancel OK
{UNSIGNED}
{SIGNING_IN}
{SIGNED}
says: jack, signed in at 09:41
submit OK
late {SIGNED}
{SIGNING_OUT}
late {SIGNING_OUT}
says: Please enter your password.
{UNSIGNED}
late {UNSIGNED}
says: You are signed out.
submit OK
"""


def test_a_65_submit_in_c() -> None:
    printed = subprocess.run([BUILT / "submit"], capture_output=True, text=True)
    assert (printed.stdout, printed.stderr, printed.returncode) == (LINES, "", 0)


def test_a_65_in_and_out() -> None:
    with World() as world:
        world.type("jack", "kcaj")
        run = world.submit()
        world.type("somebody", "else")  # What was there when it was submitted counts.
        world.answer()
        run.result()
        assert world.form.state == "jack, signed in at 09:41"
        world.type("", "")  # Signing out is possible all the same.
        assert (world.form.submit_enable, world.form.submit_title) == (True, "Sign out")
        world.submit()
        world.answer()
        assert world.states == ["unsigned", "signingIn", "signed", "signingOut", "unsigned"]
        assert world.form.state == "You are signed out."


@pytest.mark.parametrize("mode, password", [("up", "wrong"), ("down", "kcaj")])
def test_a_65_a_failure_returns_to_unsigned_with_its_text(mode: str, password: str) -> None:
    with World(mode=mode) as world:
        world.type("jack", password)
        run = world.submit()
        assert world.form.indicator_animating
        world.answer()
        with pytest.raises(Failure) as failed:
            run.result()
        assert world.states == ["unsigned", "signingIn", "unsigned"]
        assert world.form.state == failed.value.user_message == world.form.submit.error
        world.form.username = "jac"
        assert world.form.state == "A name has at least 4 characters."


def test_a_65_a_double_submit_is_executing_and_nothing_else() -> None:
    with World() as world:
        world.type("jack", "kcaj")
        world.submit()
        with pytest.raises(mainstem.MainstemError) as refused:
            world.form.submit()
        assert refused.value.status == Status.EXECUTING
        other = world.open(world.scope("Other"))
        other.username, other.password = "jill", "llij"
        assert not other.submit_enable  # The session is busy, for all screens.
        with pytest.raises(Failure) as busy:
            other.submit().result()
        assert (busy.value.code, other.state) == (Status.BUSY, "Please wait.")
        world.answer()
        assert world.states == ["unsigned", "signingIn", "signed"]
        assert other.state == "jack, signed in at 09:41"


def test_a_65_cancel_and_patience() -> None:
    with World(mode="hang") as world:
        world.type("jack", "kcaj")
        run = world.submit()
        world.form.cancel()
        with pytest.raises(Failure) as given_up:
            run.result()
        assert given_up.value.code == Status.CANCELLED
        assert (world.form.state, world.form.submit.error) == ("", "")
        run = world.submit()
        world.context.advance(10)
        with pytest.raises(Failure) as late:
            run.result()
        assert late.value.code == Status.TIMEOUT
        assert world.states == ["unsigned", *["signingIn", "unsigned"] * 2]
        with pytest.raises(mainstem.MainstemError) as refused:
            world.form.cancel()
        assert refused.value.status == Status.DISABLED
        assert world.context.request_count() == 0


def test_a_65_a_late_subscriber_gets_one_value() -> None:
    with World() as world:
        world.type("jack", "kcaj")
        world.submit()
        world.answer()
        late: List[Any] = []
        world.context.observe("Session.state", late.append)
        assert [(event.late, "signed" in event.text) for event in late] == [(True, True)]
        screen = world.open(world.scope("Late"))
        assert (screen.submit_title, screen.state) == ("Sign out", "jack, signed in at 09:41")


def test_a_window_that_closes_gives_up() -> None:
    with World(mode="hang") as world:
        world.type("jack", "kcaj")
        world.submit()
        world.window.end()
        world.context.drain()
        assert world.states == ["unsigned", "signingIn", "unsigned"]
        assert world.context.request_count() == 0
