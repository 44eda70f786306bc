# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Bindings that are refused."""

from __future__ import annotations

from mainstem._library import C
from mainstem._library import _header as d
from raw import OK

from .case import case
from .world import World, ignore_event


@case("INVALID", "rows.name", "binding_add")
def a_name_that_the_owner_does_not_show(world, arguments):
    arguments["rows"] = d.BindingRow(b"nobody", ignore_event)


@case("INVALID", "rows.name", "binding_add")
def a_row_without_a_name(world, arguments):
    arguments["rows"] = d.BindingRow(None, ignore_event)


@case("TOO_BIG", "rows.name", "binding_add")
def a_name_that_no_type_can_have(world, arguments):
    arguments["rows"] = d.BindingRow(b"n" * 256, ignore_event)


@case("UNSUPPORTED", "rows.flags", "binding_add")
def a_flag_of_a_later_version(world, arguments):
    _flag(arguments, 1 << 31)


@case("INVALID", "rows.flags", "binding_add")
def a_notice_that_is_to_be_two_way(world, arguments):
    _flag(arguments, d.BINDING_TWO_WAY)


def _flag(arguments, flags):
    arguments["rows"] = d.BindingRow(b"name", ignore_event, flags)


@case("INVALID", "rows.name", "binding_add", "binding_retarget")
def an_owner_that_shows_nothing_of_this(world, arguments):
    world.handle("binding" if "binding" in arguments else "owner")
    arguments["owner"] = world.scope_of(world.context, b"Other")


@case("INVALID", "owner", "binding_add", "binding_retarget")
def an_owner_of_another_context(world, arguments):
    other = World(world.threads, world.folder)
    world.others.append(other)
    arguments["owner"] = other.owner


@case("STALE", "owner", "binding_add", "binding_retarget")
def an_owner_that_has_ended(world, arguments):
    assert C.mainstem_scope_end(arguments["owner"]) == OK


@case("WRONG_KIND", "owner", "binding_add", "binding_retarget")
def an_owner_that_is_no_scope(world, arguments):
    arguments["owner"] = world.subscription


@case("LIMIT", "context", "binding_add")
def a_view_that_has_all_its_observers(world, arguments):
    arguments["view"] = world.scope_of(world.context, limit_observers=1)


@case("LIMIT", "context", "binding_retarget")
def a_view_whose_observers_took_the_place(world, arguments):
    view = world.scope_of(world.context, limit_observers=2)
    arguments["binding"] = world.bind(view, None)
    world.observe(view)


@case("DENIED", None, "binding_retarget", "binding_set", lasting=("events", "deliveries", "denied"))
def a_view_without_rights(world, arguments):
    view = world.scope_of(world.context, flags=3)
    arguments["binding"] = world.bind(view, None)
    if "owner" not in arguments:
        blind = world.scope_of(world.context, flags=1)
        arguments["binding"] = world.bind(blind, world.owner)


@case("INVALID", "name", "binding_set")
def a_value_that_the_owner_does_not_have(world, arguments):
    arguments["name"] = b"nobody"


@case("INVALID", "name", "binding_set")
def a_command_that_is_written(world, arguments):
    arguments["binding"], arguments["name"] = world.commanding, b"go"


@case("INVALID", "name", "binding_set")
def what_the_library_says_of_a_command(world, arguments):
    arguments["binding"], arguments["name"] = world.commanding, b"go.error"


@case("STALE", "binding", "binding_set")
def a_binding_that_points_nowhere(world, arguments):
    arguments["binding"] = world.bind(world.context, None)


@case("FULL", None, "binding_set", lasting=("rejected",))
def a_queue_that_refuses_what_is_written(world, arguments):
    world.fill_a_queue()


@case(
    "LIMIT",
    "context",
    "binding_set",
    where="deep",
    lasting=("events", "deliveries", "rejected", "types"),
)
def what_is_written_too_many_causes_away(world, arguments):
    arguments["binding"] = world.bind(world.shallow, world.owner_in(world.shallow))
