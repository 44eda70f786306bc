# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The structures that the library declares, and its functions of the host."""

from __future__ import annotations

import ctypes
from ctypes import (
    CFUNCTYPE,
    POINTER,
    c_bool,
    c_char_p,
    c_int32,
    c_int64,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)


class EventStruct(ctypes.Structure):
    _fields_ = [
        ("position", c_uint64),
        ("cause", c_uint64),
        ("correlation", c_uint64),
        ("answers", c_uint64),
        ("time", c_int64),
        ("size", c_uint32),
        ("offset", c_uint32),
        ("type", c_uint32),
        ("status", c_int32),
        ("origin", c_uint32),
        ("flags", c_uint32),
        ("data", c_void_p),
        ("text", c_char_p),
        ("context", c_void_p),
        ("reply", c_uint64),
        ("home", c_uint64),
        ("through", c_uint64),
    ]


class ContextOptions(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32),
        ("threads", c_uint32),
        ("flags", c_uint32),
        ("clock", c_uint32),
        ("limit_observers", c_uint64),
        ("limit_payload", c_uint64),
        ("limit_cascade", c_uint64),
        ("limit_events", c_uint64),
        ("limit_bytes", c_uint64),
        ("limit_posts", c_uint64),
        ("limit_post_bytes", c_uint64),
        ("seed", c_uint64),
    ]


class ObserveOptions(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("types", POINTER(c_uint32)),
        ("type_count", c_size_t),
        ("role", c_uint64),
        ("layers", c_uint64),
        ("count", c_uint64),
        ("scheduler", c_uint32),
        ("policy", c_uint32),
        ("limit_events", c_size_t),
        ("limit_bytes", c_size_t),
        ("of", c_void_p),
    ]


class Stats(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32),
        ("scopes", c_uint32),
        ("events", c_uint64),
        ("deliveries", c_uint64),
        ("failures", c_uint64),
        ("waiting", c_uint64),
        ("types", c_uint64),
        ("subscriptions", c_uint64),
        ("requests", c_uint64),
        ("retained", c_uint64),
        ("denied", c_uint64),
        ("history", c_uint64),
        ("history_lost", c_uint64),
        ("timers", c_uint64),
        ("timers_missed", c_uint64),
        ("rejected", c_uint64),
    ]


class SubscriptionStats(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("delivered", c_uint64),
        ("failed", c_uint64),
        ("dropped", c_uint64),
        ("waiting", c_uint64),
        ("waiting_bytes", c_uint64),
        ("total_ns", c_uint64),
        ("longest_ns", c_uint64),
        ("current_ns", c_uint64),
    ]


class ScopeOptions(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("send_layers", c_uint64),
        ("observe_layers", c_uint64),
        ("limit_observers", c_uint64),
    ]


class RequestOptions(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("progress", c_void_p),
        ("timeout_ms", c_int64),
        ("scheduler", c_uint32),
        ("share", c_uint32),
    ]


class ServerOptions(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("scheduler", c_uint32),
        ("policy", c_uint32),
        ("limit_events", c_size_t),
        ("limit_bytes", c_size_t),
        ("show", c_void_p),
        ("show_types", POINTER(c_uint32)),
    ]


class HeaderStruct(ctypes.Structure):
    _fields_ = EventStruct._fields_[:11]


EVENT_FN = CFUNCTYPE(None, c_void_p, POINTER(EventStruct))
RELEASE_FN = CFUNCTYPE(None, c_void_p)
SHOW_FN = CFUNCTYPE(c_int32, c_void_p, c_void_p, POINTER(c_uint32))
MAKE_FN = CFUNCTYPE(c_int32, c_void_p, c_void_p, POINTER(EventStruct))


class HandlerRow(ctypes.Structure):
    _fields_ = [("type", c_char_p), ("fn", EVENT_FN), ("flags", c_uint32)]


CHANGES_FN = CFUNCTYPE(None, c_void_p, POINTER(c_char_p), c_size_t)


class ModelRow(ctypes.Structure):
    """mainstem_model_row."""

    _fields_ = [
        ("name", c_char_p),
        ("kind", c_uint32),
        ("contract", c_uint64),
        ("fn", EVENT_FN),
        ("enabled", c_char_p),
        ("policy", c_uint32),
        ("answer", c_uint64),
    ]


REDUCE_FN = CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_size_t)
SHOW_STATE_FN = CFUNCTYPE(c_int32, c_void_p, c_void_p, POINTER(c_uint32), c_void_p)
PULSE_FN = CFUNCTYPE(c_int32, c_void_p, c_void_p, POINTER(c_uint32), c_void_p, c_size_t)
TRANSFORM_ACTION_FN = CFUNCTYPE(c_bool, c_void_p, c_void_p, POINTER(EventStruct))
TRANSFORM_MUTATION_FN = CFUNCTYPE(c_bool, c_void_p, c_void_p, POINTER(c_void_p), POINTER(c_size_t))
TRANSFORM_STATE_FN = CFUNCTYPE(None, c_void_p, c_void_p)


class ReactorTable(ctypes.Structure):
    """mainstem_reactor_table."""

    _fields_ = [
        ("size", c_uint32),
        ("state_size", c_uint32),
        ("initial", c_char_p),
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


class BindingRow(ctypes.Structure):
    """mainstem_binding_row_with."""

    _fields_ = [("name", c_char_p), ("changed", EVENT_FN), ("flags", c_uint32)]
