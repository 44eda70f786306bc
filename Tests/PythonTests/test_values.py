# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 13, beside its scenarios: values in Python."""

from __future__ import annotations

import pytest
from mainstem import MainstemError, Status


@pytest.fixture
def context(context):
    context.add_type("Counter.count", int, role="value")
    context.add_type("Counter.label", str, role="value", layer="view")
    return context


def test_an_observer_gets_the_present_value_first(context):
    counter, seen = context.scope("Counter"), []
    counter.set("Counter.count", 3)
    context.observe("Counter.count", lambda event: seen.append((event.value, event.late)))
    counter.set("Counter.count", 3)
    counter.set("Counter.count", 4)

    assert seen == [(3, True), (4, False)]


def test_get_gives_the_last_event_or_none(context):
    counter = context.scope("Counter")
    assert counter.get("Counter.count") is None
    counter.set("Counter.count", 0)

    event = counter.get("Counter.count")
    assert (event.value, event.position, event.origin, event.late) == (0, 1, "Counter", False)
    assert context.get("Counter.count") is None
    assert context.stats().retained == 0
    counter.set("Counter.count", 1)
    assert event.value == 0
    assert str(event) == "#1 Counter.count Counter 0"


def test_only_what_differs_is_sent(context):
    for count, label in ((1, "a"), (1, "a"), (2, "a"), (2, "b"), (1, "b")):
        context.set("Counter.count", count)
        context.set("Counter.label", label)

    assert context.stats().events == 5


def test_an_observer_of_one_origin_gets_one(context):
    scopes = [context.scope("Cell") for _ in range(3)]
    for number, scope in enumerate(scopes):
        scope.set("Counter.count", number)
    seen = []
    context.observe("Counter.count", lambda event: seen.append(event.value), of=scopes[1])
    context.observe("Counter.count", seen.append, of=scopes[2], history=False)

    assert seen == [1]


def test_the_role_has_a_name(context):
    assert context.read_type("Counter.count").role == "value"
    seen = []
    context.observe(lambda event: seen.append(event.name), role="value")
    context.send("Counter.label", "x")
    assert seen == ["Counter.label"]
    with pytest.raises(TypeError, match='"notice" or "value"'):
        context.add_type("Other", int, role="property")


@pytest.mark.parametrize("name", ["RequestCount", "ResponseCount"])
def test_a_value_is_no_request_and_no_response(context, name):
    with pytest.raises(MainstemError, match="needs another") as caught:
        context.add_type(name, int, role="value")
    assert caught.value.status == Status.INVALID


def test_what_is_refused_is_raised(context):
    context.add_type("Plain", str)
    for call in (
        lambda: context.set("Plain", "x"),
        lambda: context.get("Plain"),
        lambda: context.keep_history("Counter.count", 1),
        lambda: context.add_type("Hidden", str, role="value", secret=True),
    ):
        with pytest.raises(MainstemError) as caught:
            call()
        assert caught.value.status == Status.INVALID


def test_a_callback_sees_it_after_the_current_event(context):
    context.add_type("Notice", str)
    seen = []

    def set_twice(event):
        context.set("Counter.count", 1)
        context.set("Counter.count", 1)
        context.set("Counter.count", 2)
        seen.append(context.get("Counter.count"))

    context.observe("Notice", set_twice)
    context.observe("Counter.count", lambda event: seen.append(event.value))
    context.send("Notice", "")

    assert seen == [None, 1, 2]
