# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong references: rows that the host's scheduler calls."""

from __future__ import annotations

from reference.declarations import d
from reference.flow.values import Callback, Event, Scope, Subscription
from reference.model import Reference
from reference.state.binding import Binding


class OwnWritesComeBack(Reference):
    def is_known(self, binding: Binding, name: str, event: Event) -> bool:
        return event.position < binding.written.get(name, 0)


class OlderThanTheWriteComes(Reference):
    def is_known(self, binding: Binding, name: str, event: Event) -> bool:
        return event.position == binding.written.get(name)


class NothingThatAnyViewWroteComes(Reference):
    def is_known(self, binding: Binding, name: str, event: Event) -> bool:
        return bool(event.flags & d.EVENT_WRITTEN) or super().is_known(binding, name, event)


class WritesOfTheOldOwnerCount(Reference):
    def join_rows(self, binding: Binding, owner: Scope | None) -> None:
        written = binding.written
        super().join_rows(binding, owner)
        binding.written = written


class EchoesAreSent(Reference):
    def is_echo(self, binding: Binding, name: str, owner: Scope) -> bool:
        return False


class EchoesThroughOtherViewsAreSent(Reference):
    def is_echo(self, binding: Binding, name: str, owner: Scope) -> bool:
        showing = binding.view.stream.showing
        return any(each[:3] == (self.process.thread, name, binding) for each in showing)


class EverySetInARowIsAnEcho(Reference):
    def is_echo(self, binding: Binding, name: str, owner: Scope) -> bool:
        return any(by is binding for _, _, by, _ in binding.view.stream.showing)


class EchoesOfOtherThreads(Reference):
    def is_echo(self, binding: Binding, name: str, owner: Scope) -> bool:
        return any(each[1:3] == (name, binding) for each in binding.view.stream.showing)


class TwoWayRowsGetEachChange(Reference):
    def register(self, subscription: Subscription) -> None:
        if subscription.filter.policy == d.QUEUE_LATEST and hasattr(subscription.fn, "is_of_view"):
            subscription.filter.policy = 0
        super().register(subscription)


class TwoWayRowsRunAtOnce(Reference):
    def register(self, subscription: Subscription) -> None:
        if subscription.filter.policy == d.QUEUE_LATEST and hasattr(subscription.fn, "is_of_view"):
            subscription.filter.policy = subscription.filter.scheduler = 0
        super().register(subscription)


class RowsOnTheHostGetTheNewest(Reference):
    def register(self, subscription: Subscription) -> None:
        if subscription.filter.scheduler and hasattr(subscription.fn, "is_of_view"):
            subscription.filter.policy = d.QUEUE_LATEST
        super().register(subscription)


class OwnWritesAreInTheChangeSet(Reference):
    def row(self, binding: Binding, name: str, fn: Callback, is_two_way: bool) -> Callback:
        made = super().row(binding, name, fn, is_two_way)

        def run(event: Event) -> None:
            if not event.flags & d.EVENT_GAP:
                binding.view.stream.note_change(binding, name)
            made(event)

        run.label, run.is_of_view = made.label, True
        return run


class ReleasedBeforeTheLastCall(Reference):
    def join_rows(self, binding: Binding, owner: Scope | None) -> None:
        super().join_rows(binding, owner)
        binding.holders = 1
        for observer in binding.observers:
            observer.hook = None


class NoticesMayBeTwoWay(Reference):
    def check_owner(self, view: Scope, owner: Scope | None, rows: list) -> int:
        plain = [(name, fn, flags & ~d.BINDING_TWO_WAY) for name, fn, flags in rows]
        return super().check_owner(view, owner, plain)
