# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Beyond one process: mirrors a journal to a stream of NATS JetStream. See mainstem/nats.h.

with nats.mirror("session.journal", to="nats://archive:4222", prefix="todo") as mirror:
    ...  # the program runs, and records to session.journal
    mirror.flush()
"""

from __future__ import annotations

import ctypes
import os
from typing import Any, NamedTuple, Optional, Sequence, Union

from . import _nats_declarations as d
from ._nats_declarations import LIBRARY as C
from .failure import MainstemError
from .status import Status, status_of

__all__ = ["FUNCTIONS", "Mirror", "MirrorStats", "mirror"]

FUNCTIONS = d.FUNCTIONS

Path = Union[str, bytes, "os.PathLike[str]"]

_STATES = {d.WAITING: "waiting", d.RUNNING: "running", d.STOPPED: "stopped"}


class MirrorStats(NamedTuple):
    """How a mirror does (mainstem_nats_stats)."""

    #: "waiting" for a server that takes entries, "running", or "stopped".
    state: str
    #: Status.OK while it runs; else why it waits or has stopped.
    status: int
    #: How often it began to send, behind what the stream had.
    begun: int
    #: The last position read.
    read: int
    #: The last position that the stream is known to have.
    mirrored: int
    #: Entries that the server acknowledged to this mirror, and the bytes of their data.
    entries: int
    bytes: int
    #: Payloads left out, because the server does not take so much.
    left_out: int
    #: Entries refused, or acknowledged as others than were sent.
    refused: int
    #: Positions that a flight recorder removed before they were read.
    lost: int
    #: The last thing that went wrong; may be empty.
    sentence: str


def mirror(
    path: Path,
    to: str = "nats://localhost:4222",
    *,
    prefix: Optional[str] = None,
    stream: Optional[str] = None,
    layers: Sequence[str] = (),
    types: Sequence[str] = (),
    replicas: int = 0,
    window: int = 0,
    name: Optional[str] = None,
    user: Optional[str] = None,
    password: Optional[str] = None,
    credentials: Optional[Path] = None,
    tls: bool = False,
    authorities: Optional[Path] = None,
    certificate: Optional[Path] = None,
    key: Optional[Path] = None,
    host: Optional[str] = None,
) -> Mirror:
    """Begins to mirror a journal to a stream. Does not wait for the server.

    The arguments are the fields of mainstem_nats_mirror_options; `to` is its URL.
    """
    options = d.MirrorOptions()
    _check(C.mainstem_nats_mirror_options_init(ctypes.byref(options), ctypes.sizeof(options)))
    options.flags = d.TLS if tls else 0
    options.replicas, options.window = replicas, window
    texts = {"url": to, "name": name, "user": user, "password": password, "host": host}
    texts.update(prefix=prefix, stream=stream)
    files = {"credentials": credentials, "authorities": authorities}
    files.update(certificate=certificate, key=key)
    for field, text in texts.items():
        setattr(options, field, None if text is None else text.encode())
    for field, file in files.items():
        setattr(options, field, None if file is None else os.fsencode(file))
    options.layers, options.layer_count = _list(layers), len(layers)
    options.types, options.type_count = _list(types), len(types)
    handle = ctypes.c_void_p()
    _check(C.mainstem_nats_mirror(os.fsencode(path), ctypes.byref(options), ctypes.byref(handle)))
    return Mirror(handle)


class Mirror:
    """A mirror that works. Used as a context manager, it is closed at the end."""

    __slots__ = ("_handle",)

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self._handle = handle

    @property
    def stats(self) -> MirrorStats:
        """How it does."""
        read = d.StatsStruct(size=ctypes.sizeof(d.StatsStruct))
        _check(C.mainstem_nats_stats_read(self._handle, ctypes.byref(read)))
        fields = {field: getattr(read, field) for field in MirrorStats._fields}
        fields["state"] = _STATES[read.state]
        fields["status"] = status_of(read.status)
        fields["sentence"] = read.sentence.decode("utf-8", "replace")
        return MirrorStats(**fields)

    def flush(self, timeout: Optional[float] = None) -> None:
        """Returns when the stream has everything that the journal had at the call.

        Raises MainstemError with Status.TIMEOUT after so many seconds, or with the status for
        which the mirror has stopped.
        """
        limit = -1 if timeout is None else max(0, round(timeout * 1000))
        _check(C.mainstem_nats_flush(self._handle, limit))

    def close(self) -> None:
        """Ends it; a second call does nothing. The next mirror sends what was not acknowledged."""
        status = C.mainstem_nats_close(self._handle)
        if status != Status.STALE:
            _check(status)

    def __enter__(self) -> Mirror:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _list(names: Sequence[str]) -> Any:
    """An array of names for C; None: there are none."""
    return (ctypes.c_char_p * len(names))(*(name.encode() for name in names)) if names else None


def _check(status: int) -> None:
    if status:
        sentence: bytes = C.mainstem_nats_last_error()
        raise MainstemError(status, sentence.decode("utf-8", "replace"))
