# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 2: exactly once."""

from __future__ import annotations

from mainstem._library import C
from raw import STALE


def test_law_2_an_observer_of_the_first_n_gets_exactly_n(stream):
    one = stream.type(b"One")
    seen = []
    subscription = stream.observe_with(lambda e: seen.append(e.position), types=(one,), count=2)

    for _ in range(5):
        stream.send(one)

    assert seen == [1, 2]
    assert C.mainstem_cancel(subscription) == STALE
