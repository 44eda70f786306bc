# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The app in a context of a test: its provider answers when the test says so."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any, List, Optional

SIGNIN = Path(__file__).resolve().parents[2]
sys.path.append(str(SIGNIN / "hosts"))
import core  # noqa: E402
import mainstem  # noqa: E402
from account import Account  # noqa: E402

#: Where the programs in C are, and the verifier in Swift.
BUILT = Path(os.environ.get("SIGNIN_LIBRARY", "build/signin/libsignin.so")).parent


class World:
    """One context with one window and one screen; `answer` lets the provider answer what waits."""

    def __init__(self, journal: Optional[Path] = None, mode: str = "up") -> None:
        self.context = mainstem.Context(clock="virtual")
        core.install(self.context)
        self.later: List[Any] = []
        #: What the account's clock says, in seconds since 1970.
        self.now = time.mktime((2026, 11, 23, 9, 41, 0, 0, 0, -1))
        self.account = Account(self._after, lambda: self.now)
        self.account.mode = mode
        self.context.install(self.account, on="host")
        if journal:
            self.context.record(str(journal))
        self.states: List[str] = []
        self.window = self.scope("Window")
        self.form = self.open(self.window)
        self.context.observe("Session.state", self._heard)
        self.context.drain()

    def __enter__(self) -> "World":
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()

    def scope(self, name: str) -> mainstem.Scope:
        """A window's scope: the rights of a view and no more."""
        return self.context.scope(name, sends="view", observes=["view", "viewmodel"])

    def open(self, window: mainstem.Scope) -> Any:
        """Opens a screen, and views it."""
        number = window.open_instance("SignIn")
        return mainstem.view(window, core.SignIn, self.context.find_scope(number))

    def type(self, name: str, password: str) -> None:
        self.form.username = name
        self.form.password = password

    def submit(self) -> Any:
        """Submits, up to where the provider is asked."""
        run = self.form.submit()
        self.context.drain()
        return run

    def answer(self) -> None:
        """Lets the provider answer all that it was asked."""
        waiting, self.later = self.later, []
        for call in waiting:
            call()
        self.context.drain()

    def _after(self, call: Any) -> Any:
        self.later.append(call)
        return lambda: call in self.later and self.later.remove(call)

    def _heard(self, event: mainstem.Event) -> None:
        self.states += json.loads(event.data)
