# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The counters of contexts and subscriptions."""

from __future__ import annotations

import ctypes
from typing import NamedTuple

from ._library import C
from ._library._header import ContextStatsStruct, SubscriptionStatsStruct
from .failure import check


class Stats(NamedTuple):
    """The counters of a context (mainstem_context_stats_read)."""

    scopes: int
    events: int
    deliveries: int
    failures: int
    waiting: int
    types: int
    subscriptions: int
    requests: int
    retained: int
    denied: int
    history: int
    history_lost: int
    timers: int
    timers_missed: int
    rejected: int


def read_stats(handle: int) -> Stats:
    """Reads the counters of a context."""
    stats = ContextStatsStruct(size=ctypes.sizeof(ContextStatsStruct))
    check(C.mainstem_context_stats_read(handle, ctypes.byref(stats)))
    return Stats(*(getattr(stats, name) for name in Stats._fields))


class SubscriptionStats(NamedTuple):
    """The counters of a subscription (mainstem_subscription_stats); times in nanoseconds.

    `delivered` is 0 if it is neither scheduled nor timed; the times need `Context(timing=True)`.
    """

    delivered: int
    failed: int
    dropped: int
    waiting: int
    waiting_bytes: int
    total_ns: int
    longest_ns: int
    current_ns: int


def read_subscription_stats(handle: int) -> SubscriptionStats:
    """Reads the counters of a subscription. Any thread may call it."""
    stats = SubscriptionStatsStruct(size=ctypes.sizeof(SubscriptionStatsStruct))
    check(C.mainstem_subscription_stats_read(handle, ctypes.byref(stats)))
    return SubscriptionStats(*(getattr(stats, name) for name in SubscriptionStats._fields))
