# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Declares the structs and the callback types of the C header."""

from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char_p,
    c_int32,
    c_int64,
    c_size_t,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)

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
        ("of", c_void_p),
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


class JournalInfoStruct(Structure):
    """mainstem_journal_info."""

    _fields_ = [
        ("size", c_uint32),
        ("version", c_uint32),
        ("id", c_uint8 * 16),
        ("files", c_uint64),
        ("sessions", c_uint64),
        ("events", c_uint64),
        ("first", c_uint64),
        ("last", c_uint64),
        ("bytes", c_uint64),
        ("torn_bytes", c_uint64),
        ("damaged_file", c_uint64),
        ("damaged_at", c_uint64),
        ("digest", c_uint64),
        ("digest_position", c_uint64),
        ("is_read", c_uint32),
        ("is_clean", c_uint32),
    ]


class ReplayOptions(Structure):
    """mainstem_replay_options."""

    _fields_ = [("size", c_uint32), ("mode", c_uint32), ("session", c_uint64)]


class ReplayInfoStruct(Structure):
    """mainstem_replay_info."""

    _fields_ = [
        ("size", c_uint32),
        ("mode", c_uint32),
        ("flags", c_uint32),
        ("reserved", c_uint32),
        ("first", c_uint64),
        ("last", c_uint64),
        ("position", c_uint64),
        ("fed", c_uint64),
        ("same", c_uint64),
        ("left_out", c_uint64),
        ("proves_until", c_uint64),
        ("digest", c_uint64),
        ("seed", c_uint64),
        ("time", c_int64),
        ("supplied", c_uint64),
    ]


class SecretStruct(Structure):
    """mainstem_secret."""

    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("answers", c_uint64),
        ("data", c_char_p),
        ("data_size", c_size_t),
        ("error", POINTER(ErrorStruct)),
    ]


class ReplayDifferenceStruct(Structure):
    """mainstem_replay_difference."""

    _fields_ = [
        ("size", c_uint32),
        ("field", c_uint32),
        ("position", c_uint64),
        ("offset", c_uint64),
        ("sentence", c_char_p),
        ("expected", c_void_p),
        ("actual", c_void_p),
        ("chain", POINTER(c_uint64)),
        ("chain_count", c_uint64),
    ]


class Gap(Structure):
    """mainstem_gap."""

    _fields_ = [("from_", c_uint64), ("to", c_uint64), ("count", c_uint64)]


class SalvageReportStruct(Structure):
    """mainstem_salvage_report."""

    _fields_ = [
        ("size", c_uint32),
        ("range_capacity", c_uint32),
        ("ranges", POINTER(Gap)),
        ("range_count", c_uint64),
        ("events", c_uint64),
        ("first", c_uint64),
        ("last", c_uint64),
        ("lost_positions", c_uint64),
        ("lost_bytes", c_uint64),
    ]


# Callback types: an event arrives as its address, the cheapest form in ctypes -------------------

RELEASE_FN = CFUNCTYPE(None, c_void_p)
EVENT_FN = CFUNCTYPE(None, c_void_p, c_void_p)
LINE_FN = CFUNCTYPE(None, c_void_p, c_char_p)
WAKE_FN = CFUNCTYPE(None, c_void_p)
SETTLED_FN = CFUNCTYPE(None, c_void_p)
MAKE_FN = CFUNCTYPE(c_int32, c_void_p, c_void_p, c_void_p)
DURABLE_FN = CFUNCTYPE(None, c_void_p, c_uint64)
SHOW_FN = CFUNCTYPE(c_int32, c_void_p, c_void_p, POINTER(c_uint32))
CHANGES_FN = CFUNCTYPE(None, c_void_p, POINTER(c_char_p), c_size_t)


class ServerOptions(Structure):
    """mainstem_server_options."""

    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("scheduler", c_uint32),
        ("policy", c_uint32),
        ("limit_events", c_size_t),
        ("limit_bytes", c_size_t),
        ("show", SHOW_FN),
        ("show_types", POINTER(c_uint32)),
    ]


class HandlerRow(Structure):
    """mainstem_handler_row."""

    _fields_ = [("type", c_char_p), ("fn", EVENT_FN)]


class HandlerRowWith(Structure):
    """mainstem_handler_row_with."""

    _fields_ = [("row", HandlerRow), ("flags", c_uint32)]


class ModelRow(Structure):
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


class BindingRow(Structure):
    """mainstem_binding_row."""

    _fields_ = [("name", c_char_p), ("changed", EVENT_FN)]


class BindingRowWith(Structure):
    """mainstem_binding_row_with."""

    _fields_ = [("row", BindingRow), ("flags", c_uint32)]


class RequestOptions(Structure):
    """mainstem_request_options."""

    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("progress", EVENT_FN),
        ("timeout_ms", c_int64),
        ("scheduler", c_uint32),
        ("share", c_uint32),
    ]
