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

    password: str = mainstem.written("", secret=True)
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
        assert "<secret>" in view.enter.error
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
