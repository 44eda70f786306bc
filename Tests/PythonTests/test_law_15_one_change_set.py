# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 15: a view is told once per drain what has changed."""

from __future__ import annotations

import mainstem
import pytest


@pytest.fixture
def context(context):
    for name in ("name", "size"):
        context.add_type(f"Cell.{name}", int, role="value")
    return context


def test_a_set_names_all_that_has_changed_once(context):
    told = []
    owner = context.scope("Cell")
    context.bind(owner, {"name": None, "size": None}).on_changes(told.append)
    for value in range(5):
        owner.set("Cell.size", value)
        owner.set("Cell.name", value)
    context.drain()
    assert told == [["size", "name"]]


def test_what_a_set_sends_is_told_by_the_next_drain(context):
    told = []
    owner = context.scope("Cell")
    binding = context.bind(owner, {"name": None, "size": None})

    def tell(names):
        told.append(names)
        if len(told) == 1:
            owner.set("Cell.name", 2)
            owner.set("Cell.size", 2)

    binding.on_changes(tell)
    owner.set("Cell.name", 1)
    context.drain()
    assert told == [["name"]]
    context.drain()
    assert told == [["name"], ["name", "size"]]


def test_it_comes_after_the_rows(context):
    seen = []
    owner = context.scope("Cell")
    rows = {"name": mainstem.two_way(seen.append), "size": mainstem.on_host(seen.append)}
    context.bind(owner, rows).on_changes(seen.append)
    owner.set("Cell.size", 1)
    owner.set("Cell.name", 2)
    context.drain()
    assert seen == [1, 2, ["size", "name"]]
