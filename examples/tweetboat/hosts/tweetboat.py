# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""libTweetboatCore.so, for programs in Python: how the app is installed, and what it shows."""

from __future__ import annotations

import os
import sys
from ctypes import CDLL, c_int64, c_void_p
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
LIBRARY = str(ROOT / "build" / "package" / "debug" / "libTweetboatCore.so")
os.environ["MAINSTEM_LIBRARY"] = os.environ.setdefault("TWEETBOAT_LIBRARY", LIBRARY)
sys.path += [str(ROOT / "Sources" / "MainstemPython")]
sys.path += [str(ROOT / "examples" / name) for name in ("providers", "lines")]
import lines  # noqa: E402
import mainstem  # noqa: E402
import verifier  # noqa: E402
from http_provider import Http  # noqa: E402

__all__ = ["Http", "Lookup", "Profile", "TweetCell", "install", "lines", "mainstem", "verifier"]


class Lookup(mainstem.ViewModel):
    """A screen."""

    username: str = mainstem.writable("")
    is_username_valid: bool = mainstem.shown(False)
    go_alpha: float = mainstem.shown(0.0)
    is_loading: bool = mainstem.shown(False)
    avatar: str = mainstem.shown("")
    full_name: str = mainstem.shown("")
    cells: bytes = mainstem.shown(b"")
    can_load_more: bool = mainstem.shown(False)
    loading_row: str = mainstem.shown("")

    @mainstem.command
    def go(self) -> None: ...

    @mainstem.command
    def load_more(self) -> None: ...


class TweetCell(mainstem.ViewModel):
    """A tweet in the list."""

    avatar: str = mainstem.shown("")
    author: str = mainstem.shown("")
    text: str = mainstem.shown("")

    @mainstem.child
    def profile(self) -> Profile:
        raise NotImplementedError


class Profile(mainstem.ViewModel):
    """Who wrote it."""

    avatar: str = mainstem.shown("")
    full_name: str = mainstem.shown("")
    name: str = mainstem.shown("")
    about: str = mainstem.shown("")
    followers: str = mainstem.shown("")


def install(context: mainstem.Scope, patience: int = 10_000) -> None:
    """Installs the app without its provider; patience is in milliseconds."""
    library = CDLL(os.environ["TWEETBOAT_LIBRARY"])
    library.tweetboat_install.argtypes = [c_void_p, c_int64]
    if library.tweetboat_install(context.handle, patience):
        sys.exit("tweetboat cannot be installed")
