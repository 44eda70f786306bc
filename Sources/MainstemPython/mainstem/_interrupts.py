# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C and sys.exit in a callback: the call that ran the callback, on its thread, raises them.

Ctrl-C may strike between our lines instead of the user's, or before the first one, where no `try`
can hold it: Python looks for signals there. ctypes hands what leaves a callback to
sys.unraisablehook, so we listen there too; all else goes on to the hook that was there before.
Whoever waits for a callback that an interrupt cut short must not wait for ever: what is left of it
is done then.
"""

from __future__ import annotations

import sys
import threading
from types import FrameType, TracebackType
from typing import Any, Callable, List, Optional

from ._bell import is_main_thread

#: How often what an interrupt left is tried again, when further ones strike it.
_TRIES = 100


class _Struck(threading.local):
    """What struck the callbacks of a thread, until its call raises it."""

    def __init__(self) -> None:
        self.exceptions: List[BaseException] = []


_struck = _Struck()
_before = sys.unraisablehook

#: Does the rest of a callback: the name of the C function, its number and its other argument.
_finish: Callable[[str, int, int], None]


def finish_with(finish: Callable[[str, int, int], None]) -> None:
    """Says what does the rest of a callback that an interrupt cut short."""
    global _finish
    _finish = finish


def keep(exception: BaseException) -> bool:
    """Keeps what ends a program until a call can raise it; False: it is an exception like others.

    Only the main thread is interrupted; a thread of the library's own has no call that could raise.
    """
    if isinstance(exception, KeyboardInterrupt):
        is_kept = is_main_thread()
    else:
        is_kept = isinstance(exception, SystemExit) and _is_called()
    if is_kept:
        _struck.exceptions.append(exception)
    return is_kept


def struck(exception: BaseException) -> bool:
    """Keeps what left a callback of ours, and does what is left of that; False: it is no signal's.

    Users' exceptions never get there: on the main thread a signal's handler has raised it.
    """
    is_kept = is_main_thread() and (isinstance(exception, KeyboardInterrupt) or _is_called())
    if is_kept:
        _struck.exceptions.append(exception)
    _unwind(exception.__traceback__)
    _end(exception.__traceback__)
    return is_kept


def taken() -> Optional[BaseException]:
    """The first that struck this thread, once."""
    exceptions = _struck.exceptions
    if not exceptions:
        return None
    first = exceptions[0]
    exceptions.clear()
    return first


def _is_called() -> bool:
    """Whether a call from Python runs on this thread: its first frame is none of our callbacks."""
    frame = sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
    return not _is_callback(frame)


def _listen(unraisable: Any) -> None:
    traceback, exception = unraisable.exc_traceback, unraisable.exc_value
    # By its first frame: since 3.13 the hook is no longer told the function.
    frame = None if traceback is None else traceback.tb_frame
    is_kept = False
    if frame is not None and _is_callback(frame):
        is_kept = struck(exception)
    elif frame is not None and frame.f_globals.get("__package__") == __package__:
        # One that struck an object of ours at its end.
        is_kept = isinstance(exception, KeyboardInterrupt) and keep(exception)
    if not is_kept:
        _before(unraisable)


def _is_callback(frame: FrameType) -> bool:
    return frame.f_globals.get("__name__") == f"{__package__}._callbacks"


def _unwind(traceback: Optional[TracebackType]) -> None:
    """The callback that it left has ended: the outermost of ours, and what it got is over."""
    is_left = False
    while traceback is not None:
        names = traceback.tb_frame.f_locals
        thrown, depth = names.get("thrown"), names.get("depth")
        if thrown is not None and depth is not None and not is_left:
            thrown.leave(depth)
            is_left = True
        if traceback.tb_frame.f_globals.get("__package__") == __package__:
            for name in ("event", "value", "self"):
                _is_over(names.get(name))
        traceback = traceback.tb_next


def _is_over(value: Any) -> None:
    event = getattr(value, "__dict__", {}).get("_event", value)
    if getattr(type(event), "__name__", "") == "Event":
        event._address = 0


def _end(traceback: Optional[TracebackType]) -> None:
    """Does what is left of the callback that it left, however often it is struck again."""
    if traceback is None or not _is_callback(traceback.tb_frame):
        return
    function, names = traceback.tb_frame.f_code.co_name, traceback.tb_frame.f_locals
    number, argument = names["number"], names.get("address", 0)
    for _ in range(_TRIES):
        try:
            _finish(function, number, argument)
        except BaseException as again:
            if not is_main_thread():
                break
            _struck.exceptions.append(again)
        else:
            break


sys.unraisablehook = _listen
