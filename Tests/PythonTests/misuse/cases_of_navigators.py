# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Navigators, routes, moves and what the stage reads that are refused."""

from __future__ import annotations

from mainstem._library import C
from mainstem._library import _header as d
from raw import OK

from .case import case


@case("INVALID", "context", "navigator_add")
def a_second_navigator(world, arguments):
    assert C.mainstem_navigator_add(world.context, None) == OK


@case("TOO_BIG", "options.scheme", "navigator_add")
def a_scheme_that_is_too_long(world, arguments):
    arguments["options"].scheme = b"s" * 256


@case("UNSUPPORTED", None, "routes_add")
def a_route_with_an_unknown_flag(world, arguments):
    arguments["rows"].flags = 1


@case("INVALID", None, "routes_add")
def an_embed_without_a_slot(world, arguments):
    arguments["rows"].kind = d.EMBED


@case("INVALID", None, "routes_add")
def a_name_without_a_factory(world, arguments):
    arguments["rows"].name = b"Nobody"


@case("UNSUPPORTED", "flags", "guard_add")
def a_guard_with_an_unknown_flag(world, arguments):
    arguments["flags"] = 2


@case("INVALID", "move.verb", "navigator_move")
def a_verb_that_is_unknown(world, arguments):
    arguments["move"].verb = 99


@case("TOO_BIG", None, "navigator_move")
def a_url_of_a_move_that_is_too_long(world, arguments):
    arguments["move"].url = b"u" * 65537


@case("TOO_BIG", "url", "navigator_open")
def a_url_to_open_that_is_too_long(world, arguments):
    arguments["url"] = b"u" * 65537


@case("BAD_URL", "url", "navigator_move")
def a_url_of_a_move_that_is_not_utf_8(world, arguments):
    arguments["move"].url = b"\xff"


@case("BAD_URL", "url", "navigator_open")
def a_url_to_open_that_is_not_utf_8(world, arguments):
    arguments["url"] = b"\xff"


@case("NO_ROUTE", None, "event_match")
def an_event_whose_url_takes_no_route(world, arguments):
    arguments["event"] = world.event_of_text(b"nowhere")


@case("BAD_URL", None, "event_match")
def an_event_whose_url_is_malformed(world, arguments):
    arguments["event"] = world.event_of_text(b"a%2")


@case("STALE", None, "guard_answer")
def a_guard_that_has_answered(world, arguments):
    assert C.mainstem_guard_answer(arguments["event"], d.GUARD_ALLOW, None) == OK


@case("TOO_BIG", "url", "guard_answer")
def an_answer_whose_url_is_too_long(world, arguments):
    arguments["verdict"], arguments["url"] = d.GUARD_REDIRECT, b"u" * 65537


@case("BAD_URL", "url", "guard_answer")
def an_answer_whose_url_is_not_utf8(world, arguments):
    arguments["verdict"], arguments["url"] = d.GUARD_REDIRECT, b"\xff"


@case("UNSUPPORTED", None, "intents_add")
def an_intent_with_an_unknown_flag(world, arguments):
    arguments["rows"].flags = 4


@case("UNSET", "event", "event_component")
def an_event_of_no_component(world, arguments):
    arguments["event"] = world.event_heard(b"MainstemShow")


@case("UNSET", "event", "show_read")
def a_change_that_only_closes(world, arguments):
    arguments["event"] = world.event_heard(b"closing")


@case("UNSET", "index", "routes_read")
def a_route_that_is_not_there(world, arguments):
    arguments["index"] = 2


@case("TOO_BIG", "capacity", "show_read", "component_read", "hide_read", "navigator_tree")
def room_that_is_too_small(world, arguments):
    arguments["capacity"] = 0


@case("STALE", None, "result_read", "event_match", "show_read", "hide_read", "event_component")
def an_event_of_a_closed_context(world, arguments):
    arguments["event"] = world.of_a_closed_context(arguments["event"])
