# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Declares mainstem.h to ctypes; loads no library. Generated: change the header, and type

    python3 Sources/MainstemPython/declare.py

Tests/RepositoryTests/test_declarations.py compares.
"""

from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_bool,
    c_char_p,
    c_double,
    c_int,
    c_int32,
    c_int64,
    c_size_t,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import Any, List, Tuple

# mainstem/core.h
TYPE_ANY = 0
PAYLOAD_NONE = 0x000000000
PAYLOAD_BYTES = 0x100000000
PAYLOAD_TEXT = 0x200000000
PAYLOAD_JSON = 0x300000000
PAYLOAD_STRUCT = 0x400000000
PAYLOAD_BOOL = 0x500000000
PAYLOAD_INTEGER = 0x600000000
PAYLOAD_NUMBER = 0x700000000
PAYLOAD_MASK = 0xF00000000
EVENT_PROGRESS = 4
OK = 0
INVALID = 1
STALE = 2
WRONG_KIND = 3
WRONG_THREAD = 4
BUSY = 5
DENIED = 6
TOO_BIG = 7
FULL = 8
LIMIT = 9
NO_MEMORY = 10
UNHANDLED = 11
TIMEOUT = 12
CANCELLED = 13
INTERRUPTED = 14
WITHHELD = 15
FORKED = 16
UNSUPPORTED = 17
INCOMPLETE = 18
IO = 19
NO_SPACE = 20
LOCKED = 21
CORRUPT = 22
POISONED = 23
VERSION = 24
DIFFERENT = 25
UNSET = 26
DISABLED = 27
EXECUTING = 28
BAD_URL = 29
NO_ROUTE = 30
APP = 1000

RELEASE_FN = CFUNCTYPE(None, c_void_p)


class TypeRow(Structure):
    """mainstem_type_row."""

    __slots__ = ()
    _fields_ = [
        ("name", c_char_p),
        ("contract", c_uint64),
        ("response", c_char_p),
    ]


class EventStruct(Structure):
    """mainstem_event."""

    __slots__ = ()
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
        ("user_message", c_void_p),
        ("context", c_void_p),
        ("reply", c_uint64),
        ("home", c_uint64),
        ("through", c_uint64),
    ]


EVENT_FN = CFUNCTYPE(None, c_void_p, c_void_p)
LINE_FN = CFUNCTYPE(None, c_void_p, c_char_p)


class HandlerRow(Structure):
    """mainstem_handler_row."""

    __slots__ = ()
    _fields_ = [
        ("type", c_char_p),
        ("fn", EVENT_FN),
        ("flags", c_uint32),
    ]


# mainstem/types.h
EVENT_OUTSIDE = 1
EVENT_TRACKED = 2
EVENT_LATE = 8
EVENT_GAP = 16
EVENT_MARKED = 32
EVENT_WITHHELD = 64
EVENT_SECRET = 128
EVENT_TIMER = 256
EVENT_WRITTEN = 512
EVENT_SHARED = 1024
EVENT_LIST = 2048
EVENT_WHOLE = 4096
ROLE_REQUEST = 0x1000000000
ROLE_RESPONSE = 0x2000000000
ROLE_NOTICE = 0x3000000000
ROLE_VALUE = 0x4000000000
ROLE_MASK = 0xF000000000
LAYER_APP = 0x000000000000
LAYER_MODEL = 0x010000000000
LAYER_VIEWMODEL = 0x020000000000
LAYER_VIEW = 0x030000000000
LAYER_NAVIGATION = 0x040000000000
LAYER_SYSTEM = 0x050000000000
LAYER_MASK = 0x3F0000000000
RECORD_FULL = 0x0000000000000
RECORD_MARK = 0x1000000000000
RECORD_NONE = 0x2000000000000
RECORD_INPUTS = 0x3000000000000
RECORD_MASK = 0x3000000000000
SECRET = 0x4000000000000


class EventHeaderStruct(Structure):
    """mainstem_event_header."""

    __slots__ = ()
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
    ]


class TypeInfoStruct(Structure):
    """mainstem_type_info."""

    __slots__ = ()
    _fields_ = [
        ("size", c_uint32),
        ("response", c_uint32),
        ("contract", c_uint64),
        ("name", c_char_p),
        ("history_max_age_ms", c_uint64),
        ("history_count", c_uint32),
        ("layer", c_char_p),
    ]


class ErrorStruct(Structure):
    """mainstem_error."""

    __slots__ = ()
    _fields_ = [
        ("size", c_uint32),
        ("code", c_int32),
        ("message", c_char_p),
        ("user_message", c_char_p),
        ("subject", c_char_p),
    ]


# mainstem/context.h
THREADS_ONE = 0
THREADS_ANY = 1
THREADS_GUARDED = 2
CONTEXT_TIMES = 1
CONTEXT_DELIVER_ON_HOST = 2
CONTEXT_TIMING = 4
CONTEXT_INTERRUPTS = 8
CONTEXT_DENY_BY_DEFAULT = 16
CLOCK_MONOTONIC = 0
CLOCK_VIRTUAL = 1


class ContextOptions(Structure):
    """mainstem_context_options."""

    __slots__ = ()
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
        ("limit_rows", c_uint64),
    ]


class ContextStatsStruct(Structure):
    """mainstem_context_stats."""

    __slots__ = ()
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


# mainstem/scopes.h
SCOPE_SENDS_NOTHING = 1
SCOPE_OBSERVES_NOTHING = 2


class ScopeOptions(Structure):
    """mainstem_scope_options."""

    __slots__ = ()
    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("send_layers", c_uint64),
        ("observe_layers", c_uint64),
        ("limit_observers", c_uint64),
    ]


MAKE_FN = CFUNCTYPE(c_int32, c_void_p, c_void_p, c_void_p)

# mainstem/observing.h
SCHEDULER_IMMEDIATE = 0
SCHEDULER_HOST = 1
OBSERVE_FAILED = 1
OBSERVE_SUCCEEDED = 2
OBSERVE_CONFIRM = 4
OBSERVE_NEW = 8
OBSERVE_ON_DEMAND = 16
OBSERVE_WRITTEN = 32
QUEUE_REJECT = 0
QUEUE_BLOCK = 1
QUEUE_DROP_OLDEST = 2
QUEUE_DROP_NEWEST = 3
QUEUE_LATEST = 4
SUBSCRIPTION_SCHEDULED = 1
SUBSCRIPTION_TIMED = 2


class ObserveOptions(Structure):
    """mainstem_observe_options."""

    __slots__ = ()
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


class GapStruct(Structure):
    """mainstem_gap."""

    __slots__ = ()
    _fields_ = [
        ("from_", c_uint64),
        ("to", c_uint64),
        ("count", c_uint64),
    ]


class SubscriptionStatsStruct(Structure):
    """mainstem_subscription_stats."""

    __slots__ = ()
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


# mainstem/requests.h
HANDLER_OWN = 1
HANDLER_WRITTEN = 2
HANDLER_FETCH = 4
HANDLER_RELOAD = 8
HANDLER_LOAD_MORE = 16
HANDLER_UPDATE = 32
HANDLER_PERFORM = 64
HANDLER_SEVERAL = 128

SHOW_FN = CFUNCTYPE(c_int32, c_void_p, c_void_p, POINTER(c_uint32))


class ServerOptions(Structure):
    """mainstem_server_options."""

    __slots__ = ()
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


class RequestOptions(Structure):
    """mainstem_request_options."""

    __slots__ = ()
    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("progress", EVENT_FN),
        ("timeout_ms", c_int64),
        ("scheduler", c_uint32),
        ("share", c_uint32),
    ]


SETTLED_FN = CFUNCTYPE(None, c_void_p)

# mainstem/screens.h
VIEWMODEL_VALUE = 1
VIEWMODEL_WRITABLE = 2
VIEWMODEL_PULSE = 3
VIEWMODEL_COMMAND = 4
COMMAND_REFUSE = 0
COMMAND_QUEUE = 1
COMMAND_LATEST = 2
COMMAND_CONCURRENT = 3
BINDING_TWO_WAY = 1
BINDING_ON_HOST = 2


class ViewmodelRow(Structure):
    """mainstem_viewmodel_row."""

    __slots__ = ()
    _fields_ = [
        ("name", c_char_p),
        ("kind", c_uint32),
        ("contract", c_uint64),
        ("fn", EVENT_FN),
        ("enabled", c_char_p),
        ("policy", c_uint32),
        ("answer", c_uint64),
        ("cancelled_by", c_char_p),
    ]


class BindingRow(Structure):
    """mainstem_binding_row."""

    __slots__ = ()
    _fields_ = [
        ("name", c_char_p),
        ("changed", EVENT_FN),
        ("flags", c_uint32),
    ]


CHANGES_FN = CFUNCTYPE(None, c_void_p, POINTER(c_char_p), c_size_t)
ENDED_FN = CFUNCTYPE(None, c_void_p)

# mainstem/lists.h
LIST = 0x8000000000000
CHILD_ANEW = 1
LIST_RESET = 0
LIST_REMOVE = 1
LIST_MOVE = 2
LIST_INSERT = 3
LIST_UPDATE = 4


class ListRow(Structure):
    """mainstem_list_row."""

    __slots__ = ()
    _fields_ = [
        ("key", c_char_p),
        ("key_size", c_size_t),
        ("data", c_void_p),
        ("size", c_size_t),
    ]


class ListEndsStruct(Structure):
    """mainstem_list_ends."""

    __slots__ = ()
    _fields_ = [
        ("version", c_uint64),
        ("first", c_size_t),
        ("last", c_size_t),
    ]


class ListWindowStruct(Structure):
    """mainstem_list_window."""

    __slots__ = ()
    _fields_ = [
        ("offset", c_size_t),
        ("count", c_size_t),
        ("total", c_size_t),
    ]


class ChildStruct(Structure):
    """mainstem_child."""

    __slots__ = ()
    _fields_ = [
        ("key", c_char_p),
        ("key_size", c_size_t),
        ("flags", c_uint64),
    ]


CHILD_FN = CFUNCTYPE(c_int32, c_void_p, c_void_p, c_size_t, POINTER(c_void_p))


class ListChangeStruct(Structure):
    """mainstem_list_change."""

    __slots__ = ()
    _fields_ = [
        ("kind", c_uint32),
        ("reserved", c_uint32),
        ("index", c_size_t),
        ("count", c_size_t),
        ("to", c_size_t),
    ]


# mainstem/blocks.h
WORKFLOW_PARALLEL = 1


class GateRow(Structure):
    """mainstem_gate_row."""

    __slots__ = ()
    _fields_ = [
        ("request", c_char_p),
        ("behind", c_char_p),
    ]


class GateOptions(Structure):
    """mainstem_gate_options."""

    __slots__ = ()
    _fields_ = [
        ("size", c_uint32),
        ("refusal", c_int32),
        ("expired", c_int32),
        ("reserved", c_uint32),
        ("open", c_char_p),
        ("refresh", c_char_p),
        ("limit", c_size_t),
    ]


class WorkflowRunStruct(Structure):
    """mainstem_workflow_run."""

    __slots__ = ()
    _fields_ = [
        ("request", c_void_p),
        ("answers", POINTER(c_void_p)),
        ("count", c_size_t),
        ("row", c_size_t),
        ("undoes", c_bool),
        ("making", c_void_p),
    ]


WORKFLOW_FN = CFUNCTYPE(None, c_void_p, POINTER(WorkflowRunStruct))


class WorkflowRow(Structure):
    """mainstem_workflow_row."""

    __slots__ = ()
    _fields_ = [
        ("request", c_char_p),
        ("fn", WORKFLOW_FN),
        ("undo", c_char_p),
        ("undo_fn", WORKFLOW_FN),
        ("timeout_ms", c_int64),
        ("backoff_ms", c_int64),
        ("retries", c_uint32),
        ("flags", c_uint32),
    ]


class WorkflowOptions(Structure):
    """mainstem_workflow_options."""

    __slots__ = ()
    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("finish", WORKFLOW_FN),
        ("limit", c_size_t),
    ]


class ResourcesOptions(Structure):
    """mainstem_resources_options."""

    __slots__ = ()
    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("request", c_char_p),
        ("behind", c_char_p),
        ("drop", c_char_p),
        ("limit_bytes", c_size_t),
        ("limit", c_size_t),
    ]


class UndoLogRow(Structure):
    """mainstem_undo_log_row."""

    __slots__ = ()
    _fields_ = [
        ("request", c_char_p),
        ("undo", c_char_p),
        ("fn", WORKFLOW_FN),
    ]


class UndoLogOptions(Structure):
    """mainstem_undo_log_options."""

    __slots__ = ()
    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("undo", c_char_p),
        ("redo", c_char_p),
        ("shown", c_char_p),
        ("limit", c_size_t),
    ]


# mainstem/queries.h
ORDER_KEY_SIZE = 65

# mainstem/reactor.h
REDUCE_FN = CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_size_t)
SHOW_STATE_FN = CFUNCTYPE(c_int32, c_void_p, c_void_p, POINTER(c_uint32), c_void_p)
PULSE_FN = CFUNCTYPE(c_int32, c_void_p, c_void_p, POINTER(c_uint32), c_void_p, c_size_t)
TRANSFORM_ACTION_FN = CFUNCTYPE(c_bool, c_void_p, c_void_p, POINTER(EventStruct))
TRANSFORM_MUTATION_FN = CFUNCTYPE(c_bool, c_void_p, c_void_p, POINTER(c_void_p), POINTER(c_size_t))
TRANSFORM_STATE_FN = CFUNCTYPE(None, c_void_p, c_void_p)


class ReactorTable(Structure):
    """mainstem_reactor_table."""

    __slots__ = ()
    _fields_ = [
        ("size", c_uint32),
        ("state_size", c_uint32),
        ("initial", c_void_p),
        ("rows", POINTER(ViewmodelRow)),
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


# mainstem/recording.h
JOURNAL_PROCESS = 0
JOURNAL_POWER = 1
JOURNAL_BUFFERED = 2
JOURNAL_NEW = 1
JOURNAL_CONTINUE_UNRECORDED = 2


class JournalOptions(Structure):
    """mainstem_journal_options."""

    __slots__ = ()
    _fields_ = [
        ("size", c_uint32),
        ("durability", c_uint32),
        ("flags", c_uint32),
        ("keep", c_uint32),
        ("segment_size", c_uint64),
    ]


DURABLE_FN = CFUNCTYPE(None, c_void_p, c_uint64)


class JournalStatsStruct(Structure):
    """mainstem_journal_stats."""

    __slots__ = ()
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


# mainstem/journal.h
JOURNAL_EVERY_RECORD = 1


class JournalInfoStruct(Structure):
    """mainstem_journal_info."""

    __slots__ = ()
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


class SalvageReportStruct(Structure):
    """mainstem_salvage_report."""

    __slots__ = ()
    _fields_ = [
        ("size", c_uint32),
        ("range_capacity", c_uint32),
        ("ranges", POINTER(GapStruct)),
        ("range_count", c_uint64),
        ("events", c_uint64),
        ("first", c_uint64),
        ("last", c_uint64),
        ("lost_positions", c_uint64),
        ("lost_bytes", c_uint64),
    ]


# mainstem/replay.h
REPLAY_MUTED = 0
REPLAY_VERIFY = 1
REPLAY_ENDED = 1
REPLAY_DIFFERS = 2
REPLAY_WHOLE = 4
DIFFERENCE_NONE = 0
DIFFERENCE_MISSING = 1
DIFFERENCE_EXTRA = 2
DIFFERENCE_TYPE = 3
DIFFERENCE_ORIGIN = 4
DIFFERENCE_CAUSE = 5
DIFFERENCE_CORRELATION = 6
DIFFERENCE_ANSWERS = 7
DIFFERENCE_FLAGS = 8
DIFFERENCE_STATUS = 9
DIFFERENCE_PAYLOAD = 10
DIFFERENCE_DIGEST = 11


class ReplayOptions(Structure):
    """mainstem_replay_options."""

    __slots__ = ()
    _fields_ = [
        ("size", c_uint32),
        ("mode", c_uint32),
        ("session", c_uint64),
    ]


class ReplayInfoStruct(Structure):
    """mainstem_replay_info."""

    __slots__ = ()
    _fields_ = [
        ("size", c_uint32),
        ("mode", c_uint32),
        ("flags", c_uint32),
        ("reserved", c_uint32),
        ("first", c_uint64),
        ("last", c_uint64),
        ("position", c_uint64),
        ("fed", c_uint64),
        ("matched", c_uint64),
        ("left_out", c_uint64),
        ("verified_until", c_uint64),
        ("digest", c_uint64),
        ("seed", c_uint64),
        ("time", c_int64),
        ("supplied", c_uint64),
    ]


class SecretStruct(Structure):
    """mainstem_secret."""

    __slots__ = ()
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

    __slots__ = ()
    _fields_ = [
        ("size", c_uint32),
        ("field", c_uint32),
        ("position", c_uint64),
        ("offset", c_uint64),
        ("message", c_char_p),
        ("expected", c_void_p),
        ("actual", c_void_p),
        ("chain", POINTER(c_uint64)),
        ("chain_count", c_uint64),
    ]


# mainstem/routes.h
PARAMETER_STRING = 0
PARAMETER_INTEGER = 1
PARAMETER_NUMBER = 2
PARAMETER_UUID = 3
PARAMETER_APP = 4
PARAMETER_PATH = 5

ROUTE_TYPE_FN = CFUNCTYPE(c_bool, c_void_p, c_void_p, c_size_t)


class ParameterStruct(Structure):
    """mainstem_parameter."""

    __slots__ = ()
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

    __slots__ = ()
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

    __slots__ = ()
    _fields_ = [
        ("name", c_char_p),
        ("text", c_char_p),
    ]


# mainstem/navigation.h
SCREEN = 1
EMBED = 2
DIALOG = 3
PRESENT = 4
OVERLAY = 5
GROUP = 6
FLOW = 7
MOVE_OPEN = 1
MOVE_LINK = 2
MOVE_CLOSE = 3
MOVE_POP = 4
MOVE_POP_TO = 5
MOVE_DISMISS = 6
MOVE_REPLACE_ROOT = 7
MOVE_REPLACE = 8
MOVE_ALL = 1
GUARD_LEAVING = 1
GUARD_ALLOW = 0
GUARD_REDIRECT = 1
GUARD_OPEN_FIRST = 2
INTENT_QUEUED = 1
INTENT_ALLOWED = 2


class RouteRow(Structure):
    """mainstem_route_row."""

    __slots__ = ()
    _fields_ = [
        ("pattern", c_char_p),
        ("name", c_char_p),
        ("kind", c_uint32),
        ("flags", c_uint32),
        ("parts", c_char_p),
    ]


class NavigatorOptions(Structure):
    """mainstem_navigator_options."""

    __slots__ = ()
    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("show_timeout_ms", c_int64),
        ("scheme", c_char_p),
    ]


class MoveStruct(Structure):
    """mainstem_move."""

    __slots__ = ()
    _fields_ = [
        ("size", c_uint32),
        ("verb", c_uint32),
        ("url", c_char_p),
        ("component", c_uint64),
        ("slot", c_char_p),
        ("kind", c_uint32),
        ("flags", c_uint32),
    ]


class ResultStruct(Structure):
    """mainstem_result."""

    __slots__ = ()
    _fields_ = [
        ("size", c_uint32),
        ("type", c_uint32),
        ("data", c_void_p),
        ("data_size", c_size_t),
    ]


class IntentRow(Structure):
    """mainstem_intent_row."""

    __slots__ = ()
    _fields_ = [
        ("type", c_char_p),
        ("name", c_char_p),
        ("fn", EVENT_FN),
        ("flags", c_uint32),
        ("reserved", c_uint32),
    ]


# mainstem/stage.h
class ComponentInfoStruct(Structure):
    """mainstem_component_info."""

    __slots__ = ()
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


# mainstem/loop.h
ID_SIZE = 37
INTERRUPT_PAYLOAD = 48

WAKE_FN = CFUNCTYPE(None, c_void_p)

#: Each function in the order of the headers: its result, its arguments.
DECLARATIONS: List[Tuple[str, Any, List[Any]]] = [
    # mainstem/core.h
    ("mainstem_status_name", c_char_p, [c_int32]),
    ("mainstem_last_error", c_char_p, []),
    ("mainstem_context_create", c_int32, [POINTER(ContextOptions), POINTER(c_void_p)]),
    ("mainstem_context_close", c_int32, [c_void_p]),
    ("mainstem_context_first_error", c_int32, [c_void_p, POINTER(c_char_p)]),
    (
        "mainstem_types_add",
        c_int32,
        [c_void_p, POINTER(TypeRow), c_size_t, c_size_t, POINTER(c_uint32)],
    ),
    ("mainstem_send", c_int32, [c_void_p, c_uint32, c_char_p, c_size_t]),
    ("mainstem_post", c_int32, [c_void_p, c_uint32, c_char_p, c_size_t]),
    (
        "mainstem_observe",
        c_int32,
        [c_void_p, c_uint32, EVENT_FN, c_void_p, RELEASE_FN, POINTER(c_void_p)],
    ),
    ("mainstem_cancel", c_int32, [c_void_p]),
    ("mainstem_trace", c_int32, [c_void_p, LINE_FN, c_void_p]),
    (
        "mainstem_server_add",
        c_int32,
        [
            c_void_p,
            c_char_p,
            POINTER(HandlerRow),
            c_size_t,
            c_size_t,
            c_void_p,
            RELEASE_FN,
            POINTER(c_void_p),
        ],
    ),
    (
        "mainstem_request",
        c_int32,
        [c_void_p, c_uint32, c_char_p, c_size_t, EVENT_FN, c_void_p, POINTER(c_void_p)],
    ),
    ("mainstem_respond", c_int32, [c_void_p, c_char_p, c_size_t]),
    ("mainstem_respond_error", c_int32, [c_void_p, c_int32, c_char_p]),
    ("mainstem_respond_progress", c_int32, [c_void_p, c_uint32, c_char_p, c_size_t]),
    ("mainstem_event_retain", c_int32, [c_void_p, POINTER(c_void_p)]),
    ("mainstem_retained_event", c_int32, [c_void_p, POINTER(c_void_p)]),
    ("mainstem_retained_release", c_int32, [c_void_p]),
    (
        "mainstem_send_after",
        c_int32,
        [c_void_p, c_uint32, c_char_p, c_size_t, c_int64, c_int64, POINTER(c_void_p)],
    ),
    ("mainstem_timer_cancel", c_int32, [c_void_p]),
    ("mainstem_drain", c_int32, [c_void_p, c_size_t, POINTER(c_size_t)]),
    ("mainstem_wait", c_int32, [c_void_p, c_int64]),
    ("mainstem_context_fd", c_int32, [c_void_p, POINTER(c_int)]),
    ("mainstem_journal_record", c_int32, [c_void_p, c_char_p, POINTER(JournalOptions)]),
    # mainstem/types.h
    ("mainstem_layer_add", c_int32, [c_void_p, c_char_p, POINTER(c_uint64)]),
    ("mainstem_type_add", c_int32, [c_void_p, c_char_p, c_uint64, c_char_p, POINTER(c_uint32)]),
    ("mainstem_type_find", c_int32, [c_void_p, c_char_p, POINTER(c_uint32)]),
    ("mainstem_type_read", c_int32, [c_void_p, c_uint32, POINTER(TypeInfoStruct)]),
    ("mainstem_event_error", c_int32, [c_void_p, POINTER(ErrorStruct)]),
    ("mainstem_event_bool", c_bool, [c_void_p]),
    ("mainstem_event_integer", c_int64, [c_void_p]),
    ("mainstem_event_number", c_double, [c_void_p]),
    ("mainstem_event_line", c_int32, [c_void_p, c_void_p, c_size_t, POINTER(c_size_t)]),
    ("mainstem_origin_name", c_int32, [c_void_p, c_uint32, POINTER(c_char_p)]),
    # mainstem/context.h
    ("mainstem_context_stats_read", c_int32, [c_void_p, POINTER(ContextStatsStruct)]),
    ("mainstem_context_describe", c_int32, [c_void_p, LINE_FN, c_void_p]),
    ("mainstem_version", c_uint32, []),
    # mainstem/scopes.h
    ("mainstem_scope_add", c_int32, [c_void_p, c_char_p, POINTER(ScopeOptions), POINTER(c_void_p)]),
    ("mainstem_scope_number", c_int32, [c_void_p, POINTER(c_uint64)]),
    ("mainstem_scope_find", c_int32, [c_void_p, c_uint64, POINTER(c_void_p), POINTER(c_char_p)]),
    ("mainstem_scope_end", c_int32, [c_void_p]),
    (
        "mainstem_factory_add",
        c_int32,
        [c_void_p, c_char_p, c_uint64, MAKE_FN, c_void_p, RELEASE_FN],
    ),
    (
        "mainstem_instance_open",
        c_int32,
        [c_void_p, c_char_p, c_char_p, c_size_t, EVENT_FN, c_void_p, POINTER(c_void_p)],
    ),
    (
        "mainstem_service_add",
        c_int32,
        [c_void_p, c_char_p, POINTER(c_char_p), c_size_t, c_uint64, MAKE_FN, c_void_p, RELEASE_FN],
    ),
    ("mainstem_service_find", c_int32, [c_void_p, c_char_p, POINTER(c_void_p)]),
    # mainstem/observing.h
    ("mainstem_scheduler_add", c_int32, [c_void_p, c_char_p, c_uint32, POINTER(c_uint32)]),
    (
        "mainstem_observe_with",
        c_int32,
        [c_void_p, POINTER(ObserveOptions), EVENT_FN, c_void_p, RELEASE_FN, POINTER(c_void_p)],
    ),
    ("mainstem_history_keep", c_int32, [c_void_p, c_uint32, c_size_t, c_int64]),
    ("mainstem_subscription_demand", c_int32, [c_void_p, c_uint64]),
    ("mainstem_cancel_wait", c_int32, [c_void_p]),
    ("mainstem_fail", c_int32, [c_void_p, c_int32, c_char_p]),
    ("mainstem_subscription_stats_read", c_int32, [c_void_p, POINTER(SubscriptionStatsStruct)]),
    (
        "mainstem_mailbox_take",
        c_int32,
        [c_void_p, c_void_p, c_size_t, POINTER(c_size_t), POINTER(c_size_t)],
    ),
    ("mainstem_send_many", c_int32, [c_void_p, c_char_p, c_size_t, c_size_t, POINTER(c_size_t)]),
    # mainstem/requests.h
    (
        "mainstem_server_add_with",
        c_int32,
        [
            c_void_p,
            c_char_p,
            POINTER(HandlerRow),
            c_size_t,
            c_size_t,
            POINTER(ServerOptions),
            c_void_p,
            RELEASE_FN,
            POINTER(c_void_p),
        ],
    ),
    (
        "mainstem_request_with",
        c_int32,
        [
            c_void_p,
            c_uint32,
            c_char_p,
            c_size_t,
            POINTER(RequestOptions),
            EVENT_FN,
            c_void_p,
            RELEASE_FN,
            POINTER(c_void_p),
        ],
    ),
    ("mainstem_pending_cancel", c_int32, [c_void_p]),
    ("mainstem_pending_position", c_int32, [c_void_p, POINTER(c_uint64)]),
    ("mainstem_respond_error_with", c_int32, [c_void_p, POINTER(ErrorStruct)]),
    ("mainstem_event_on_settled", c_int32, [c_void_p, SETTLED_FN, c_void_p, RELEASE_FN]),
    ("mainstem_event_is_settled", c_int32, [c_void_p, POINTER(c_bool)]),
    ("mainstem_request_count", c_int32, [c_void_p, c_uint32, POINTER(c_uint64)]),
    ("mainstem_activity_report", c_int32, [c_void_p, c_uint32]),
    # mainstem/screens.h
    ("mainstem_value_set", c_int32, [c_void_p, c_uint32, c_char_p, c_size_t]),
    ("mainstem_value_set_bool", c_int32, [c_void_p, c_uint32, c_bool]),
    ("mainstem_value_set_integer", c_int32, [c_void_p, c_uint32, c_int64]),
    ("mainstem_value_set_number", c_int32, [c_void_p, c_uint32, c_double]),
    ("mainstem_value_set_text", c_int32, [c_void_p, c_uint32, c_char_p]),
    ("mainstem_value_get", c_int32, [c_void_p, c_uint32, POINTER(c_void_p)]),
    ("mainstem_value_text", c_char_p, [c_void_p]),
    (
        "mainstem_viewmodel_add",
        c_int32,
        [
            c_void_p,
            c_char_p,
            POINTER(ViewmodelRow),
            c_size_t,
            c_size_t,
            SHOW_FN,
            c_void_p,
            RELEASE_FN,
            POINTER(c_void_p),
        ],
    ),
    (
        "mainstem_binding_add",
        c_int32,
        [
            c_void_p,
            c_void_p,
            POINTER(BindingRow),
            c_size_t,
            c_size_t,
            c_void_p,
            RELEASE_FN,
            POINTER(c_void_p),
        ],
    ),
    ("mainstem_binding_retarget", c_int32, [c_void_p, c_void_p]),
    ("mainstem_binding_on_changes", c_int32, [c_void_p, CHANGES_FN, c_void_p]),
    ("mainstem_binding_on_ended", c_int32, [c_void_p, ENDED_FN, c_void_p]),
    ("mainstem_binding_set", c_int32, [c_void_p, c_char_p, c_char_p, c_size_t]),
    (
        "mainstem_binding_run",
        c_int32,
        [c_void_p, c_char_p, c_char_p, c_size_t, EVENT_FN, c_void_p, RELEASE_FN, POINTER(c_void_p)],
    ),
    ("mainstem_binding_end", c_int32, [c_void_p]),
    # mainstem/lists.h
    (
        "mainstem_list_set",
        c_int32,
        [c_void_p, c_uint32, POINTER(ListRow), c_size_t, c_size_t, POINTER(ListEndsStruct)],
    ),
    (
        "mainstem_list_set_window",
        c_int32,
        [
            c_void_p,
            c_uint32,
            POINTER(ListRow),
            c_size_t,
            c_size_t,
            POINTER(ListEndsStruct),
            POINTER(ListWindowStruct),
        ],
    ),
    (
        "mainstem_children_set",
        c_int32,
        [
            c_void_p,
            c_uint32,
            POINTER(ChildStruct),
            c_size_t,
            c_size_t,
            POINTER(ListEndsStruct),
            CHILD_FN,
            c_void_p,
        ],
    ),
    ("mainstem_list_read", c_int32, [c_void_p, c_size_t, POINTER(ListChangeStruct)]),
    (
        "mainstem_list_span",
        c_int32,
        [c_void_p, POINTER(c_size_t), POINTER(c_size_t), POINTER(c_size_t)],
    ),
    ("mainstem_list_count", c_int32, [c_void_p, POINTER(c_size_t)]),
    ("mainstem_list_window_get", c_int32, [c_void_p, POINTER(ListWindowStruct)]),
    ("mainstem_list_row_get", c_int32, [c_void_p, c_size_t, POINTER(ListRow)]),
    ("mainstem_list_find", c_int32, [c_void_p, c_char_p, c_size_t, POINTER(c_size_t)]),
    # mainstem/blocks.h
    (
        "mainstem_gate_add",
        c_int32,
        [
            c_void_p,
            c_char_p,
            POINTER(GateRow),
            c_size_t,
            c_size_t,
            POINTER(GateOptions),
            POINTER(c_void_p),
        ],
    ),
    (
        "mainstem_workflow_add",
        c_int32,
        [
            c_void_p,
            c_char_p,
            c_char_p,
            POINTER(WorkflowRow),
            c_size_t,
            c_size_t,
            POINTER(WorkflowOptions),
            c_void_p,
            RELEASE_FN,
            POINTER(c_void_p),
        ],
    ),
    ("mainstem_workflow_pass", c_int32, [POINTER(WorkflowRunStruct), c_char_p, c_size_t]),
    ("mainstem_workflow_skip", c_int32, [POINTER(WorkflowRunStruct)]),
    ("mainstem_workflow_fail", c_int32, [POINTER(WorkflowRunStruct), POINTER(ErrorStruct)]),
    (
        "mainstem_resources_add",
        c_int32,
        [c_void_p, c_char_p, POINTER(ResourcesOptions), POINTER(c_void_p)],
    ),
    ("mainstem_resources_put", c_int32, [c_void_p, c_void_p, c_char_p, c_size_t]),
    ("mainstem_resource_get", c_int32, [c_void_p, c_char_p, c_size_t, POINTER(c_void_p)]),
    ("mainstem_resource_read", c_int32, [c_void_p, POINTER(c_void_p), POINTER(c_size_t)]),
    ("mainstem_resource_release", c_int32, [c_void_p]),
    (
        "mainstem_undo_log_add",
        c_int32,
        [
            c_void_p,
            c_char_p,
            POINTER(UndoLogRow),
            c_size_t,
            c_size_t,
            POINTER(UndoLogOptions),
            c_void_p,
            RELEASE_FN,
            POINTER(c_void_p),
        ],
    ),
    # mainstem/queries.h
    ("mainstem_order_key", c_int32, [c_char_p, c_char_p, c_void_p]),
    ("mainstem_order_key_at", c_int32, [c_size_t, c_size_t, c_void_p]),
    ("mainstem_query_make", c_int32, [c_char_p, c_size_t, POINTER(c_void_p)]),
    (
        "mainstem_query_select",
        c_int32,
        [
            c_void_p,
            POINTER(ListRow),
            c_size_t,
            c_size_t,
            POINTER(c_size_t),
            POINTER(ListWindowStruct),
        ],
    ),
    ("mainstem_query_sql", c_int32, [c_void_p, c_void_p, c_size_t, POINTER(c_size_t)]),
    ("mainstem_query_release", c_int32, [c_void_p]),
    # mainstem/reactor.h
    (
        "mainstem_reactor_add",
        c_int32,
        [c_void_p, c_char_p, POINTER(ReactorTable), c_void_p, RELEASE_FN, POINTER(c_void_p)],
    ),
    ("mainstem_reactor_mutate", c_int32, [c_void_p, c_char_p, c_size_t]),
    ("mainstem_reactor_merge", c_int32, [c_void_p, c_char_p, c_size_t]),
    ("mainstem_reactor_state", c_void_p, [c_void_p]),
    ("mainstem_reactor_stub", c_int32, [c_void_p, c_void_p]),
    # mainstem/recording.h
    ("mainstem_journal_sync", c_int32, [c_void_p]),
    ("mainstem_journal_on_durable", c_int32, [c_void_p, DURABLE_FN, c_void_p, RELEASE_FN]),
    ("mainstem_journal_stats_read", c_int32, [c_void_p, POINTER(JournalStatsStruct)]),
    # mainstem/journal.h
    ("mainstem_journal_open", c_int32, [c_char_p, POINTER(c_void_p)]),
    ("mainstem_journal_next", c_int32, [c_void_p, c_uint32, POINTER(c_void_p)]),
    (
        "mainstem_journal_next_many",
        c_int32,
        [c_void_p, c_uint32, c_void_p, c_size_t, POINTER(c_size_t), POINTER(c_size_t)],
    ),
    ("mainstem_journal_follow", c_int32, [c_void_p]),
    ("mainstem_journal_info_read", c_int32, [c_void_p, POINTER(JournalInfoStruct)]),
    ("mainstem_journal_type_read", c_int32, [c_void_p, c_uint32, POINTER(TypeInfoStruct)]),
    ("mainstem_journal_origin_name", c_int32, [c_void_p, c_uint32, POINTER(c_char_p)]),
    (
        "mainstem_journal_event_line",
        c_int32,
        [c_void_p, c_void_p, c_void_p, c_size_t, POINTER(c_size_t)],
    ),
    ("mainstem_journal_close", c_int32, [c_void_p]),
    ("mainstem_journal_salvage", c_int32, [c_char_p, c_char_p, POINTER(SalvageReportStruct)]),
    # mainstem/replay.h
    (
        "mainstem_replay_open",
        c_int32,
        [c_void_p, c_char_p, POINTER(ReplayOptions), POINTER(c_void_p)],
    ),
    ("mainstem_replay_step", c_int32, [c_void_p, c_uint64, POINTER(c_uint64)]),
    ("mainstem_replay_seek", c_int32, [c_void_p, c_uint64]),
    ("mainstem_replay_run", c_int32, [c_void_p, c_double]),
    ("mainstem_replay_pause", c_int32, [c_void_p]),
    ("mainstem_replay_on_secret", c_int32, [c_void_p, EVENT_FN, c_void_p, RELEASE_FN]),
    ("mainstem_replay_supply", c_int32, [c_void_p, POINTER(SecretStruct)]),
    ("mainstem_replay_info_read", c_int32, [c_void_p, POINTER(ReplayInfoStruct)]),
    ("mainstem_replay_difference_read", c_int32, [c_void_p, POINTER(ReplayDifferenceStruct)]),
    ("mainstem_replay_close", c_int32, [c_void_p]),
    ("mainstem_context_is_replaying", c_int32, [c_void_p, POINTER(c_int)]),
    # mainstem/routes.h
    ("mainstem_router_create", c_int32, [POINTER(c_void_p)]),
    (
        "mainstem_router_type_add",
        c_int32,
        [c_void_p, c_char_p, ROUTE_TYPE_FN, c_void_p, RELEASE_FN],
    ),
    ("mainstem_router_add", c_int32, [c_void_p, c_char_p, POINTER(c_uint32)]),
    ("mainstem_router_remove", c_int32, [c_void_p, c_uint32]),
    ("mainstem_router_match", c_int32, [c_void_p, c_char_p, POINTER(c_uint32), POINTER(c_void_p)]),
    ("mainstem_router_close", c_int32, [c_void_p]),
    ("mainstem_match_read", c_int32, [c_void_p, POINTER(MatchInfoStruct)]),
    ("mainstem_match_text", c_int32, [c_void_p, c_char_p, POINTER(c_char_p), POINTER(c_size_t)]),
    ("mainstem_match_release", c_int32, [c_void_p]),
    (
        "mainstem_route_write",
        c_int32,
        [c_char_p, POINTER(RouteValue), c_size_t, c_void_p, c_size_t, POINTER(c_size_t)],
    ),
    # mainstem/navigation.h
    ("mainstem_navigator_add", c_int32, [c_void_p, POINTER(NavigatorOptions)]),
    (
        "mainstem_routes_type_add",
        c_int32,
        [c_void_p, c_char_p, ROUTE_TYPE_FN, c_void_p, RELEASE_FN],
    ),
    ("mainstem_routes_add", c_int32, [c_void_p, POINTER(RouteRow), c_size_t, c_size_t]),
    ("mainstem_routes_read", c_int32, [c_void_p, c_size_t, POINTER(RouteRow), c_size_t]),
    (
        "mainstem_navigator_move",
        c_int32,
        [c_void_p, POINTER(MoveStruct), EVENT_FN, c_void_p, POINTER(c_void_p)],
    ),
    (
        "mainstem_navigator_open",
        c_int32,
        [c_void_p, c_char_p, EVENT_FN, c_void_p, POINTER(c_void_p)],
    ),
    ("mainstem_component_finish", c_int32, [c_void_p, c_uint32, c_char_p, c_size_t]),
    ("mainstem_result_read", c_int32, [c_void_p, POINTER(ResultStruct)]),
    ("mainstem_event_match", c_int32, [c_void_p, POINTER(c_void_p)]),
    ("mainstem_guard_add", c_int32, [c_void_p, c_char_p, c_char_p, c_uint32]),
    ("mainstem_guard_answer", c_int32, [c_void_p, c_uint32, c_char_p]),
    (
        "mainstem_intents_add",
        c_int32,
        [c_void_p, POINTER(IntentRow), c_size_t, c_size_t, c_void_p, RELEASE_FN],
    ),
    ("mainstem_event_component", c_int32, [c_void_p, POINTER(c_uint64)]),
    # mainstem/stage.h
    (
        "mainstem_stage_add",
        c_int32,
        [
            c_void_p,
            POINTER(HandlerRow),
            c_size_t,
            c_size_t,
            c_void_p,
            RELEASE_FN,
            POINTER(c_void_p),
        ],
    ),
    ("mainstem_show_read", c_int32, [c_void_p, POINTER(ComponentInfoStruct), c_void_p, c_size_t]),
    ("mainstem_hide_read", c_int32, [c_void_p, POINTER(c_uint64), c_size_t, POINTER(c_size_t)]),
    ("mainstem_navigator_ready", c_int32, [c_void_p]),
    ("mainstem_component_shown", c_int32, [c_void_p, c_uint64]),
    ("mainstem_component_gone", c_int32, [c_void_p, c_uint64]),
    (
        "mainstem_navigator_tree",
        c_int32,
        [c_void_p, POINTER(c_uint64), c_size_t, POINTER(c_size_t)],
    ),
    (
        "mainstem_component_read",
        c_int32,
        [c_void_p, c_uint64, POINTER(ComponentInfoStruct), c_void_p, c_size_t],
    ),
    # mainstem/loop.h
    ("mainstem_context_now", c_int32, [c_void_p, POINTER(c_int64)]),
    ("mainstem_context_advance", c_int32, [c_void_p, c_int64]),
    ("mainstem_context_random", c_int32, [c_void_p, POINTER(c_uint64)]),
    ("mainstem_context_id", c_int32, [c_void_p, c_void_p]),
    ("mainstem_wait_interruptible", c_int32, [c_void_p, c_int64, c_int]),
    ("mainstem_flush", c_int32, [c_void_p]),
    ("mainstem_context_next_timeout", c_int32, [c_void_p, POINTER(c_int64)]),
    ("mainstem_context_on_wake", c_int32, [c_void_p, WAKE_FN, c_void_p, RELEASE_FN]),
    ("mainstem_post_from_interrupt", c_int32, [c_void_p, c_uint32, c_char_p, c_size_t]),
    ("mainstem_callback_position", c_int32, [c_void_p, POINTER(c_uint64)]),
    # mainstem/languages.h
    ("mainstem_confirm", c_int32, [c_void_p]),
    ("mainstem_subscription_from", c_int32, [c_void_p, POINTER(c_uint64)]),
]
