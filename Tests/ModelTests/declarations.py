# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the library declares: the arguments of its functions."""

from __future__ import annotations

import ctypes
import os
from ctypes import (
    POINTER,
    c_char_p,
    c_int,
    c_int32,
    c_int64,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import Any

from structures import (
    CHANGES_FN,
    EVENT_FN,
    MAKE_FN,
    RELEASE_FN,
    SHOW_FN,
    BindingRow,
    ContextOptions,
    EventStruct,
    HandlerRow,
    ModelRow,
    ObserveOptions,
    ReactorTable,
    RequestOptions,
    ScopeOptions,
    ServerOptions,
    Stats,
    SubscriptionStats,
)

DECLARATIONS: dict[str, list[Any]] = {
    "context_options_init": [POINTER(ContextOptions), c_size_t],
    "context_create": [POINTER(ContextOptions), POINTER(c_void_p)],
    "context_close": [c_void_p],
    "context_stats": [c_void_p, POINTER(Stats)],
    "type_add": [c_void_p, c_char_p, c_uint64, c_char_p, POINTER(c_uint32)],
    "origin_name": [c_void_p, c_uint32, POINTER(c_char_p)],
    "event_retain": [POINTER(EventStruct), POINTER(c_void_p)],
    "retained_event": [c_void_p, POINTER(POINTER(EventStruct))],
    "retained_release": [c_void_p],
    "scope_add": [c_void_p, c_char_p, POINTER(c_void_p)],
    "scope_end": [c_void_p],
    "scope_number": [c_void_p, POINTER(c_uint64)],
    "scope_find": [c_void_p, c_uint64, POINTER(c_void_p), POINTER(c_char_p)],
    "factory_add": [c_void_p, c_char_p, c_uint64, MAKE_FN, c_void_p, c_void_p],
    "service_add": [
        c_void_p,
        c_char_p,
        POINTER(c_char_p),
        c_size_t,
        c_uint64,
        MAKE_FN,
        c_void_p,
        c_void_p,
    ],
    "service_find": [c_void_p, c_char_p, POINTER(c_void_p)],
    "owner_open": [
        c_void_p,
        c_char_p,
        c_char_p,
        c_size_t,
        c_void_p,
        c_void_p,
        POINTER(c_void_p),
    ],
    "send": [c_void_p, c_uint32, c_char_p, c_size_t],
    "post": [c_void_p, c_uint32, c_char_p, c_size_t],
    "observe": [c_void_p, c_uint32, EVENT_FN, c_void_p, c_void_p, POINTER(c_void_p)],
    "observe_options_init": [POINTER(ObserveOptions), c_size_t],
    "observe_with": [
        c_void_p,
        POINTER(ObserveOptions),
        EVENT_FN,
        c_void_p,
        c_void_p,
        POINTER(c_void_p),
    ],
    "subscription_from": [c_void_p, POINTER(c_uint64)],
    "cancel": [c_void_p],
    "cancel_wait": [c_void_p],
    "fail": [POINTER(EventStruct), c_int32, c_char_p],
    "confirm": [POINTER(EventStruct)],
    "drain": [c_void_p, c_size_t, POINTER(c_size_t)],
    "wait": [c_void_p, c_int64],
    "flush": [c_void_p],
    "server_add": [
        c_void_p,
        c_char_p,
        POINTER(HandlerRow),
        c_size_t,
        c_size_t,
        c_void_p,
        c_void_p,
        POINTER(c_void_p),
    ],
    "request": [
        c_void_p,
        c_uint32,
        c_char_p,
        c_size_t,
        c_void_p,
        c_void_p,
        POINTER(c_void_p),
    ],
    "request_options_init": [POINTER(RequestOptions), c_size_t],
    "request_with": [
        c_void_p,
        c_uint32,
        c_char_p,
        c_size_t,
        POINTER(RequestOptions),
        c_void_p,
        c_void_p,
        c_void_p,
        POINTER(c_void_p),
    ],
    "pending_cancel": [c_void_p],
    "pending_position": [c_void_p, POINTER(c_uint64)],
    "respond": [POINTER(EventStruct), c_char_p, c_size_t],
    "respond_error": [POINTER(EventStruct), c_int32, c_char_p],
    "respond_progress": [POINTER(EventStruct), c_uint32, c_char_p, c_size_t],
    "server_options_init": [POINTER(ServerOptions), c_size_t],
    "server_add_with": [
        c_void_p,
        c_char_p,
        POINTER(HandlerRow),
        c_size_t,
        c_size_t,
        POINTER(ServerOptions),
        c_void_p,
        c_void_p,
        POINTER(c_void_p),
    ],
    "event_on_settled": [POINTER(EventStruct), RELEASE_FN, c_void_p, c_void_p],
    "activity": [c_void_p, c_uint32, POINTER(c_uint64)],
    "activity_report": [c_void_p, c_uint32],
    "scope_options_init": [POINTER(ScopeOptions), c_size_t],
    "scope_add_with": [c_void_p, c_char_p, POINTER(ScopeOptions), POINTER(c_void_p)],
    "send_many": [c_void_p, c_char_p, c_size_t, c_size_t, POINTER(c_size_t)],
    "interrupt_prepare": [c_void_p],
    "post_from_interrupt": [c_void_p, c_uint32, c_char_p, c_size_t],
    "serial_add": [c_void_p, c_char_p, c_uint32, POINTER(c_uint32)],
    "subscription_ask": [c_void_p, c_uint64],
    "subscription_stats_read": [c_void_p, POINTER(SubscriptionStats)],
    "drain_records": [c_void_p, c_void_p, c_size_t, POINTER(c_size_t), POINTER(c_size_t)],
    "value_set": [c_void_p, c_uint32, c_char_p, c_size_t],
    "value_get": [c_void_p, c_uint32, POINTER(c_void_p)],
    "binding_add": [
        c_void_p,
        c_void_p,
        POINTER(BindingRow),
        c_size_t,
        c_size_t,
        c_void_p,
        c_void_p,
        POINTER(c_void_p),
    ],
    "model_add": [
        c_void_p,
        c_char_p,
        POINTER(ModelRow),
        c_size_t,
        c_size_t,
        SHOW_FN,
        c_void_p,
        c_void_p,
        POINTER(c_void_p),
    ],
    "reactor_add": [
        c_void_p,
        c_char_p,
        POINTER(ReactorTable),
        c_void_p,
        c_void_p,
        POINTER(c_void_p),
    ],
    "reactor_mutate": [POINTER(EventStruct), c_char_p, c_size_t],
    "reactor_merge": [c_void_p, c_char_p, c_size_t],
    "reactor_state": [c_void_p],
    "binding_run": [
        c_void_p,
        c_char_p,
        c_char_p,
        c_size_t,
        EVENT_FN,
        c_void_p,
        c_void_p,
        POINTER(c_void_p),
    ],
    "binding_point": [c_void_p, c_void_p],
    "binding_on_changes": [c_void_p, CHANGES_FN, c_void_p],
    "binding_on_ended": [c_void_p, RELEASE_FN, c_void_p],
    "binding_set": [c_void_p, c_char_p, c_char_p, c_size_t],
    "binding_end": [c_void_p],
    "history_keep": [c_void_p, c_uint32, c_size_t, c_int64],
    "send_after": [c_void_p, c_uint32, c_char_p, c_size_t, c_int64, POINTER(c_void_p)],
    "send_every": [c_void_p, c_uint32, c_char_p, c_size_t, c_int64, POINTER(c_void_p)],
    "timer_cancel": [c_void_p],
    "context_now": [c_void_p, POINTER(c_int64)],
    "context_advance": [c_void_p, c_int64],
    "context_next_timeout": [c_void_p, POINTER(c_int64)],
    "context_fd": [c_void_p, POINTER(c_int)],
}


def path() -> str:
    """The library that MAINSTEM_LIBRARY names. That it is missing is a failure, never a skip."""
    named = os.environ.get("MAINSTEM_LIBRARY", "")
    if not os.path.isfile(named):
        raise FileNotFoundError(f"MAINSTEM_LIBRARY must name the library; it is {named!r}")
    return named


def load() -> dict[str, Any]:
    """The functions of the library."""
    library = ctypes.CDLL(path())
    functions = {}
    for name, arguments in DECLARATIONS.items():
        function = getattr(library, f"mainstem_{name}")
        function.argtypes = arguments
        function.restype = c_void_p if name == "reactor_state" else c_int32
        functions[name] = function
    return functions
