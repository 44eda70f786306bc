# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Timers, and the virtual clock."""

from __future__ import annotations

import mainstem
import pytest
from greeting import Said
from mainstem import MainstemError, Status


@pytest.fixture
def virtual():
    """A context whose time the test moves on."""
    with mainstem.Context(clock="virtual", times=True, raises=True) as made:
        made.register(Said)
        yield made


def write_down(context):
    seen = []
    context.observe(Said, lambda said: seen.append((said.words, context.now())))
    return seen


def test_timers_fire_in_order_each_at_its_own_time(virtual):
    seen = write_down(virtual)
    virtual.send_after(0.02, Said("second"))
    virtual.send_after(0.01, Said("first"))
    timer = virtual.send_every(0.015, Said("again"))
    assert virtual.now() == 0

    virtual.advance(0.03)
    assert seen == [("first", 0.01), ("again", 0.015), ("second", 0.02), ("again", 0.03)]
    assert virtual.stats().timers == 1
    assert timer.cancel() is True
    assert timer.cancel() is False
    assert virtual.stats().timers == 0


def test_what_a_callback_arms_comes_in_the_same_advance(virtual):
    seen = write_down(virtual)

    @virtual.observe(Said)
    def again(said):
        if len(seen) < 3:
            virtual.send_after(60, Said(said.words + "!"))

    virtual.send_after(0, Said("a"))
    virtual.advance(3600)
    assert seen == [("a", 0), ("a!", 60), ("a!!", 120)]


def test_a_wait_ends_when_a_timer_fires(context):
    context.register(Said)
    seen = []
    context.observe(Said, seen.append)
    context.send_after(0.001, Said("x"))
    assert context.wait() is True
    assert [said.words for said in seen] == ["x"]
    assert context.next_timeout() is None


def test_a_timer_has_the_name_of_its_scope_and_ends_with_it(virtual):
    origins = []
    virtual.observe(Said, lambda said: origins.append(said.origin))
    scope = virtual.scope("Clockwork")
    scope.send_every(1, Said("x"))
    virtual.advance(1)
    scope.end()
    virtual.advance(10)
    assert origins == ["Clockwork"]


def test_short_is_not_zero(virtual):
    seen = write_down(virtual)
    virtual.send_every(0.0001, Said("x"))
    virtual.advance(0.002)
    assert len(seen) == 2


def test_what_is_armed_is_checked(context):
    context.register(Said)
    for arm in (
        lambda: context.send_after(-1, Said("x")),
        lambda: context.send_every(0, Said("x")),
        lambda: context.advance(1),
    ):
        with pytest.raises(MainstemError) as caught:
            arm()
        assert caught.value.status == Status.INVALID
    with pytest.raises(TypeError):
        mainstem.Context(clock="sundial")
