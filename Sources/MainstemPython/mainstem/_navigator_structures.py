# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The structs of navigator.h and stage.h."""

from __future__ import annotations

from ctypes import Structure, c_char_p, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

from ._structures import EVENT_FN


class RouteRow(Structure):
    """mainstem_route_row."""

    _fields_ = [
        ("pattern", c_char_p),
        ("name", c_char_p),
        ("kind", c_uint32),
        ("flags", c_uint32),
        ("parts", c_char_p),
    ]


class NavigatorOptions(Structure):
    """mainstem_navigator_options."""

    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("show_timeout_ms", c_int64),
        ("scheme", c_char_p),
    ]


class MoveStruct(Structure):
    """mainstem_move."""

    _fields_ = [
        ("size", c_uint32),
        ("verb", c_uint32),
        ("url", c_char_p),
        ("component", c_uint64),
        ("slot", c_char_p),
        ("how", c_uint32),
        ("flags", c_uint32),
    ]


class ResultStruct(Structure):
    """mainstem_result."""

    _fields_ = [
        ("size", c_uint32),
        ("type", c_uint32),
        ("data", c_void_p),
        ("data_size", c_size_t),
    ]


class IntentRow(Structure):
    """mainstem_intent_row."""

    _fields_ = [
        ("type", c_char_p),
        ("name", c_char_p),
        ("fn", EVENT_FN),
        ("flags", c_uint32),
        ("reserved", c_uint32),
    ]


class ShowStruct(Structure):
    """mainstem_show."""

    _fields_ = [
        ("size", c_uint32),
        ("kind", c_uint32),
        ("component", c_uint64),
        ("parent", c_uint64),
        ("owner", c_uint64),
        ("hidden", c_uint64),
        ("name", c_char_p),
        ("url", c_char_p),
        ("route", c_char_p),
        ("slot", c_char_p),
    ]
