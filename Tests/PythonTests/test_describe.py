# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A context that runs says who handles, observes and has sent each event type."""

from __future__ import annotations

import json

import mainstem
import pytest
from mainstem import Notice, Request, Response, ViewModel, shown


@mainstem.event
class ResponseGreeting(Response):
    text: str


@mainstem.event
class RequestGreet(Request[ResponseGreeting]):
    name: str


@mainstem.event
class Welcomed(Notice):
    name: str


class Counter(ViewModel):
    count: int = shown(0)


def greet(request):
    return ResponseGreeting(text=f"Hello, {request.name}")


def ignore(*_):
    pass


def type_of(description, name):
    return next(each for each in description.types if each.name == name)


def test_a_context_says_who_handles_and_who_observes_each_type():
    with mainstem.Context() as context:
        context.server("Greeter", {RequestGreet: greet})
        view = context.scope("View")
        row, other = view.scope("Row", sends="view"), view.scope("Row", observes=())
        row.observe(Welcomed, ignore)
        row.observe(Welcomed, ignore, on="host")
        row.observe(Welcomed, ignore)
        view.observe(Welcomed, ignore, of=row)
        view.observe(ignore, role="request", layer="view")
        description = context.describe()

        assert [each.name for each in description.scopes] == ["", "Greeter", "View", "Row", "Row"]
        assert [each.parent for each in description.scopes] == [None, 0, 0, 2, 2]
        assert [each.kind for each in description.scopes[:3]] == ["context", "server", "scope"]
        assert description.scopes[3].number == row.number
        assert description.scopes[3].sends == ("view",)
        assert description.scopes[3].observes is None
        assert description.scopes[4].observes in ((), None)
        assert [description.path(index) for index in (0, 1, 3)] == [
            "context",
            "Greeter",
            "View/Row",
        ]
        asked = type_of(description, "RequestGreet")
        assert (asked.role, asked.layer, asked.response) == ("request", "app", "ResponseGreeting")
        assert [(each.scope, each.name) for each in asked.handlers] == [(1, "Greeter")]
        told = type_of(description, "Welcomed").observers
        assert [(each.name, each.kind, each.on, each.count) for each in told] == [
            ("Row", "", "", 2),
            ("Row", "", "host", 1),
            ("View", "one scope", "", 1),
        ]
        (every,) = description.observers
        assert (every.name, every.role, every.layers) == ("View", "request", ("view",))
        assert json.loads(description.json)["types"][-1]["name"] == description.types[-1].name
        assert other.number


def test_what_has_ended_is_not_described():
    with mainstem.Context() as context:
        scope = context.scope("Row")
        subscription = scope.observe(Welcomed, ignore)
        assert type_of(scope.describe(), "Welcomed").observers[0].scope == 0
        subscription.cancel()
        assert type_of(context.describe(), "Welcomed").observers == ()
        scope.end()
        assert [each.name for each in context.describe().scopes] == [""]
        with pytest.raises(mainstem.MainstemError, match="describe: "):
            scope.describe()


def test_a_view_model_has_set_its_values_and_a_view_is_bound_to_them():
    with mainstem.Context() as context:
        counter = context.open(Counter())
        binding = mainstem.view(context.scope("View"), Counter, counter.scope.number, count=ignore)
        count = type_of(context.describe(), "Counter.count")
        assert [(each.name, each.kind) for each in count.observers] == [("View", "binding")]
        assert [each.name for each in count.senders] == ["Counter"]
        assert binding is not None


def test_it_is_drawn_as_a_flowchart():
    """The same text as in Tests/MainstemTests/Flow/DescribeTests.swift."""
    with mainstem.Context() as context:
        context.server("Greeter", {RequestGreet: greet})
        view = context.scope("View")
        for _ in range(2):
            view.scope('Row "1"').observe(Welcomed, ignore)
        view.observe(ignore)
        assert (
            context.describe().mermaid()
            == """flowchart LR
  n0{{"RequestGreet"}}
  n1(["Greeter"])
  n0 ==> n1
  n2("ResponseGreeting")
  n1 --> n2
  n3["Welcomed"]
  n4(["View/Row #34;1#34;"])
  n3 -.->|"2 times"| n4
  n5(("every event"))
  n6(["View"])
  n5 -.-> n6
"""
        )


def test_a_drawing_cannot_control_a_terminal():
    with mainstem.Context() as context:
        context.scope("\x1b[2J\u202e]|").observe(Welcomed, ignore)
        assert '(["#27;#91;2J#8238;#93;#124;"])' in context.describe().mermaid()
