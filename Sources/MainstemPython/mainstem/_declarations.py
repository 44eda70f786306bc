# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Declares the C header: structs, callback types, every function in header order."""

from __future__ import annotations

import ctypes
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char_p,
    c_int,
    c_int32,
    c_int64,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)

from ._constants import *  # noqa: F403
from ._library import LIBRARY, LIBRARY_PATH

# Structs ----------------------------------------------------------------------------------------


class EventStruct(Structure):
    """mainstem_event."""

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
        ("text", c_void_p),
        ("context", c_void_p),
        ("reply", c_uint64),
        ("home", c_uint64),
        ("through", c_uint64),
    ]


class HeaderStruct(Structure):
    """mainstem_header."""

    _fields_ = EventStruct._fields_[:11]


class TypeInfoStruct(Structure):
    """mainstem_type_info."""

    _fields_ = [
        ("size", c_uint32),
        ("response", c_uint32),
        ("contract", c_uint64),
        ("name", c_char_p),
        ("history_max_age_ms", c_uint64),
        ("history_count", c_uint32),
    ]


class CatalogueRow(Structure):
    """mainstem_catalogue_row."""

    _fields_ = [("name", c_char_p), ("contract", c_uint64), ("response", c_char_p)]


class ErrorStruct(Structure):
    """mainstem_error."""

    _fields_ = [
        ("size", c_uint32),
        ("code", c_int32),
        ("sentence", c_char_p),
        ("text", c_char_p),
        ("subject", c_char_p),
    ]


class JournalOptions(Structure):
    """mainstem_journal_options."""

    _fields_ = [
        ("size", c_uint32),
        ("level", c_uint32),
        ("flags", c_uint32),
        ("keep", c_uint32),
        ("segment_size", c_uint64),
    ]


class JournalStatsStruct(Structure):
    """mainstem_journal_stats."""

    _fields_ = [
        ("size", c_uint32),
        ("status", c_int32),
        ("written", c_uint64),
        ("durable", c_uint64),
        ("events", c_uint64),
        ("bytes", c_uint64),
        ("segments", c_uint64),
        ("torn", c_uint64),
    ]


class ContextOptions(Structure):
    """mainstem_context_options."""

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


class StatsStruct(Structure):
    """mainstem_stats."""

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


class ScopeOptions(Structure):
    """mainstem_scope_options."""

    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("send_layers", c_uint64),
        ("observe_layers", c_uint64),
        ("limit_observers", c_uint64),
    ]


class ObserveOptions(Structure):
    """mainstem_observe_options."""

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
    ]


class SubscriptionStatsStruct(Structure):
    """mainstem_subscription_stats."""

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


class Gap(Structure):
    """mainstem_gap."""

    _fields_ = [("from_", c_uint64), ("to", c_uint64), ("count", c_uint64)]


# Callback types: an event arrives as its address, the cheapest form ctypes has ------------------

RELEASE_FN = CFUNCTYPE(None, c_void_p)
EVENT_FN = CFUNCTYPE(None, c_void_p, c_void_p)
LINE_FN = CFUNCTYPE(None, c_void_p, c_char_p)
WAKE_FN = CFUNCTYPE(None, c_void_p)


class HandlerRow(Structure):
    """mainstem_handler_row."""

    _fields_ = [("type", c_char_p), ("fn", EVENT_FN)]


class RequestOptions(Structure):
    """mainstem_request_options."""

    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("progress", EVENT_FN),
        ("timeout_ms", c_int64),
        ("scheduler", c_uint32),
    ]


# Functions --------------------------------------------------------------------------------------

_handle = c_void_p
_out = POINTER(c_void_p)
_event = c_void_p
_type = c_uint32
_data = c_char_p
_text_out = POINTER(c_char_p)

_DECLARATIONS = [
    # base.h
    ("mainstem_status_name", c_char_p, [c_int32]),
    ("mainstem_last_error", c_char_p, []),
    ("mainstem_version", c_uint32, []),
    ("mainstem_version_text", c_char_p, []),
    ("mainstem_constant", c_int32, [c_char_p, POINTER(c_int64)]),
    # event.h
    ("mainstem_type_add", c_int32, [_handle, c_char_p, c_uint64, c_char_p, POINTER(_type)]),
    ("mainstem_type_find", c_int32, [_handle, c_char_p, POINTER(_type)]),
    ("mainstem_type_read", c_int32, [_handle, _type, POINTER(TypeInfoStruct)]),
    ("mainstem_layer_add", c_int32, [_handle, c_char_p, POINTER(c_uint64)]),
    (
        "mainstem_catalogue_add",
        c_int32,
        [_handle, POINTER(CatalogueRow), c_size_t, c_size_t, POINTER(_type)],
    ),
    ("mainstem_event_error", c_int32, [_event, POINTER(ErrorStruct)]),
    ("mainstem_event_line", c_int32, [_event, c_void_p, c_size_t, POINTER(c_size_t)]),
    ("mainstem_origin_name", c_int32, [_handle, c_uint32, _text_out]),
    ("mainstem_event_retain", c_int32, [_event, _out]),
    ("mainstem_retained_event", c_int32, [_handle, _out]),
    ("mainstem_retained_release", c_int32, [_handle]),
    # flow.h
    ("mainstem_context_options_init", c_int32, [POINTER(ContextOptions), c_size_t]),
    ("mainstem_context_create", c_int32, [POINTER(ContextOptions), _out]),
    ("mainstem_context_close", c_int32, [_handle]),
    ("mainstem_context_first_error", c_int32, [_handle, _text_out]),
    ("mainstem_context_stats", c_int32, [_handle, POINTER(StatsStruct)]),
    ("mainstem_scope_add", c_int32, [_handle, c_char_p, _out]),
    ("mainstem_scope_options_init", c_int32, [POINTER(ScopeOptions), c_size_t]),
    ("mainstem_scope_add_with", c_int32, [_handle, c_char_p, POINTER(ScopeOptions), _out]),
    ("mainstem_scope_end", c_int32, [_handle]),
    ("mainstem_send", c_int32, [_handle, _type, _data, c_size_t]),
    ("mainstem_send_many", c_int32, [_handle, _data, c_size_t, c_size_t, POINTER(c_size_t)]),
    ("mainstem_post", c_int32, [_handle, _type, _data, c_size_t]),
    ("mainstem_interrupt_prepare", c_int32, [_handle]),
    ("mainstem_post_from_interrupt", c_int32, [_handle, _type, _data, c_size_t]),
    ("mainstem_serial_add", c_int32, [_handle, c_char_p, c_uint32, POINTER(c_uint32)]),
    ("mainstem_observe", c_int32, [_handle, _type, EVENT_FN, c_void_p, RELEASE_FN, _out]),
    ("mainstem_observe_options_init", c_int32, [POINTER(ObserveOptions), c_size_t]),
    (
        "mainstem_observe_with",
        c_int32,
        [_handle, POINTER(ObserveOptions), EVENT_FN, c_void_p, RELEASE_FN, _out],
    ),
    ("mainstem_history_keep", c_int32, [_handle, _type, c_size_t, c_int64]),
    ("mainstem_subscription_from", c_int32, [_handle, POINTER(c_uint64)]),
    (
        "mainstem_subscription_stats_read",
        c_int32,
        [_handle, POINTER(SubscriptionStatsStruct)],
    ),
    ("mainstem_subscription_ask", c_int32, [_handle, c_uint64]),
    ("mainstem_cancel", c_int32, [_handle]),
    ("mainstem_cancel_wait", c_int32, [_handle]),
    ("mainstem_fail", c_int32, [_event, c_int32, c_char_p]),
    ("mainstem_confirm", c_int32, [_event]),
    ("mainstem_trace", c_int32, [_handle, LINE_FN, c_void_p]),
    # loop.h
    ("mainstem_send_after", c_int32, [_handle, _type, _data, c_size_t, c_int64, _out]),
    ("mainstem_send_every", c_int32, [_handle, _type, _data, c_size_t, c_int64, _out]),
    ("mainstem_timer_cancel", c_int32, [_handle]),
    ("mainstem_context_now", c_int32, [_handle, POINTER(c_int64)]),
    ("mainstem_context_advance", c_int32, [_handle, c_int64]),
    ("mainstem_context_random", c_int32, [_handle, POINTER(c_uint64)]),
    ("mainstem_context_id", c_int32, [_handle, c_char_p]),
    ("mainstem_drain", c_int32, [_handle, c_size_t, POINTER(c_size_t)]),
    (
        "mainstem_drain_records",
        c_int32,
        [_handle, c_void_p, c_size_t, POINTER(c_size_t), POINTER(c_size_t)],
    ),
    ("mainstem_wait", c_int32, [_handle, c_int64]),
    ("mainstem_wait_interruptible", c_int32, [_handle, c_int64, c_int]),
    ("mainstem_flush", c_int32, [_handle]),
    ("mainstem_context_fd", c_int32, [_handle, POINTER(c_int)]),
    ("mainstem_context_next_timeout", c_int32, [_handle, POINTER(c_int64)]),
    ("mainstem_context_on_wake", c_int32, [_handle, WAKE_FN, c_void_p, RELEASE_FN]),
    # handlers.h
    (
        "mainstem_server_add",
        c_int32,
        [
            _handle,
            c_char_p,
            POINTER(HandlerRow),
            c_size_t,
            c_size_t,
            c_void_p,
            RELEASE_FN,
            _out,
        ],
    ),
    ("mainstem_request", c_int32, [_handle, _type, _data, c_size_t, EVENT_FN, c_void_p, _out]),
    ("mainstem_request_options_init", c_int32, [POINTER(RequestOptions), c_size_t]),
    (
        "mainstem_request_with",
        c_int32,
        [
            _handle,
            _type,
            _data,
            c_size_t,
            POINTER(RequestOptions),
            EVENT_FN,
            c_void_p,
            RELEASE_FN,
            _out,
        ],
    ),
    ("mainstem_pending_cancel", c_int32, [_handle]),
    ("mainstem_pending_position", c_int32, [_handle, POINTER(c_uint64)]),
    ("mainstem_respond", c_int32, [_event, _data, c_size_t]),
    ("mainstem_respond_error", c_int32, [_event, c_int32, c_char_p]),
    ("mainstem_respond_error_with", c_int32, [_event, POINTER(ErrorStruct)]),
    ("mainstem_respond_progress", c_int32, [_event, _type, _data, c_size_t]),
    ("mainstem_activity", c_int32, [_handle, _type, POINTER(c_uint64)]),
    ("mainstem_activity_report", c_int32, [_handle, _type]),
    # journal.h
    ("mainstem_journal_options_init", c_int32, [POINTER(JournalOptions), c_size_t]),
    ("mainstem_journal_record", c_int32, [_handle, c_char_p, POINTER(JournalOptions)]),
    ("mainstem_journal_stats_read", c_int32, [_handle, POINTER(JournalStatsStruct)]),
]

#: The declared functions, in header order.
FUNCTIONS = tuple(name for name, _, _ in _DECLARATIONS)


def _declare(library: ctypes.CDLL) -> None:
    for name, result, arguments in _DECLARATIONS:
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(
                f"mainstem: the library at {LIBRARY_PATH} has no {name}: it is older than this "
                "module. Install the library and the module of one release."
            ) from None
        function.restype = result
        function.argtypes = arguments


_declare(LIBRARY)
C = LIBRARY
