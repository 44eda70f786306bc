# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Bridges: how one does, flush, close, and options (mainstem/nats_bridge.h)."""

from __future__ import annotations

import ctypes
import os
from typing import Any, NamedTuple, Optional, Sequence, Union

from . import _nats_header as d
from ._library import milliseconds_of
from ._library._spoken import spoken
from ._nats_declarations import C
from .failure import Status, encoded_path, status_of, told

Path = Union[str, bytes, "os.PathLike[str]"]

_STATES = {d.WAITING: "waiting", d.RUNNING: "running", d.STOPPED: "stopped"}


class BridgeStats(NamedTuple):
    """How a bridge does (mainstem_nats_stats)."""

    #: "waiting" for a server that does its part, "running", or "stopped".
    state: str
    #: Status.OK while it runs; else why it waits or has stopped.
    status: int
    #: How often it began, with a new connection.
    begun: int
    #: The last position read.
    read: int
    #: The last position that the stream is known to have.
    done: int
    #: Entries that the server acknowledged, or requests answered; and the bytes of their data.
    entries: int
    bytes: int
    #: Payloads left out, because the server does not take so much.
    left_out: int
    #: Entries refused, or acknowledged as others; messages in the stream that only look like the
    #: journal's; answers that nobody waits for.
    refused: int
    #: Positions that a flight recorder removed before they were read; answers without a connection.
    lost: int
    #: Requests that have no answer yet.
    open: int
    #: Entries that were taken in already, and were left out.
    repeated: int
    #: The last thing that went wrong; may be empty.
    message: str


class Bridge:
    """A bridge that works. Used as a context manager, it is closed at the end."""

    __slots__ = ("_handle",)

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self._handle = handle

    @property
    def stats(self) -> BridgeStats:
        """How it does."""
        read = d.StatsStruct(size=ctypes.sizeof(d.StatsStruct))
        check(C.mainstem_nats_stats_read(self._handle, ctypes.byref(read)))
        fields = {field: getattr(read, field) for field in BridgeStats._fields}
        fields["state"] = _STATES[read.state]
        fields["status"] = status_of(read.status)
        fields["message"] = spoken(read.message.decode("utf-8", "replace"))
        return BridgeStats(**fields)

    def flush(self, timeout: Optional[float] = None) -> None:
        """Returns when all is done that there was to do at the call.

        Raises MainstemError with Status.TIMEOUT after so many seconds; with Status.BUSY for an
        import inside a callback, and for a bridge that has waited for 2 seconds for room in a
        queue of the program's; or with the status for which it has stopped.
        """
        limit = -1 if timeout is None else max(0, milliseconds_of(timeout))
        check(C.mainstem_nats_flush(self._handle, limit))

    def close(self) -> None:
        """Ends it; a second call does nothing."""
        status = C.mainstem_nats_close(self._handle)
        if status != Status.STALE:
            check(status)

    def __enter__(self) -> Bridge:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def options(
    to: str,
    *,
    name: Optional[str] = None,
    user: Optional[str] = None,
    password: Optional[str] = None,
    credentials: Optional[Path] = None,
    tls: bool = False,
    authorities: Optional[Path] = None,
    certificate: Optional[Path] = None,
    key: Optional[Path] = None,
    host: Optional[str] = None,
    **own: Any,
) -> d.Options:
    """The options of a connection to these servers; `own` are the fields of one call, as C has
    them."""
    made = d.Options(size=ctypes.sizeof(d.Options))
    made.flags = d.TLS if tls else 0
    texts = {"url": to, "name": name, "user": user, "password": password, "host": host}
    files = {"credentials": credentials, "authorities": authorities}
    files.update(certificate=certificate, key=key)
    for field, file in files.items():
        setattr(made, field, None if file is None else encoded_path(file, field))
    own.update(texts)
    for field, value in own.items():
        setattr(made, field, value.encode() if isinstance(value, str) else value)
    return made


def names(given: Sequence[str]) -> Any:
    """An array of names for C; None: there are none."""
    return (ctypes.c_char_p * len(given))(*(name.encode() for name in given)) if given else None


def check(status: int) -> None:
    """Raises what a call of the bridge returned, if it is a failure."""
    if status:
        message: bytes = C.mainstem_nats_last_error()
        raise told(status, message.decode("utf-8", "replace"))
