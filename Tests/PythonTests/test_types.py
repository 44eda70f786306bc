# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Event types by name, number and layer; names and payloads of every kind."""

from __future__ import annotations

import struct

import pytest
from mainstem import MainstemError, Status


def test_a_type_is_found_by_its_name_and_registered_once(context):
    number = context.add_type("Raw", bytes)

    assert context.add_type("Raw", bytes) == number
    kind = context.read_type("Raw")
    assert kind == context.read_type(number)
    assert (kind.name, kind.number, kind.role, kind.payload) == ("Raw", number, "notice", bytes)
    with pytest.raises(MainstemError) as error:
        context.add_type("Raw", str)
    assert error.value.status == Status.INVALID


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("", Status.INVALID),
        ("MainstemOwn", Status.INVALID),
        ("x" * 256, Status.TOO_BIG),
        ("a\0b", Status.INVALID),
    ],
)
def test_a_name_that_cannot_be_is_refused(context, name, status):
    with pytest.raises(MainstemError) as error:
        context.add_type(name, bytes)
    assert error.value.status == status


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("RequestLaod", "RequestLaod (did you mean RequestLoad?)"),
        ("requestload", "requestload (did you mean RequestLoad?)"),
        ("RequestStore", "RequestStore"),
    ],
)
def test_a_name_that_is_not_registered_is_told_those_close_to_it(context, name, shown):
    context.add_type("RequestLoad", bytes)
    for call in (
        lambda: context.send(name, b""),
        lambda: context.observe(name, lambda event: None),
        lambda: context.server("Server", {name: lambda event: None}),
    ):
        with pytest.raises(MainstemError) as error:
            call()
        cure = ": register it first" if shown == name else ""
        assert error.value.message == (f"type: name: {shown} is not a registered event type{cure}")


def test_names_are_utf_8_of_up_to_255_bytes(context):
    for name in ("x" * 255, "é" * 127, "日本"):
        assert context.read_type(context.add_type(name, bytes)).name == name


def test_the_role_follows_from_the_name_or_is_given(context):
    assert context.read_type(context.add_type("RequestX", bytes)).role == "request"
    assert context.read_type(context.add_type("ResponseX", bytes)).role == "response"
    assert context.read_type(context.add_type("X", bytes)).role == "notice"
    assert context.read_type(context.add_type("RequestY", bytes, role="notice")).role == "notice"


def test_layers_have_numbers_and_a_new_name_adds_one(context):
    ours = ["app", "model", "viewmodel", "view", "navigation", "system"]
    assert [context.add_layer(name) for name in ours] == list(range(6))
    own = context.add_layer("mine")

    assert own == context.add_layer("mine") > 5
    assert context.read_type(context.add_type("X", bytes, layer="mine")).layer == own


@pytest.mark.parametrize(
    ("record", "secret", "kept"),
    [
        ("full", False, "full"),
        ("mark", False, "mark"),
        ("none", False, "none"),
        ("full", True, "mark"),
        ("inputs", False, "inputs"),
        ("inputs", True, "mark"),
        ("mark", True, "mark"),
        ("none", True, "none"),
    ],
)
def test_a_type_says_what_a_journal_keeps_of_it(context, record, secret, kept):
    kind = context.read_type(context.add_type("X", str, record=record, secret=secret))

    assert (kind.record, kind.secret) == (kept, secret)
    with pytest.raises(TypeError, match='record is "full", "mark", "none" or "inputs"'):
        context.add_type("Y", str, record="some")


def test_there_are_64_layers_at_most(context):
    for number in range(58):
        context.add_layer(f"layer {number}")
    with pytest.raises(MainstemError) as error:
        context.add_layer("one more")
    assert error.value.status == Status.LIMIT


@pytest.mark.parametrize(
    ("payload", "good", "bad"),
    [
        (None, [None, b""], [b"x"]),
        (str, ["", "text", "ü"], [b"\xff"]),
        ("json", ["{}"], [b"\xc3"]),
        (struct.Struct("=I"), [b"1234"], [b"123", b"12345", b""]),
    ],
)
def test_a_payload_that_breaks_the_contract_is_refused(context, payload, good, bad):
    context.add_type("X", payload)
    for data in good:
        context.send("X", data)
    for data in bad:
        with pytest.raises(MainstemError) as error:
            context.send("X", data)
        assert error.value.status == Status.INVALID
        with pytest.raises(MainstemError) as error:
            context.post("X", data)
        assert error.value.status == Status.INVALID
    assert context.stats().events == len(good)


def test_an_unknown_type_and_a_wrong_argument_are_refused(context):
    for number in (0, 99, 2**32 - 1):
        with pytest.raises(MainstemError, match="INVALID"):
            context.send(number, b"")
    with pytest.raises(TypeError, match="is not an event"):
        context.send(object())
    context.add_type("X", bytes)
    with pytest.raises(TypeError, match="expected bytes, got int"):
        context.send("X", 3)
    with pytest.raises(TypeError, match='payload is "json"'):
        context.add_type("Y", list)
