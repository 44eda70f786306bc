# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""One misuse: the call, where it is to be made, what it must say, and that it did nothing."""

from __future__ import annotations

import ctypes
import os
import pickle
import resource

from mainstem._library import C
from raw import on_thread

from .calls import good, home, invoke, is_good, named, place
from .counters import counters
from .header import FUNCTIONS
from .places import beside_a_reader, deep, in_a_type, inside

#: They write no message: one may be called by a signal handler, the other tells the last one.
SILENT = {"mainstem_post_from_interrupt": "all", "mainstem_context_first_error": "context NULL"}

#: What a refused call writes nevertheless: how much room it takes, and the last message.
TOLD = ("needed", "next", "message", "length")
#: They tell how many there are, also where there is no room.
COUNTING = ("mainstem_hide_read", "mainstem_navigator_tree")


#: They add a navigator, which stays.
ADDING_A_NAVIGATOR = ("mainstem_routes_type_add", "mainstem_routes_add", "mainstem_guard_add")
OF_A_NAVIGATOR = ("types", "scopes", "subscriptions")


def provoke(world, name, misuse):
    """Misuses a function and returns the status's name. Raises if anything about it is wrong."""
    statuses = []

    def act(event):
        arguments = good(world, name, event)
        misuse.change(world, arguments)
        statuses.append(_check(world, name, misuse, arguments))

    good(world, name)  # What it needs is made outside callbacks.
    if misuse.where == "inside":
        inside(world, home(world, name), act)
    elif misuse.where == "deep":
        deep(world, act)
    else:
        place(world, name, act)
    return statuses[0]


def _check(world, name, misuse, arguments):
    outs = _outs(name, arguments)
    lasting = misuse.lasting + (OF_A_NAVIGATOR if name in ADDING_A_NAVIGATOR else ())
    before = counters(world, lasting)
    C.mainstem_type_find(None, None, None)
    last = C.mainstem_last_error().decode()
    status, message = _run(world, misuse.where, name, arguments)
    if is_good(name, status) and "OK" in misuse.wanted:
        return "OK"
    assert named(status) in misuse.wanted, f"{named(status)}: {message}"
    if SILENT.get(name) in ("all", misuse.message):
        assert message == last
    else:
        begin = f"{name}: {misuse.argument}: " if misuse.argument else f"{name}: "
        assert message.startswith(begin) and len(message) > len(begin) + 5, message
    for out, (target, filled) in outs.items():
        cleared = bytes(len(filled))
        left = (cleared,) if FUNCTIONS[name].clears(out) else (filled, cleared)
        assert bytes(target) in left, f"it wrote to {out}"
    after = counters(world, lasting)
    assert after == before, {key: after.get(key) for key in before if after.get(key) != before[key]}
    return named(status)


def _outs(name, arguments):
    """What results are written to, and what it holds before the call."""
    kinds = (ctypes.Structure, ctypes.Array, ctypes._SimpleCData)
    return {
        parameter.name: (arguments[parameter.name], bytes(arguments[parameter.name]))
        for parameter in FUNCTIONS[name].parameters
        if parameter.is_out
        and parameter.name not in (TOLD + ("count",) if name in COUNTING else TOLD)
        and isinstance(arguments[parameter.name], kinds)
    }


def _run(world, where, name, arguments):
    """Makes a call where it is to be made."""

    def call():
        return invoke(name, arguments)

    if where == "beside a reader":
        return beside_a_reader(
            world, lambda journal: invoke(name, {**arguments, "journal": journal})
        )
    if where == "in a type":
        return in_a_type(world, call)
    if where == "beside a type":
        return in_a_type(world, lambda: on_thread(call))
    if where == "elsewhere":
        return on_thread(call)
    if where == "forked":
        return _forked(call)
    if where == "without descriptors":
        return _limited(call, resource.RLIMIT_NOFILE, 0)
    if where == "without space":
        return _limited(call, resource.RLIMIT_FSIZE, 100)
    return call()


def _forked(call):
    """Makes a call in a child process, and returns what it returned there."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, pickle.dumps(call()))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(data)


def _limited(call, limit, value):
    """Makes a call while the process may have so much of something, and no more."""
    before = resource.getrlimit(limit)
    resource.setrlimit(limit, (value, before[1]))
    try:
        return call()
    finally:
        resource.setrlimit(limit, before)
