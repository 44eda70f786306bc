# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What one subscription counts, from Python."""

from __future__ import annotations

import threading

import mainstem
import pytest
from mainstem import MainstemError, Status


def observed(context, function):
    context.add_type("Bytes", bytes)
    return context.observe("Bytes", function)


def test_failures_are_counted_and_times_only_where_asked_for():
    def fail(event):
        raise ValueError

    with mainstem.Context(on_exception=lambda *_: None) as context:
        subscription = observed(context, fail)
        context.send("Bytes", b"a")
        context.send("Bytes", b"b")
        assert subscription.stats() == mainstem.SubscriptionStats(0, 2, 0, 0, 0, 0, 0, 0)
        subscription.cancel()
        with pytest.raises(MainstemError) as ended:
            subscription.stats()
        assert ended.value.status == Status.STALE


def test_a_mailbox_counts_what_waits():
    with mainstem.Context() as context:
        context.add_type("Bytes", bytes)
        mailbox = context.mailbox("Bytes", policy="drop-oldest", limit=2)
        context.send_many("Bytes", [b"one", b"two", b"three"])
        stats = mailbox.stats()
        assert (stats.delivered, stats.dropped, stats.waiting, stats.waiting_bytes) == (0, 1, 2, 8)
        assert len(list(mailbox.records())) == 3
        stats = mailbox.stats()
        assert (stats.delivered, stats.dropped, stats.waiting, stats.waiting_bytes) == (2, 1, 0, 0)


def test_another_thread_sees_which_callback_does_not_return():
    seen = []
    with mainstem.Context(timing=True, raises=True) as context:

        def look(event):
            watchdog = threading.Thread(target=lambda: seen.append(subscription.stats()))
            watchdog.start()
            watchdog.join()

        subscription = observed(context, look)
        context.send("Bytes", b"a")
        stats = subscription.stats()
    assert seen[0].current_ns > 0 and seen[0].delivered == 0
    assert stats.current_ns == 0 and stats.delivered == 1
    assert 0 < stats.longest_ns == stats.total_ns
