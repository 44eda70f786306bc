# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Declares the structs and the callback types of reactor.h, and the row that ends a command."""

from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_bool,
    c_char_p,
    c_int32,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)

from ._structures import EventStruct, ModelRow

REDUCE_FN = CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_size_t)
SHOW_STATE_FN = CFUNCTYPE(c_int32, c_void_p, c_void_p, POINTER(c_uint32), c_void_p)
PULSE_FN = CFUNCTYPE(c_int32, c_void_p, c_void_p, POINTER(c_uint32), c_void_p, c_size_t)
TRANSFORM_ACTION_FN = CFUNCTYPE(c_bool, c_void_p, c_void_p, POINTER(EventStruct))
TRANSFORM_MUTATION_FN = CFUNCTYPE(c_bool, c_void_p, c_void_p, POINTER(c_void_p), POINTER(c_size_t))
TRANSFORM_STATE_FN = CFUNCTYPE(None, c_void_p, c_void_p)


class ModelRowWith(Structure):
    """mainstem_model_row_with."""

    _fields_ = [("row", ModelRow), ("until", c_char_p)]


class ReactorTable(Structure):
    """mainstem_reactor_table."""

    _fields_ = [
        ("size", c_uint32),
        ("state_size", c_uint32),
        ("initial", c_void_p),
        ("rows", POINTER(ModelRow)),
        ("row_size", c_size_t),
        ("count", c_size_t),
        ("mutation", c_uint64),
        ("reduce", REDUCE_FN),
        ("show", SHOW_STATE_FN),
        ("pulse", PULSE_FN),
        ("transform_action", TRANSFORM_ACTION_FN),
        ("transform_mutation", TRANSFORM_MUTATION_FN),
        ("transform_state", TRANSFORM_STATE_FN),
    ]
