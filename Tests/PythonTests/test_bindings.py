# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Bindings: what one scope shows is passed to a view's functions, and the view writes it."""

from __future__ import annotations

from typing import Any, List

import mainstem
import pytest


@pytest.fixture
def context(context: mainstem.Context) -> mainstem.Context:
    context.add_type("Cell.name", str)
    context.add_type("Cell.count", int)
    context.add_type("Cell.items", "json")
    return context


def test_a_row_gets_what_is_kept_then_each_change(context: mainstem.Context) -> None:
    seen: List[Any] = []
    owner, other, view = context.scope("Cell"), context.scope("Cell"), context.scope("View")
    context.keep_history("Cell.name", 10)
    owner.send("Cell.name", "one")
    view.bind(owner, {"name": seen.append, "count": seen.append, "items": seen.append})
    owner.send("Cell.count", 2)
    other.send("Cell.count", 3)
    owner.send("Cell.items", '["a", "b"]')
    assert seen == ["one", 2, ["a", "b"]]


def test_pointed_elsewhere_it_hears_the_new_owner_alone(context: mainstem.Context) -> None:
    seen: List[Any] = []
    owner, other, view = context.scope("Cell"), context.scope("Cell"), context.scope("View")
    binding = view.bind(None, {"name": seen.append})
    owner.send("Cell.name", "nobody")
    binding.retarget(owner)
    owner.send("Cell.name", "one")
    binding.retarget(other)
    owner.send("Cell.name", "old")
    other.send("Cell.name", "two")
    binding.retarget(None)
    other.send("Cell.name", "nobody")
    assert seen == ["one", "two"]


def test_what_a_view_writes_is_an_input_of_its_owner(context: mainstem.Context) -> None:
    seen: List[Any] = []
    owner, view = context.scope("Cell"), context.scope("View")
    context.observe("Cell.name", lambda event: seen.append((event.origin, event.data, event.cause)))
    binding = view.bind(owner, {})
    context.add_type("Notice")
    context.observe("Notice", lambda event: binding.set("name", "inside"))
    binding.set("name", "jack")
    context.send("Notice")
    assert seen == [("Cell", b"jack", 0), ("Cell", b"inside", 2)]
    with pytest.raises(mainstem.MainstemError, match=r"did you mean Cell\.name"):
        binding.set("nam", "x")
    with pytest.raises(mainstem.MainstemError, match="carries 8 bytes"):
        binding.set("count", "x")
    binding.retarget(None)
    with pytest.raises(mainstem.MainstemError, match="points nowhere"):
        binding.set("name", "x")


def test_changes_are_told_once_per_drain(context: mainstem.Context) -> None:
    told: List[List[str]] = []
    owner, view = context.scope("Cell"), context.scope("View")
    binding = view.bind(owner, {"name": None, "count": None})
    binding.on_changes(told.append)
    for count in range(3):
        owner.send("Cell.count", count)
    owner.send("Cell.name", "x")
    assert told == []
    context.drain()
    assert told == [["count", "name"]]
    context.drain()
    binding.on_changes(None)
    owner.send("Cell.name", "y")
    context.drain()
    assert told == [["count", "name"]]


def test_an_exception_of_a_row_is_a_failure_and_the_next_row_is_called() -> None:
    seen: List[Any] = []
    told: List[Any] = []
    with mainstem.Context(on_exception=lambda error, value: told.append(str(error))) as context:
        context.add_type("Cell.name", str)
        owner = context.scope("Cell")

        def fail(value: str) -> None:
            raise ValueError(value)

        def fail_changes(names: List[str]) -> None:
            raise KeyError(names[0])

        context.bind(owner, {"name": fail}).on_changes(fail_changes)
        context.bind(owner, {"name": seen.append})
        owner.send("Cell.name", "x")
        context.drain()
        assert (seen, told) == (["x"], ["x", "'name'"])
        assert context.stats().failures == 1


def test_it_ends_with_its_view_or_by_itself(context: mainstem.Context) -> None:
    seen: List[Any] = []
    owner = context.scope("Cell")
    with context.scope("View") as view:
        kept = view.bind(owner, {"name": seen.append})
        with view.bind(owner, {"name": seen.append}) as short:
            owner.send("Cell.name", "both")
        short.end()
        owner.send("Cell.name", "one")
    owner.send("Cell.name", "none")
    assert seen == ["both", "both", "one"]
    with pytest.raises(mainstem.MainstemError, match="has ended"):
        kept.set("name", "x")
    with pytest.raises(mainstem.MainstemError):
        context.bind(owner, {"nmae": seen.append})


def test_what_an_async_function_would_do_is_refused(context: mainstem.Context) -> None:
    async def show(value: str) -> None:
        """Never runs."""

    with pytest.raises(TypeError, match="async"):
        context.bind(None, {"name": show})


class Counter(mainstem.ViewModel):
    step: int = mainstem.writable(1)
    count: int = mainstem.shown(0)


def test_a_view_writes_only_what_is_written_by_views() -> None:
    with mainstem.Context() as context:
        counter = context.open(Counter())
        view = counter.bind(count=lambda count: None)
        binding = context.scope("Window").bind(counter.scope, {})
        binding.set("step", 5)
        with pytest.raises(mainstem.MainstemError, match="count is only shown: run a command"):
            binding.set("count", 5)
        with pytest.raises(AttributeError, match="count is not written by views"):
            view.count = 5
        assert (view.step, view.count) == (5, 0)


def test_no_other_scope_sets_what_a_view_model_shows() -> None:
    with mainstem.Context() as context:
        counter = context.open(Counter())
        with pytest.raises(mainstem.MainstemError, match=r"Counter\.count is not the scope of"):
            context.set("Counter.count", 5)
        with pytest.raises(mainstem.MainstemError, match="INVALID"):
            context.scope("Window").set("Counter.count", 5)
        assert counter.count == 0
