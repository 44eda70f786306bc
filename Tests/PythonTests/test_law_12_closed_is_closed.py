# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 12: closed is closed."""

from __future__ import annotations

from ctypes import byref, c_uint64, c_void_p

import mainstem
import pytest
from greeting import Said
from mainstem._library import C
from raw import BUSY, OK, STALE, WRONG_KIND, Stream


def test_law_12_close_inside_a_release_hook_is_busy(stream):
    one = stream.type(b"One")
    statuses = []
    subscription = stream.observe(
        one,
        lambda e: None,
        release=lambda: statuses.append(C.mainstem_context_close(stream.handle)),
    )
    C.mainstem_cancel(subscription)

    assert statuses == [BUSY]
    assert stream.send(one) == OK


def test_law_12_after_close_every_handle_is_stale_for_ever(asking):
    kept = []
    scope = asking.scope()
    server = asking.server([(b"RequestA", lambda e: kept.append(asking.retain(e.address)))])
    subscription = asking.observe(0, lambda e: None)
    pending = asking.request(asking.asked, b"", lambda e: None)
    assert asking.close() == OK
    again = Stream()  # may take the slots of the closed one
    again.scope()
    again.observe(0, lambda e: None)

    pointer, position = c_void_p(), c_uint64()
    statuses = [
        asking.send(asking.asked),
        asking.post(asking.asked),
        asking.send(asking.asked, through=scope),
        asking.send(asking.asked, through=server),
        C.mainstem_scope_end(scope),
        C.mainstem_scope_end(server),
        C.mainstem_scope_add(asking.handle, b"x", None, byref(pointer)),
        C.mainstem_cancel(subscription),
        C.mainstem_subscription_from(subscription, byref(position)),
        C.mainstem_pending_cancel(pending),
        C.mainstem_pending_position(pending, byref(position)),
        C.mainstem_retained_event(kept[0], byref(pointer)),
        C.mainstem_retained_release(kept[0]),
        C.mainstem_drain(asking.handle, 0, None),
        C.mainstem_wait(asking.handle, 0),
        C.mainstem_flush(asking.handle),
        C.mainstem_context_close(asking.handle),
    ]

    assert statuses == [STALE] * len(statuses)
    assert again.stats().events == 0
    assert again.close() == OK


def test_law_12_a_handle_of_another_kind_or_from_nowhere_is_a_status(stream):
    one = stream.type(b"One")
    scope = stream.scope()
    subscription = stream.observe(one, lambda e: None)

    assert C.mainstem_context_close(scope) == WRONG_KIND
    assert C.mainstem_scope_end(stream.handle) == WRONG_KIND
    assert C.mainstem_cancel(scope) == WRONG_KIND
    assert C.mainstem_send(subscription, one, b"", 0) == WRONG_KIND
    assert C.mainstem_send(None, one, b"", 0) != OK
    assert C.mainstem_send(0x1234567890, one, b"", 0) != OK
    assert C.mainstem_cancel(None) == OK
    assert C.mainstem_context_close(None) == OK


def test_law_12_close_drops_what_waits_on_a_scheduler():
    seen = []
    context = mainstem.Context(raises=True)
    host = context.observe(Said, seen.append, on="host")
    serial = context.observe(Said, seen.append, on=context.serial("worker"), count=1)
    context.send(Said("a"))
    context.close()
    context.close()

    assert host.released and serial.released
    assert len(seen) <= 1


def test_law_12_a_closed_context_is_named():
    context = mainstem.Context()
    scope = context.scope("Scope")
    context.register(Said)
    context.close()
    with mainstem.Context() as other:
        other.observe(lambda event: None)
        for call in (
            lambda: context.send(Said("x")),
            lambda: context.post(Said("x")),
            lambda: context.observe(lambda event: None),
            lambda: context.drain(),
        ):
            with pytest.raises(mainstem.MainstemError) as error:
                call()
            assert error.value.status == mainstem.Status.STALE
            assert error.value.message.endswith(
                ": context: the context is closed: close it after the last call"
            )
        with pytest.raises(mainstem.MainstemError) as error:
            scope.send(Said("x"))
        assert error.value.status == mainstem.Status.STALE
