# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Recording: a context's journal, while it is written."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Callable, NamedTuple, Optional, Union

from . import _callbacks, _interrupts
from . import _declarations as d
from ._declarations import C
from ._unraisable import report_unraisable
from .failure import check
from .status import status_of

Path = Union[str, bytes, "os.PathLike[str]"]

LEVELS = {
    "process": d.JOURNAL_PROCESS,
    "power": d.JOURNAL_POWER,
    "buffered": d.JOURNAL_BUFFERED,
}


class JournalStats(NamedTuple):
    """The counters of a context's journal (mainstem_journal_stats_read)."""

    #: OK, or why nothing is recorded any more.
    status: int
    #: The last position in the file.
    written: int
    #: The last position that a power cut leaves.
    durable: int
    #: Events and bytes recorded by this context, and files begun by it.
    events: int
    bytes: int
    segments: int
    #: Bytes of an unfinished end that were dropped when the journal was opened.
    torn: int


class Recording:
    """What a context can do about its journal."""

    __slots__ = ()

    handle: int

    def record(
        self,
        path: Path,
        *,
        level: str = "process",
        new: bool = False,
        go_on: bool = False,
        segment_size: int = 0,
        keep: int = 0,
    ) -> None:
        """Records all that is accepted from here on in a file, each event before it is seen.

        Before the first event; until the context is closed. A journal that is there goes on, or is
        refused with `new`. At level "process" what was seen survives the end of the process, at
        "power" a power cut too, at "buffered" an orderly end. With `segment_size` the next of the
        files PATH.000001 … begins after so many bytes, and the last `keep` of them stay. When
        writing fails the context stops, or, with `go_on`, goes on unrecorded.
        """
        if level not in LEVELS:
            raise TypeError(f"level is one of {', '.join(map(repr, LEVELS))}, not {level!r}")
        options = d.JournalOptions()
        check(C.mainstem_journal_options_init(ctypes.byref(options), ctypes.sizeof(options)))
        options.level = LEVELS[level]
        options.flags = (d.JOURNAL_NEW if new else 0) | (d.JOURNAL_GO_ON if go_on else 0)
        options.segment_size = segment_size
        options.keep = keep
        check(C.mainstem_journal_record(self.handle, os.fsencode(path), ctypes.byref(options)))

    def journal_sync(self) -> None:
        """Returns when all that was accepted before is on the disk, whatever the level."""
        check(C.mainstem_journal_sync(self.handle))

    def on_durable(self, function: Optional[Callable[[int], Any]]) -> None:
        """Calls a function with a position each time all up to there has reached the disk.

        On the thread that asked the disk. None removes it.
        """
        if function is None:
            none = d.DURABLE_FN(), None, d.RELEASE_FN()
            check(C.mainstem_journal_on_durable(self.handle, *none))
            return
        number = _callbacks.keep(lambda position: _call(function, position))
        status = C.mainstem_journal_on_durable(
            self.handle, _callbacks.on_durable, number, _callbacks.on_release
        )
        if status:
            _callbacks.forget(number)
            check(status)

    def journal_stats(self) -> JournalStats:
        """The counters of its journal."""
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
