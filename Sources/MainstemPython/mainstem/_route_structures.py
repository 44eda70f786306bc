# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The structs and the function type of navigation.h."""

from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_bool,
    c_char_p,
    c_size_t,
    c_uint32,
    c_void_p,
)

ROUTE_TYPE_FN = CFUNCTYPE(c_bool, c_void_p, c_void_p, c_size_t)


class ParameterStruct(Structure):
    """mainstem_parameter."""

    _fields_ = [
        ("name", c_void_p),
        ("text", c_void_p),
        ("name_size", c_size_t),
        ("size", c_size_t),
        ("type", c_uint32),
        ("reserved", c_uint32),
    ]


class MatchInfoStruct(Structure):
    """mainstem_match_info."""

    _fields_ = [
        ("size", c_uint32),
        ("route", c_uint32),
        ("parameters", POINTER(ParameterStruct)),
        ("parameter_count", c_size_t),
        ("query", POINTER(ParameterStruct)),
        ("query_count", c_size_t),
        ("fragment", c_void_p),
        ("fragment_size", c_size_t),
    ]


class RouteValue(Structure):
    """mainstem_route_value."""

    _fields_ = [("name", c_char_p), ("text", c_char_p)]
