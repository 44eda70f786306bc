# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The names of scopes: an event keeps that of its own, a context those that something names."""

from __future__ import annotations

import mainstem
import pytest
from mainstem.journal_file import Journal

MANY = 5000


def test_an_event_that_is_kept_knows_its_scope_though_thousands_came_and_went():
    seen = []
    with mainstem.Context() as context:
        context.add_type("Noted", bytes)
        context.observe("Noted", seen.append)
        for number in range(MANY):
            with context.scope(f"cell {number}") as scope:
                scope.send("Noted", b"")
        with pytest.raises(mainstem.MainstemError):
            context.name_of_origin(seen[0].origin_number)

    assert [event.origin for event in seen] == [f"cell {number}" for number in range(MANY)]
    assert len({event.origin_number for event in seen}) == MANY


def test_the_numbers_in_a_journal_are_few(tmp_path):
    path = str(tmp_path / "scopes.journal")
    with mainstem.Context() as context:
        context.add_type("Noted", bytes)
        context.record(path)
        for number in range(MANY):
            with context.scope(f"cell {number}") as scope:
                scope.send("Noted", b"")
    with mainstem.Journal(path) as journal:
        read = [(event.origin, event.origin_number) for event in journal]

    assert [name for name, _ in read] == [f"cell {number}" for number in range(MANY)]
    assert max(number for _, number in read) <= 1024


def scopes_of(path, seed, others):
    """The name, number and parent's number of each scope that sent something, in a session."""
    with mainstem.Context(seed=seed) as context:
        context.add_type("Asked", bytes)
        context.add_type("Noted", bytes)
        context.record(str(path))
        for number in range(others):
            context.scope(f"other {number}")
        view = context.scope("view")

        def open_three(event):
            for name in ("cell", "cell", "row"):
                view.scope(name).send("Noted", b"")

        context.observe("Asked", open_three)
        view.send("Asked", b"")
        view.send("Asked", b"")
    with Journal(str(path)) as journal:
        events = [event for event in journal.events() if event.name == "Noted"]
        return [(event.origin_name, *event.session.scopes[event.origin]) for event in events], (
            events[0].session.scopes[1]
        )


def test_the_numbers_of_scopes_are_the_same_in_every_repetition(tmp_path):
    first, view = scopes_of(tmp_path / "a.journal", 1, others=0)
    again, same_view = scopes_of(tmp_path / "b.journal", 2, others=50)

    assert first == again
    assert view == same_view
    assert view[1] == 0
    assert [name for name, _, _ in first] == ["cell", "cell", "row"] * 2
    assert len({number for _, number, _ in first}) == 6
    assert {parent for _, _, parent in first} == {view[0]}
