# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Reactors that are refused, and mutations."""

from __future__ import annotations

from ctypes import addressof

from mainstem._library import C
from mainstem._library import _header as d
from raw import OK

from .case import case
from .reacting import reactor_in


@case("INVALID", "table.reduce", "reactor_add")
def a_reactor_that_reduces_nothing(world, arguments):
    arguments["table"].reduce = d.REDUCE_FN()


@case("INVALID", "table.state_size", "reactor_add")
def a_state_without_bytes(world, arguments):
    arguments["table"].state_size = 0


@case("INVALID", "table.rows", "reactor_add")
def no_rows(world, arguments):
    arguments["table"].rows = None


@case("INVALID", "rows.answer", "reactor_add", lasting=("types",))
def an_action_whose_answer_carries_something(world, arguments):
    arguments["table"].rows[0].answer = d.PAYLOAD_TEXT


@case("INVALID", "rows.name", "reactor_add", lasting=("types",))
def a_row_that_is_named_like_the_mutations(world, arguments):
    arguments["table"].rows[0] = d.ViewmodelRow(b"mutation", d.VIEWMODEL_PULSE, d.PAYLOAD_BYTES)


@case("INVALID", "rows.contract", "reactor_add", lasting=("types",))
def mutations_with_a_role(world, arguments):
    arguments["table"].mutation = d.PAYLOAD_TEXT | d.ROLE_VALUE


@case("DENIED", None, "reactor_add", lasting=("events", "deliveries", "denied"))
def a_reactor_of_a_scope_without_rights(world, arguments):
    arguments["context"] = world.scope_of(world.context, flags=3)


@case("LIMIT", "context", "reactor_add", lasting=("types",))
def a_scope_that_has_all_its_observers(world, arguments):
    arguments["context"] = world.scope_of(world.context, limit_observers=1)


@case("STALE", "action", "reactor_mutate")
def an_action_that_is_over(world, arguments):
    assert C.mainstem_respond(arguments["action"], None, 0) == OK


@case("INVALID", "action", "reactor_mutate")
def what_is_no_action(world, arguments):
    event = d.EventStruct.from_buffer_copy(d.EventStruct.from_address(arguments["action"]))
    event.reply = 0
    world.kept.append(event)
    arguments["action"] = addressof(event)


@case("INVALID", "reactor", "reactor_merge")
def another_reactor(world, arguments):
    arguments["reactor"] = reactor_in(world, world.context)


@case("INVALID", "reactor", "reactor_stub")
def what_is_no_reactor(world, arguments):
    arguments["reactor"] = world.context


@case("LIMIT", "context", "reactor_stub", lasting=("types",))
def a_reactor_that_has_all_its_observers(world, arguments):
    arguments["reactor"] = reactor_in(world, world.scope_of(world.context, limit_observers=2))
