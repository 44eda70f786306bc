# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Good arguments for every function, by the names of its parameters; and the call itself."""

from __future__ import annotations

import ctypes
from ctypes import c_void_p

from mainstem._library import C
from mainstem._library import _header as d
from raw import OK, TIMEOUT

from .header import FUNCTIONS, STATUSES
from .places import asked, handling, inside
from .reacting import REACTING, reacting, table_of
from .world import (
    accept_route,
    ignore_changes,
    ignore_durable,
    ignore_event,
    ignore_line,
    ignore_make,
    ignore_show,
    ignore_wake,
)

#: What a good call returns, where that is not OK.
GOOD = {"mainstem_wait": TIMEOUT, "mainstem_wait_interruptible": TIMEOUT}

#: The context that a function needs, where it is not the usual one.
CONTEXTS = {
    "mainstem_post_from_interrupt": "prepared",
    "mainstem_context_advance": "virtual",
    "mainstem_journal_record": "fresh",
    "mainstem_replay_open": "fresh",
    "mainstem_journal_sync": "recorded",
    "mainstem_journal_on_durable": "recorded",
    "mainstem_journal_stats_read": "recorded",
    **dict.fromkeys(
        (
            "mainstem_navigator_move",
            "mainstem_navigator_open",
            "mainstem_component_finish",
            "mainstem_intents_add",
            "mainstem_navigator_ready",
            "mainstem_component_shown",
            "mainstem_component_gone",
            "mainstem_navigator_tree",
            "mainstem_component_read",
            "mainstem_routes_read",
        ),
        "navigating",
    ),
    "mainstem_stage_add": "routed",
}

#: The handle that a function needs, where any of its kind will not do.
HANDLES = {
    "mainstem_scope_end": "scope",
    "mainstem_mailbox_take": "mailbox",
    "mainstem_subscription_demand": "on_demand",
    "mainstem_binding_run": "commanding",
    "mainstem_reactor_merge": "reactor",
    "mainstem_reactor_stub": "reactor",
}

#: Functions that are called inside a callback with its event, inside a handler with its request,
#: and where a secret is asked for.
INSIDE = ("mainstem_fail", "mainstem_confirm")
HANDLING = ("mainstem_event_on_settled",)
ASKED = ("mainstem_replay_supply",)

CAPACITY = 4096

#: Arguments by the name of the parameter; the rest are 0.
OF_PARAMETER = {
    "name": lambda world: b"Name",
    "data": lambda world: b"",
    "contract": lambda world: d.PAYLOAD_TEXT,
    "response": lambda world: None,
    "buffer": lambda world: ctypes.create_string_buffer(CAPACITY),
    "capacity": lambda world: CAPACITY,
    "delay_ms": lambda world: 1000,
    "period_ms": lambda world: 1000,
    "interrupt_fd": lambda world: -1,
    "code": lambda world: 1000,
    "speed": lambda world: 1.0,
    "path": lambda world: world.sample,
    "to": lambda world: world.path("salvaged"),
    "pattern": lambda world: b"user/<id>",
    "url": lambda world: b"7?Name=8",
    "key": lambda world: b"Name",
}


def _asking(world):
    return world.type_of(b"RequestAsk")


def _value(payload, is_set=False):
    """A type of values."""

    def add(world):
        name = b"Value %d" % (payload >> 32)
        number = world.add_type(world.context, name, payload | d.ROLE_VALUE)
        if is_set:
            assert C.mainstem_value_set(world.context, number, b"set", 3) == OK
        return number

    return add


#: Arguments of one function, where the name of the parameter does not tell.
OF_FUNCTION = {
    ("mainstem_type_find", "name"): lambda world: b"Notice",
    ("mainstem_instance_open", "name"): lambda world: world.factory,
    ("mainstem_service_find", "name"): lambda world: world.service,
    ("mainstem_origin_name", "name"): lambda world: ctypes.c_char_p(),
    ("mainstem_scope_find", "name"): lambda world: ctypes.c_char_p(),
    ("mainstem_journal_origin_name", "name"): lambda world: ctypes.c_char_p(),
    ("mainstem_context_id", "text"): lambda world: ctypes.create_string_buffer(64),
    ("mainstem_types_add", "count"): lambda world: 1,
    ("mainstem_server_add", "count"): lambda world: 1,
    ("mainstem_binding_run", "name"): lambda world: b"go",
    ("mainstem_viewmodel_add", "count"): lambda world: 1,
    ("mainstem_binding_add", "count"): lambda world: 1,
    ("mainstem_binding_add", "owner"): lambda world: world.owner,
    ("mainstem_binding_retarget", "owner"): lambda world: world.owner,
    ("mainstem_binding_set", "name"): lambda world: b"name",
    ("mainstem_server_add_with", "count"): lambda world: 1,
    ("mainstem_send_many", "count"): lambda world: 1,
    ("mainstem_send_many", "size"): lambda world: ctypes.sizeof(d.EventHeaderStruct),
    ("mainstem_send_many", "batch"): lambda world: bytes(
        d.EventHeaderStruct(
            type=world.type_of(b"Notice"), offset=ctypes.sizeof(d.EventHeaderStruct)
        )
    ),
    ("mainstem_mailbox_take", "size"): lambda world: CAPACITY,
    ("mainstem_journal_next_many", "size"): lambda world: CAPACITY,
    ("mainstem_journal_type_read", "type"): lambda world: 1,
    ("mainstem_journal_record", "path"): lambda world: world.path("new"),
    ("mainstem_request", "type"): _asking,
    ("mainstem_request_with", "type"): _asking,
    ("mainstem_request_count", "type"): _asking,
    ("mainstem_activity_report", "type"): _asking,
    ("mainstem_replay_seek", "position"): lambda world: 1,
    ("mainstem_value_set", "type"): _value(d.PAYLOAD_TEXT),
    ("mainstem_value_set_bool", "type"): _value(d.PAYLOAD_BOOL),
    ("mainstem_value_set_integer", "type"): _value(d.PAYLOAD_INTEGER),
    ("mainstem_value_set_number", "type"): _value(d.PAYLOAD_NUMBER),
    ("mainstem_value_set_text", "type"): _value(d.PAYLOAD_TEXT),
    ("mainstem_value_set_text", "value"): lambda world: b"text",
    ("mainstem_router_remove", "route"): lambda world: 1,
    ("mainstem_match_text", "text"): lambda world: ctypes.c_char_p(),
    ("mainstem_route_write", "pattern"): lambda world: b"user",
    ("mainstem_route_write", "url"): lambda world: ctypes.create_string_buffer(CAPACITY),
    ("mainstem_route_write", "values"): lambda world: (d.RouteValue * 1)((b"id", b"7")),
    ("mainstem_route_write", "count"): lambda world: 1,
    ("mainstem_value_get", "type"): _value(d.PAYLOAD_TEXT, is_set=True),
    ("mainstem_routes_add", "count"): lambda world: 1,
    ("mainstem_intents_add", "count"): lambda world: 1,
    ("mainstem_stage_add", "count"): lambda world: 1,
    ("mainstem_navigator_open", "url"): lambda world: b"page",
    ("mainstem_guard_answer", "url"): lambda world: None,
    ("mainstem_hide_read", "capacity"): lambda world: 8,
    ("mainstem_navigator_tree", "capacity"): lambda world: 8,
    ("mainstem_hide_read", "components"): lambda world: (ctypes.c_uint64 * 8)(),
    ("mainstem_navigator_tree", "components"): lambda world: (ctypes.c_uint64 * 8)(),
    ("mainstem_component_shown", "component"): lambda world: world.showing,
    ("mainstem_component_gone", "component"): lambda world: world.component,
    ("mainstem_component_read", "component"): lambda world: world.component,
    ("mainstem_component_read", "text"): lambda world: ctypes.create_string_buffer(CAPACITY),
    ("mainstem_show_read", "text"): lambda world: ctypes.create_string_buffer(CAPACITY),
}

_CALLBACKS = {
    d.EVENT_FN: ignore_event,
    d.LINE_FN: ignore_line,
    d.WAKE_FN: ignore_wake,
    d.DURABLE_FN: ignore_durable,
    d.CHANGES_FN: ignore_changes,
    d.MAKE_FN: ignore_make,
    d.SHOW_FN: ignore_show,
    d.ROUTE_TYPE_FN: accept_route,
}


def home(world, name):
    """The context that a call of a function concerns."""
    function = FUNCTIONS[name]
    if any(parameter.handle == "replay" for parameter in function.parameters[:1]):
        return world.replaying
    return getattr(world, CONTEXTS.get(name, "context"))


def good(world, name, event=None):
    """Arguments with which a function does what it is for, by parameter."""
    function, made = FUNCTIONS[name], {}
    for parameter, kind in zip(function.parameters, getattr(C, name).argtypes):
        made[parameter.name] = _argument(world, function, parameter, kind, event)
    return made


def _argument(world, function, parameter, kind, event):
    name = parameter.name
    if parameter.handle and function.parameters[0] is parameter:
        wanted = HANDLES.get(function.name, parameter.handle)
        return home(world, function.name) if wanted == "context" else world.handle(wanted)
    if parameter.ctype == "const mainstem_event *":
        is_given = function.name in INSIDE + HANDLING + REACTING
        return event if is_given else _event(world, function.name)
    if (function.name, name) in OF_FUNCTION:
        return OF_FUNCTION[function.name, name](world)
    if name == "type" and not parameter.is_pointer:
        return world.type_of(b"Notice", home(world, function.name))
    if kind in _CALLBACKS or kind is d.RELEASE_FN:
        return _CALLBACKS.get(kind, world.release)
    if name in OF_PARAMETER:
        return OF_PARAMETER[name](world)
    if name == "rows":
        return _row(kind._type_)
    if name == "row_size":
        return ctypes.sizeof(_pointed_at(function, ("rows", "row")))
    return _pointer(world, parameter, kind) if parameter.is_pointer else 0


def _pointed_at(function, names):
    """The struct behind the parameter of one of these names, as ctypes declares it."""
    index = [parameter.name in names for parameter in function.parameters].index(True)
    return getattr(C, function.name).argtypes[index]._type_


def _row(struct):
    if struct is d.HandlerRow:
        return d.HandlerRow(b"Notice", ignore_event)
    if struct is d.BindingRow:
        return d.BindingRow(b"name", ignore_event)
    if struct is d.ViewmodelRow:
        return d.ViewmodelRow(b"go", d.VIEWMODEL_COMMAND, d.PAYLOAD_TEXT, ignore_event)
    if struct is d.RouteRow:
        return d.RouteRow(b"page", None, d.SCREEN)
    if struct is d.IntentRow:
        return d.IntentRow(b"Notice", None, ignore_event)
    return struct(b"Row", d.PAYLOAD_TEXT, None)


def _event(world, name):
    if name == "mainstem_event_error":
        return world.failure
    if name.startswith("mainstem_journal"):
        world.handle("journal")
        return world.journal_event.value
    if name in OF_NAVIGATOR:
        return OF_NAVIGATOR[name](world)
    return world.event_of(world.retained)


#: The events that are read of a navigator.
OF_NAVIGATOR = {
    "mainstem_result_read": lambda world: world.event_heard(b"MainstemResult"),
    "mainstem_event_match": lambda world: world.event_heard(b"MainstemShow"),
    "mainstem_guard_answer": lambda world: world.guarded,
    "mainstem_show_read": lambda world: world.event_heard(b"MainstemShow"),
    "mainstem_hide_read": lambda world: world.event_heard(b"MainstemHide"),
    "mainstem_event_component": lambda world: world.event_heard(b"MainstemSaid"),
}


def _pointer(world, parameter, kind):
    """What a pointer points to: a place for a result, filled, or a struct that has its size."""
    if kind is ctypes.c_char_p or kind is c_void_p:
        return None
    made = kind._type_()
    if parameter.struct not in STRUCTS_WITH_SIZE:
        ctypes.memset(ctypes.byref(made), 0xA5, ctypes.sizeof(made))
        return made
    made.size = ctypes.sizeof(made)
    if isinstance(made, d.ObserveOptions):
        made.types, made.type_count = (ctypes.c_uint32 * 1)(world.type_of(b"Notice")), 1
        made.scheduler = 1
    if isinstance(made, d.RequestOptions):
        made.progress = ignore_event
    if isinstance(made, d.ReactorTable):
        table_of(made, world)
    if isinstance(made, d.MoveStruct):
        made.verb, made.url = d.MOVE_OPEN, b"page"
    if isinstance(made, d.ErrorStruct):
        made.code = 1000
        made.message = made.user_message = made.subject = b""
    return made


#: The structs that begin with their size.
STRUCTS_WITH_SIZE = {
    parameter.struct
    for name, function in FUNCTIONS.items()
    for parameter, kind in zip(function.parameters, getattr(C, name).argtypes)
    if hasattr(getattr(kind, "_type_", None), "size")
}


def invoke(name, arguments):
    """The status of a call and, if it was refused, the message."""
    status = getattr(C, name)(*arguments.values())
    return status, C.mainstem_last_error().decode()


def place(world, name, action):
    """Calls `action(event)` where a function belongs: mostly here."""
    if name in INSIDE:
        inside(world, home(world, name), action)
    elif name in HANDLING:
        handling(world, home(world, name), action)
    elif name in ASKED:
        asked(world, action)
    elif name in REACTING:
        reacting(world, action)
    else:
        action(None)


def named(status):
    """A status as the header names it."""
    return next((name for name, number in STATUSES.items() if number == status), str(status))


def is_good(name, status):
    return status == GOOD.get(name, OK)
