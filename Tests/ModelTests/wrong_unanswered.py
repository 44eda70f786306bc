# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong streams: which requests nobody can answer any longer."""

from __future__ import annotations

from reference.flow.values import Event, Pending, Scope, Subscription
from reference.model import Stream


class ForgottenRequestsStayOpen(Stream):
    def answer_for_nobody(
        self, pending: Pending, by: Scope | None, waits: bool, released: bool
    ) -> None:
        """Until the context closes."""


class CopiesDoNotCount(Stream):
    def add_holder(self, event: Event) -> None:
        """Only the delivery does."""


class ReleasesDeliver(Stream):
    def let_go(
        self, event: Event, by: Scope | None, waits: bool = False, released: bool = False
    ) -> None:
        super().let_go(event, by, False, released)


class FailuresAreToldTwice(Stream):
    def note_failed(self, event: Event) -> None:
        """What failed has forgotten its request, too."""


class CallsOnSchedulersHoldForEver(Stream):
    def let_go_beside(self, handler: Subscription, event: Event) -> None:
        """The handler may answer yet."""
