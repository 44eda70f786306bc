# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Services that are refused."""

from __future__ import annotations

import ctypes

from .case import case


@case("INVALID", "name", "service_find")
def a_name_that_has_no_service(world, arguments):
    arguments["name"] = b"Nobody"


@case("INVALID", "types", "service_add")
def no_types_but_a_count(world, arguments):
    arguments["types"], arguments["count"] = None, 1


@case("INVALID", None, "service_add", lasting=("types",))
def a_type_that_is_not_registered(world, arguments):
    arguments["types"], arguments["count"] = (ctypes.c_char_p * 1)(b"Nothing"), 1


@case("TOO_BIG", "count", "service_add")
def more_requests_than_there_can_be(world, arguments):
    arguments["types"], arguments["count"] = (ctypes.c_char_p * 1)(b"Notice"), 1 << 63


@case("UNSET", "name", "service_find", lasting=("on_host",))
def a_service_that_waits_for_the_host(world, arguments):
    arguments["scope"] = world.on_host
    world.add_service(world.on_host)


@case("FULL", None, "service_find", lasting=("rejected",))
def a_queue_that_refuses_what_it_sends(world, arguments):
    world.fill_a_queue()
