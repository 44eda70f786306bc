# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Observers and their subscriptions."""

from __future__ import annotations

import gc
import weakref

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting, Said, Started, Tapped
from mainstem import Failure, MainstemError, Response, Status, Subscription


def test_an_observer_sees_each_event_once(context):
    seen = []
    context.observe(Said, seen.append)
    for word in "abc":
        context.send(Said(word))

    assert seen == [Said("a"), Said("b"), Said("c")]


def test_the_decorator_returns_the_function_and_the_call_form_the_subscription(context):
    @context.observe(Said)
    def show(event):
        return None

    assert callable(show)
    assert isinstance(context.observe(Said, show), Subscription)
    assert context.observe()(show) is show


def test_several_classes_names_roles_layers_and_statuses_are_filters(context):
    context.add_type("Raw", bytes)
    seen = {}

    def collect(name):
        seen[name] = []
        return lambda event: seen[name].append(event.position)

    context.observe(Said, "Raw", collect("types"))
    context.observe(collect("requests"), role="request")
    context.observe(collect("notices"), role="notice")
    context.observe(collect("responses"), role="response")
    context.observe(collect("view"), layer="view")
    context.observe(collect("layers"), layer=["view", "mine"])
    context.observe(ResponseGreeting, collect("failed"), failed=True)
    context.observe(ResponseGreeting, collect("ok"))
    context.observe(Said, collect("once"), once=True)
    context.observe(collect("two"), count=2)

    @context.serve(RequestGreet)
    def greet(request):
        if not request.name:
            raise Failure("NO_NAME")
        return ResponseGreeting("x")

    context.send(Said("1"))
    context.send("Raw", b"2")
    context.send(Tapped(3))
    context.request(RequestGreet("4"), then=lambda e: None)
    context.request(RequestGreet(""), then=print, failed=lambda failure: None)
    context.send(Said("8"))

    assert seen == {
        "types": [1, 2, 8],
        "requests": [4, 6],
        "notices": [1, 2, 3, 8],
        "responses": [5, 7],
        "view": [3],
        "layers": [3],
        "failed": [7],
        "ok": [5],
        "once": [1],
        "two": [1, 2],
    }


def test_a_filter_that_is_none_is_refused(context):
    with pytest.raises(TypeError, match="failed is True, False or None, not 'good'"):
        context.observe(failed="good")
    with pytest.raises(TypeError, match='Response is no event class: say role="response"'):
        context.observe(Response)
    with pytest.raises(TypeError, match="is not a function"):
        context.observe(Said)(Said)
    with pytest.raises(TypeError, match='role is "request", "response", "notice" or "value"'):
        context.observe(role="query")
    with pytest.raises(MainstemError, match="INVALID"):
        context.observe("NeverRegistered")


def test_a_cancelled_observer_is_let_go_at_once(context):
    class Owner:
        def see(self, event):
            return None

    owner = Owner()
    alive = weakref.ref(owner)
    subscription = context.observe(Said, owner.see)
    del owner
    gc.collect()
    assert alive() is not None
    assert subscription.from_ == 0

    subscription.cancel()
    assert subscription.released
    del subscription
    gc.collect()
    assert alive() is None


def test_cancel_is_idempotent_and_a_with_block_cancels(context):
    seen = []
    with context.observe(Said, seen.append) as subscription:
        context.send(Said("in"))
    context.send(Said("out"))
    subscription.cancel()
    subscription.cancel_wait()

    assert seen == [Said("in")]


def test_cancel_wait_is_busy_inside_a_callback(context):
    statuses = []
    subscription = context.observe(Started, lambda event: None)

    def try_it(event):
        try:
            subscription.cancel_wait()
        except MainstemError as error:
            statuses.append(error.status)

    context.observe(Said, try_it)
    context.send(Said("x"))

    assert statuses == [Status.BUSY]
    assert not subscription.released


def test_functions_are_kept_as_long_as_the_library_may_call_them_and_no_longer():
    from mainstem._library import _callbacks

    before = _callbacks.kept()
    context = mainstem.Context()
    for _ in range(10):
        context.observe(Said, lambda event: None)
    context.serve(RequestGreet, lambda request: ResponseGreeting("x"))
    gc.collect()
    context.send(Said("x"))
    context.request(RequestGreet("x"))
    assert _callbacks.kept() == before + 11

    context.close()
    assert _callbacks.kept() == before


def test_an_observer_that_the_library_refuses_is_not_kept():
    from mainstem._library import _callbacks

    context = mainstem.Context()
    context.register(Said)
    context.close()
    before = _callbacks.kept()
    with pytest.raises(MainstemError, match="STALE"):
        context.observe(Said, print)
    assert _callbacks.kept() == before
