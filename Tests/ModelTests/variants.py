# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong models, one planted fault each: the scripts must tell each from the true one."""

from __future__ import annotations

from collections import deque

from contract import OK
from reference import Reference
from stream import Frame, Stream
from values import Event, Pending, Scope, Subscription


class NestedSendsLastInFirstOut(Stream):
    def enqueue(self, event: Event) -> None:
        self.queue.appendleft(event)


class AnswersOvertake(Stream):
    """Two queues that are never merged by position."""

    def next_event(self) -> Event:
        answers = [event for event in self.queue if event.answers]
        event = answers[0] if answers else self.queue[0]
        self.queue.remove(event)
        return event


class NestedDelivery(Stream):
    """A send inside a callback delivers at once."""

    def deliver(self) -> None:
        before, self.delivering = self.delivering, False
        super().deliver()
        self.delivering = before


class ObserversReversed(Stream):
    def recipients(self) -> list[Subscription]:
        return self.subscriptions[::-1]


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
    def is_used_up(self, subscription: Subscription) -> bool:
        return subscription.calls == subscription.filter.count + 1


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
    def cancel_open(self, types: set[int], scopes: list[Scope]) -> None:
        super().cancel_open(set(), scopes)


class AskingScopeEndsSilently(Stream):
    def cancel_open(self, types: set[int], scopes: list[Scope]) -> None:
        super().cancel_open(types, [])


class OtherServerForgotten(Stream):
    def is_served(self, number: int) -> bool:
        return False


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

    def run_hooks(self) -> None:
        waiting, self.unreleased = self.unreleased, deque()
        for subscription in waiting:
            self.subscriptions.remove(subscription)
            subscription.released = True
            if subscription.hook:
                with self.process.inside(Frame(Stream(self.process, True), None)):
                    subscription.hook()


class NewObserverGetsCurrentEvent(Reference):
    class stream_class(Stream):
        def recipients(self) -> list[Subscription]:
            return self.subscriptions

    def starts_after(self, stream: Stream) -> int:
        frame = self.process.frame(stream)
        return frame.event.position - 1 if frame and frame.event else stream.last


class NewObserverGetsQueuedEvents(Reference):
    def starts_after(self, stream: Stream) -> int:
        frame = self.process.frame(stream)
        return frame.event.position if frame and frame.event else stream.last


class SecondAnswerAccepted(Reference):
    def is_settled(self, stream: Stream, event: Event) -> bool:
        return False


class PostKeepsCause(Reference):
    def post(self, scope: Scope, number: int, data: bytes) -> int:
        status = super().post(scope, number, data)
        if status == OK:
            scope.stream.set_cause(scope.stream.posts[-1])
        return status


def reference_on(stream: type[Stream]) -> type[Reference]:
    """A reference on a wrong stream."""
    return type(stream.__name__, (Reference,), {"stream_class": stream})


WRONG_STREAMS = [
    NestedSendsLastInFirstOut,
    AnswersOvertake,
    NestedDelivery,
    ObserversReversed,
    CancelledPeerCalled,
    CompletionFirst,
    HookInsideCancel,
    HookWithNextEvent,
    HookIsNoCallback,
    CauseLostInQueue,
    CorrelationIsCause,
    CountOffByOne,
    ReportedAtThird,
    ReportsReported,
    UnhandledDespiteServer,
    NeverUnhandled,
    LastServerEndsSilently,
    AskingScopeEndsSilently,
    OtherServerForgotten,
    EndsInOrderOfRegistration,
    PostsInOneTurn,
]
VARIANTS: dict[str, type[Reference]] = {
    **{stream.__name__: reference_on(stream) for stream in WRONG_STREAMS},
    "NewObserverGetsCurrentEvent": NewObserverGetsCurrentEvent,
    "NewObserverGetsQueuedEvents": NewObserverGetsQueuedEvents,
    "SecondAnswerAccepted": SecondAnswerAccepted,
    "PostKeepsCause": PostKeepsCause,
}
