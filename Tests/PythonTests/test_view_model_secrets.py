# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Secrets of view models: written and given, never shown, never kept."""

from __future__ import annotations

from typing import Any, List

import mainstem
import pytest
from mainstem import Failure


class Login(mainstem.ViewModel):
    """Has a password, which nobody sees."""

    password: str = mainstem.writable("", secret=True)
    state: str = mainstem.shown("out")

    @mainstem.shown
    def is_long_enough(self) -> bool:
        return len(self.password) > 3

    @mainstem.command(secret=True)
    async def enter(self, name: str, password: str) -> int:
        await self.sleep(0.001)
        if name != "Ada":
            raise ValueError(f"{name} with {password}")
        self.state = "in"
        return len(password)


def program(context: mainstem.Context, lines: List[str]) -> Any:
    context.observe(lambda event: lines.append(str(event)))
    return context.open(Login())


def test_a_secret_is_written_and_given_and_nowhere_else(tmp_path: Any) -> None:
    path, lines, told = str(tmp_path / "session.journal"), [], []
    with mainstem.Context(on_exception=lambda error, _: told.append(repr(error))) as context:
        context.record(path)
        login = program(context, lines)
        view = login.bind(is_long_enough=told.append)
        view.password = "hunter2"
        assert login.password == "hunter2"
        assert view.enter("Ada", "hunter2").result() == 7
        with pytest.raises(Failure) as failed:
            view.enter("Bob", password="hunter2").result()
        assert view.enter.error == "Something went wrong."
        with pytest.raises(TypeError, match=r"Login\.enter: <secret>"):
            view.enter("Ada", 12345)  # type: ignore[arg-type]
        with pytest.raises(TypeError) as refused:
            view.password = 3
        with pytest.raises(AttributeError):
            print(view.password)
    everything = [*lines, *map(str, told), str(failed.value), str(refused.value)]
    assert told[:2] == [False, True]
    assert [line for line in everything if "hunter2" in line] == []
    with open(path, "rb") as journal:
        assert b"hunter2" not in journal.read()
    with pytest.raises(TypeError, match="Login shows no 'password'"), mainstem.Context() as context:
        context.open(Login()).bind(password=print)


def test_a_session_verifies_with_what_was_written(tmp_path: Any) -> None:
    path = str(tmp_path / "session.journal")
    with mainstem.Context() as context:
        context.record(path)
        first, second = context.open(Login()), context.open(Login())
        first.bind().password = "hunter2"
        second.bind().password = "abc"
        second.bind().password = "abcdef"
    with mainstem.Journal(path) as journal:
        written = [(event.position, event.origin) for event in journal if event.withheld]
    assert [origin for _, origin in written] == ["Login"] * 3
    known = dict(zip((position for position, _ in written), (b"hunter2", b"abc", b"abcdef")))
    for secrets in (known, {written[0][0]: b"1234", written[1][0]: b"1", written[2][0]: b"12345"}):
        with mainstem.Context() as context, context.replay(path, verify=True) as replay:
            replay.on_secret(lambda event, of=secrets: of[event.position])
            opened = context.open(Login()), context.open(Login())
            replay.to_end()
            assert replay.info.verified_until == replay.info.last
            assert [login.password for login in opened] == [
                secrets[written[place][0]].decode() for place in (0, 2)
            ]


def test_what_nobody_tells_a_replay_was_not_written(tmp_path: Any) -> None:
    path = str(tmp_path / "session.journal")
    with mainstem.Context() as context:
        context.record(path)
        context.open(Login()).bind().password = "abc"  # Nothing shown follows from it.
    with mainstem.Context() as context, context.replay(path, verify=True) as replay:
        login = context.open(Login())
        replay.to_end()
        assert login.password == ""
