# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Contexts, types, sends, timers and waits that are refused."""

from __future__ import annotations

import os
import signal
from ctypes import byref, c_uint64, sizeof

from journal_writer import TEXT
from mainstem._library import C
from mainstem._library import _header as d
from raw import OK

from .case import case
from .world import SECRET

SENT = ("send", "send_many", "request", "request_with", "instance_open")
VALUES = (
    "value_set",
    "value_set_bool",
    "value_set_integer",
    "value_set_number",
    "value_set_text",
    "value_get",
)


@case("FULL", None, *SENT, *VALUES[:-1], "post", lasting=("rejected",))
def a_queue_that_refuses(world, arguments):
    world.fill_a_queue()


@case("FULL", "context", "post_from_interrupt", lasting=("rejected",))
def as_many_from_interrupts_as_there_is_room_for(world, arguments):
    for _ in range(256):
        assert C.mainstem_post_from_interrupt(*arguments.values()) == OK


@case("LIMIT", "context", *SENT, where="deep", lasting=("events", "deliveries", "rejected"))
def an_event_too_many_causes_away(world, arguments):
    arguments["context"] = world.shallow


@case(
    "LIMIT",
    "context",
    *VALUES[:-1],
    where="deep",
    lasting=("events", "deliveries", "rejected", "types"),
)
def a_value_too_many_causes_away(world, arguments):
    info = d.TypeInfoStruct(size=sizeof(d.TypeInfoStruct))
    assert C.mainstem_type_read(arguments["context"], arguments["type"], byref(info)) == OK
    arguments["context"] = world.shallow
    arguments["type"] = world.add_type(world.shallow, b"Value", info.contract)


@case("LIMIT", "name", "layer_add")
def a_sixty_fifth_layer(world, arguments):
    layer, number = c_uint64(), 0
    while C.mainstem_layer_add(world.context, b"layer %d" % number, byref(layer)) == OK:
        number += 1
    assert number == 64 - 6


@case("LIMIT", None, "scheduler_add")
def a_sixty_fifth_scheduler(world, arguments):
    arguments["context"] = world.virtual
    number = 0
    while C.mainstem_scheduler_add(*arguments.values()) == OK:
        number += 1
    assert number == 63


@case("LIMIT", None, "context_fd", where="without descriptors")
def no_descriptor_left(world, arguments):
    pass


@case("LIMIT", "options.flags", "context_create", where="without descriptors")
def no_descriptor_left_for_interrupts(world, arguments):
    arguments["options"].flags = d.CONTEXT_INTERRUPTS


@case("LIMIT", None, "wait", "wait_interruptible", where="without descriptors")
def no_descriptor_left_to_sleep_on(world, arguments):
    arguments["timeout_ms"] = 1


@case("TOO_BIG", "options.limit_payload", "context_create")
def a_limit_over_its_maximum(world, arguments):
    arguments["options"].limit_payload = 1 << 32


@case("TOO_BIG", "count", "send_many", "history_keep")
def a_count_over_its_maximum(world, arguments):
    arguments["count"] = (1 << 24) + 1


@case("OK", None, "send_after")
def a_timer_that_a_queue_does_not_refuse(world, arguments):
    world.fill_a_queue()


@case("INVALID", "name", "type_add", "types_add")
def a_name_of_the_library(world, arguments):
    if "rows" in arguments:
        arguments["rows"].name = b"MainstemX"
    else:
        arguments["name"] = b"MainstemX"


def _none(contract):
    """A case of a contract with bits that mean nothing."""

    @case("INVALID", "contract", "type_add")
    def a_contract_that_is_none(world, arguments):
        arguments["contract"] = contract


for bits in (1, 5, 1 << 63, 1 << 46, 1 << 47, 1 << 51, (1 << 64) - 1):
    _none(bits)
for payload in (8 << 32, 15 << 32, d.PAYLOAD_TEXT | 5, d.PAYLOAD_BYTES | 1, d.PAYLOAD_BOOL | 1):
    _none(payload)
for role_or_layer in (5 << 36, 15 << 36, 6 << 40, 63 << 40):
    _none(role_or_layer)


@case("INVALID", "options.threads", "context_create")
def threads_that_are_none(world, arguments):
    arguments["options"].threads = 3


@case("INVALID", "options.clock", "context_create")
def a_clock_that_is_none(world, arguments):
    arguments["options"].clock = 2


@case("INVALID", "response", "type_add")
def a_response_that_is_not_utf_8(world, arguments):
    arguments["response"] = b"\xff"


@case("INVALID", "contract", "type_add")
def the_name_of_a_type_of_the_library(world, arguments):
    arguments["name"], arguments["contract"] = b"MainstemFailure", d.PAYLOAD_NONE


@case("INVALID", "response", "type_add")
def a_response_without_a_name(world, arguments):
    arguments["response"] = b""


@case("INVALID", "type", "request", "request_with", "request_count", "activity_report")
def a_type_that_is_no_request(world, arguments):
    arguments["type"] = world.type_of(b"Notice")


@case("INVALID", "type", "history_keep")
def a_request_type_with_a_history(world, arguments):
    arguments["type"] = world.type_of(b"RequestAsk")


@case("INVALID", "type", "history_keep")
def a_secret_with_a_history(world, arguments):
    arguments["type"] = world.add_type(world.context, b"Secret", TEXT | SECRET)


@case("INVALID", "type", "history_keep")
def a_value_with_a_history(world, arguments):
    arguments["type"] = world.add_type(world.context, b"Value", TEXT | d.ROLE_VALUE)


@case("INVALID", "type", *VALUES)
def a_type_that_is_no_value(world, arguments):
    arguments["type"] = world.type_of(b"Notice")


@case("INVALID", "type", *VALUES[1:-1])
def a_value_of_another_kind(world, arguments):
    contract = d.PAYLOAD_BYTES | d.ROLE_VALUE
    arguments["type"] = world.add_type(world.context, b"Value", contract)


@case("UNSET", "type", "value_get")
def a_value_that_was_never_set(world, arguments):
    arguments["type"] = world.add_type(world.context, b"Unset", TEXT | d.ROLE_VALUE)


@case("INVALID", "contract", "type_add")
def a_value_that_is_a_secret(world, arguments):
    arguments["contract"] = TEXT | SECRET | d.ROLE_VALUE


@case("INVALID", "name", "type_add")
def a_value_that_is_named_like_a_request(world, arguments):
    arguments["name"], arguments["contract"] = b"RequestValue", TEXT | d.ROLE_VALUE


@case("INVALID", "response", "type_add")
def a_value_that_has_a_response(world, arguments):
    arguments["contract"], arguments["response"] = TEXT | d.ROLE_VALUE, b"ResponseAnswer"


@case("INVALID", "options.timeout_ms", "request_with")
def a_time_out_below_0(world, arguments):
    arguments["options"].timeout_ms = -1


@case("INVALID", "context", "context_advance")
def a_clock_that_is_not_virtual(world, arguments):
    arguments["context"] = world.context


@case("INVALID", "interrupt_fd", "wait_interruptible")
def a_descriptor_that_is_not_open(world, arguments):
    arguments["interrupt_fd"] = 4711


@case("UNSUPPORTED", "context", "post_from_interrupt")
def a_context_that_is_not_prepared(world, arguments):
    arguments["context"] = world.context


@case("INTERRUPTED", None, "wait")
def a_signal_while_it_waits(world, arguments):
    before = signal.signal(signal.SIGALRM, lambda number, frame: None)
    world.at_close += [
        lambda: signal.setitimer(signal.ITIMER_REAL, 0),
        lambda: signal.signal(signal.SIGALRM, before),
    ]
    signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)  # One may come before the wait begins.
    arguments["timeout_ms"] = 10000


@case("INTERRUPTED", None, "wait_interruptible")
def a_descriptor_that_is_readable(world, arguments):
    reading, writing = os.pipe()
    os.write(writing, b"!")
    world.at_close += [lambda: os.close(reading), lambda: os.close(writing)]
    arguments["timeout_ms"], arguments["interrupt_fd"] = 10000, reading


@case("TOO_BIG", "count", "history_keep")
def a_count_that_is_negative_as_a_signed_number(world, arguments):
    arguments["count"] = (1 << 64) - 1


@case("OK", None, "history_keep")
def as_much_history_as_there_may_be(world, arguments):
    arguments["count"], arguments["max_age_ms"] = 1 << 24, (1 << 63) - 1


@case("OK", None, "request_with")
def a_time_out_that_never_comes(world, arguments):
    arguments["options"].timeout_ms = (1 << 63) - 1


@case("INVALID", "size", "send", "post", "send_after")
def a_payload_where_there_is_none(world, arguments):
    arguments["type"] = world.add_type(world.context, b"Bare", d.PAYLOAD_NONE)
    arguments["data"], arguments["size"] = b"x", 1


@case("INVALID", "size", "send", "post", "send_after")
def a_payload_of_another_size_than_the_struct(world, arguments):
    arguments["type"] = world.add_type(world.context, b"Struct", d.PAYLOAD_STRUCT | 8)
    arguments["data"], arguments["size"] = b"1234567", 7


@case("INVALID", "size", "send_many")
def a_batch_too_small_for_its_headers(world, arguments):
    arguments["size"] = 63


@case("INVALID", "batch", "send_many")
def a_payload_outside_of_the_batch(world, arguments):
    header = d.EventHeaderStruct(type=world.type_of(b"Notice"), offset=64, size=1)
    arguments["batch"] = bytes(header)


@case("WRONG_KIND", "scope", "scope_end")
def a_context_as_a_scope(world, arguments):
    arguments["scope"] = world.context
