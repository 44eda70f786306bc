# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""libDiaryCore.so, for programs in Python: how the app is installed, and what it shows."""

from __future__ import annotations

import os
import sys
from ctypes import CDLL, byref, c_bool, c_char_p, c_int64, c_uint64, c_void_p
from dataclasses import dataclass
from pathlib import Path
from typing import Optional, Tuple

ROOT = Path(__file__).resolve().parents[3]
LIBRARY = str(ROOT / "build" / "package" / "debug" / "libDiaryCore.so")
os.environ["MAINSTEM_LIBRARY"] = os.environ.setdefault("DIARY_LIBRARY", LIBRARY)
sys.path.append(str(ROOT / "Sources" / "MainstemPython"))
sys.path += [str(ROOT / "examples" / name) for name in ("lines", "playing")]
import lines  # noqa: E402
import mainstem  # noqa: E402
import playing  # noqa: E402
import verifier  # noqa: E402

__all__ = ["Confirm", "DiaryList", "DiaryPage", "Drawer", "EntryRow", "Guide", "Idea", "SignIn"]
__all__ += ["activity", "add_store", "install", "is_day", "lines", "mainstem", "playing"]
__all__ += ["verifier"]


@dataclass(frozen=True)
class EntryRow:
    """An entry in the list."""

    id: int
    #: As 2026-11-23.
    date: str
    #: The same in words: "Yesterday".
    day: str
    title: str


class DiaryList(mainstem.ViewModel):
    """The list of entries."""

    is_loading: bool = mainstem.shown(False)
    is_more_loading: bool = mainstem.shown(False)
    no_more: bool = mainstem.shown(False)
    is_known: bool = mainstem.shown(False)
    rows: Tuple[EntryRow, ...] = mainstem.shown((), key="id")
    title: str = mainstem.shown("")
    footer: str = mainstem.shown("")
    can_more: bool = mainstem.shown(False)
    alert_message = mainstem.pulse(str)
    picked = mainstem.pulse(int)
    write_pressed = mainstem.pulse(bool)
    menu_pressed = mainstem.pulse(bool)

    @mainstem.command
    def refresh(self) -> None: ...

    @mainstem.command
    def more(self) -> None: ...

    @mainstem.command
    def pick(self, id: int) -> None: ...

    @mainstem.command
    def write(self) -> None: ...

    @mainstem.command
    def menu(self) -> None: ...


class DiaryPage(mainstem.ViewModel):
    """One entry."""

    id: int = mainstem.shown(0)
    text: str = mainstem.writable("")
    day: str = mainstem.shown("")
    problem: str = mainstem.shown("")
    is_edited: bool = mainstem.shown(False)
    can_save: bool = mainstem.shown(False)
    can_delete: bool = mainstem.shown(False)
    is_gone: bool = mainstem.shown(False)
    unsaved: Optional[int] = mainstem.shown(None)
    saved = mainstem.pulse(int)
    delete_pressed = mainstem.pulse(int)
    close_pressed = mainstem.pulse(bool)

    @mainstem.command
    def save(self) -> None: ...

    @mainstem.command
    def ask_delete(self) -> None: ...

    @mainstem.command
    def close(self) -> None: ...


class Idea(mainstem.ViewModel):
    """What one could write about."""

    text: str = mainstem.shown("")

    @mainstem.command
    def another(self) -> None: ...


class Confirm(mainstem.ViewModel):
    """A question."""

    text: str = mainstem.shown("")

    @mainstem.command
    def confirm(self) -> None: ...

    @mainstem.command
    def refuse(self) -> None: ...


class SignIn(mainstem.ViewModel):
    """Who is it?"""

    nickname: str = mainstem.writable("")
    has_agreed: bool = mainstem.writable(False)
    hint: str = mainstem.shown("")
    can_sign_in: bool = mainstem.shown(False)
    signed_in = mainstem.pulse(str)

    @mainstem.command
    def sign_in(self) -> None: ...


class Guide(mainstem.ViewModel):
    """What is read once."""

    text: str = mainstem.shown("")
    understood = mainstem.pulse(bool)

    @mainstem.command
    def understand(self) -> None: ...


class Drawer(mainstem.ViewModel):
    """Who it is, and the way out."""

    nickname: str = mainstem.shown("")
    is_signed_in: bool = mainstem.shown(False)
    summary: str = mainstem.shown("")

    @mainstem.command
    def sign_out(self) -> None: ...


def install(context: mainstem.Scope, patience: int = 10_000, prefix: str = "") -> None:
    """Installs the app without its store; patience is in milliseconds.

    `prefix` is for a context with other apps: it comes before the names that they have, too.
    """
    library = CDLL(os.environ["DIARY_LIBRARY"])
    library.diary_install_as.argtypes = [c_void_p, c_int64, c_char_p]
    if library.diary_install_as(context.handle, patience, prefix.encode()):
        sys.exit("diary cannot be installed")


def add_store(context: mainstem.Context, path: str, day: Optional[str] = None) -> None:
    """Adds the store: an SQLite file. A replay does without."""
    library = CDLL(os.environ["DIARY_LIBRARY"])
    library.diary_store_add.argtypes = [c_void_p, c_char_p, c_char_p]
    name, today = os.fsencode(path), None if day is None else os.fsencode(day)
    if library.diary_store_add(context.handle, name, today):
        sys.exit("diary has no store")


def is_day(text: str) -> bool:
    """Whether a text is a day of the calendar."""
    library = CDLL(os.environ["DIARY_LIBRARY"])
    library.diary_is_day.argtypes, library.diary_is_day.restype = [c_char_p], c_bool
    return bool(library.diary_is_day(os.fsencode(text)))


def activity(context: mainstem.Context) -> int:
    """How many requests the store has not answered."""
    library, count = CDLL(os.environ["DIARY_LIBRARY"]), c_uint64()
    library.diary_activity.argtypes = [c_void_p, c_void_p]
    if library.diary_activity(context.handle, byref(count)):
        sys.exit("diary has gone")
    return count.value
