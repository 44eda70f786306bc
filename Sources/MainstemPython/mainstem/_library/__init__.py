# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Finds and loads the library, and declares its functions."""

from __future__ import annotations

import ctypes
import os
import sys
from ctypes import c_int32, c_void_p
from typing import List, Tuple

from ._header import DECLARATIONS

__all__ = ["C", "FOREVER", "FUNCTIONS", "LIBRARY_PATH", "confirm", "milliseconds_of", "whole"]


# Finds and loads the library: MAINSTEM_LIBRARY, or beside this module, or as the loader does ------


_SUFFIX = "dylib" if sys.platform == "darwin" else "so"
_NAME = f"libmainstem.{_SUFFIX}"
#: Before 1.0 a minor version may change what is called, so the loader's name has both numbers.
_NUMBER = "0.13"
_NUMBERED_NAME = (
    f"libmainstem.{_NUMBER}.dylib" if sys.platform == "darwin" else f"libmainstem.so.{_NUMBER}"
)


def candidates() -> List[Tuple[str, str]]:
    """The places to look in, in order: what to load, and what a message calls the place."""
    chosen = os.environ.get("MAINSTEM_LIBRARY")
    if chosen:
        # If the library chosen fails to load, another copy must not hide that.
        return [(chosen, f"MAINSTEM_LIBRARY={chosen}")]
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    beside = os.path.join(package, _NAME)
    return [
        (beside, f"beside the module: {beside}"),
        (_NUMBERED_NAME, f"the loader's {_NUMBERED_NAME}"),
        (_NAME, f"the loader's {_NAME}"),
    ]


def load() -> Tuple[ctypes.CDLL, str]:
    """Loads the library. Returns it and where it was found, or raises an ImportError."""
    failures = []
    for path, place in candidates():
        try:
            # CDLL releases the interpreter's lock during a call; PyDLL would deadlock in waits.
            return ctypes.CDLL(path), path
        except OSError as error:
            failures.append(f"  {place} ({error})")
    raise ImportError(
        "mainstem: libmainstem was not found. Looked at:\n"
        + "\n".join(failures)
        + f"\nSet MAINSTEM_LIBRARY to the path of {_NAME}, or install it where the loader looks."
    )


LIBRARY, LIBRARY_PATH = load()


# The library with its functions declared, as _header.py has them ----------------------------------


#: The declared functions, in header order.
FUNCTIONS = tuple(name for name, _, _ in DECLARATIONS)


def _declare(library: ctypes.CDLL) -> None:
    for name, result, arguments in DECLARATIONS:
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(
                f"mainstem: the library at {LIBRARY_PATH} has no {name}: it is older than this "
                "module. Install the library and the module of one release."
            ) from None
        function.restype = result
        function.argtypes = arguments


_declare(LIBRARY)
C = LIBRARY

#: mainstem_confirm without releasing the interpreter's lock, which would cost more than the call:
#: it never waits and calls nobody.
confirm = ctypes.PyDLL(LIBRARY_PATH).mainstem_confirm
confirm.restype = c_int32
confirm.argtypes = [c_void_p]


# Numbers for the library. ctypes cuts off what does not fit, and 2**64 would mean 0. --------------


#: In seconds, about 290 million years: as milliseconds it fits, and the library takes it for never.
FOREVER = 9.2e15


def whole(number: int, name: str, most: int = (1 << 64) - 1) -> int:
    """Returns a number that the library takes as it is; ValueError if it does not fit."""
    if number < 0:
        raise ValueError(f"{name} is {number}: it must not be below 0")
    if number > most:
        raise ValueError(f"{name} is {number}: it must not be over {most}")
    return number


def milliseconds_of(seconds: float) -> int:
    """Returns seconds as whole milliseconds; any time above 0 is at least 1."""
    try:
        milliseconds = round(max(min(seconds, FOREVER), -FOREVER) * 1000)
    except (TypeError, ValueError) as error:
        raise type(error)(f"a time is {seconds!r}: it must be a number of seconds") from None
    return 1 if milliseconds == 0 and seconds > 0 else milliseconds
