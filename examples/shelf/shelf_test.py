# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The shelf, tested: as a value, and open. Run it with: python3 -m pytest shelf_test.py"""

import pytest
from mainstem.testing import TestContext
from shelf import Book, Shelf


def test_a_filter_finds_what_contains_it() -> None:
    shelf = Shelf("Dune", "Emma")  # a value: no context
    shelf.filter = "mm"
    assert shelf.found == (Book(2, "Emma"),)


def test_an_undo_takes_back_the_last_change() -> None:
    with TestContext() as test:
        view = test.open(Shelf("Dune")).bind()
        test.shows(view, count=1, can_undo=False)
        assert view.add("Emma").result() == 2
        test.shows(view, count=2, can_undo=True)
        view.undo().result()
        test.shows(view, count=1, can_undo=False, found=(Book(1, "Dune"),))


def test_what_is_removed_is_no_longer_selected() -> None:
    with TestContext() as test:
        view = test.open(Shelf("Dune", "Emma")).bind()
        view.select(2).result()
        test.shows(view, detail="Emma")
        view.remove(2).result()
        test.shows(view, detail="")
        with pytest.raises(Exception, match="NO_BOOK"):
            view.select(2).result()
