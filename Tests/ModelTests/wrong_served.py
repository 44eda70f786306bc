# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong streams: servers on a scheduler."""

from __future__ import annotations

from reference.flow.values import Event, Subscription
from reference.model import Stream


class WaitingRequestsAreUnhandled(Stream):
    def waits_for_a_handler(self, event: Event) -> bool:
        return False


class QueuesOfServersDropTheNewest(Stream):
    """What has no room is accepted and lost, as if nobody had asked."""

    def refuses(self, subscription: Subscription) -> bool:
        return super().refuses(subscription) and not subscription.is_handler
