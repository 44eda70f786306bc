# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the bridge's library, and declares the functions and structs of mainstem/nats_*.h.

MAINSTEM_NATS_LIBRARY says where it is; else it is beside the module, beside libmainstem, or where
the loader looks.
"""

from __future__ import annotations

import ctypes
import os
from ctypes import (
    POINTER,
    c_char,
    c_char_p,
    c_int32,
    c_int64,
    c_size_t,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import List

from ._library import LIBRARY_PATH

NAME = "libmainstem_nats.so"

TLS = 1
WAITING, RUNNING, STOPPED = 0, 1, 2


class OptionsStruct(ctypes.Structure):
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
        ("as", POINTER(c_char_p)),
        ("source", c_char_p),
        ("scope", c_char_p),
        ("rights", c_void_p),
        ("durable", c_char_p),
        ("journal", c_char_p),
    ]


class StatsStruct(ctypes.Structure):
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
        ("sentence", c_char * 256),
    ]


class FetchReportStruct(ctypes.Structure):
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


_OF_REQUESTS = [c_void_p, c_char_p, POINTER(OptionsStruct), POINTER(c_void_p)]

_DECLARATIONS = [
    ("mainstem_nats_last_error", c_char_p, []),
    ("mainstem_nats_options_init", c_int32, [POINTER(OptionsStruct), c_size_t]),
    ("mainstem_nats_stats_read", c_int32, [c_void_p, POINTER(StatsStruct)]),
    ("mainstem_nats_flush", c_int32, [c_void_p, c_int64]),
    ("mainstem_nats_close", c_int32, [c_void_p]),
    ("mainstem_nats_mirror", c_int32, [c_char_p, POINTER(OptionsStruct), POINTER(c_void_p)]),
    (
        "mainstem_nats_fetch",
        c_int32,
        [c_char_p, POINTER(OptionsStruct), c_char_p, c_int64, POINTER(FetchReportStruct)],
    ),
    ("mainstem_nats_import", c_int32, [c_void_p, POINTER(OptionsStruct), POINTER(c_void_p)]),
    ("mainstem_nats_forward", c_int32, _OF_REQUESTS),
    ("mainstem_nats_serve", c_int32, _OF_REQUESTS),
]

FUNCTIONS = [name for name, _, _ in _DECLARATIONS]


def candidates() -> List[str]:
    """The places to look in, in order."""
    chosen = os.environ.get("MAINSTEM_NATS_LIBRARY")
    if chosen:
        return [chosen]
    here = os.path.dirname(os.path.abspath(__file__))
    beside = [os.path.join(here, NAME)]
    if os.path.isabs(LIBRARY_PATH):
        beside.append(os.path.join(os.path.dirname(LIBRARY_PATH), NAME))
    return [*beside, f"{NAME}.0"]


def load() -> ctypes.CDLL:
    """Loads the library with its functions declared, or raises an ImportError."""
    failures = []
    for path in candidates():
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            failures.append(f"  {path} ({error})")
            continue
        for name, result, arguments in _DECLARATIONS:
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        return library
    raise ImportError(
        f"mainstem.nats: {NAME} was not found. It is built with -DMAINSTEM_BUILD_NATS=ON. Looked "
        "at:\n" + "\n".join(failures)
    )


LIBRARY = load()
