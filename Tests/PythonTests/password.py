# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A password, events that are secrets, and all that an exception tells."""

from __future__ import annotations

import struct
from collections import deque
from enum import Enum
from types import FunctionType, ModuleType, TracebackType
from typing import Dict, Literal, Union

import mainstem
from mainstem import Notice, Request, Response

PASSWORD = "correct-horse-7-battery"


@mainstem.event(secret=True)
class ResponseSession(Response):
    token: str


@mainstem.event(secret=True)
class RequestSignIn(Request[ResponseSession]):
    password: str


@mainstem.event(secret=True)
class NoticeTyped(Notice):
    text: str


@mainstem.event
class RequestToken(Request[ResponseSession]):
    pass


@mainstem.event
class ResponseDone(Response):
    pass


@mainstem.event(secret=True)
class RequestChange(Request[ResponseDone]):
    password: str


class Kind(Enum):
    A = "a"


@mainstem.event(secret=True)
class NoticeAll(Notice):
    words: Dict[str, int]
    kind: Union[Kind, None] = None
    choice: Literal["a", "b"] = "a"
    number: float = 0.0


@mainstem.event(secret=True, payload=str)
class NoticeText(Notice):
    text: str


@mainstem.event(secret=True, payload=struct.Struct("8sB"))
class NoticePacked(Notice):
    text: bytes
    number: int


def told_by(exception):
    """All texts that can be reached from an exception: what reporters of errors could show.

    Not the variables of the program's own frames, which the library gave the event to.
    """
    waiting, seen = [exception], set()
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, (type, ModuleType, FunctionType, mainstem.Scope)):
            continue
        seen.add(id(one))
        if isinstance(one, (str, bytes, bytearray)):
            yield one if isinstance(one, str) else bytes(one).decode("utf-8", "backslashreplace")
        elif isinstance(one, dict):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, (list, tuple, set, frozenset, deque)):
            waiting += list(one)
        elif isinstance(one, TracebackType):
            waiting.append(one.tb_next)
            if one.tb_frame.f_globals.get("__package__") == "mainstem":
                waiting.append(dict(one.tb_frame.f_locals))
        elif not isinstance(one, (int, float, type(None))):
            names = [*getattr(one, "__dict__", {})]
            for kind in type(one).__mro__:
                slots = kind.__dict__.get("__slots__", ())
                names += [slots] if isinstance(slots, str) else slots
            names += ["args", "object", "doc", "obj", "exceptions", "__notes__", "__cause__"]
            names += ["__context__", "__traceback__", "__self__", "exc_value", "exc_traceback"]
            for name in names:
                try:
                    waiting.append(object.__getattribute__(one, name))
                except AttributeError:
                    continue
            yield repr(one)
            yield str(one)


def assert_told_nowhere(exception):
    assert [text for text in told_by(exception) if PASSWORD in text or "7-bat" in text] == []
