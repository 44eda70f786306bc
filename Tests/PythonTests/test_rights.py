# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Scopes with rights and budgets (acceptance A-13, A-16), and the limits of a context."""

from __future__ import annotations

import mainstem
import pytest
from mainstem import Limits, MainstemDenied, MainstemError, Notice, Request, Response, Status
from mainstem.testing import RecordingStage


@mainstem.event(layer="model")
class Wrote(Notice):
    text: str


@mainstem.event(layer="view")
class Shown(Notice):
    text: str


@mainstem.event
class Read(Response):
    text: str


@mainstem.event
class RequestRead(Request[Read]):
    name: str


@mainstem.event
class RequestReread(Request[Read]):
    name: str


def refused(call) -> MainstemError:
    with pytest.raises(MainstemError) as caught:
        call()
    return caught.value


def test_a_scope_has_only_what_it_is_given_e_096():
    with mainstem.Context(deny_by_default=True) as context:
        context.register(Wrote, Shown)
        plain = context.scope("Plain")
        sends = context.scope("Sends", sends="view")

        sends.send(Shown("x"))
        context.send(Wrote("y"))
        for refused_call in (
            lambda: plain.send(Shown("x")),
            lambda: sends.observe(Shown, print),
            lambda: sends.scope("Below").send(Shown("x")),
        ):
            assert refused(refused_call).status == Status.DENIED


def test_a_view_may_send_and_observe_its_layer_only(context):
    seen = []
    told = []
    context.register(Wrote, Shown)
    context.observe(MainstemDenied, told.append)
    view = context.scope("View", sends="view", observes=["view"])
    view.observe(seen.append)

    view.send(Shown("x"))
    context.send(Wrote("y"))
    error = refused(lambda: view.send(Wrote("z")))

    assert error.status == Status.DENIED
    assert "scope View may not send Wrote: layer model is outside its rights" in str(error)
    assert refused(lambda: view.observe(Wrote, print)).status == Status.DENIED
    assert [event.value for event in seen] == [Shown("x")]
    assert [event.what for event in told] == ["send", "observe"]
    assert told[0] == MainstemDenied("View", "send", "Wrote", "model", 1)
    assert context.stats().denied == 2


def test_a_view_cannot_navigate(context):
    """V-018."""
    nav = mainstem.Navigator(context, stage=RecordingStage())
    nav.route("home", None)
    nav.open("home", then=print, failed=print)
    context.drain()
    view = context.scope("View", sends="view", observes=["view"])

    for act in (
        lambda: nav.of(view).open("home", then=print),
        lambda: nav.of(view).pop(then=print),
        lambda: nav.of(view).link("home", then=print),
        lambda: nav.of(view).finish(),
    ):
        assert refused(act).status == Status.DENIED
    assert [component.url for component in nav.tree] == ["home"]


def test_a_child_is_never_wider(context):
    view = context.scope("View", sends="view")
    child = view.scope("Child", sends=["view", "model"])

    child.send(Shown("x"))
    assert refused(lambda: child.send(Wrote("x"))).status == Status.DENIED
    assert refused(lambda: child.request("Wrote", "{}")).status == Status.DENIED
    assert refused(lambda: child.post(Wrote("x"))).status == Status.DENIED


def test_no_layers_are_nothing(context):
    mute = context.scope("Mute", sends=[])
    mute.observe(Shown, print)
    assert refused(lambda: mute.send(Shown("x"))).status == Status.DENIED


def test_a_callback_has_the_rights_of_its_scope(context):
    errors = []
    view = context.scope("View", sends="view")

    @view.observe(Shown)
    def write(event):
        errors.append(refused(lambda: event.scope.send(Wrote("x"))).status)

    context.send(Shown("x"))
    assert errors == [Status.DENIED]


def test_a_scope_may_have_so_many_observers(context):
    greedy = context.scope("Greedy", observers=1)
    greedy.observe(Shown, print)
    error = refused(lambda: greedy.scope("Child").observe(Shown, print))
    context.observe(Shown, print)

    assert error.status == Status.LIMIT
    assert "scope Greedy may have 1 observers" in str(error)


def test_a_server_that_needs_more_observers_than_its_scope_may_have_is_told_which(context):
    greedy = context.scope("Greedy", observers=1)
    handlers = {RequestRead: lambda request: None, RequestReread: lambda request: None}
    error = refused(lambda: greedy.server("Reader", handlers))

    assert error.status == Status.LIMIT
    assert "scope Greedy may have 1 observers" in str(error)
    assert greedy.observe(Shown, print)


def test_a_context_may_have_so_many_observers():
    with mainstem.Context(limits=Limits(observers=1)) as context:
        context.observe(Shown, print)
        error = refused(lambda: context.observe(Shown, print))
        assert error.status == Status.LIMIT
        assert "the context may have 1 observers" in str(error)


def test_a_payload_over_the_limit_is_too_big():
    with mainstem.Context(limits=Limits(payload=10)) as context:
        context.add_type("Bytes", bytes)
        context.send("Bytes", bytes(10))
        for call in (context.send, context.post):
            assert refused(lambda call=call: call("Bytes", bytes(11))).status == Status.TOO_BIG
        assert context.stats().events == 1


def test_limits_are_checked():
    with pytest.raises(ValueError):
        mainstem.Context(limits=Limits(payload=-1))
    error = refused(lambda: mainstem.Context(limits=Limits(payload=1 << 32)))
    assert error.status == Status.TOO_BIG
