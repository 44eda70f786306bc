# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The exceptions: a refused call, a failed request, a request that timed out."""

from __future__ import annotations

import copy
import os
import re
from typing import Any, Tuple, Union

from ._declarations import C
from ._spoken import recorded, spoken
from .status import Status, status_of

#: What the message is of an exception that is no Failure: its repr, or no more than its class.
_UNEXPECTED = re.compile(
    r"[^\W\d][\w.]*(?:\(.*\)|: <secret>|, whose repr\(\) raises)|<[^\W\d].*>", re.DOTALL
)


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
        if self.text or not _UNEXPECTED.fullmatch(self.message):
            return self.text or self.message
        return "Something went wrong."

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
