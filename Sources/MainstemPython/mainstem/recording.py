# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Recording: a context's journal, while it is written."""

from __future__ import annotations

import ctypes
import os
from typing import NamedTuple, Union

from . import _declarations as d
from ._declarations import C
from .failure import check
from .status import status_of

Path = Union[str, bytes, "os.PathLike[str]"]

LEVELS = {"process": d.JOURNAL_PROCESS}


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

    def record(self, path: Path, *, level: str = "process", new: bool = False) -> None:
        """Records all that is accepted from here on in a file, each event before it is seen.

        Before the first event; until the context is closed. With `new` a journal that is there is
        refused. At level "process" what an observer saw survives the end of the process.
        """
        if level not in LEVELS:
            raise TypeError(f"level is one of {', '.join(map(repr, LEVELS))}, not {level!r}")
        options = d.JournalOptions()
        check(C.mainstem_journal_options_init(ctypes.byref(options), ctypes.sizeof(options)))
        options.level = LEVELS[level]
        options.flags = d.JOURNAL_NEW if new else 0
        check(C.mainstem_journal_record(self.handle, os.fsencode(path), ctypes.byref(options)))

    def journal_stats(self) -> JournalStats:
        """The counters of its journal."""
        stats = d.JournalStatsStruct(size=ctypes.sizeof(d.JournalStatsStruct))
        check(C.mainstem_journal_stats_read(self.handle, ctypes.byref(stats)))
        values = [getattr(stats, name) for name in JournalStats._fields]
        return JournalStats(status_of(values[0]), *values[1:])
