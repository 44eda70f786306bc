# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Models that are refused, and runs of their commands."""

from __future__ import annotations

from mainstem._library import C
from mainstem._library import _header as d
from raw import OK

from .case import case
from .world import World, ignore_event


def _row(arguments, **fields):
    row = d.ViewmodelRow(b"go", d.VIEWMODEL_COMMAND, d.PAYLOAD_TEXT, ignore_event)
    for field, value in fields.items():
        setattr(row, field, value)
    arguments["rows"] = row


@case("INVALID", "name", "viewmodel_add")
def a_context_that_would_be_the_model(world, arguments):
    arguments["name"] = None


@case("INVALID", "name", "viewmodel_add")
def a_scope_that_is_a_server_already(world, arguments):
    world.handle("served")
    arguments["context"], arguments["name"] = world.servers[0], None


@case("INVALID", "rows.kind", "viewmodel_add")
def a_row_of_no_kind(world, arguments):
    _row(arguments, kind=5)


@case("INVALID", "rows.policy", "viewmodel_add")
def a_command_of_no_policy(world, arguments):
    _row(arguments, policy=4)


@case("INVALID", "rows.fn", "viewmodel_add")
def a_command_without_a_function(world, arguments):
    _row(arguments, fn=d.EVENT_FN())


@case("INVALID", "rows", "viewmodel_add")
def a_value_with_a_function(world, arguments):
    _row(arguments, kind=d.VIEWMODEL_VALUE)


@case("INVALID", "rows.contract", "viewmodel_add")
def a_row_with_a_role(world, arguments):
    _row(arguments, contract=d.PAYLOAD_TEXT | d.ROLE_VALUE)


@case("INVALID", "contract", "viewmodel_add", lasting=("types",))
def a_contract_that_is_none(world, arguments):
    _row(arguments, contract=1 << 63)


@case("INVALID", "rows.enabled", "viewmodel_add", lasting=("types",))
def a_command_enabled_by_what_is_no_value(world, arguments):
    _row(arguments, enabled=b"go")


@case("INVALID", "rows.name", "viewmodel_add")
def a_row_without_a_name(world, arguments):
    _row(arguments, name=None)


@case("INVALID", "rows.name", "viewmodel_add", lasting=("types",))
def two_rows_of_one_name(world, arguments):
    row = d.ViewmodelRow(b"go", d.VIEWMODEL_COMMAND, d.PAYLOAD_TEXT, ignore_event)
    arguments["rows"] = (d.ViewmodelRow * 2)(row, row)
    arguments["count"] = 2


@case("TOO_BIG", "rows.name", "viewmodel_add")
def a_row_whose_type_has_too_long_a_name(world, arguments):
    _row(arguments, name=b"n" * 250)


@case("DENIED", None, "viewmodel_add", lasting=("events", "deliveries", "denied"))
def a_model_of_a_scope_without_rights(world, arguments):
    arguments["context"] = world.scope_of(world.context, flags=3)


@case("LIMIT", "context", "viewmodel_add", lasting=("types",))
def a_scope_that_has_all_its_observers(world, arguments):
    arguments["context"] = world.scope_of(world.context, limit_observers=1)


@case("DISABLED", "name", "binding_run")
def a_command_that_is_disabled(world, arguments):
    other = World(world.threads, world.folder)
    world.others.append(other)
    arguments["binding"] = other.bind(other.context, other.model_in(other.context, enabled=b"may"))


def _keeping(world, policy):
    """A binding to a model of another context whose command is executing."""
    other = World(world.threads, world.folder)
    world.others.append(other)
    keep = d.EVENT_FN(lambda data, event: other.retain(event) and None)
    other.kept.append(keep)
    binding = other.bind(other.context, other.model_in(other.context, keep, policy))
    assert _run(binding) == OK
    return binding


def _run(binding):
    return C.mainstem_binding_run(binding, b"go", b"", 0, d.EVENT_FN(), None, d.RELEASE_FN(), None)


@case("EXECUTING", "name", "binding_run")
def a_command_that_is_executing(world, arguments):
    arguments["binding"] = _keeping(world, d.COMMAND_REFUSE)


@case("FULL", "name", "binding_run")
def a_command_for_which_so_many_wait(world, arguments):
    arguments["binding"] = _keeping(world, d.COMMAND_QUEUE)
    for _ in range(64):
        assert _run(arguments["binding"]) == OK


@case("DENIED", None, "binding_run", lasting=("events", "deliveries", "denied"))
def a_view_without_rights(world, arguments):
    model = world.model
    arguments["binding"] = world.bind(world.scope_of(world.context, flags=1), model)


@case("INVALID", "name", "binding_run")
def a_value_that_is_no_command(world, arguments):
    arguments["name"] = b"name"


@case("STALE", "binding", "binding_run")
def a_binding_that_points_nowhere(world, arguments):
    arguments["binding"] = world.bind(world.context, None)


@case(
    "LIMIT",
    "context",
    "binding_run",
    where="deep",
    lasting=("events", "deliveries", "rejected", "types"),
)
def a_run_too_many_causes_away(world, arguments):
    arguments["binding"] = world.bind(world.shallow, world.model_in(world.shallow))
