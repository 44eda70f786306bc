# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What goes wrong: statuses, the exceptions, and what an exception may keep."""

from __future__ import annotations

import copy
import enum
import functools
import inspect
import os
import re
from types import CodeType, FrameType, TracebackType
from typing import Any, Callable, List, Optional, Set, Tuple, TypeVar, Union

from ._library import C
from ._library._interrupts import is_ours
from ._library._spoken import recorded, spoken

__all__ = ["Cancelled", "Failure", "MainstemError", "RequestTimeout", "Status"]


# The results of calls and requests ----------------------------------------------------------------


class Status(enum.IntEnum):
    """The result of a call or request, as in C. Codes from APP (1000) on belong to the app."""

    OK = 0
    INVALID = 1
    STALE = 2
    WRONG_KIND = 3
    WRONG_THREAD = 4
    BUSY = 5
    DENIED = 6
    TOO_BIG = 7
    FULL = 8
    LIMIT = 9
    NO_MEMORY = 10
    UNHANDLED = 11
    TIMEOUT = 12
    CANCELLED = 13
    INTERRUPTED = 14
    WITHHELD = 15
    FORKED = 16
    UNSUPPORTED = 17
    INCOMPLETE = 18
    IO = 19
    NO_SPACE = 20
    LOCKED = 21
    CORRUPT = 22
    POISONED = 23
    VERSION = 24
    DIFFERENT = 25
    UNSET = 26
    DISABLED = 27
    EXECUTING = 28
    BAD_URL = 29
    NO_ROUTE = 30
    APP = 1000

    @classmethod
    def _missing_(cls, value: object) -> Optional["Status"]:
        """A code of the app: `Status(1042)` is one, too, and its name is APP_1042."""
        if not isinstance(value, int):
            return None
        made = int.__new__(cls, value)
        made._name_ = f"APP_{value}" if value >= 1000 else f"UNKNOWN_{value}"
        made._value_ = value
        return made


_BY_NUMBER = {int(status): status for status in Status}


def status_of(number: int) -> Status:
    """Returns the Status of a number, also of the app's own."""
    found = _BY_NUMBER.get(number)
    return Status(number) if found is None else found


# The exceptions: a refused call, a failed request, a request that timed out -----------------------


#: What the message is of an exception that is no Failure: its repr, or no more than its class.
_UNEXPECTED = re.compile(
    r"[^\W\d][\w.]*(?:\(.*\)|: <secret>|, whose repr\(\) raises)|<[^\W\d].*>", re.DOTALL
)


def for_users(message: str) -> str:
    """What users read of a failure without a text for them: nothing of unexpected exceptions."""
    return "Something went wrong." if _UNEXPECTED.fullmatch(message) else message


class MainstemError(Exception):
    """A call was refused: its status, and a message that names function, argument and reason."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(status, message)
        self.status: Status = status_of(status)
        self.message = message

    def __str__(self) -> str:
        name = C.mainstem_status_name(self.status).decode()
        return f"{name}: {self.message}"


class Failure(MainstemError):
    """An error response. Raise it in a handler to give it; `request` raises the one it gets."""

    def __init__(
        self,
        message: str,
        *,
        user_message: str = "",
        code: int = Status.APP,
        subject: str = "",
    ) -> None:
        if not -(1 << 31) <= code < 1 << 31 or code == Status.OK:
            raise ValueError(f"code is {code}: the app's own begin at 1000")
        super().__init__(code, message)
        self.text = user_message
        self.subject = subject

    @property
    def code(self) -> int:
        """The status of the response: the app's own codes begin at 1000."""
        return self.status

    @property
    def user_message(self) -> str:
        """What to tell a user: the text for users, or the message if that is empty.

        Of an exception that nobody expected it is neutral: what that says is for developers.
        """
        return self.text or for_users(self.message)

    def __str__(self) -> str:
        return f"{self.message}: {self.text}" if self.text else self.message

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Failure):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __reduce__(self) -> Tuple[Any, ...]:
        return (_failure, self._values())

    def _values(self) -> Tuple[Any, ...]:
        return (self.message, self.text, int(self.status), self.subject)


class RequestTimeout(Failure, TimeoutError):
    """A request was not answered in time. Its status is TIMEOUT."""

    def __init__(self, message: str) -> None:
        Failure.__init__(self, message, code=Status.TIMEOUT)

    def __str__(self) -> str:
        return MainstemError.__str__(self)

    def __reduce__(self) -> Tuple[Any, ...]:
        return (RequestTimeout, (self.message,))


class Cancelled(Failure):
    """A request was given up, or what it asked for has gone. Its status is CANCELLED."""

    def __init__(self, message: str, *, user_message: str = "", subject: str = "") -> None:
        super().__init__(message, user_message=user_message, code=Status.CANCELLED, subject=subject)


_COPIED = (MainstemError, Failure, RequestTimeout, Cancelled)


def _failure(message: str, text: str, code: int, subject: str) -> Failure:
    if code == Status.CANCELLED:
        return Cancelled(message, user_message=text, subject=subject)
    return Failure(message, user_message=text, code=code, subject=subject)


def again(failure: BaseException) -> BaseException:
    """Returns a copy of an error of this package, so that it can be raised more than once.

    An exception that was raised holds the frames that it went through. If one of them holds the
    object that keeps the exception, only the cyclic collector frees the two.
    """
    return copy.copy(failure) if type(failure) in _COPIED else failure


def failure_in(data: bytes, status: int, origin: int) -> Failure:
    """The error in a failed response. The library's own, of origin 0, may be a time-out."""
    parts = data.decode("utf-8", "replace").split("\0") + ["", "", ""]
    if status == Status.TIMEOUT and origin == 0:
        return RequestTimeout(parts[0])
    return _failure(parts[0], parts[1], status, parts[2])


def refused(status: int) -> MainstemError:
    """The exception for a call on this thread that has just returned `status`."""
    message = C.mainstem_last_error().decode("utf-8", "replace")
    return told(status, message)


def told(status: int, message: str) -> MainstemError:
    """The exception for a message of the library. Its repr is in journals, in the words of C."""
    error = MainstemError(status, recorded(message))
    error.message = spoken(message)
    return error


def check(status: int) -> None:
    """Raises MainstemError for a call's status, unless it is OK."""
    if status:
        raise refused(status)


def encoded(text: str, what: str) -> bytes:
    """Encodes text for C. A zero byte would cut it short, so it is refused."""
    return _whole(text.encode("utf-8"), text, what)


def encoded_path(path: "Union[str, bytes, os.PathLike[str]]", what: str = "path") -> bytes:
    """The same for a path: cut short, it would name another file."""
    return _whole(os.fsencode(path), path, what)


def _whole(data: bytes, given: object, what: str) -> bytes:
    if b"\0" in data:
        raise MainstemError(Status.INVALID, f"{what}: {given!r} has a zero byte in it")
    return data


# What an exception may keep of a secret: nothing (docs/privacy.md) --------------------------------
#
# This is not only about its text: a UnicodeEncodeError has the whole text, a JSONDecodeError the
# whole document. Every exception has a context, a cause and notes, and the frames of its traceback
# have variables, which error reporters show.


Function = TypeVar("Function", bound=Callable[..., Any])


def refusal(exception: BaseException, what: str) -> Exception:
    """Makes the exception to raise instead of one that may quote a secret.

    Raise it after the `except` block: inside the block, Python adds the original as its context.
    """
    kind = TypeError if isinstance(exception, TypeError) else ValueError
    return kind(f"{what}: <secret> ({type(exception).__name__})")


def hidden(exception: BaseException) -> BaseException:
    """Makes a printable form of an exception: only its class, and the lines it came from."""
    shown = RuntimeError(f"{type(exception).__name__}: <secret>")
    return shown.with_traceback(_bare(exception.__traceback__))


def discreet(function: Function) -> Function:
    """Wraps a function so that its exceptions keep no arguments in this package's frames."""

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except BaseException as exception:
            arguments, named = (), {}
            empty(exception)
            raise

    return call  # type: ignore[return-value]


def empty(exception: BaseException) -> None:
    """Clears the variables in this package's frames of an exception and of those that led to it."""
    waiting: List[Optional[BaseException]] = [exception]
    seen: Set[int] = set()
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        waiting += [one.__context__, one.__cause__]
        traceback = one.__traceback__
        while traceback is not None:
            _empty(traceback.tb_frame)
            traceback = traceback.tb_next


def _empty(frame: FrameType) -> None:
    if is_ours(frame):
        try:
            frame.clear()
        except RuntimeError:
            return  # The frame is still running: its caller clears it.


def _bare(traceback: Optional[TracebackType]) -> Optional[TracebackType]:
    """Makes a traceback with the same lines, in frames without variables."""
    lines = []
    while traceback is not None:
        lines.append((traceback.tb_frame, traceback.tb_lineno))
        traceback = traceback.tb_next
    made: Optional[TracebackType] = None
    for frame, line in reversed(lines):
        bare = _frame_like(frame.f_code, line)
        if bare is not None:
            made = TracebackType(made, bare.tb_frame, bare.tb_lasti, line)
    return made


def _frame_like(code: CodeType, line: int) -> Optional[TracebackType]:
    """Makes the traceback of a program that raises at the given line, under the code's name."""
    program = compile("\n" * (line - 1) + "raise there", code.co_filename, "exec")
    try:
        exec(program.replace(co_name=code.co_name), {"there": _There, "__builtins__": {}}, {})
    except _There as raised:
        return raised.__traceback__.tb_next if raised.__traceback__ else None
    return None


class _There(Exception):
    """A place in a traceback."""


# Async functions: they are awaited in a loop, or refused where nothing would await them -----------


def is_async(function: Any) -> bool:
    """Whether its call only makes something to await: an `async def`, or an object called so."""
    call = getattr(function, "__call__", None)  # noqa: B004
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)


def refuse_async(function: Any, what: str) -> None:
    """Raises a TypeError for an async function where a plain one is called."""
    if is_async(function) or inspect.isasyncgenfunction(function):
        raise TypeError(f"{what} is called, not awaited: give a plain function, not an async def")
