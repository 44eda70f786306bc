# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Reactors: where a function is called that only their callbacks may call."""

from __future__ import annotations

import ctypes
from ctypes import byref, c_void_p

from mainstem._library import C
from mainstem._library import _header as d
from raw import BUSY, OK

REACTING = ("mainstem_reactor_mutate", "mainstem_reactor_merge")

ignore_mutation = d.REDUCE_FN(lambda data, state, mutation, size: None)
ignore_event = d.EVENT_FN(lambda data, event: None)


def table_of(table, world, function=ignore_event):
    """Fills the table of a reactor whose one action calls a function."""
    rows = (d.ViewmodelRow * 1)(
        d.ViewmodelRow(b"go", d.VIEWMODEL_COMMAND, d.PAYLOAD_TEXT, function)
    )
    world.kept.append((rows, function))
    table.state_size, table.mutation, table.reduce = 8, d.PAYLOAD_BYTES, ignore_mutation
    table.rows, table.count, table.row_size = rows, 1, ctypes.sizeof(d.ViewmodelRow)
    return table


def reactor_in(world, context):
    """A reactor; its action calls `world.act`, if there is one."""

    def call(data, event):
        act, world.act = world.act, None
        if act is not None:
            act(event)

    table = d.ReactorTable(size=ctypes.sizeof(d.ReactorTable))
    table_of(table, world, d.EVENT_FN(call))
    made = c_void_p()
    what = (context, b"Reactor", byref(table), None, d.RELEASE_FN(), byref(made))
    assert C.mainstem_reactor_add(*what) == OK
    assert C.mainstem_flush(context) in (OK, BUSY)
    return made.value


def reacting(world, action):
    """Calls `action(event)` inside an action."""
    raised, called = [], []

    def act(event):
        called.append(event)
        try:
            action(event)
        except BaseException as exception:
            raised.append(exception)

    # What is made of requests cannot be made in a callback.
    for kind in ("reactor", "retained", "pending", "subscription", "timer", "binding", "replay"):
        world.handle(kind)
    world.act = act
    kind = world.type_of(b"Reactor.go")
    fn = d.EVENT_FN()
    assert C.mainstem_request(world.reactor, kind, b"", 0, fn, None, byref(c_void_p())) == OK
    if raised:
        raise raised[0]
    assert called, "the action was not called"
