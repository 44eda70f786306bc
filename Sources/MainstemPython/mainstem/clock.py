# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The part of a context that knows the time, and draws what is the same in every run."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from ._library import C, milliseconds_of
from ._library import _header as d
from .failure import check

if TYPE_CHECKING:
    from .observers._calls import Thrown


class Clock:
    """The part of a context that knows the time, and draws what is the same in every run."""

    __slots__ = ()

    handle: int
    thrown: Thrown

    def now(self) -> float:
        """Seconds since 1970, or on the virtual clock; in a callback, with `times`, its event's."""
        time = ctypes.c_int64()
        check(C.mainstem_context_now(self.handle, ctypes.byref(time)))
        return time.value / 1e9

    @property
    def event(self) -> int:
        """The position of the event whose callback this is; 0: outside, what is sent is an input.

        Outside are also callbacks on a scheduler, and completions of requests from outside.
        """
        position = ctypes.c_uint64()
        check(C.mainstem_callback_position(self.handle, ctypes.byref(position)))
        return position.value

    def advance(self, seconds: float) -> None:
        """Moves a virtual clock forward. Everything that falls due happens, in order."""
        self.thrown.returned(C.mainstem_context_advance(self.handle, milliseconds_of(seconds)))

    def random(self) -> int:
        """Draws 64 bits: the same in every run with the same seed and inputs. Not for secrets."""
        number = ctypes.c_uint64()
        check(C.mainstem_context_random(self.handle, ctypes.byref(number)))
        return number.value

    def id(self) -> str:
        """Makes an id in the form of a version 4 UUID from two numbers of `random`.

        It looks unique, but is the same in every run with the same seed and inputs.
        """
        text = ctypes.create_string_buffer(d.ID_SIZE)
        check(C.mainstem_context_id(self.handle, text))
        return text.value.decode()
