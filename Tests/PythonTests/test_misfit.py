# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A payload that does not fit is told in the program's words, never in a decoder's."""

from __future__ import annotations

import dataclasses
import traceback
from typing import List

import mainstem
import pytest
from mainstem import Context, Journal, MainstemError, Notice

#: Words of a decoder, and columns in a text that nobody sees.
DECODERS_WORDS = ["JSONDecodeError", "Expecting", "column", "(char ", "Extra data", "KeyError"]


@dataclasses.dataclass
class Item:
    title: str
    count: int


@mainstem.event
class Cart(Notice):
    owner: str
    items: List[Item]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"owner": "Ada"}', "Cart.items: missing"),
        ('{"owner": 3, "items": []}', "Cart.owner: expected str, got int"),
        ('{"owner": null, "items": []}', "Cart.owner: expected str, got NoneType"),
        ('{"owner": "Ada", "items": {}}', "Cart.items: expected list, got dict"),
        ('{"owner": "Ada", "items": [3]}', "Cart.items[0]: expected dict, got int"),
        ('{"owner": "Ada", "items": [{"title": "Milk"}]}', "Cart.items[0].count: missing"),
        ("[1]", "Cart: expected dict, got list"),
        ("hello", "Cart: its payload is not JSON"),
        ("", "Cart: its payload is not JSON"),
        ('{"owner": "Ada"', "Cart: its payload is not JSON"),
    ],
)
def test_it_is_told_with_type_and_field_and_what_was_there(text, message):
    with pytest.raises(MainstemError) as refused, Context(raises=True) as context:
        context.observe(Cart, lambda cart: cart.items)
        context.send("Cart", text)

    shown = "".join(
        traceback.format_exception(refused.type, refused.value, refused.value.__traceback__)
    ).splitlines()
    shown = [line for line in shown if not line.startswith("  ")]
    assert message in str(refused.value)
    assert [word for word in DECODERS_WORDS if any(word in line for line in shown)] == []


def test_a_recorded_one_is_told_likewise(tmp_path):
    path = tmp_path / "session.journal"
    with Context() as context:
        context.record(path)
        context.register(Cart)
        context.send("Cart", "hello")

    with Journal(path) as journal, pytest.raises(MainstemError) as refused:
        _ = [event.value for event in journal]

    assert refused.value.message == "#1 Cart: its payload is not JSON"
    assert refused.value.__cause__ is None
