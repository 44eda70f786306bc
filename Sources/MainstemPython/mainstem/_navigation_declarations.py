# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The functions of navigation.h, navigator.h and stage.h, in header order."""

from __future__ import annotations

from ctypes import (
    POINTER,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)

from ._navigator_structures import (
    IntentRow,
    MoveStruct,
    NavigatorOptions,
    ResultStruct,
    RouteRow,
    ShowStruct,
)
from ._route_structures import ROUTE_TYPE_FN, MatchInfoStruct, RouteValue
from ._structures import EVENT_FN, RELEASE_FN, HandlerRow

_handle = c_void_p
_out = POINTER(c_void_p)
_event = c_void_p
_text_out = POINTER(c_char_p)

NAVIGATION = [
    # navigation.h
    ("mainstem_router_create", c_int32, [_out]),
    (
        "mainstem_router_type_add",
        c_int32,
        [_handle, c_char_p, ROUTE_TYPE_FN, c_void_p, RELEASE_FN],
    ),
    ("mainstem_router_add", c_int32, [_handle, c_char_p, POINTER(c_uint32)]),
    ("mainstem_router_remove", c_int32, [_handle, c_uint32]),
    ("mainstem_router_match", c_int32, [_handle, c_char_p, POINTER(c_uint32), _out]),
    ("mainstem_router_close", c_int32, [_handle]),
    ("mainstem_match_read", c_int32, [_handle, POINTER(MatchInfoStruct)]),
    ("mainstem_match_text", c_int32, [_handle, c_char_p, _text_out, POINTER(c_size_t)]),
    ("mainstem_match_integer", c_int32, [_handle, c_char_p, POINTER(c_int64)]),
    ("mainstem_match_number", c_int32, [_handle, c_char_p, POINTER(c_double)]),
    ("mainstem_match_query", c_int32, [_handle, c_char_p, _text_out, POINTER(c_size_t)]),
    ("mainstem_match_release", c_int32, [_handle]),
    (
        "mainstem_route_write",
        c_int32,
        [c_char_p, POINTER(RouteValue), c_size_t, c_char_p, c_size_t, POINTER(c_size_t)],
    ),
    # navigator.h
    ("mainstem_navigator_options_init", c_int32, [POINTER(NavigatorOptions), c_size_t]),
    ("mainstem_navigator_add", c_int32, [_handle, POINTER(NavigatorOptions)]),
    (
        "mainstem_routes_type_add",
        c_int32,
        [_handle, c_char_p, ROUTE_TYPE_FN, c_void_p, RELEASE_FN],
    ),
    ("mainstem_routes_add", c_int32, [_handle, POINTER(RouteRow), c_size_t, c_size_t]),
    ("mainstem_routes_read", c_int32, [_handle, c_size_t, POINTER(RouteRow), c_size_t]),
    (
        "mainstem_navigator_move",
        c_int32,
        [_handle, POINTER(MoveStruct), EVENT_FN, c_void_p, _out],
    ),
    ("mainstem_navigator_open", c_int32, [_handle, c_char_p, EVENT_FN, c_void_p, _out]),
    ("mainstem_component_finish", c_int32, [_handle, c_uint32, c_char_p, c_size_t]),
    ("mainstem_result_read", c_int32, [_event, POINTER(ResultStruct)]),
    ("mainstem_navigator_match", c_int32, [_event, _out]),
    ("mainstem_guard_add", c_int32, [_handle, c_char_p, c_char_p, c_uint32]),
    ("mainstem_guard_answer", c_int32, [_event, c_uint32, c_char_p]),
    (
        "mainstem_intents_add",
        c_int32,
        [_handle, POINTER(IntentRow), c_size_t, c_size_t, c_void_p, RELEASE_FN],
    ),
    ("mainstem_event_component", c_int32, [_event, POINTER(c_uint64)]),
    # stage.h
    (
        "mainstem_stage_add",
        c_int32,
        [_handle, POINTER(HandlerRow), c_size_t, c_size_t, c_void_p, RELEASE_FN, _out],
    ),
    ("mainstem_show_read", c_int32, [_event, POINTER(ShowStruct), c_char_p, c_size_t]),
    ("mainstem_hide_read", c_int32, [_event, POINTER(c_uint64), c_size_t, POINTER(c_size_t)]),
    ("mainstem_navigator_ready", c_int32, [_handle]),
    ("mainstem_component_shown", c_int32, [_handle, c_uint64]),
    ("mainstem_component_gone", c_int32, [_handle, c_uint64]),
    (
        "mainstem_navigator_tree",
        c_int32,
        [_handle, POINTER(c_uint64), c_size_t, POINTER(c_size_t)],
    ),
    (
        "mainstem_component_read",
        c_int32,
        [_handle, c_uint64, POINTER(ShowStruct), c_char_p, c_size_t],
    ),
]
