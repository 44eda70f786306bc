# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""All that a host can read of a world: a call that was refused has changed none of it."""

from __future__ import annotations

import ctypes
from ctypes import byref, c_size_t

from mainstem._library import C
from mainstem._library import _header as d
from raw import OK


def counters(world, lasting=()):
    """What can be read, by context and field; without those that are named in `lasting`."""
    files = sorted(each.name for each in world.folder.iterdir())
    read = {"released": world.released, "files": files}
    for name, handle in world.contexts.items():
        stats = _read(C.mainstem_context_stats_read, handle, d.ContextStatsStruct)
        for field, _ in d.ContextStatsStruct._fields_ if stats else ():
            if name not in lasting and field not in lasting:
                read[name, field] = getattr(stats, field)
    if "info" not in lasting:
        for kind, struct in (("journal", d.JournalInfoStruct), ("replay", d.ReplayInfoStruct)):
            if world.made(kind):
                info = _read(getattr(C, f"mainstem_{kind}_info_read"), world.handle(kind), struct)
                read[kind] = info and bytes(info)
    if world.made("mailbox"):
        count, needed = c_size_t(), c_size_t()
        C.mainstem_mailbox_take(world.mailbox, None, 0, byref(count), byref(needed))
        read["mailbox"] = needed.value
    return read


def _read(function, handle, struct):
    """A struct, filled; None if the handle has ended."""
    made = struct(size=ctypes.sizeof(struct))
    return made if function(handle, byref(made)) == OK else None
