# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a signal handler in C posts reaches Python's observers."""

from __future__ import annotations

import mainstem
from mainstem._library import C
from raw import OK

UNSUPPORTED = 17


def test_it_reaches_observers_of_a_context_that_was_made_for_it():
    with mainstem.Context() as context, mainstem.Context(interrupts=True) as other:
        seen = []
        for each, wanted in ((context, UNSUPPORTED), (other, OK)):
            each.add_type("Signal", str)
            each.observe("Signal", lambda event: seen.append(event.text))
            signal = each.catalogue.number_of("Signal")
            assert C.mainstem_post_from_interrupt(each.handle, signal, b"s", 1) == wanted
        context.drain()
        other.drain()
        assert seen == ["s"]
