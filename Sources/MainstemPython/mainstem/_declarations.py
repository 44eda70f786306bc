# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Declares the functions of the C header, in header order. _structures.py has its structs."""

from __future__ import annotations

import ctypes
from ctypes import (
    POINTER,
    c_bool,
    c_char_p,
    c_double,
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
from ._navigation_declarations import NAVIGATION
from ._navigator_structures import *  # noqa: F403
from ._reactor_structures import *  # noqa: F403
from ._reactor_structures import ReactorTable
from ._route_structures import *  # noqa: F403
from ._structures import *  # noqa: F403
from ._structures import (
    CHANGES_FN,
    DURABLE_FN,
    EVENT_FN,
    LINE_FN,
    MAKE_FN,
    RELEASE_FN,
    SETTLED_FN,
    SHOW_FN,
    WAKE_FN,
    BindingRow,
    CatalogueRow,
    ContextOptions,
    ErrorStruct,
    HandlerRow,
    JournalInfoStruct,
    JournalOptions,
    JournalStatsStruct,
    ModelRow,
    ObserveOptions,
    ReplayDifferenceStruct,
    ReplayInfoStruct,
    ReplayOptions,
    RequestOptions,
    SalvageReportStruct,
    ScopeOptions,
    SecretStruct,
    ServerOptions,
    StatsStruct,
    SubscriptionStatsStruct,
    TypeInfoStruct,
)

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
    ("mainstem_bool", c_bool, [_event]),
    ("mainstem_integer", c_int64, [_event]),
    ("mainstem_number", c_double, [_event]),
    ("mainstem_text", c_char_p, [_event]),
    ("mainstem_event_line", c_int32, [_event, c_void_p, c_size_t, POINTER(c_size_t)]),
    ("mainstem_origin_name", c_int32, [_handle, c_uint32, _text_out]),
    ("mainstem_event_retain", c_int32, [_event, _out]),
    ("mainstem_retained_event", c_int32, [_handle, _out]),
    ("mainstem_retained_release", c_int32, [_handle]),
    # context.h
    ("mainstem_context_options_init", c_int32, [POINTER(ContextOptions), c_size_t]),
    ("mainstem_context_create", c_int32, [POINTER(ContextOptions), _out]),
    ("mainstem_context_close", c_int32, [_handle]),
    ("mainstem_context_first_error", c_int32, [_handle, _text_out]),
    ("mainstem_context_stats", c_int32, [_handle, POINTER(StatsStruct)]),
    ("mainstem_scope_add", c_int32, [_handle, c_char_p, _out]),
    ("mainstem_scope_options_init", c_int32, [POINTER(ScopeOptions), c_size_t]),
    ("mainstem_scope_add_with", c_int32, [_handle, c_char_p, POINTER(ScopeOptions), _out]),
    ("mainstem_scope_number", c_int32, [_handle, POINTER(c_uint64)]),
    ("mainstem_scope_find", c_int32, [_handle, c_uint64, _out, _text_out]),
    ("mainstem_scope_end", c_int32, [_handle]),
    ("mainstem_send", c_int32, [_handle, _type, _data, c_size_t]),
    ("mainstem_send_many", c_int32, [_handle, _data, c_size_t, c_size_t, POINTER(c_size_t)]),
    ("mainstem_post", c_int32, [_handle, _type, _data, c_size_t]),
    ("mainstem_interrupt_prepare", c_int32, [_handle]),
    ("mainstem_post_from_interrupt", c_int32, [_handle, _type, _data, c_size_t]),
    ("mainstem_serial_add", c_int32, [_handle, c_char_p, c_uint32, POINTER(c_uint32)]),
    # observe.h
    ("mainstem_observe", c_int32, [_handle, _type, EVENT_FN, c_void_p, RELEASE_FN, _out]),
    ("mainstem_observe_options_init", c_int32, [POINTER(ObserveOptions), c_size_t]),
    (
        "mainstem_observe_with",
        c_int32,
        [_handle, POINTER(ObserveOptions), EVENT_FN, c_void_p, RELEASE_FN, _out],
    ),
    ("mainstem_history_keep", c_int32, [_handle, _type, c_size_t, c_int64]),
    ("mainstem_value_set", c_int32, [_handle, _type, _data, c_size_t]),
    ("mainstem_value_set_bool", c_int32, [_handle, _type, c_bool]),
    ("mainstem_value_set_integer", c_int32, [_handle, _type, c_int64]),
    ("mainstem_value_set_number", c_int32, [_handle, _type, c_double]),
    ("mainstem_value_set_text", c_int32, [_handle, _type, c_char_p]),
    ("mainstem_value_get", c_int32, [_handle, _type, _out]),
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
    ("mainstem_context_event", c_int32, [_handle, POINTER(c_uint64)]),
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
    ("mainstem_server_options_init", c_int32, [POINTER(ServerOptions), c_size_t]),
    (
        "mainstem_server_add_with",
        c_int32,
        [
            _handle,
            c_char_p,
            POINTER(HandlerRow),
            c_size_t,
            c_size_t,
            POINTER(ServerOptions),
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
    ("mainstem_event_on_settled", c_int32, [_event, SETTLED_FN, c_void_p, RELEASE_FN]),
    ("mainstem_activity", c_int32, [_handle, _type, POINTER(c_uint64)]),
    ("mainstem_activity_report", c_int32, [_handle, _type]),
    # owners.h
    (
        "mainstem_factory_add",
        c_int32,
        [_handle, c_char_p, c_uint64, MAKE_FN, c_void_p, RELEASE_FN],
    ),
    (
        "mainstem_owner_open",
        c_int32,
        [_handle, c_char_p, _data, c_size_t, EVENT_FN, c_void_p, _out],
    ),
    # services.h
    (
        "mainstem_service_add",
        c_int32,
        [
            _handle,
            c_char_p,
            POINTER(c_char_p),
            c_size_t,
            c_uint64,
            MAKE_FN,
            c_void_p,
            RELEASE_FN,
        ],
    ),
    ("mainstem_service_find", c_int32, [_handle, c_char_p, _out]),
    # state.h
    (
        "mainstem_model_add",
        c_int32,
        [
            _handle,
            c_char_p,
            POINTER(ModelRow),
            c_size_t,
            c_size_t,
            SHOW_FN,
            c_void_p,
            RELEASE_FN,
            _out,
        ],
    ),
    (
        "mainstem_binding_add",
        c_int32,
        [_handle, _handle, POINTER(BindingRow), c_size_t, c_size_t, c_void_p, RELEASE_FN, _out],
    ),
    ("mainstem_binding_point", c_int32, [_handle, _handle]),
    ("mainstem_binding_on_changes", c_int32, [_handle, CHANGES_FN, c_void_p]),
    ("mainstem_binding_on_ended", c_int32, [_handle, SETTLED_FN, c_void_p]),
    ("mainstem_binding_set", c_int32, [_handle, c_char_p, _data, c_size_t]),
    (
        "mainstem_binding_run",
        c_int32,
        [_handle, c_char_p, _data, c_size_t, EVENT_FN, c_void_p, RELEASE_FN, _out],
    ),
    ("mainstem_binding_end", c_int32, [_handle]),
    # reactor.h
    (
        "mainstem_reactor_add",
        c_int32,
        [_handle, c_char_p, POINTER(ReactorTable), c_void_p, RELEASE_FN, _out],
    ),
    ("mainstem_reactor_mutate", c_int32, [_event, _data, c_size_t]),
    ("mainstem_reactor_merge", c_int32, [_handle, _data, c_size_t]),
    ("mainstem_reactor_state", c_void_p, [_handle]),
    ("mainstem_reactor_stub", c_int32, [_handle, c_void_p]),
    # journal.h
    ("mainstem_journal_options_init", c_int32, [POINTER(JournalOptions), c_size_t]),
    ("mainstem_journal_record", c_int32, [_handle, c_char_p, POINTER(JournalOptions)]),
    ("mainstem_journal_sync", c_int32, [_handle]),
    (
        "mainstem_journal_on_durable",
        c_int32,
        [_handle, DURABLE_FN, c_void_p, RELEASE_FN],
    ),
    ("mainstem_journal_stats_read", c_int32, [_handle, POINTER(JournalStatsStruct)]),
    ("mainstem_journal_open", c_int32, [c_char_p, _out]),
    ("mainstem_journal_next", c_int32, [_handle, _out]),
    ("mainstem_journal_next_record", c_int32, [_handle, _out]),
    (
        "mainstem_journal_next_many",
        c_int32,
        [_handle, c_void_p, c_size_t, POINTER(c_size_t), POINTER(c_size_t)],
    ),
    (
        "mainstem_journal_next_records",
        c_int32,
        [_handle, c_void_p, c_size_t, POINTER(c_size_t), POINTER(c_size_t)],
    ),
    ("mainstem_journal_follow", c_int32, [_handle]),
    ("mainstem_journal_info_read", c_int32, [_handle, POINTER(JournalInfoStruct)]),
    ("mainstem_journal_type_read", c_int32, [_handle, _type, POINTER(TypeInfoStruct)]),
    ("mainstem_journal_layer_name", c_int32, [_handle, c_uint64, _text_out]),
    ("mainstem_journal_origin_name", c_int32, [_handle, c_uint32, _text_out]),
    (
        "mainstem_journal_event_line",
        c_int32,
        [_handle, _event, c_void_p, c_size_t, POINTER(c_size_t)],
    ),
    ("mainstem_journal_close", c_int32, [_handle]),
    ("mainstem_journal_salvage", c_int32, [c_char_p, c_char_p, POINTER(SalvageReportStruct)]),
    # replay.h
    ("mainstem_replay_options_init", c_int32, [POINTER(ReplayOptions), c_size_t]),
    ("mainstem_replay_open", c_int32, [_handle, c_char_p, POINTER(ReplayOptions), _out]),
    ("mainstem_replay_step", c_int32, [_handle, c_uint64, POINTER(c_uint64)]),
    ("mainstem_replay_seek", c_int32, [_handle, c_uint64]),
    ("mainstem_replay_run", c_int32, [_handle, c_double]),
    ("mainstem_replay_pause", c_int32, [_handle]),
    ("mainstem_replay_on_secret", c_int32, [_handle, EVENT_FN, c_void_p, RELEASE_FN]),
    ("mainstem_replay_supply", c_int32, [_handle, c_void_p, c_size_t]),
    ("mainstem_replay_supply_with", c_int32, [_handle, POINTER(SecretStruct)]),
    ("mainstem_replay_info_read", c_int32, [_handle, POINTER(ReplayInfoStruct)]),
    ("mainstem_replay_difference_read", c_int32, [_handle, POINTER(ReplayDifferenceStruct)]),
    ("mainstem_replay_close", c_int32, [_handle]),
    ("mainstem_context_replaying", c_int32, [_handle, POINTER(c_int)]),
    *NAVIGATION,
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

#: mainstem_confirm without releasing the interpreter's lock, which would cost more than the call:
#: it never waits and calls nobody.
confirm = ctypes.PyDLL(LIBRARY_PATH).mainstem_confirm
confirm.restype = c_int32
confirm.argtypes = [_event]
