# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Events as classes."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import struct
from typing import Dict, List, Optional

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting, Said, Started, Tapped
from mainstem import MainstemError, Notice, Request, Response


def test_an_event_is_a_frozen_dataclass_named_as_its_class():
    greeting = ResponseGreeting(text="Hello")

    assert greeting == ResponseGreeting("Hello")
    assert repr(greeting) == str(greeting) == "ResponseGreeting(text='Hello')"
    with pytest.raises(dataclasses.FrozenInstanceError):
        greeting.text = "other"


def test_an_event_can_be_copied_pickled_and_replaced():
    tapped = Tapped(1, 2)

    assert copy.deepcopy(tapped) == pickle.loads(pickle.dumps(tapped)) == tapped
    assert dataclasses.replace(tapped, y=3) == Tapped(1, 3)


def test_a_class_that_is_no_request_response_or_notice_is_refused():
    with pytest.raises(TypeError, match="an event is a class of Request, Response or Notice"):

        @mainstem.event
        class Wrong:
            pass


def test_a_request_names_a_declared_answer():
    with pytest.raises(TypeError, match="is not an event: decorate it first"):

        @mainstem.event
        class RequestWrong(Request[int]):
            pass


def test_a_class_without_the_decorator_is_refused_where_it_is_used(context):
    class Bare(Notice):
        pass

    with pytest.raises(TypeError, match="decorate its class with @mainstem.event"):
        context.send(Bare())
    with pytest.raises(TypeError, match="decorate its class with @mainstem.event"):
        context.observe(Bare)(print)


def test_text_and_bytes_payloads_need_one_field_and_none_needs_no_field():
    with pytest.raises(TypeError, match="exactly one field"):

        @mainstem.event(payload=str)
        class Two(Notice):
            a: str
            b: str

    with pytest.raises(TypeError, match="payload None, but it has fields"):

        @mainstem.event(payload=None)
        class One(Notice):
            a: str


def test_a_field_of_a_wrong_type_raises_where_it_is_sent(context):
    with pytest.raises(TypeError, match="RequestGreet.name: expected str, got int"):
        context.send(RequestGreet(name=3))
    assert context.stats().events == 0


def test_a_value_that_was_only_made_has_no_position():
    with pytest.raises(AttributeError, match="made here and has no place on the stream"):
        _ = Tapped(1).position


def test_the_contract_of_a_class_is_registered_with_its_role_and_layer(context):
    context.register(RequestGreet, Said, Tapped, Started)

    greet, answer = context.read_type(RequestGreet), context.read_type(ResponseGreeting)
    assert (greet.name, greet.role, greet.payload) == ("RequestGreet", "request", "json")
    assert greet.response == answer.number
    assert answer.role == "response"
    assert context.read_type(Said).payload is str
    assert context.read_type(Started).payload is None
    assert context.read_type(Tapped).layer == context.add_layer("view") == 3


def test_a_class_says_what_a_journal_keeps_of_it(context):
    @mainstem.event(record="mark")
    class NoticeMoved(Notice):
        to: int

    @mainstem.event(secret=True)
    class RequestSignIn(Request):
        password: str

    assert context.read_type(NoticeMoved).record == "mark"
    assert not context.read_type(NoticeMoved).secret
    assert context.read_type(RequestSignIn).record == "mark"
    assert context.read_type(RequestSignIn).secret
    with pytest.raises(TypeError, match="record is"):
        mainstem.event(record="all")


def test_a_name_of_its_own_and_a_role_against_the_name_hold(context):
    @mainstem.event(name="RequestSounding")
    class Odd(Notice):
        word: str

    context.register(Odd)
    assert context.read_type("RequestSounding").role == "notice"


def test_an_answer_may_be_declared_later_by_its_name(context):
    @mainstem.event
    class RequestLater(Request["ResponseLater"]):
        number: int

    @mainstem.event
    class ResponseLater(Response):
        number: int

    context.register(ResponseLater)

    @context.serve(RequestLater)
    def answer(request):
        return ResponseLater(request.number + 1)

    assert context.request(RequestLater(1)) == ResponseLater(2)


def test_fields_travel_as_json_with_nested_values_and_defaults(context):
    @dataclasses.dataclass(frozen=True)
    class Item:
        id: int
        tags: List[str] = dataclasses.field(default_factory=list)

    @mainstem.event
    class Listed(Notice):
        items: List[Item]
        by_name: Dict[str, Item]
        ratio: float = 1.0
        first: Optional[Item] = None

    seen = []
    context.observe(Listed, seen.append)
    listed = Listed([Item(1, ["a", "ü"])], {"x": Item(2)}, 2, Item(3))
    context.send(listed)

    assert seen[0] == listed
    assert seen[0].items[0] == Item(1, ["a", "ü"])
    assert seen[0].data.decode() == (
        '{"items":[{"id":1,"tags":["a","ü"]}],"by_name":{"x":{"id":2,"tags":[]}},'
        '"ratio":2.0,"first":{"id":3,"tags":[]}}'
    )


def test_a_default_fills_what_an_older_sender_left_out_and_unknown_keys_are_passed_over(context):
    context.register(Tapped)
    seen = []
    context.observe(Tapped, seen.append)
    context.send("Tapped", '{"x":1,"new":true}')

    assert seen == [Tapped(1, 0)]


@pytest.mark.parametrize("payload", ["{}", "[]", "nothing", '{"x":"1"}', '{"x":true}'])
def test_a_payload_that_does_not_fit_raises_when_a_field_is_read(context, payload):
    seen = []
    context.observe(Tapped, seen.append)
    context.send("Tapped", payload)

    with pytest.raises(MainstemError, match="#1 Tapped: its payload (does not fit|is not JSON)"):
        _ = seen[0].x
    assert seen[0].data.decode() == payload


def test_a_struct_payload_packs_the_fields_in_order(context):
    @mainstem.event(payload=struct.Struct("=id"))
    class Moved(Notice):
        id: int
        distance: float

    seen = []
    context.observe(Moved, seen.append)
    context.send(Moved(7, 0.5))

    assert seen == [Moved(7, 0.5)]
    assert context.read_type(Moved).payload == 12
    with pytest.raises(MainstemError, match="INVALID"):
        context.send("Moved", b"too short")


def test_an_own_field_comes_before_the_fact_of_that_name(context):
    @mainstem.event
    class Named(Notice):
        name: str
        position: int

    seen = []
    context.observe(Named, seen.append)
    context.send(Named("Ada", 99))

    assert (seen[0].name, seen[0].position) == ("Ada", 99)
    assert (seen[0].event.name, seen[0].event.position) == ("Named", 1)


def test_a_scalar_payload_is_the_one_field(context):
    @mainstem.event(payload=int)
    class Counted(Notice):
        count: int

    @mainstem.event(payload=float)
    class Alpha(Notice):
        alpha: float

    seen = []
    context.observe(Counted, seen.append)
    context.observe(Alpha, seen.append)
    context.send(Counted(-(2**63)))
    context.send(Alpha(1))
    context.send("Alpha", 1)

    assert seen == [Counted(-(2**63)), Alpha(1.0), Alpha(1.0)]
    assert type(seen[1].alpha) is float
    assert (context.read_type(Counted).payload, context.read_type(Alpha).payload) == (int, float)
    with pytest.raises(ValueError, match="Counted.count: 9223372036854775808 does not fit in 64"):
        context.send(Counted(2**63))
    with pytest.raises(TypeError, match="Counted.count: expected int, got str"):
        context.send(Counted("1"))
    with pytest.raises(TypeError, match="payload bool needs exactly one field"):

        @mainstem.event(payload=bool)
        class Two(Notice):
            one: bool
            two: bool


def test_a_scalar_type_without_a_class_takes_and_gives_values(context):
    context.add_type("Ready", bool)
    context.add_type("Said", str)
    seen = []
    context.observe("Ready", lambda event: seen.append(event.value))
    context.send("Ready", True)
    context.send_many("Ready", [False, True])

    assert seen == [True, False, True]
    with pytest.raises(TypeError, match="Ready: expected bool, got int"):
        context.send("Ready", 1)
    with pytest.raises(MainstemError, match="neither 0 nor 1"):
        context.send("Ready", b"\2")
    with pytest.raises(TypeError, match="Said: expected bytes, got bool"):
        context.send("Said", True)
