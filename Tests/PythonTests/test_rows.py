# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Rows of bindings that a drain calls: two-way ones, and others."""

from __future__ import annotations

from typing import Any, List

import mainstem
import pytest


@pytest.fixture
def context(context: mainstem.Context) -> mainstem.Context:
    context.add_type("Form.name", str, role="value")
    context.add_type("Form.size", int, role="value")
    return context


class Field:
    """A control: whoever changes its text, it tells its view, which writes it."""

    def __init__(self, view: mainstem.Scope, owner: mainstem.Scope) -> None:
        self.text = ""
        self.shown: List[str] = []
        self.binding = view.bind(owner, {"name": mainstem.two_way(self.show)})

    def show(self, text: str) -> None:
        self.shown.append(text)
        self.type_in(text)

    def type_in(self, text: str) -> None:
        self.text = text
        self.binding.set("name", text)


def test_a_drain_calls_a_two_way_row_with_the_newest(context: mainstem.Context) -> None:
    owner = context.scope("Form")
    owner.set("Form.name", "one")
    field = Field(context, owner)
    assert field.shown == []
    context.drain()
    owner.set("Form.name", "two")
    owner.set("Form.name", "three")
    context.drain()
    assert field.shown == ["one", "three"]


def test_what_the_view_wrote_does_not_come_back(context: mainstem.Context) -> None:
    owner = context.scope("Form")
    field = Field(context, owner)
    owner.set("Form.name", "older")
    field.type_in("typed")
    context.drain()
    assert field.shown == []
    owner.set("Form.name", "newer")
    context.drain()
    assert (field.shown, field.text) == (["newer"], "newer")


def test_two_views_that_both_write_show_the_same(context: mainstem.Context) -> None:
    owner = context.scope("Form")
    left, right = Field(context, owner), Field(context.scope("Other"), owner)
    left.type_in("left")
    right.type_in("right")
    context.drain()
    assert (left.text, right.text) == ("right", "right")
    assert context.stats().events == 2
    assert context.drain() == 0


def test_a_drain_calls_a_row_on_the_host_with_each_change(context: mainstem.Context) -> None:
    seen: List[Any] = []
    owner = context.scope("Form")
    binding = context.bind(owner, {"size": mainstem.on_host(seen.append)})
    owner.set("Form.size", 1)
    owner.set("Form.size", 2)
    assert seen == []
    context.drain()
    binding.end()
    owner.set("Form.size", 3)
    context.drain()
    assert seen == [1, 2]


def test_a_pulse_is_not_two_way(context: mainstem.Context) -> None:
    context.add_type("Form.done", str)
    with pytest.raises(mainstem.MainstemError, match="MAINSTEM_ROLE_VALUE"):
        context.bind(context.scope("Form"), {"done": mainstem.two_way(None)})


def test_a_binding_may_end_in_a_two_way_row(context: mainstem.Context) -> None:
    seen: List[str] = []
    owner = context.scope("Form")

    def show(text: str) -> None:
        binding.end()
        seen.append(text)

    binding = context.bind(owner, {"name": mainstem.two_way(show)})
    owner.set("Form.name", "last")
    context.drain()
    owner.set("Form.name", "none")
    context.drain()
    assert seen == ["last"]


def test_the_end_of_an_owner_is_told_after_its_last_value(context: mainstem.Context) -> None:
    seen: List[Any] = []
    owner, other = context.scope("Form"), context.scope("Form")
    binding = context.bind(owner, {"name": seen.append})
    binding.on_changes(seen.append)
    binding.on_ended(lambda: seen.append("empty"))
    owner.set("Form.name", "last")
    owner.end()
    context.drain()
    assert seen == ["last", ["name"], "empty"]
    with pytest.raises(mainstem.MainstemError, match="has ended"):
        binding.set("name", "x")
    binding.point(other)
    other.end()
    binding.on_ended(None)
    context.drain()
    assert seen == ["last", ["name"], "empty"]
    binding.on_ended(lambda: seen.append("late"))
    context.drain()
    assert seen[3:] == ["late"]


def test_an_exception_of_the_end_is_reported() -> None:
    told: List[str] = []
    with mainstem.Context(on_exception=lambda error, value: told.append(str(error))) as context:
        owner = context.scope("Form")

        def fail() -> None:
            raise KeyError("empty")

        context.bind(owner, {}).on_ended(fail)
        owner.end()
        context.drain()
    assert told == ["'empty'"]
