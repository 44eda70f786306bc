# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""libsignin.so, for programs in Python: how it is installed, what it shows, what it asks."""

from __future__ import annotations

import os
import sys
from ctypes import CDLL, c_void_p
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BUILT = ROOT / "build" / "examples" / "examples"
if (BUILT.parent / "libmainstem.so").exists():
    os.environ.setdefault("MAINSTEM_LIBRARY", str(BUILT.parent / "libmainstem.so"))
sys.path.append(str(ROOT / "Sources" / "MainstemPython"))
sys.path += [str(ROOT / "examples" / name) for name in ("gtk", "lines", "playing")]
import lines  # noqa: E402
import mainstem  # noqa: E402
import playing  # noqa: E402
from mainstem import Request, Response  # noqa: E402

__all__ = ["RequestLogIn", "RequestLogOut", "ResponseLogIn", "ResponseLogOut", "SignIn"]
__all__ += ["install", "lines", "playing"]


class SignIn(mainstem.ViewModel):
    """What a screen shows, and can be told."""

    username: str = mainstem.writable("")
    password: str = mainstem.writable("", secret=True)
    username_input_enable: bool = mainstem.shown(False)
    password_input_enable: bool = mainstem.shown(False)
    submit_enable: bool = mainstem.shown(False)
    submit_title: str = mainstem.shown("")
    indicator_hidden: bool = mainstem.shown(False)
    indicator_animating: bool = mainstem.shown(False)
    state_hidden: bool = mainstem.shown(False)
    state: str = mainstem.shown("")
    state_id: str = mainstem.shown("")
    forget = mainstem.pulse(bool)

    @mainstem.command
    def submit(self) -> None: ...

    @mainstem.command
    def cancel(self) -> None: ...


@mainstem.event(layer="model", payload=str)
class ResponseLogIn(Response):
    time: str


@mainstem.event(layer="model", payload=str, secret=True)
class RequestLogIn(Request[ResponseLogIn]):
    credentials: str


@mainstem.event(layer="model")
class ResponseLogOut(Response):
    pass


@mainstem.event(layer="model", payload=str)
class RequestLogOut(Request[ResponseLogOut]):
    name: str


def install(context: mainstem.Scope) -> None:
    """Installs the app, before the first event."""
    library = CDLL(os.environ.get("SIGNIN_LIBRARY") or f"{BUILT}/signin/libsignin.so")
    library.signin_install.argtypes = [c_void_p]
    if library.signin_install(context.handle):
        sys.exit("signin cannot be installed")
