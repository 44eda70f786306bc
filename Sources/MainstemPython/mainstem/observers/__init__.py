# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Observers: what is called with events, where, and what becomes of what it raises."""

from ._calls import Scheduler, Stats, SubscriptionStats
from ._subscription import EventHeader, Mailbox, Subscription

__all__ = ["EventHeader", "Mailbox", "Scheduler", "Stats", "Subscription", "SubscriptionStats"]
