# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C in a callback: the call of the main thread that ran the callback raises it.

It may strike between our lines instead of the user's, or before the first one, where no `try`
can hold it: Python looks for signals there. ctypes hands what leaves a callback to
sys.unraisablehook, so we listen there too; all else goes on to the hook that was there before.
"""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any, List, Optional

from ._bell import is_main_thread

#: Only the main thread is interrupted, and no other thread may take it away.
_struck: List[BaseException] = []
_before = sys.unraisablehook


def keep(exception: BaseException) -> bool:
    """Keeps an interrupt of the main thread until its call can raise it; False for any other."""
    if not isinstance(exception, KeyboardInterrupt) or not is_main_thread():
        return False
    _struck.append(exception)
    return True


def struck(exception: BaseException) -> bool:
    """As keep, of one that left a callback of ours; also where that could not say that it ended."""
    if not keep(exception):
        return False
    _unwind(exception.__traceback__)
    return True


def taken() -> Optional[BaseException]:
    """The interrupt that struck, once, for the main thread."""
    return _struck.pop() if _struck and is_main_thread() else None


def _listen(unraisable: Any) -> None:
    if not (_is_callback(unraisable.exc_traceback) and struck(unraisable.exc_value)):
        _before(unraisable)


def _is_callback(traceback: Optional[TracebackType]) -> bool:
    """By its first frame: since 3.13 the hook is no longer told the function."""
    if traceback is None:
        return False
    return traceback.tb_frame.f_globals.get("__name__") == f"{__package__}._callbacks"


def _unwind(traceback: Optional[TracebackType]) -> None:
    """The callback that it left has ended."""
    while traceback is not None:
        names = traceback.tb_frame.f_locals
        thrown, depth = names.get("thrown"), names.get("depth")
        if thrown is not None and depth is not None:
            thrown.leave(depth)
            return
        traceback = traceback.tb_next


sys.unraisablehook = _listen
