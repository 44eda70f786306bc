# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 12: closed is closed."""

from __future__ import annotations

import mainstem
import pytest
from greeting import Said
from mainstem._library import C
from raw import BUSY, OK


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
