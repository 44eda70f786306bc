# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What nobody can catch: Ctrl-C in a callback, an exception of a hook, a warning as an error.

A callback is called by the library, so an exception cannot leave it. An interrupt is raised by the
call that ran the callback; all else goes to sys.unraisablehook.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import warnings
import weakref
from types import FrameType, TracebackType
from typing import Any, Callable, List, Optional, Tuple

__all__ = [
    "Bell",
    "bell",
    "ever",
    "finish_with",
    "is_main_thread",
    "is_ours",
    "keep",
    "report_unraisable",
    "struck",
    "taken",
    "warn",
]


# What ends a wait in the library: an answer that came on another thread, and any signal -----------
#
# Python runs signal handlers between two lines of Python. No line runs while a thread sleeps in the
# library, so during a wait Python also writes signals to a pipe, which interrupts the wait.


class Bell:
    """A pipe that is readable while it rings. Use `with` around the library's wait."""

    #: Both ends of the pipe; empty if an interrupt struck before it was made.
    _ends: Tuple[int, ...] = ()

    def __init__(self) -> None:
        self._ends = os.pipe()
        self.reader, self.writer = self._ends
        os.set_blocking(self.reader, False)
        os.set_blocking(self.writer, False)

    def ring(self) -> None:
        with contextlib.suppress(BlockingIOError):  # Full: it already rings.
            os.write(self.writer, b"\0")  # 0 is not a signal's number.

    def silence(self) -> bytes:
        """Ends the ringing, and returns the numbers of the signals that rang."""
        try:
            return os.read(self.reader, 65536).replace(b"\0", b"")
        except BlockingIOError:
            return b""

    def __enter__(self) -> "Bell":
        return self

    def __exit__(self, *_: object) -> None:
        self.silence()

    def __del__(self) -> None:
        # Everyone who may still ring keeps it alive, so nobody writes to a reused descriptor.
        for end in self._ends:
            os.close(end)


class _MainBell(Bell):
    """The main thread's bell: inside `with` it also rings at each signal. It is never released.

    An interrupt may strike in the lines below and leave Python writing to it.
    """

    def __init__(self) -> None:
        super().__init__()
        #: The wakeup descriptor before each `with`; None: a subinterpreter has no signals.
        self._before: List[Optional[int]] = []

    def __enter__(self) -> "Bell":
        before = None
        with contextlib.suppress(ValueError):
            before = signal.set_wakeup_fd(self.writer, warn_on_full_buffer=False)
        self._before.append(before)
        return self

    def __exit__(self, *_: object) -> None:
        before = self._before.pop()
        if before is not None:
            try:
                signal.set_wakeup_fd(before)
            except (ValueError, OSError):
                signal.set_wakeup_fd(-1)  # The descriptor was closed meanwhile.
                before = -1
        numbers = self.silence()
        if numbers and before not in (None, -1, self.writer):
            _pass_on(before, numbers)


def _pass_on(descriptor: int, numbers: bytes) -> None:
    """Passes signals on to whoever listened before, such as asyncio's loop."""
    with contextlib.suppress(OSError):  # Full or closed.
        os.write(descriptor, numbers)


class _Bells(threading.local):
    """The bell of each thread."""

    bell: Optional[Bell] = None


_bells = _Bells()


def _forget() -> None:
    """Drops the bell after a fork, since the parent uses its pipe too."""
    _bells.bell = None


os.register_at_fork(after_in_child=_forget)


def bell() -> Bell:
    """Returns this thread's bell. Only the main thread's rings at signals."""
    found = _bells.bell
    if found is None:
        found = _bells.bell = _MainBell() if is_main_thread() else Bell()
    return found


def is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


# Ctrl-C and sys.exit in a callback: the call that ran the callback, on its thread, raises them ----
#
# Ctrl-C may also strike in this package's own code, even before the first line of a callback,
# where no `try` catches it, because Python checks for signals there. ctypes passes an exception
# that leaves a callback to sys.unraisablehook, so this module installs a hook; it passes
# everything else on to the previous one. Nobody may wait forever for a callback that an interrupt
# cut short, so the rest of that callback is done afterwards.


#: How often the rest of a callback is tried again when further interrupts strike.
_TRIES = 100


class _Struck(threading.local):
    """The interrupts in a thread's callbacks, until its outermost call raises them."""

    def __init__(self) -> None:
        self.exceptions: List[BaseException] = []


_struck = _Struck()
_before = sys.unraisablehook

#: Whether any thread was ever struck: who asks this first need not look further.
ever = False

#: Does the rest of a callback, given the name of the C function, its number and its other argument.
_finish: Callable[[str, int, int], None]


def finish_with(finish: Callable[[str, int, int], None]) -> None:
    """Sets the function that does the rest of a callback that an interrupt cut short."""
    global _finish
    _finish = finish


def _note(exception: BaseException) -> None:
    global ever
    ever = True
    _struck.exceptions.append(exception)


def keep(exception: BaseException) -> bool:
    """Keeps an exception that ends a program until a call can raise it; False for any other.

    Only the main thread is interrupted. On a library thread, no call from Python could raise it.
    """
    if isinstance(exception, KeyboardInterrupt):
        is_kept = is_main_thread()
    else:
        is_kept = isinstance(exception, SystemExit) and _is_called()
    if is_kept:
        _note(exception)
    return is_kept


def struck(exception: BaseException) -> bool:
    """Keeps an exception that left a callback of this package, and does the rest of the callback.

    Returns False if no signal raised it. Exceptions from users' functions never get here: on the
    main thread, a signal handler has raised it.
    """
    is_kept = is_main_thread() and (isinstance(exception, KeyboardInterrupt) or _is_called())
    if is_kept:
        _note(exception)
    _unwind(exception.__traceback__)
    _end(exception.__traceback__)
    return is_kept


def taken() -> Optional[BaseException]:
    """Returns the first interrupt that struck this thread, and forgets them all."""
    exceptions = _struck.exceptions
    if not exceptions:
        return None
    first = exceptions[0]
    exceptions.clear()
    return first


def _is_called() -> bool:
    """Whether a call from Python runs on this thread: its first frame is not a callback of ours."""
    frame = sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
    return not _is_callback(frame)


def is_ours(frame: FrameType) -> bool:
    """Whether code of this package runs in a frame, or code that it has made."""
    return _root_of(frame.f_globals.get("__package__")) == _root_of(__package__)


def _root_of(package: Optional[str]) -> str:
    return (package or "").partition(".")[0]


def _listen(unraisable: Any) -> None:
    traceback, exception = unraisable.exc_traceback, unraisable.exc_value
    # Found by its first frame: since Python 3.13 the hook is not told the function.
    frame = None if traceback is None else traceback.tb_frame
    is_kept = False
    if frame is not None and _is_callback(frame):
        is_kept = struck(exception)
    elif frame is not None and is_ours(frame):
        # It struck in the finalizer of one of our objects.
        is_kept = isinstance(exception, KeyboardInterrupt) and keep(exception)
    if not is_kept:
        _before(unraisable)


def _is_callback(frame: FrameType) -> bool:
    return frame.f_globals.get("__name__") == f"{__package__}._callbacks"


def _unwind(traceback: Optional[TracebackType]) -> None:
    """Marks the callback that it left as ended, and the event that it got as over."""
    is_left = False
    while traceback is not None:
        names = traceback.tb_frame.f_locals
        thrown, depth = names.get("thrown"), names.get("depth")
        if thrown is not None and depth is not None and not is_left:
            thrown.leave(depth)
            is_left = True
        if is_ours(traceback.tb_frame):
            for name in ("event", "value", "self"):
                _is_over(names.get(name))
        traceback = traceback.tb_next


def _is_over(value: Any) -> None:
    event = getattr(value, "__dict__", {}).get("_event", value)
    if getattr(type(event), "__name__", "") == "Event":
        event._address = 0


def _end(traceback: Optional[TracebackType]) -> None:
    """Does the rest of the callback that it left, however often another interrupt strikes."""
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
            _note(again)
        else:
            break


sys.unraisablehook = _listen


# Passes an exception to sys.unraisablehook, the place for exceptions that nobody can catch --------


class _Thrower:
    """Raises the exception where the interpreter can only report it: in a weakref's callback.

    The hook takes an argument of a type that Python code cannot make, so the interpreter makes it.
    """

    def __init__(self, exception: BaseException, event: object) -> None:
        self.exception = exception
        self.event = event

    def __call__(self, reference: object) -> None:
        context = self.exception.__context__
        try:
            raise self.exception
        except BaseException:
            # The raise has set the exception being handled as context: it may be the hidden one.
            self.exception.__context__ = context
            raise

    def __repr__(self) -> str:
        return f"mainstem callback for {self.event}"


class _Referent:
    """An object that is released at once."""


def report_unraisable(exception: BaseException, event: object) -> None:
    """Calls sys.unraisablehook with the exception; its `object` has the event."""
    referent = _Referent()
    reference = weakref.ref(referent, _Thrower(exception, event))
    del referent
    del reference


# Warnings from inside the package, where nobody can catch what a warning may raise ----------------


def warn(message: str, about: object) -> None:
    """Warns. With `python -W error` it is reported like any exception that nobody catches.

    It is never raised: it would be taken for an exception of the callback that runs, and the
    context would report that on its stream.
    """
    try:
        warnings.warn(message, RuntimeWarning, stacklevel=3)
    except RuntimeWarning as warning:
        report_unraisable(warning, about)
