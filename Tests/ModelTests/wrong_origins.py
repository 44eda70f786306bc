# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong streams: observers and handlers of one origin."""

from __future__ import annotations

from typing import Iterable

from reference.flow.values import Event, Pending, Scope, Subscription
from reference.model import Stream


class OriginsOfChildrenToo(Stream):
    def is_wanted(self, subscription: Subscription, event: Event) -> bool:
        of = subscription.filter.of
        names = [each.name for each in self.scopes if of and each is not of and each.within(of)]
        if event.origin not in names:
            return super().is_wanted(subscription, event)
        child = event.copy()
        child.origin = of.name
        return super().is_wanted(subscription, child)


class OneOriginInOrderOfRegistration(Stream):
    def in_order(self, subscriptions: Iterable[Subscription]) -> list[Subscription]:
        return list(subscriptions)


class OwnHandlersGetEveryOrigin(Stream):
    def is_wanted(self, subscription: Subscription, event: Event) -> bool:
        if subscription.is_handler:
            subscription.filter.of = None
        return super().is_wanted(subscription, event)


class OwnHandlersHandleNothing(Stream):
    def is_unhandled(self, request: Pending) -> bool:
        plain = any(
            each.is_handler and not each.filter.of and self.is_due(each, request.event)
            for each in self.subscriptions
        )
        return super().is_unhandled(request) or not plain


class OwnHandlersOfOthersHandle(Stream):
    def is_unhandled(self, request: Pending) -> bool:
        owned = any(request.event.type in each.owns for each in self.scopes)
        return super().is_unhandled(request) and not owned


class EveryOriginComesLate(Stream):
    def deliver_late(self, subscription: Subscription) -> None:
        of, subscription.filter.of = subscription.filter.of, None
        super().deliver_late(subscription)
        subscription.filter.of = of


class OriginsNotAskedForRoom(Stream):
    def refuses(self, subscription: Subscription) -> bool:
        return super().refuses(subscription) and not subscription.filter.of


class OriginsEndWithTheirScope(Stream):
    def end_scope(self, scope: Scope) -> None:
        for each in self.subscriptions[:]:
            if each.filter.of and each.filter.of.within(scope) and not each.cancelled:
                self.cancel(each)
        super().end_scope(scope)
