# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""libTweetboatCore.so, for programs in Python: how the app is installed, and what it shows."""

from __future__ import annotations

import os
import sys
from ctypes import CDLL, c_int64, c_void_p
from pathlib import Path
from struct import unpack
from typing import Optional, Tuple

ROOT = Path(__file__).resolve().parents[3]
LIBRARY = str(ROOT / "build" / "package" / "debug" / "libTweetboatCore.so")
os.environ["MAINSTEM_LIBRARY"] = os.environ.setdefault("TWEETBOAT_LIBRARY", LIBRARY)
sys.path += [str(ROOT / "Sources" / "MainstemPython")]
sys.path += [str(ROOT / "examples" / name) for name in ("providers", "lines", "playing")]
import lines  # noqa: E402
import mainstem  # noqa: E402
import playing  # noqa: E402
import verifier  # noqa: E402
from http_provider import Http, HttpResources  # noqa: E402
from mainstem import Notice, Request, Response  # noqa: E402

__all__ = ["Http", "Lookup", "PictureDropped", "Profile", "RequestFetchPicture", "RequestPicture"]
__all__ += ["TweetCell", "add_pictures", "install", "lines", "mainstem", "playing", "size_of"]
__all__ += ["verifier"]


@mainstem.event
class ResponsePicture(Response):
    """The bytes are there."""


@mainstem.event(payload=str)
class RequestPicture(Request[ResponsePicture]):
    """What view models ask for."""

    url: str


@mainstem.event(payload=str)
class RequestFetchPicture(Request[ResponsePicture]):
    """What the site is asked."""

    url: str


@mainstem.event(payload=str)
class PictureDropped(Notice):
    """The bytes are no longer kept."""

    url: str


class Lookup(mainstem.ViewModel):
    """A screen."""

    username: str = mainstem.writable("")
    is_username_valid: bool = mainstem.shown(False)
    go_alpha: float = mainstem.shown(0.0)
    is_loading: bool = mainstem.shown(False)
    avatar: str = mainstem.shown("")
    full_name: str = mainstem.shown("")
    picture_problem: str = mainstem.shown("")
    cells: Tuple[int, ...] = mainstem.shown((), key=str)
    can_load_more: bool = mainstem.shown(False)
    loading_row: str = mainstem.shown("")

    @mainstem.command
    def go(self) -> None: ...

    @mainstem.command
    def load_more(self) -> None: ...

    @mainstem.command
    def appear(self) -> None: ...

    @mainstem.command
    def disappear(self) -> None: ...


class TweetCell(mainstem.ViewModel):
    """A tweet in the list."""

    avatar: str = mainstem.shown("")
    author: str = mainstem.shown("")
    text: str = mainstem.shown("")
    picture: str = mainstem.shown("")
    picture_about: str = mainstem.shown("")
    picture_problem: str = mainstem.shown("")

    @mainstem.command
    def appear(self) -> None: ...

    @mainstem.command
    def disappear(self) -> None: ...

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
    picture_problem: str = mainstem.shown("")

    @mainstem.command
    def appear(self) -> None: ...

    @mainstem.command
    def disappear(self) -> None: ...


def install(
    context: mainstem.Scope, patience: int = 10_000, limit_bytes: int = 0
) -> mainstem.Resources:
    """Installs the app without its providers, and returns its pictures.

    Patience is in milliseconds. Of the pictures, `limit_bytes` are kept; 0: 64 MiB.
    """
    library = CDLL(os.environ["TWEETBOAT_LIBRARY"])
    library.tweetboat_install.argtypes = [c_void_p, c_int64]
    if library.tweetboat_install(context.handle, patience):
        sys.exit("tweetboat cannot be installed")
    return context.resources(
        "Pictures",
        RequestPicture,
        behind=RequestFetchPicture,
        drop=PictureDropped,
        limit_bytes=limit_bytes,
    )


def add_pictures(
    context: mainstem.Scope, pictures: mainstem.Resources, seconds: float = 10.0
) -> None:
    """Adds the provider of the pictures."""
    load = HttpResources(pictures, seconds).begin
    context.serve(RequestFetchPicture, load, name="PictureSite", on="host")


def size_of(picture: memoryview) -> Optional[Tuple[int, int]]:
    """The width and height of a PNG, which are in its header; none: it is not a PNG."""
    if bytes(picture[:8]) != b"\x89PNG\r\n\x1a\n" or len(picture) < 24:
        return None
    width, height = unpack(">2I", picture[16:24])
    return width, height
