# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Recording: a context's journal while it is being written."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Callable, NamedTuple, Optional, Union, cast

from ._library import C, _callbacks, _interrupts, whole
from ._library import _header as d
from ._library._interrupts import report_unraisable
from .failure import Status, check, encoded_path, refuse_async, status_of

Path = Union[str, bytes, "os.PathLike[str]"]

DURABILITIES = {
    "process": d.JOURNAL_PROCESS,
    "power": d.JOURNAL_POWER,
    "buffered": d.JOURNAL_BUFFERED,
}


class JournalStats(NamedTuple):
    """The counters of a context's journal (mainstem_journal_stats_read)."""

    #: OK, or why recording stopped.
    status: int
    #: The last position in the file.
    written: int
    #: The last position on the disk, as of the last sync.
    durable: int
    #: Events and bytes recorded by this context, and files begun by it.
    events: int
    bytes: int
    segments: int
    #: Bytes of an unfinished end, dropped on opening.
    torn: int


class Recording:
    """The part of a context that records its journal."""

    __slots__ = ()

    handle: int
    _is_recorded: bool

    def record(
        self,
        path: Path,
        *,
        durability: str = "process",
        new: bool = False,
        continue_unrecorded: bool = False,
        segment_size: int = 0,
        keep: int = 0,
    ) -> None:
        """Records the context: from here on, what it accepts is written to a file, then delivered.

        Call it once, before the first event. Recording ends when the context is closed. An existing
        journal is continued; with `new` it is refused. With durability "process" the record
        survives the end of the process, at "power" also a power cut, at "buffered" only an orderly
        end. With `segment_size`, a new file (PATH.000001 …) begins after that many bytes, and only
        the newest `keep` files are kept. If writing fails, the context stops; with
        `continue_unrecorded` it goes on unrecorded.
        """
        if durability not in DURABILITIES:
            raise TypeError(
                f"durability is one of {', '.join(map(repr, DURABILITIES))}, not {durability!r}"
            )
        options = d.JournalOptions(size=ctypes.sizeof(d.JournalOptions))
        options.durability = DURABILITIES[durability]
        options.flags = (d.JOURNAL_NEW if new else 0) | (
            d.JOURNAL_CONTINUE_UNRECORDED if continue_unrecorded else 0
        )
        options.segment_size = whole(segment_size, "segment_size")
        options.keep = whole(keep, "keep", (1 << 32) - 1)
        check(C.mainstem_journal_record(self.handle, encoded_path(path), ctypes.byref(options)))
        cast(Any, self)._is_recorded = True  # A slot of the context.

    @property
    def is_under_way(self) -> bool:
        """Whether this session is recorded and has begun: no replay knows of what is added now."""
        if not self._is_recorded:
            return False
        stats = self.journal_stats()
        return stats.status == Status.OK and stats.events > 0

    def sync_journal(self) -> None:
        """Returns when everything accepted before the call is on the disk, with any durability."""
        check(C.mainstem_journal_sync(self.handle))

    def on_durable(self, function: Optional[Callable[[int], Any]]) -> None:
        """Calls a function each time more has reached the disk, with the last position there.

        It runs on the thread that synced. None removes it.
        """
        if function is None:
            none = d.DURABLE_FN(), None, d.RELEASE_FN()
            check(C.mainstem_journal_on_durable(self.handle, *none))
            return
        refuse_async(function, "on_durable's function")
        number = _callbacks.keep(lambda position: _call(function, position))
        status = C.mainstem_journal_on_durable(
            self.handle, _callbacks.on_durable, number, _callbacks.on_release
        )
        if status:
            _callbacks.forget(number)
            check(status)

    def journal_stats(self) -> JournalStats:
        """Reads the counters of its journal."""
        stats = d.JournalStatsStruct(size=ctypes.sizeof(d.JournalStatsStruct))
        check(C.mainstem_journal_stats_read(self.handle, ctypes.byref(stats)))
        values = [getattr(stats, name) for name in JournalStats._fields]
        return JournalStats(status_of(values[0]), *values[1:])


def _call(function: Callable[[int], Any], position: int) -> None:
    try:
        function(position)
    except BaseException as exception:
        if not _interrupts.keep(exception):
            report_unraisable(exception, function)
