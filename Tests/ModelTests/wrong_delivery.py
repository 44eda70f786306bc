# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong streams: order, calls, causes, answers, ends."""

from __future__ import annotations

from reference.flow.history import Joining
from reference.flow.process import Frame
from reference.flow.values import Event, Pending, Scope, Subscription
from reference.model import Stream


class NestedSendsLastInFirstOut(Stream):
    def enqueue(self, event: Event) -> None:
        self.queue.appendleft(event)


class AnswersOvertake(Stream):
    """Two queues that are never merged by position."""

    def next_event(self) -> Event | Joining:
        answers = [event for event in self.queue if isinstance(event, Event) and event.answers]
        event = answers[0] if answers else self.queue[0]
        self.queue.remove(event)
        return event


class NestedDelivery(Stream):
    """A send inside a callback delivers at once."""

    def deliver(self, is_last: bool = True) -> None:
        before, self.delivering = self.delivering, False
        super().deliver(is_last)
        self.delivering = before


class ObserversReversed(Stream):
    def recipients(self) -> list[Subscription]:
        return super().recipients()[::-1]


class CancelledPeerCalled(Stream):
    def is_live(self, subscription: Subscription) -> bool:
        return True


class CompletionFirst(Stream):
    def deliver_one(self, event: Event) -> None:
        self.complete(event)
        self.reach(event)


class HookInsideCancel(Stream):
    def cancel(self, subscription: Subscription) -> None:
        super().cancel(subscription)
        self.run_hooks()


class HookWithNextEvent(Stream):
    """Hooks wait until the event has reached all its observers."""

    def run_hooks(self) -> None:
        if not self.process.frame(self) and not getattr(self, "reaching", False):
            super().run_hooks()

    def deliver_one(self, event: Event) -> None:
        self.reaching = True
        super().deliver_one(event)
        self.reaching = False
        self.run_hooks()


class CauseLostInQueue(Stream):
    def cause_of(self, current: Event) -> int:
        return 0


class CorrelationIsCause(Stream):
    def correlation_of(self, current: Event) -> int:
        return current.position


class CountOffByOne(Stream):
    def has_all(self, subscription: Subscription) -> bool:
        return bool(subscription.filter.count) and subscription.matched > subscription.filter.count


class ReportedAtThird(Stream):
    def is_reported(self, count: int) -> bool:
        return count in (1, 3) or super().is_reported(count)


class ReportsReported(Stream):
    def is_quiet(self, event: Event) -> bool:
        return False


class UnhandledDespiteServer(Stream):
    def is_unhandled(self, request: Pending) -> bool:
        return True


class NeverUnhandled(Stream):
    def is_unhandled(self, request: Pending) -> bool:
        return False


class LastServerEndsSilently(Stream):
    def cancel_open(self, servers: list[Scope], scopes: list[Scope]) -> None:
        super().cancel_open([], scopes)


class AskingScopeEndsSilently(Stream):
    def cancel_open(self, servers: list[Scope], scopes: list[Scope]) -> None:
        super().cancel_open(servers, [])


class OtherServerForgotten(Stream):
    def is_served(self, request: Pending) -> bool:
        return False


class LaterServerCounts(Stream):
    def gets(self, server: Scope, event: Event) -> bool:
        return event.type in server.handles


class EndsInOrderOfRegistration(Stream):
    def ending_order(self) -> list[Subscription]:
        return list(self.subscriptions)


class PostsInOneTurn(Stream):
    def take_in(self, count: int) -> int:
        self.deliver()
        for _ in range(count):
            self.accept(self.posts.popleft())
        self.deliver()
        return count


class HookIsNoCallback(Stream):
    """A release hook is not known to run: a wait inside it is not refused."""

    def hook_frame(self) -> Frame:
        return Frame(Stream(self.process, {}), None)


class HeldEventsDelivered(Stream):
    """A context that delivers on its host does so inside send."""

    def deliver(self, is_last: bool = True) -> None:
        on_host, self.on_host = self.on_host, False
        super().deliver(is_last)
        self.on_host = on_host


class ProgressAfterTheAnswer(Stream):
    def is_answered(self, request: Pending) -> bool:
        return False


class CloseRunsObservers(Stream):
    def run_last_completions(self) -> None:
        self.is_ending = False
        super().run_last_completions()
        self.is_ending = True
