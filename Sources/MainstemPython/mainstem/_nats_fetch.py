# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A stream back to a journal (mainstem/nats_mirror.h)."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Optional

from . import _nats_header as d
from ._library import milliseconds_of
from ._nats_bridge import Path, check, options
from ._nats_declarations import C
from .failure import encoded_path


class Fetched(NamedTuple):
    """What `fetch` has made (mainstem_nats_fetch_report)."""

    #: Whether it is the journal itself, byte for byte; else it is what is left of it.
    is_whole: bool
    #: The journal's id.
    id: bytes
    #: Entries of the stream that are the journal's.
    entries: int
    #: How many events are in the new file, and, if it is whole, how many other records.
    events: int
    records: int
    #: The positions of the first event, 0 if there is none, and the last one.
    first: int
    last: int
    #: Payloads that the mirror left out.
    left_out: int
    #: Positions of which the stream has nothing.
    missing: int


def fetch(
    path: Path,
    source: str = "nats://localhost:4222",
    *,
    prefix: Optional[str] = None,
    stream: Optional[str] = None,
    journal: Optional[str] = None,
    timeout: Optional[float] = 10,
    **connection: Any,
) -> Fetched:
    """Makes a journal at `path` of what a stream has of it: see mainstem_nats_fetch.

    `source` is the servers' URL, `journal` the id as 32 digits, needed where the stream has several
    journals. The server may be silent for so many seconds. `connection` is as for `mirror`.
    """
    report = d.FetchReportStruct(size=ctypes.sizeof(d.FetchReportStruct))
    made = options(source, **connection, prefix=prefix, stream=stream)
    name = None if journal is None else journal.encode()
    limit = -1 if timeout is None else max(0, milliseconds_of(timeout))
    address = ctypes.byref(made), name, limit, ctypes.byref(report)
    check(C.mainstem_nats_fetch(encoded_path(path), *address))
    fields = {field: getattr(report, field) for field in Fetched._fields}
    fields.update(is_whole=bool(report.is_whole), id=bytes(report.id))
    return Fetched(**fields)
