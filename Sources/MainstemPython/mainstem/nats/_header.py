# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Declares mainstem/nats.h to ctypes; loads no library. Generated: change the header, and type

    python3 Sources/MainstemPython/declare.py

Tests/RepositoryTests/test_declarations.py compares.
"""

from __future__ import annotations

from ctypes import (
    POINTER,
    Structure,
    c_char,
    c_char_p,
    c_int32,
    c_int64,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import Any, List, Tuple

from .._library._header import ScopeOptions

# mainstem/nats_bridge.h
TLS = 1
WAITING = 0
RUNNING = 1
STOPPED = 2


class Options(Structure):
    """mainstem_nats_options."""

    __slots__ = ()
    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("url", c_char_p),
        ("name", c_char_p),
        ("user", c_char_p),
        ("password", c_char_p),
        ("credentials", c_char_p),
        ("authorities", c_char_p),
        ("certificate", c_char_p),
        ("key", c_char_p),
        ("host", c_char_p),
        ("prefix", c_char_p),
        ("stream", c_char_p),
        ("replicas", c_uint32),
        ("window", c_uint32),
        ("layers", POINTER(c_char_p)),
        ("types", POINTER(c_char_p)),
        ("layer_count", c_uint32),
        ("type_count", c_uint32),
        ("queue", c_char_p),
        ("timeout_ms", c_uint32),
        ("scheduler", c_uint32),
        ("as_", POINTER(c_char_p)),
        ("source", c_char_p),
        ("scope", c_char_p),
        ("rights", POINTER(ScopeOptions)),
        ("durable", c_char_p),
        ("journal", c_char_p),
    ]


class StatsStruct(Structure):
    """mainstem_nats_stats."""

    __slots__ = ()
    _fields_ = [
        ("size", c_uint32),
        ("state", c_uint32),
        ("status", c_int32),
        ("begun", c_uint32),
        ("read", c_uint64),
        ("done", c_uint64),
        ("entries", c_uint64),
        ("bytes", c_uint64),
        ("left_out", c_uint64),
        ("refused", c_uint64),
        ("lost", c_uint64),
        ("open", c_uint64),
        ("repeated", c_uint64),
        ("message", c_char * 256),
    ]


# mainstem/nats_mirror.h
class FetchReportStruct(Structure):
    """mainstem_nats_fetch_report."""

    __slots__ = ()
    _fields_ = [
        ("size", c_uint32),
        ("is_whole", c_uint32),
        ("id", c_uint8 * 16),
        ("entries", c_uint64),
        ("events", c_uint64),
        ("records", c_uint64),
        ("first", c_uint64),
        ("last", c_uint64),
        ("left_out", c_uint64),
        ("missing", c_uint64),
    ]


#: Each function in the order of the headers: its result, its arguments.
DECLARATIONS: List[Tuple[str, Any, List[Any]]] = [
    # mainstem/nats_bridge.h
    ("mainstem_nats_last_error", c_char_p, []),
    ("mainstem_nats_stats_read", c_int32, [c_void_p, POINTER(StatsStruct)]),
    ("mainstem_nats_flush", c_int32, [c_void_p, c_int64]),
    ("mainstem_nats_close", c_int32, [c_void_p]),
    # mainstem/nats_mirror.h
    ("mainstem_nats_mirror", c_int32, [c_char_p, POINTER(Options), POINTER(c_void_p)]),
    (
        "mainstem_nats_fetch",
        c_int32,
        [c_char_p, POINTER(Options), c_char_p, c_int64, POINTER(FetchReportStruct)],
    ),
    # mainstem/nats_import.h
    ("mainstem_nats_import", c_int32, [c_void_p, POINTER(Options), POINTER(c_void_p)]),
    # mainstem/nats_requests.h
    ("mainstem_nats_forward", c_int32, [c_void_p, c_char_p, POINTER(Options), POINTER(c_void_p)]),
    ("mainstem_nats_serve", c_int32, [c_void_p, c_char_p, POINTER(Options), POINTER(c_void_p)]),
]
