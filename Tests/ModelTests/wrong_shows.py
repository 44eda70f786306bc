# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong streams: when a server shows, and what leaves when."""

from __future__ import annotations

from typing import Any

from reference.declarations import d
from reference.flow.values import Event, Scope, Subscription
from reference.model import Stream


class ShownBeforeAllObservers(Stream):
    def call_subscription(self, subscription: Subscription, event: Event) -> None:
        super().call_subscription(subscription, event)
        self.pay(event)


class AnswersBeforeTheShow(Stream):
    def hold(self, response: Event) -> bool:
        return False


class AnswersOfFailedShowsLost(Stream):
    def take_status(self, scope: Scope, status: int, event: Event) -> None:
        super().take_status(scope, status, event)
        if status != d.OK:
            scope.held.clear()


class ShownInOrderOfAdding(Stream):
    def pay(self, event: Event) -> None:
        self.owed.sort(key=lambda each: each.since)
        super().pay(event)


class OnlyHandlersOwe(Stream):
    def call_fn(self, subscription: Subscription, event: Event, *rest: bool) -> None:
        before = list(self.owed)
        super().call_fn(subscription, event, *rest)
        if not subscription.is_handler:
            self.owed = [each for each in self.owed if each in before]


class CompletionsFromOutsideOwe(Stream):
    def holder(self, scope: Scope, is_outside: bool) -> Scope | None:
        return super().holder(scope, False)


class ShownTwiceForTwoCallbacks(Stream):
    def owe(self, scope: Scope) -> None:
        if self.may_show(scope):
            self.owed.append(scope)


class LateEventsOweNothing(Stream):
    is_late = False

    def give_late(self, subscription: Subscription, event: Event) -> None:
        self.is_late = True
        super().give_late(subscription, event)
        self.is_late = False

    def owe(self, scope: Scope) -> None:
        if not self.is_late:
            super().owe(scope)


class ShownInsideTheAdding(Stream):
    def owe_first(self, server: Scope) -> None:
        super().owe_first(server)
        self.ready_shows()


class NoRoomIsAFailure(Stream):
    def take_status(self, scope: Scope, status: int, event: Event) -> None:
        super().take_status(scope, status, event)
        if scope in self.owed_again:
            self.owed_again.remove(scope)
            self.fail_show(scope, status, event)


class FirstShowsFindNoRoom(Stream):
    def is_first_show(self, frame: Any) -> bool:
        return False


class NoRoomIsForgotten(Stream):
    def take_status(self, scope: Scope, status: int, event: Event) -> None:
        super().take_status(scope, status, event)
        self.owed_again = [each for each in self.owed_again if each is not scope]


class EndedServersShow(Stream):
    def may_show(self, scope: Scope) -> bool:
        return bool(scope.show)
