# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Owners: opened by events, ended by events."""

from __future__ import annotations

import asyncio

import mainstem
import pytest
from mainstem import Failure, MainstemError


class House:
    """A program whose owners say "Tock" when they hear "Tick"."""

    def __init__(self, context):
        self.context, self.seen, self.numbers = context, [], []
        self.refuses = None
        context.add_type("Tick", str)
        context.add_type("Tock", str)
        context.factory("Cell", self.make, str)
        context.observe("Tock", lambda event: self.seen.append(event.text))
        context.observe("MainstemEnded", self.note_end)
        self.view = context.scope("View")

    def make(self, scope, request):
        self.numbers.append(scope.number)
        scope.observe("Tick", lambda event: scope.send("Tock", request.text))
        if self.refuses:
            raise self.refuses
        if request.text == "nested":
            scope.open_instance("Cell", "inner", then=lambda number: None)

    def note_end(self, event):
        number = int.from_bytes(event.data, "little")
        known = self.numbers.index(number) if number in self.numbers else "view"
        self.seen.append(f"{known} ends{'!' if event.outside else ''}")


@pytest.fixture
def house(context):
    return House(context)


def test_an_owner_lives_as_long_as_who_asked(house, context):
    number = house.view.open_instance("Cell", "one")
    assert number == house.numbers[0]
    assert context.find_scope(number).name == "Cell"
    context.send("Tick", "")
    house.view.end()
    assert context.find_scope(number) is None
    context.send("Tick", "")
    assert house.seen == ["one", "view ends!", "0 ends"]


def test_what_is_nested_ends_with_what_opened_it(house, context):
    number = house.view.open_instance("Cell", "nested")
    assert len(house.numbers) == 2
    context.find_scope(number).end()
    assert house.seen == ["0 ends!", "1 ends"]
    assert context.find_scope(house.numbers[1]) is None


def test_a_factory_that_fails_leaves_nothing(house, context):
    before = context.stats()
    house.refuses = Failure("FULL_HOUSE", user_message="No room.")
    with pytest.raises(Failure, match="FULL_HOUSE"):
        house.view.open_instance("Cell", "one")
    after = context.stats()
    assert (after.scopes, after.subscriptions) == (before.scopes, before.subscriptions)
    refused = []
    house.view.open_instance("Cell", "one", then=refused.append, failed=refused.append)
    assert [str(each.user_message) for each in refused] == ["No room."]
    house.view.end()
    assert house.seen == ["view ends!"]


def test_an_exception_in_a_factory_is_the_answer():
    caught = []
    with mainstem.Context(on_exception=lambda error, event: caught.append(error)) as context:
        house = House(context)
        house.refuses = ValueError("no cell")
        with pytest.raises(Failure, match="no cell"):
            house.view.open_instance("Cell", "one")
        assert len(caught) == 1


def test_what_cannot_be_is_refused(house, context):
    with pytest.raises(MainstemError, match="has a factory already"):
        context.factory("Cell", house.make)
    with pytest.raises(MainstemError, match="INVALID"):
        context.open_instance("Other")
    with pytest.raises(TypeError, match="failed= is for then="):
        context.open_instance("Cell", "one", failed=print)

    async def make(scope, request): ...

    with pytest.raises(TypeError):
        context.factory("Other", make)
    context.send("Tick", "")
    with pytest.raises(MainstemError, match="before the first"):
        context.factory("Other", house.make)


def test_an_owner_is_awaited():
    async def main():
        async with mainstem.Context() as context:
            house = House(context)
            number = await house.view.open_instance("Cell", "one")
            assert context.find_scope(number).number == number == house.numbers[0]

    asyncio.run(main())
