# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 14: after each event that a server has got, it says once what it shows."""

from __future__ import annotations

import json
import sys

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting, Said, keep_for_ever
from mainstem import Failure, MainstemError, Status


class Greeter:
    """Greets, and shows how often it has."""

    def __init__(self, name="Greeter"):
        self.name = name
        self.count = 0

    @mainstem.handles(RequestGreet)
    def greet(self, asked):
        self.count += 1
        return ResponseGreeting(f"Hello, {asked.name}")

    @mainstem.show_function
    def show(self, server):
        server.send("Shown", f"{self.name} {self.count}")


def lines_of(context):
    lines = []

    @context.observe
    def note(event):
        where = "*" if event.cause == 0 else f"<{event.cause}"
        lines.append(f"{event.name}{event.position}{where}")

    return lines


def open_shown(**options):
    context = mainstem.Context(**options)
    context.register(Said, RequestGreet)
    context.add_type("Shown", str)
    return context


def test_law_14_all_have_seen_the_event_and_servers_keep_the_order_in_which_they_got_it():
    with open_shown() as context:
        seen = []

        def show(server):
            seen.append(f"{server.name}!")

        a = context.server("a", {}, show=show)
        context.server("b", {"Said": lambda event: seen.append("b")}, show=show)
        a.observe(Said, lambda said: seen.append("a"))
        context.observe(Said, lambda said: seen.append("z"))
        context.drain()
        assert seen == ["a!", "b!"]
        del seen[:]
        context.send(Said("x"))

        assert seen == ["b", "a", "z", "b!", "a!"]


def test_law_14_a_show_function_only_says_what_is():
    with open_shown(raises=True) as context:

        def ask(server):
            server.request(RequestGreet("x"), then=print)

        context.server("a", {}, show=ask)
        with pytest.raises(MainstemError, match="a show function only sets values") as refused:
            context.send(Said("x"))
        assert refused.value.status == Status.BUSY
        assert context.stats().failures == 1


def test_law_14_what_it_raises_is_reported_with_its_server():
    reported = []
    with open_shown(on_exception=lambda *what: reported.append(what)) as context:
        failures = []
        context.observe("MainstemFailure", lambda event: failures.append(json.loads(event.data)))

        def show(server):
            raise Failure("NO", code=1007) if failures else KeyError("x")

        server = context.server("a", {}, show=show)
        context.server("b", {Said: lambda said: None})
        server.observe(Said, lambda said: None)
        context.drain()
        assert [(type(each), scope.name) for each, scope in reported] == [(KeyError, "a")]
        assert (failures[0]["code"], failures[0]["type"], failures[0]["count"]) == (1000, "", 1)
        context.send(Said("x"))
        assert (failures[1]["code"], failures[1]["type"], failures[1]["count"]) == (1007, "Said", 2)
        assert context.stats().failures == 2


def test_law_14_without_room_it_is_called_again_after_the_next_event():
    with open_shown(on_exception=lambda *what: pytest.fail(str(what))) as context:
        calls, box = [], None

        def show(server):
            calls.append(server.name)
            server.send("Shown", str(len(calls)))

        context.server("a", {Said: lambda said: None}, show=show)
        context.drain()
        box = context.mailbox("Shown", policy="reject", limit=1)
        context.send(Said("x"))
        context.send(Said("y"))
        assert len(calls) == 3
        assert [event.data for event in box.events()] == [b"2"]
        context.add_type("Other", str)
        context.send("Other", "z")
        assert [event.data for event in box.events()] == [b"4"]
        assert context.stats().failures == 0


def test_law_14_while_the_context_closes_nothing_is_reported():
    reported, calls = [], []
    context = open_shown(on_exception=lambda *what: reported.append(what))

    def show(server):
        calls.append(server.name)
        server.send("Shown", "x")

    server = context.server("a", {RequestGreet: keep_for_ever}, show=show)
    server.observe("ResponseGreeting", lambda event: None)
    context.request(RequestGreet("you"), then=lambda answer: None, failed=lambda failure: None)
    assert len(calls) == 2
    context.close()
    assert len(calls) == 3
    assert reported == []


def test_law_14_a_show_is_a_plain_function_and_one_of_its_class():
    async def later(server):
        """Nobody awaits it."""

    class Twice(Greeter):
        @mainstem.show_function
        def show_more(self, server):
            """Says the rest."""

    with open_shown() as context:
        with pytest.raises(TypeError, match="show= is called, not awaited"):
            context.server("a", {}, show=later)
        with pytest.raises(TypeError, match="show and show_more are both marked"):
            context.install(Twice())
        with pytest.raises(MainstemError, match=r"options\.show") as refused:
            context.server("a", {}, show=print, on="host")
        assert refused.value.status == Status.INVALID


def test_law_14_it_goes_with_its_server():
    with open_shown() as context:
        greeter = Greeter()
        before = sys.getrefcount(greeter)
        server = context.install(greeter)
        server.end()
        context.send(Said("x"))
        assert greeter.count == 0
        assert sys.getrefcount(greeter) == before


def test_law_14_what_is_shown_verifies(tmp_path):
    path = str(tmp_path / "shown.journal")

    def install(context, name):
        context.add_type("Shown", str)
        context.install(Greeter(name))
        context.server("Quiet", {Said: lambda said: None}, show=lambda server: None)

    with mainstem.Context() as context:
        install(context, "a")
        context.record(path)
        for number in range(3):
            context.request(RequestGreet(str(number)))
            context.send(Said("x"))
    for name, difference in (("a", None), ("b", "payload")):
        with mainstem.Context() as context, context.replay(path, verify=True) as replay:
            install(context, name)
            if difference is None:
                replay.to_end()
                continue
            with pytest.raises(mainstem.Different) as different:
                replay.to_end()
            assert different.value.difference.field == difference
