# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Observers of one origin, and own handlers."""

from __future__ import annotations

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting, Said
from mainstem import Failure, MainstemError, Status


def test_an_observer_of_a_scope_gets_only_what_is_sent_through_it(context):
    context.register(Said)
    one, other = context.scope("Cell"), context.scope("Cell")
    seen, named, kept = [], [], context.mailbox(Said, of=other)
    context.observe(Said, seen.append, of=one)

    @context.observe(of=other)
    def note(event):
        named.append((event.name, event.origin))

    for scope in (one, other, context, one.scope("Child")):
        scope.send(Said(scope.name if scope is not context else "context"))

    assert seen == [Said("Cell")]
    assert named == [("Said", "Cell")]
    assert list(kept.events()) == [Said("Cell")]


def test_who_looks_at_a_scope_that_has_ended_is_told(context):
    context.register(Said)
    scope = context.scope("Cell")
    subscription = context.observe(Said, print, of=scope)
    scope.end()

    with pytest.raises(MainstemError, match=r"options\.of") as refused:
        context.observe(Said, print, of=scope)
    assert refused.value.status == Status.STALE
    subscription.cancel()
    with mainstem.Context() as another, pytest.raises(MainstemError) as refused:
        context.observe(Said, print, of=another)
    assert refused.value.status == Status.INVALID


class Cell:
    """Answers for itself, and hears what everybody says."""

    def __init__(self, name):
        self.name = name
        self.heard = []

    @mainstem.handles(RequestGreet, own=True)
    def greet(self, request):
        return ResponseGreeting(f"{self.name} greets {request.name}")

    @mainstem.handles(Said)
    def hear(self, said):
        self.heard.append(said.words)


def test_an_own_handler_gets_what_is_sent_through_its_server(context):
    cells = [Cell("one"), Cell("two")]
    scopes = [context.install(cell) for cell in cells]

    for cell, scope in zip(cells, scopes):
        answer = scope.request(RequestGreet("Ada"))
        assert answer == ResponseGreeting(f"{cell.name} greets Ada")
    with pytest.raises(Failure) as unhandled:
        context.request(RequestGreet("Ada"))
    assert unhandled.value.code == Status.UNHANDLED
    context.send(Said("hello"))
    assert [cell.heard for cell in cells] == [["hello"], ["hello"]]


def test_a_server_has_a_table_of_own_handlers(context):
    heard = []
    server = context.server("Cell", {}, own={Said: heard.append})
    served = context.serve(Said, lambda said: heard.append("served"), own=True)

    context.send(Said("a"))
    server.send(Said("b"))
    served.send(Said("c"))
    server.send_after(0, Said("d"))
    context.drain()

    assert heard == [Said("b"), "served", Said("d")]


def test_one_server_does_not_handle_a_type_twice(context):
    with pytest.raises(TypeError, match="Said has two handlers"):
        context.server("Cell", {Said: print}, own={Said: print})
