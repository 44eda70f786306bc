# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Law 8: accepted means answered."""

from __future__ import annotations

from mainstem._library import C
from raw import OK, STALE, on_thread


def test_law_8_an_answer_from_another_thread_counts_and_arrives_at_the_drain(asking):
    kept, answers = [], []
    asking.server([(b"RequestA", lambda e: kept.append(asking.retain(e.address)))])
    pending = asking.request(asking.asked, b"", lambda e: answers.append(e.data))
    event = asking.kept(kept[0])

    assert on_thread(lambda: C.mainstem_respond(event, b"far", 3)) == OK
    assert C.mainstem_respond(event, b"near", 4) == STALE
    assert C.mainstem_pending_cancel(pending) == STALE
    assert answers == []
    asking.drain()

    assert answers == [b"far"]
