# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Answers that are refused, and what else concerns an event."""

from __future__ import annotations

import ctypes
from ctypes import c_void_p

from journal_writer import TEXT
from mainstem._library import C
from mainstem._library import _header as d
from raw import OK

from .case import case
from .generic import DENIAL
from .places import long_text

RESPONDED = ("respond", "respond_error", "respond_error_with")


@case("FULL", None, *RESPONDED, "respond_progress", lasting=("rejected",))
def an_answer_that_a_queue_refuses(world, arguments):
    arguments["event"] = world.event_of(world.sent_request(world.context))
    world.fill_a_queue()


@case(
    "LIMIT",
    "context",
    *RESPONDED,
    "respond_progress",
    where="deep",
    lasting=("events", "deliveries", "rejected"),
)
def an_answer_too_many_causes_away(world, arguments):
    arguments["event"] = world.event_of(world.sent_to_shallow)


@case("OK", None, "respond_error", "respond_error_with")
def an_error_longer_than_a_payload_may_be(world, arguments):
    context = world.open_context("narrow", limit_payload=10)
    arguments["event"] = world.event_of(world.sent_request(context))
    if "message" in arguments:
        arguments["message"] = b"n" * 11
    else:
        arguments["error"].message = b"n" * 11


@case("TOO_BIG", None, "respond_error", "respond_error_with")
def an_error_of_4_gib(world, arguments):
    if "message" in arguments:
        arguments["message"] = long_text(1 << 32)
    else:
        arguments["error"].message = arguments["error"].user_message = long_text(1 << 31)


@case("INVALID", "type", "respond_progress")
def progress_that_is_no_notice(world, arguments):
    arguments["type"] = world.type_of(b"ResponseAsk")


@case("INVALID", "error.code", "respond_error_with")
def an_error_that_is_ok(world, arguments):
    arguments["error"].code = 0


@case("INVALID", "error.message", "respond_error_with")
def a_sentence_that_is_not_utf_8(world, arguments):
    arguments["error"].message = b"\xff"


@case("INVALID", "error.user_message", "respond_error_with")
def a_text_that_is_not_utf_8(world, arguments):
    arguments["error"].user_message = b"\xff"


@case("INVALID", "error.subject", "respond_error_with")
def a_subject_that_is_not_utf_8(world, arguments):
    arguments["error"].subject = b"\xff"


@case("INVALID", "event", *RESPONDED, "respond_progress")
def a_notice(world, arguments):
    arguments["event"] = world.event_of(world.sent_request(world.context, b"Notice"))


@case("INVALID", "event", *RESPONDED)
def a_request_that_names_no_response(world, arguments):
    world.add_type(world.context, b"RequestMore", TEXT)
    arguments["event"] = world.event_of(world.sent_request(world.context, b"RequestMore"))


@case("INVALID", "event", *RESPONDED, "respond_progress")
def an_answer(world, arguments):
    arguments["event"] = world.failure


@case("INVALID", "event", "event_error")
def an_event_without_an_error(world, arguments):
    arguments["event"] = world.event_of(world.retained)


@case("INVALID", "event", "event_on_settled", where="inside")
def a_notice_that_a_callback_got(world, arguments):
    pass


@case("INVALID", "event", "fail", "confirm", "event_on_settled")
def an_event_of_no_callback(world, arguments):
    copy = d.EventStruct.from_buffer_copy(d.EventStruct.from_address(arguments["event"]))
    world.kept.append(copy)
    arguments["event"] = ctypes.addressof(copy)


@case(
    "STALE",
    None,
    "event_line",
    "event_retain",
    "event_on_settled",
    "event_is_settled",
    *RESPONDED,
    "respond_progress",
)
def a_copy_of_an_event_whose_context_is_closed(world, arguments):
    other = type(world)(world.threads, world.folder)
    closed = d.EventStruct.from_address(other.event_of(other.retained))
    copy = d.EventStruct.from_buffer_copy(closed)
    copy.data = copy.user_message = ctypes.cast(b"", c_void_p).value
    other.close()
    world.kept.append(copy)
    arguments["event"] = ctypes.addressof(copy)


@case("STALE", "event", *RESPONDED, "respond_progress")
def a_request_that_was_answered(world, arguments):
    assert C.mainstem_respond(arguments["event"], b"", 0) == OK


@case("DENIED", None, *RESPONDED, lasting=DENIAL)
def a_response_type_of_a_layer_that_the_server_may_not_send(world, arguments):
    world.add_type(world.context, b"RequestMore", TEXT, b"ResponseMore")
    scope = world.scope_of(world.context, send_layers=1)
    arguments["event"] = world.event_of(world.sent_request(scope, b"RequestMore"))
    world.add_type(world.context, b"ResponseMore", TEXT | d.LAYER_VIEW)


@case("DENIED", None, "respond_progress", lasting=DENIAL)
def progress_of_a_layer_that_the_server_may_not_send(world, arguments):
    scope = world.scope_of(world.context, send_layers=1)
    arguments["event"] = world.event_of(world.sent_request(scope))
    arguments["type"] = world.add_type(world.context, b"Step", TEXT | d.LAYER_VIEW)
