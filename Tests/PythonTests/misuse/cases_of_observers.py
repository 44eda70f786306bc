# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Observers and servers that are refused."""

from __future__ import annotations

import ctypes

from mainstem._library import C
from mainstem._library import _header as d
from raw import OK

from .case import case
from .world import ignore_event


@case("INVALID", "name", "factory_add", "service_add")
def a_name_that_has_a_factory(world, arguments):
    arguments["name"] = world.factory


@case("INVALID", "name", "instance_open")
def a_name_that_has_no_factory(world, arguments):
    arguments["name"] = b"Nobody"


@case("INVALID", "contract", "factory_add", "service_add")
def a_contract_with_a_role(world, arguments):
    arguments["contract"] |= 1 << 36


@case("INVALID", "context", "factory_add", "service_add")
def a_context_that_has_had_events(world, arguments):
    assert C.mainstem_send(world.context, world.type_of(b"Notice"), b"", 0) == OK


@case("LIMIT", "context", "factory_add", "service_add", lasting=("types",))
@case("LIMIT", "context", "observe", "observe_with", "trace", "server_add", "server_add_with")
def a_budget_of_observers_that_is_used_up(world, arguments):
    arguments["context"] = world.scope_of(world.context, limit_observers=1)
    world.observe(arguments["context"])


@case("TOO_BIG", "size", "mailbox_take")
def a_buffer_too_small_for_a_record(world, arguments):
    assert C.mainstem_send(world.context, world.type_of(b"Notice"), b"", 0) == OK
    arguments["size"] = 63


@case("TOO_BIG", "options.type_count", "observe_with")
def more_types_than_there_can_be(world, arguments):
    types = (ctypes.c_uint32 * 1)(1)
    arguments["options"].types, arguments["options"].type_count = types, 1 << 63


@case("TOO_BIG", "options.limit_events", "observe_with", "server_add_with")
def a_queue_of_more_events_than_memory_can_hold(world, arguments):
    arguments["options"].limit_events = 1 << 63


@case("TOO_BIG", "options.limit_bytes", "observe_with", "server_add_with")
def a_queue_of_more_bytes_than_memory_can_hold(world, arguments):
    arguments["options"].limit_bytes = 1 << 63


@case("INVALID", "subscription", "mailbox_take")
def a_subscription_with_a_function(world, arguments):
    arguments["subscription"] = world.subscription


@case("INVALID", "subscription", "subscription_demand")
def a_subscription_that_is_not_on_demand(world, arguments):
    arguments["subscription"] = world.subscription


@case("INVALID", "fn", "observe_with")
def a_mailbox_that_is_not_the_hosts(world, arguments):
    arguments["fn"], arguments["options"].scheduler = d.EVENT_FN(), 0


@case("INVALID", "options.flags", "observe_with")
def failed_and_succeeded_at_once(world, arguments):
    arguments["options"].flags = 3


@case("INVALID", "options.flags", "observe_with")
def a_mailbox_that_confirms(world, arguments):
    arguments["fn"], arguments["options"].flags = d.EVENT_FN(), 4


@case("INVALID", "options.flags", "observe_with")
def a_mailbox_on_demand(world, arguments):
    arguments["fn"], arguments["options"].flags = d.EVENT_FN(), 16


@case("INVALID", "options.flags", "observe_with")
def on_demand_without_a_scheduler(world, arguments):
    arguments["options"].flags, arguments["options"].scheduler = 16, 0


@case("INVALID", "options.role", "observe_with")
def a_role_that_is_none(world, arguments):
    arguments["options"].role = 5


@case("INVALID", "options.scheduler", "observe_with", "request_with", "server_add_with")
def a_scheduler_that_is_none(world, arguments):
    arguments["options"].scheduler = 4711


def _rows(arguments, second):
    """Two rows, of which the first is good."""
    arguments["rows"], arguments["count"] = (d.HandlerRow * 2)(arguments["rows"], second), 2


@case("INVALID", "rows.type", "server_add", "server_add_with")
def a_row_of_no_type(world, arguments):
    _rows(arguments, d.HandlerRow(b"Nobody", ignore_event))


@case("INVALID", "rows.type", "server_add", "server_add_with")
def a_row_without_a_type(world, arguments):
    _rows(arguments, d.HandlerRow(None, ignore_event))


@case("UNSUPPORTED", "rows.flags", "server_add", "server_add_with")
def a_flag_of_a_later_version(world, arguments):
    arguments["rows"].flags = 1 << 31


@case("INVALID", "rows.fn", "server_add", "server_add_with")
def a_row_without_a_function(world, arguments):
    _rows(arguments, d.HandlerRow(b"Notice", d.EVENT_FN()))


@case("INVALID", "type", "observe_with")
def a_list_with_a_type_that_is_none(world, arguments):
    types = (ctypes.c_uint32 * 2)(world.type_of(b"Notice"), 4711)
    arguments["options"].types, arguments["options"].type_count = types, 2


@case("INVALID", "options.of", "observe_with")
def a_scope_of_another_context(world, arguments):
    arguments["options"].of = world.prepared


@case("WRONG_KIND", "options.of", "observe_with")
def a_scope_that_is_a_subscription(world, arguments):
    arguments["options"].of = world.observe(world.context)


@case("STALE", "options.of", "observe_with")
def a_scope_that_has_ended(world, arguments):
    scope = world.scope_of(world.context)
    arguments["options"].of = scope
    assert C.mainstem_scope_end(scope) == OK


@case("INVALID", "options.types", "observe_with")
def a_list_that_is_none(world, arguments):
    arguments["options"].types = None


@case("INVALID", "options.policy", "observe_with", "server_add_with")
def a_policy_that_is_none(world, arguments):
    arguments["options"].policy = 5


@case("INVALID", "options.policy", "server_add_with")
def a_policy_that_drops_requests(world, arguments):
    arguments["options"].scheduler, arguments["options"].policy = 1, d.QUEUE_LATEST


@case("INVALID", "fn", "observe_with")
def a_mailbox_of_a_serial_scheduler(world, arguments):
    serial, arguments["fn"] = ctypes.c_uint32(), d.EVENT_FN()
    assert C.mainstem_scheduler_add(world.context, b"Serial", 0, ctypes.byref(serial)) == OK
    arguments["options"].scheduler = serial.value


@case("INVALID", "options.role", "observe_with")
def a_role_of_all_bits(world, arguments):
    arguments["options"].role = 15 << 36
