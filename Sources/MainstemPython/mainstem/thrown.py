# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Exceptions in callbacks: counted by the library, reported here, never let into C."""

from __future__ import annotations

from typing import Any, Optional

from ._library import C, _interrupts
from ._library._interrupts import report_unraisable
from ._protocols import ContextLike, Running
from .failure import Failure, MainstemError, Status, check, empty, hidden
from .received import may_quote, withheld


def message_of(exception: BaseException, value: Any) -> str:
    """An exception as one message for developers; if it may quote a secret, only its class."""
    if isinstance(exception, Failure):
        return str(exception.message)
    if may_quote(value):
        return f"{type(exception).__name__}: <secret>"
    try:
        return repr(exception)
    except Exception:
        return f"{type(exception).__name__}, whose repr() raises"


def _report(exception: BaseException, value: Any) -> None:
    """Passes it to sys.unraisablehook with its event; if it may quote a secret, without payload."""
    if may_quote(value):
        report_unraisable(hidden(exception), withheld(value))
    else:
        report_unraisable(exception, value)


class Thrown:
    """The exceptions from one context's callbacks, and whether this thread is inside one."""

    __slots__ = ("_context", "_has_told", "caught", "is_closing", "raises", "running")

    #: Whether the call that ran a callback raises its exception.
    raises: bool
    #: How many of its callbacks each thread is inside.
    running: Running
    #: Whether the context is closing: it refuses what its last callbacks send.
    is_closing: bool

    def __init__(self, context: ContextLike, raises: bool) -> None:
        self._context = context
        self.caught: Optional[BaseException] = None
        self.running = Running()
        self.is_closing = False
        self._has_told = False
        self.raises = raises

    def depth(self) -> int:
        """Returns how many callbacks this thread is inside."""
        return self.running.depth

    def enter(self, depth: int) -> None:
        """Notes that a callback begins at this depth."""
        self.running.depth = depth + 1

    def leave(self, depth: int) -> None:
        """Notes that the callback that began at this depth ends."""
        self.running.depth = depth

    def inside(self) -> bool:
        """Whether this thread is inside a callback of the context."""
        return self.running.depth > 0

    def failed(self, exception: BaseException, value: Any, address: int) -> None:
        """Marks the running callback as failed, and reports the exception it raised.

        Ctrl-C is not the callback's failure: a replay, where nobody presses it, would differ.
        """
        if isinstance(exception, KeyboardInterrupt) and _interrupts.keep(exception):
            C.mainstem_confirm(address)
            return
        message = message_of(exception, value).replace("\0", "\\0").encode("utf-8", "replace")
        code = exception.code if isinstance(exception, Failure) else Status.APP
        C.mainstem_fail(address, int(code), message)
        self.report(exception, value)

    def failed_to_show(self, exception: BaseException, server: Any) -> int:
        """Reports the exception of a show function, and returns its status.

        A lack of room is no failure, nor is that the context closes, or did when it was recorded.
        """
        if isinstance(exception, MainstemError):
            status = exception.status
            if status in (Status.FULL, Status.NO_MEMORY):
                return int(status)
            if status == Status.STALE:
                if not self.is_closing and not self._context.replaying:
                    self.report(exception, server)
                return int(status)
        if isinstance(exception, KeyboardInterrupt) and _interrupts.keep(exception):
            return 0
        self.report(exception, server)
        return int(exception.code if isinstance(exception, Failure) else Status.APP)

    def report(self, exception: BaseException, value: Any) -> None:
        """Reports an exception that nobody can catch, with its event."""
        if _interrupts.keep(exception) or self._is_told(exception):
            return
        on_exception = self._context.on_exception
        if self.raises or isinstance(exception, KeyboardInterrupt):
            self.caught = self.caught or exception
        elif on_exception is None:
            _report(exception, value)
        else:
            try:
                on_exception(exception, value)
            except BaseException as second:
                _report(second, value)

    def _is_told(self, exception: BaseException) -> bool:
        """Whether it is what every callback gets while the context closes, and one was reported."""
        if not self.is_closing or not isinstance(exception, MainstemError):
            return False
        if exception.status != Status.STALE:
            return False
        is_told, self._has_told = self._has_told, True
        return is_told

    def raise_caught(self) -> None:
        """Raises what was caught in callbacks, if this is the outermost call."""
        if self.caught is None and not _interrupts.ever:
            return
        if self.inside():
            return
        interrupt = _interrupts.taken()
        caught, self.caught = self.caught, None
        if interrupt is not None:
            if caught is not None:
                report_unraisable(caught, self._context)
            caught = interrupt
        if caught is not None:
            empty(caught)
            try:
                raise caught
            finally:
                del caught, interrupt

    def returned(self, status: int) -> None:
        """Raises what was caught in callbacks of a call, or else the error of its status."""
        self.raise_caught()
        if status:
            check(status)
