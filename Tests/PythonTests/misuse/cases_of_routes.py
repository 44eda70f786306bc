# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Patterns, URLs and names that are refused, and a router that is in use."""

from __future__ import annotations

from mainstem._library import C
from mainstem._library import _header as d
from raw import OK

from .case import case

USED = ("router_type_add", "router_add", "router_remove", "router_match", "router_close")


@case("INVALID", "pattern", "router_add", "route_write")
def a_pattern_that_is_malformed(world, arguments):
    arguments["pattern"] = b"user/<id"


@case("TOO_BIG", "pattern", "router_add", "route_write")
def a_pattern_that_is_too_long(world, arguments):
    arguments["pattern"] = b"a" * 4097


@case("INVALID", "name", "router_type_add")
def a_type_that_is_there_already(world, arguments):
    arguments["name"] = b"any"


@case("INVALID", "route", "router_remove")
def a_route_that_was_never_there(world, arguments):
    arguments["route"] = 4711


@case("STALE", "route", "router_remove")
def a_route_that_was_removed(world, arguments):
    assert C.mainstem_router_remove(world.router, 1) == OK


@case("NO_ROUTE", "url", "router_match")
def a_url_without_a_route(world, arguments):
    arguments["url"] = b"nowhere/at/all"


@case("BAD_URL", "url", "router_match")
def a_url_with_a_malformed_escape(world, arguments):
    arguments["url"] = b"a%2"


@case("TOO_BIG", "url", "router_match")
def a_url_that_is_too_long(world, arguments):
    arguments["url"] = b"a" * 65537


@case("UNSET", "name", "match_text")
def a_name_that_is_no_parameter_and_no_key(world, arguments):
    arguments["name"] = b"Other"


@case("TOO_BIG", "capacity", "route_write")
def a_url_that_has_no_room(world, arguments):
    arguments["capacity"] = 6


@case("TOO_BIG", "count", "route_write")
def more_values_than_there_may_be(world, arguments):
    arguments["values"], arguments["count"] = (d.RouteValue * 4097)(), 4097


@case("INVALID", "values", "route_write")
def a_value_without_a_text(world, arguments):
    arguments["values"] = (d.RouteValue * 1)((b"id", None))


@case("BUSY", "router", *USED, where="in a type")
def a_router_that_asks_a_type(world, arguments):
    pass


@case("WRONG_THREAD", "router", *USED, where="beside a type")
def a_router_that_is_in_use_on_another_thread(world, arguments):
    pass
