# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Scopes that are found again, by their numbers."""

from __future__ import annotations

import mainstem
import pytest
from mainstem import MainstemError, Notice


@mainstem.event
class Opened(Notice):
    name: str


def test_a_scope_is_found_while_it_lives(context):
    view = context.scope("View")
    cell = view.scope("Cell")
    number = cell.number

    found = context.find_scope(number)
    assert (found.handle, found.name, found.number) == (cell.handle, "Cell", number)
    assert cell.find_scope(view.number).name == "View"
    assert context.number == 0
    assert cell.find_scope(0) is context
    assert context.find_scope(1) is None
    found.end()
    assert context.find_scope(number) is None
    with pytest.raises(MainstemError, match="STALE"):
        cell.number  # noqa: B018
    for wrong in (-1, 1 << 64):
        with pytest.raises(ValueError, match="number is"):
            context.find_scope(wrong)


def test_a_server_is_found_too(context):
    server = context.server("Store", {})

    assert context.find_scope(server.number).name == "Store"


def numbers(seed, others):
    """The numbers of what a callback makes."""
    made = []

    def make(event):
        made.extend(event.scope.scope(event.name) for _ in range(2))

    with mainstem.Context(seed=seed) as context:
        for _ in range(others):
            context.scope("Beside")
            context.observe(Opened, lambda event: None)
        context.observe(Opened, make)
        context.send(Opened("Cell"))
        return [scope.number for scope in made]


def test_numbers_are_the_same_in_every_run():
    first = numbers(seed=1, others=0)

    assert len(set(first)) == 2
    assert numbers(seed=2, others=3) == first
