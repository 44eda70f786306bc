# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong models, one planted fault each: the scripts must tell each from the true one."""

from __future__ import annotations

from contract import OK
from history import Joining
from reference import Reference
from schedulers import Entry
from stream import Frame, Stream
from values import Completion, Event, EventType, Gap, History, Pending, Scope, Subscription, Timer


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


class FilterForgottenWhenRoomIsSought(Stream):
    """A queue is asked for room for events that its observer does not get, and keeps it."""

    def asks(self, subscription: Subscription, event: Event) -> bool:
        return self.is_live(subscription)

    def redeem(self, subscription: Subscription, event: Event) -> None:
        if self.is_due(subscription, event):
            super().redeem(subscription, event)


class RejectLetsInWhatWasNotAsked(Stream):
    """Timers, late events and progress from elsewhere overrun a queue that refuses."""

    def is_owed(self, event: Event) -> bool:
        return True


class RoomIsNotPromised(Stream):
    """Only what waits counts, not what is on its way."""

    def has_room(self, subscription: Subscription, event: Event) -> bool:
        taken = [each.event for each in self.waiting(subscription)]
        return self.fits(subscription, taken, event)


class PromiseForgottenInBytes(Stream):
    def fits(self, subscription: Subscription, taken: list[Event], event: Event) -> bool:
        return super().fits(subscription, [each for each in taken if not each.promises], event)


class BoundOffByOne(Stream):
    def fits(self, subscription: Subscription, taken: list[Event], event: Event) -> bool:
        return super().fits(subscription, taken[1:], event)


class BytesForgotten(Stream):
    def fits(self, subscription: Subscription, taken: list[Event], event: Event) -> bool:
        return len(taken) < subscription.limit_events


class OneThatIsTooLargeNeverFits(Stream):
    def fits(self, subscription: Subscription, taken: list[Event], event: Event) -> bool:
        size = sum(len(each.payload) for each in taken) + len(event.payload)
        return len(taken) < subscription.limit_events and size <= subscription.limit_bytes


class AnswersRefused(Stream):
    """An answer that finds a queue full is lost like others."""

    def is_owed(self, event: Event) -> bool:
        return False


class OldestAndNewestMixedUp(Stream):
    def drop_oldest(self, subscription: Subscription, event: Event) -> None:
        waiting = self.waiting(subscription)
        while waiting and not self.fits(subscription, [each.event for each in waiting], event):
            self.turn_into_gap(subscription, waiting.pop())


class LossNotTold(Stream):
    def turn_into_gap(self, subscription: Subscription, entry: Entry) -> None:
        subscription.dropped += 1
        self.schedulers[subscription.filter.scheduler].line.remove(entry)


class LossAtTheEndTold(Stream):
    """A gap at the end of a burst waits for the next event."""

    def is_asked(self, entry: Entry) -> bool:
        if entry.gap and self.share(entry.owner)[-1] is entry:
            return False
        return super().is_asked(entry)


class EachLossAGap(Stream):
    def lose(self, subscription: Subscription, event: Event) -> None:
        subscription.dropped += 1
        line = self.schedulers[subscription.filter.scheduler].line
        line.append(Entry(subscription, event, Gap(event.position)))


class DemandIgnored(Stream):
    def is_asked(self, entry: Entry) -> bool:
        return isinstance(entry.owner, Completion) or entry.owner.has_fn


class DroppedIsNotAsked(Stream):
    """On demand: what drop-oldest loses takes what was asked with it."""

    def turn_into_gap(self, subscription: Subscription, entry: Entry) -> None:
        subscription.asked = max(0, subscription.asked - 1)
        super().turn_into_gap(subscription, entry)


class ScheduledBeforeImmediate(Stream):
    def deliver_one(self, event: Event) -> None:
        self.hand_over(event)
        self.reach(event)
        self.keep(event)
        self.complete(event)


class CancelledStillWaits(Stream):
    """What waits for an observer that is cancelled keeps its place until it is due."""

    def cancel(self, subscription: Subscription) -> None:
        scheduler = self.schedulers[subscription.filter.scheduler]
        line = scheduler.line
        super().cancel(subscription)
        scheduler.line = line


class ScheduledSendsAreInside(Stream):
    def is_input(self, event: Event) -> bool:
        return not event.cause


class AnswerOvertakesScheduled(Stream):
    """The completion on a scheduler goes before what waits there."""

    def complete(self, event: Event) -> None:
        super().complete(event)
        completion = event.completion
        if completion and completion.scheduler:
            line = self.schedulers[completion.scheduler].line
            line.insert(0, line.pop())


class DrainTakesWhatCameMeanwhile(Stream):
    def run_scheduled(self, count: int) -> int:
        done = super().run_scheduled(count)
        return done + (self.run_scheduled(count - done) if done < count and self.due() else 0)

    def drain(self, limit: int) -> int:
        done = super().drain(limit)
        return done + (self.run_scheduled(len(self.due())) if not limit else 0)


class TimersByArming(Stream):
    def firing_order(self, timer: Timer | Pending) -> tuple[int, int]:
        return timer.armed, timer.due


class PeriodLost(Stream):
    """A periodic timer goes on from when it fired late, not from when it was due."""

    def step_on(self, timer: Timer) -> None:
        super().step_on(timer)
        if timer.period:
            timer.due += 1_000_000


class TimersOutliveScopes(Stream):
    def end_timers(self, scopes: list[Scope]) -> None:
        pass


class TimeoutAnswersTheAnswered(Stream):
    """A time-out is not forgotten with the answer."""

    def answer(self, request: Event, response: Event) -> None:
        timers = list(self.timers)
        super().answer(request, response)
        self.timers = timers

    def fire(self, timer: Timer | Pending) -> None:
        if isinstance(timer, Timer) or timer in self.open.values():
            super().fire(timer)
        else:
            self.timers.remove(timer)
            self.accept(Event(self.response_of(timer.event.type), b"late", ""))
            self.deliver()


class HistoryOfEverything(Stream):
    """What was accepted before the history began is kept too."""

    def keep(self, event: Event) -> None:
        history = self.histories.get(event.type)
        if history:
            history.starts_after = 0
        super().keep(event)


class HistoryUnbounded(Stream):
    def trim(self, history: History) -> None:
        pass


class HistoryAgeless(Stream):
    def is_too_old(self, history: History, time: int) -> bool:
        return False


class HistoryByType(Stream):
    """Late events come type by type, not merged by position."""

    def deliver_late(self, subscription: Subscription) -> None:
        for history in list(self.histories.values()):
            for event, _ in list(history.events):
                came_before = event.position <= subscription.starts_after
                if came_before and self.is_wanted(subscription, event):
                    self.give_late(subscription, event.copy())


class HistoryInsideTheCurrentEvent(Stream):
    def join(self, subscription: Subscription) -> None:
        if self.histories and not subscription.filter.flags & 8:
            self.deliver_late(subscription)


class LateEventsNotCounted(Stream):
    def give_late(self, subscription: Subscription, event: Event) -> None:
        super().give_late(subscription, event)
        subscription.matched -= 1


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


class RightsWiden(Stream):
    """A scope may do what its options name, whatever its parent may."""

    def narrow(self, scope: Scope, how: dict[str, int]) -> None:
        super().narrow(scope, how)
        scope.send_layers = how.get("send_layers") or scope.send_layers


class EachDenialReported(Stream):
    def check_right(self, scope: Scope, layers: int, known: EventType) -> int:
        status = super().check_right(scope, layers, known)
        if status and not self.is_reported(scope.denied):
            scope.denied += 1
        return status


class ReachForgotten(Stream):
    """An observer of every type sees what its scope may not observe."""

    def is_wanted(self, subscription: Subscription, event: Event) -> bool:
        scope = subscription.scope
        layers, scope.observe_layers = scope.observe_layers, -1
        wanted = super().is_wanted(subscription, event)
        scope.observe_layers = layers
        return wanted


class BudgetOfTheParentForgotten(Stream):
    def has_budget(self, scope: Scope | None, count: int) -> bool:
        if scope and scope.parent and scope.limit_observers:
            made = sum(each.scope.within(scope) for each in self.subscriptions)
            return made + count <= scope.limit_observers
        return super().has_budget(scope, count)


class ChainOneTooLong(Stream):
    def limit(self, name: str, default: int) -> int:
        return super().limit(name, default) + (name == "cascade")


class OneTooManyWaits(Stream):
    def limit(self, name: str, default: int) -> int:
        return super().limit(name, default) + (name == "events")


class OnePostTooMany(Stream):
    def limit(self, name: str, default: int) -> int:
        return super().limit(name, default) + (name == "posts")


class ScheduledChainGoesOn(Stream):
    """What a callback on a scheduler sends is no outside event to the cascade."""

    def depth_behind(self, frame: Frame | None) -> int:
        return frame.event.depth + 1 if frame and frame.event else 0


class InterruptsBehindPosts(Reference):
    def post(self, scope: Scope, number: int, data: bytes) -> int:
        status = super().post(scope, number, data)
        if status == OK and len(scope.stream.posts) > 1:
            posts = scope.stream.posts
            posts[-1], posts[-2] = posts[-2], posts[-1]
        return status


class NewObserverGetsCurrentEvent(Reference):
    class stream_class(Stream):
        def reach(self, event: Event) -> None:
            before = self.recipients()
            super().reach(event)
            for subscription in self.recipients():
                if subscription not in before and self.is_due(subscription, event):
                    self.call_subscription(subscription, event)

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


# What scripts must be about that are to see a fault, where few of the others do.
QUEUES, HISTORY, TIMERS = ("schedulers",), ("history", "timers"), ("timers", "asked", "schedulers")
ABOUT: dict[str, tuple[str, ...]] = {
    "RejectLetsInWhatWasNotAsked": ("schedulers", "timers"),
    "AnswersRefused": QUEUES,
    "BytesForgotten": QUEUES,
    "OneThatIsTooLargeNeverFits": QUEUES,
    "OldestAndNewestMixedUp": QUEUES,
    "LossAtTheEndTold": QUEUES,
    "EachLossAGap": QUEUES,
    "DroppedIsNotAsked": ("schedulers", "demand"),
    "ScheduledBeforeImmediate": ("schedulers", "counters"),
    "CancelledStillWaits": QUEUES,
    "AnswerOvertakesScheduled": ("schedulers", "asked"),
    "TimersByArming": TIMERS,
    "PeriodLost": TIMERS,
    "TimersOutliveScopes": TIMERS,
    "TimeoutAnswersTheAnswered": ("timers", "asked"),
    "HistoryOfEverything": HISTORY,
    "HistoryUnbounded": HISTORY,
    "HistoryAgeless": HISTORY,
    "HistoryByType": HISTORY,
    "HistoryInsideTheCurrentEvent": HISTORY,
    "LateEventsNotCounted": HISTORY,
    "RightsWiden": ("rights",),
    "EachDenialReported": ("rights",),
    "ReachForgotten": ("rights",),
    "BudgetOfTheParentForgotten": ("rights",),
    "ChainOneTooLong": ("limits",),
    "OneTooManyWaits": ("limits",),
    "OnePostTooMany": ("limits",),
    "ScheduledChainGoesOn": ("limits", "schedulers"),
    "ProgressAfterTheAnswer": ("progress", "asked"),
    "LaterServerCounts": ("servers",),
    "AskingScopeEndsSilently": ("servers",),
    "LastServerEndsSilently": ("servers",),
    "OtherServerForgotten": ("servers",),
}
WRONG_STREAMS = [
    RightsWiden,
    EachDenialReported,
    ReachForgotten,
    BudgetOfTheParentForgotten,
    ChainOneTooLong,
    OneTooManyWaits,
    OnePostTooMany,
    ScheduledChainGoesOn,
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
    LaterServerCounts,
    EndsInOrderOfRegistration,
    PostsInOneTurn,
    FilterForgottenWhenRoomIsSought,
    RejectLetsInWhatWasNotAsked,
    RoomIsNotPromised,
    PromiseForgottenInBytes,
    BoundOffByOne,
    BytesForgotten,
    OneThatIsTooLargeNeverFits,
    AnswersRefused,
    OldestAndNewestMixedUp,
    LossNotTold,
    LossAtTheEndTold,
    EachLossAGap,
    DemandIgnored,
    DroppedIsNotAsked,
    ScheduledBeforeImmediate,
    CancelledStillWaits,
    ScheduledSendsAreInside,
    AnswerOvertakesScheduled,
    DrainTakesWhatCameMeanwhile,
    TimersByArming,
    PeriodLost,
    TimersOutliveScopes,
    TimeoutAnswersTheAnswered,
    HistoryOfEverything,
    HistoryUnbounded,
    HistoryAgeless,
    HistoryByType,
    HistoryInsideTheCurrentEvent,
    LateEventsNotCounted,
    HeldEventsDelivered,
    ProgressAfterTheAnswer,
    CloseRunsObservers,
]
VARIANTS: dict[str, type[Reference]] = {
    **{stream.__name__: reference_on(stream) for stream in WRONG_STREAMS},
    "InterruptsBehindPosts": InterruptsBehindPosts,
    "NewObserverGetsCurrentEvent": NewObserverGetsCurrentEvent,
    "NewObserverGetsQueuedEvents": NewObserverGetsQueuedEvents,
    "SecondAnswerAccepted": SecondAnswerAccepted,
    "PostKeepsCause": PostKeepsCause,
}
