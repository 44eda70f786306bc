# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The misuses that follow from a declaration: each argument as it must not be, each wrong place."""

from __future__ import annotations

import ctypes
import math

from mainstem._library import C
from mainstem._library import _header as d

from .calls import ASKED, HANDLES, HANDLING, INSIDE, STRUCTS_WITH_SIZE, home
from .header import FUNCTIONS
from .reacting import REACTING
from .world import World

#: What only may be NULL while its size is 0.
SIZES = {"data": "size", "buffer": "size", "batch": "count", "values": "count"}
#: What is filled, or read, if there is room.
FILLED = ("buffer", "url", "values", "text", "components")
SIZES_OF = {
    ("mainstem_route_write", "url"): "capacity",
    ("mainstem_show_read", "text"): "capacity",
    ("mainstem_component_read", "text"): "capacity",
    ("mainstem_hide_read", "components"): "capacity",
    ("mainstem_navigator_tree", "components"): "capacity",
}

GARBAGE = (1, 8, 0xDEADBEEF, 0xFFFFFFFF, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)

NUMBERS = {
    "origin": [4711],
    "delay_ms": [-1, -(1 << 63)],
    "max_age_ms": [-1, -(1 << 63)],
    "ms": [-1, -(1 << 63)],
    "repeat_ms": [-1, -(1 << 63)],
    "row_size": [0, 7],
    "code": [0],
    "speed": [-1.0, math.nan, math.inf, 1e10],
}

#: The names of their types are longer; one that is too long has no factory.
OF_OWNERS = {
    "mainstem_factory_add": {"TOO_BIG"},
    "mainstem_service_add": {"TOO_BIG"},
    "mainstem_instance_open": {"INVALID"},
    "mainstem_service_find": {"INVALID"},
    "mainstem_binding_set": {"INVALID"},
    "mainstem_binding_run": {"INVALID"},
    "mainstem_viewmodel_add": {"TOO_BIG"},
    "mainstem_reactor_add": {"TOO_BIG"},
    "mainstem_guard_add": {"TOO_BIG"},
}

#: They add what is to be there before the first event, and register types even if they are denied.
ADDING = ("mainstem_factory_add", "mainstem_service_add", "mainstem_navigator_add")
ADDING += ("mainstem_routes_type_add", "mainstem_routes_add", "mainstem_guard_add")

DENIAL = ("events", "deliveries", "denied")


class Misuse:
    """One wrong argument or place: what it changes, and what the function must say of it."""

    def __init__(self, message, wanted, argument, change=None, where="here", lasting=()):
        self.message, self.wanted, self.argument = message, wanted, argument
        self.change = change or (lambda world, arguments: None)
        self.where, self.lasting = where, lasting

    def __repr__(self):
        return self.message


def sets(**values):
    """A change that gives some arguments other values."""
    return lambda world, arguments: arguments.update(values)


def misuses(name):
    """Every misuse of a function that its declaration implies; what it allows is to be OK."""
    function = FUNCTIONS[name]
    for parameter, kind in zip(function.parameters, getattr(C, name).argtypes):
        yield from _null(function, parameter, kind)
        if parameter is function.parameters[0]:
            yield from _handles(function, parameter)
        if parameter.struct in STRUCTS_WITH_SIZE:
            yield from _structs(function, parameter)
        yield from _text(function, parameter)
        yield from _number(function, parameter)
    yield from _places(function)


def _null(function, parameter, kind):
    if not parameter.is_pointer:
        return
    name = parameter.name
    nothing = kind() if isinstance(kind, type(d.EVENT_FN)) else None
    size = SIZES_OF.get((function.name, name), SIZES.get(name))
    if size == "size" and any(each.name == "capacity" for each in function.parameters):
        size = "capacity"
    if size:
        yield Misuse(
            f"{name} NULL, but not empty", {"INVALID"}, name, sets(**{name: None, size: 1})
        )
        asks = (
            {"OK", "TOO_BIG"}
            if name in ("buffer", "url", "values", "text", "components")
            else {"OK"}
        )
        yield Misuse(f"{name} NULL, and empty", asks, None, sets(**{name: None, size: 0}))
    elif function.may_be_null(parameter):
        yield Misuse(f"{name} NULL, which it may be", {"OK"}, None, sets(**{name: nothing}))
    else:
        yield Misuse(f"{name} NULL", {"INVALID"}, name, sets(**{name: nothing}))


def _handles(function, parameter):
    kind, name = parameter.handle, parameter.name
    if kind is None:
        return
    others = ("context", "subscription", "retained", "pending", "timer", "binding", "journal")
    for other in (*others, "replay", "router", "match"):
        if other != kind:
            yield Misuse(
                f"a {other} as {name}",
                {"WRONG_KIND"},
                name,
                lambda world, arguments, other=other: arguments.update({name: world.handle(other)}),
            )
    for garbage in GARBAGE:
        refused = {"STALE", "WRONG_KIND"}
        yield Misuse(f"{garbage:#x} as {name}", refused, name, sets(**{name: garbage}))
    for ended in (_closed,) if function.name in ASKED else (_closed, _ended):
        yield Misuse(
            f"{name} {ended.__name__[1:]}",
            {"STALE"},
            name,
            lambda world, arguments, ended=ended: arguments.update(
                {name: ended(world, HANDLES.get(function.name, kind))}
            ),
        )
    if kind == "context":
        yield from _scopes(function, parameter)


def _scopes(function, parameter):
    """A scope is as good as its context, unless the header says otherwise; it may lack a right."""
    name = parameter.name

    def scoped(flags):
        return lambda world, arguments: arguments.update(
            {name: world.scope_of(home(world, function.name), flags=flags)}
        )

    if function.name in HANDLES and HANDLES[function.name] == "reactor":
        yield Misuse("a scope", {"INVALID"}, "reactor", scoped(0))
        return
    if function.takes_no_scope:
        yield Misuse("a scope", {"WRONG_KIND"}, name, scoped(0))
        return
    if function.name == "mainstem_value_get":
        yield Misuse("a scope without a value", {"UNSET"}, "type", scoped(0))
    else:
        yield Misuse("a scope", {"OK"}, None, scoped(0))
    if "DENIED" in function.statuses():
        lasting = (*DENIAL, "types") if function.name in ADDING else DENIAL
        yield Misuse("a scope without rights", {"DENIED"}, None, scoped(3), lasting=lasting)
    else:
        yield Misuse("a scope without rights", {"OK"}, None, scoped(3))


def _closed(world, kind):
    """A handle of a context, or a journal, that was closed; its place is in use again."""
    other = World(world.threads, world.folder)
    handle = other.handle(kind)
    other.close()
    world.others.append(World(world.threads, world.folder))
    world.others[-1].handle(kind)
    return handle


def _ended(world, kind):
    """A handle that was ended, while its context lives on."""
    ends = {
        "context": ("scope", C.mainstem_scope_end),
        "scope": ("scope", C.mainstem_scope_end),
        "retained": ("retained", C.mainstem_retained_release),
        "pending": ("pending", C.mainstem_pending_cancel),
        "timer": ("timer", C.mainstem_timer_cancel),
        "binding": ("binding", C.mainstem_binding_end),
        "commanding": ("commanding", C.mainstem_binding_end),
        "reactor": ("reactor", C.mainstem_scope_end),
        "journal": ("journal", C.mainstem_journal_close),
        "replay": ("replay", C.mainstem_replay_close),
        "router": ("router", C.mainstem_router_close),
        "match": ("match", C.mainstem_match_release),
    }
    name, end = ends.get(kind, (kind, C.mainstem_cancel))
    handle = world.handle(name)
    end(handle)
    world.__dict__.pop(name, None)
    return handle


def _structs(function, parameter):
    name = parameter.name

    yield Misuse(f"{name}.size 0", {"INVALID"}, name, _sized(name, lambda known: 0))
    yield Misuse(f"{name}.size too small", {"INVALID"}, name, _sized(name, lambda known: known - 1))
    yield Misuse(
        f"{name}.size larger", {"UNSUPPORTED"}, name, _sized(name, lambda known: known + 8)
    )
    yield Misuse(f"{name}.size huge", {"UNSUPPORTED"}, name, _sized(name, lambda known: 2**32 - 1))
    if name == "options":
        field = "mode" if function.name == "mainstem_replay_open" else "flags"
        yield Misuse(
            f"unknown options.{field}",
            {"INVALID", "UNSUPPORTED"},
            f"options.{field}",
            lambda world, arguments: setattr(arguments["options"], field, 1 << 31),
        )


def _sized(name, size):
    """A struct of another size, with room for what it says that it has."""

    def change(world, arguments):
        given = arguments[name]
        known = ctypes.sizeof(given)
        larger = ctypes.create_string_buffer(bytes(given), known + 64)
        arguments[name] = type(given).from_buffer(larger)
        arguments[name].size = size(known)

    return change


def _text(function, parameter):
    name = parameter.name
    if parameter.ctype != "const char *" or name == "response":
        return
    if function.name == "mainstem_match_text":
        return  # A key of a query may be any text.
    if name in ("name", "path", "to"):
        yield Misuse(f"{name} empty", {"INVALID"}, name, sets(**{name: b""}))
    if name in ("name", "message"):
        yield Misuse(f"{name} not UTF-8", {"INVALID"}, name, sets(**{name: b"\xff"}))
    if name == "name":
        wanted = {"TOO_BIG"} if "TOO_BIG" in function.statuses() else {"INVALID"}
        yield Misuse("name of 256 bytes", wanted, name, sets(name=b"n" * 256))
        if function.name in OF_OWNERS:
            yield Misuse("name of 243 bytes", OF_OWNERS[function.name], name, sets(name=b"n" * 243))
        elif "TOO_BIG" in function.statuses():
            yield Misuse("name of 255 bytes", {"OK"}, None, sets(name=b"n" * 255))


def _number(function, parameter):
    name, numbers = parameter.name, NUMBERS.get(parameter.name, [])
    if parameter.ctype.strip() == "mainstem_event_type" and not parameter.is_pointer:
        numbers = [4711, (1 << 32) - 1] + ([] if function.takes_any_type else [0])
    for number in numbers:
        yield Misuse(f"{name} {number}", {"INVALID"}, name, sets(**{name: number}))
    if name == "size" and any(each.name == "data" for each in function.parameters):
        yield Misuse("data not UTF-8", {"INVALID"}, "data", sets(data=b"\xff", size=1))
        for size in (1 << 32, 1 << 63, (1 << 64) - 1):
            yield Misuse(f"size {size}", {"TOO_BIG"}, name, sets(data=b"", size=size))
    if name == "row_size":
        for size in (72, 4096, 1 << 32, (1 << 64) - 8):
            yield Misuse(f"{name} {size}", {"UNSUPPORTED"}, name, sets(row_size=size))
    if name == "count" and any(each.name == "row_size" for each in function.parameters):
        for count in ((1 << 24) + 1, 1 << 63, (1 << 64) - 1):
            yield Misuse(f"{count} rows", {"TOO_BIG"}, name, sets(count=count))


def _places(function):
    handles = [each for each in function.parameters[:1] if each.handle]
    argument = handles[0].name if handles else None
    if function.name in INSIDE:
        return
    if function.name in HANDLING:
        yield Misuse("another thread", {"WRONG_THREAD"}, "event", where="elsewhere")
    if function.name in ASKED:
        yield Misuse("another thread", {"INVALID"}, argument, where="elsewhere")
        yield Misuse("inside a callback", {"INVALID"}, argument, where="inside")
        return
    if handles or function.takes_live_event:
        yield Misuse("a child process", {"FORKED"}, None, where="forked")
    if not handles:
        return
    if function.name in REACTING:
        yield Misuse("another thread", {"WRONG_THREAD"}, argument, where="elsewhere")
        return
    wrong_thread = {"WRONG_THREAD"} if function.own_thread else {"OK"}
    yield Misuse("another thread", wrong_thread, argument, where="elsewhere")
    busy = {"BUSY"} if "BUSY" in function.statuses() else {"OK"}
    if function.name == "mainstem_service_find":
        busy = {"OK"}  # It is busy in a show function, and while it is made.
    if handles[0].handle == "router":
        busy = {"OK"}  # It is busy in a type's function only.
    if function.name in ADDING:
        busy = {"INVALID"}  # The callback has an event.
    yield Misuse("inside a callback", busy, None, where="inside")
