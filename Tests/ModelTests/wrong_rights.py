# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong streams: rights, budgets, limits."""

from __future__ import annotations

from reference.flow.process import Frame
from reference.flow.values import Event, EventType, Scope, Subscription
from reference.model import Stream


class RightsWiden(Stream):
    """A scope may do what its options name, whatever its parent may."""

    def narrow(self, scope: Scope, how: dict[str, int]) -> None:
        super().narrow(scope, how)
        scope.send_layers = how.get("send_layers") or scope.send_layers


class RightsGivenToAll(Stream):
    """A scope has its parent's rights, in a context that denies by default, too."""

    def narrow(self, scope: Scope, how: dict[str, int]) -> None:
        super().narrow(scope, {"send_layers": -1, "observe_layers": -1, **how})


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


class WhoFindsMayMore(Stream):
    """A limited scope finds what may do more."""

    def reaches(self, scope: Scope, other: Scope) -> bool:
        return True


class OnlyOwnChildrenAreFound(Stream):
    def reaches(self, scope: Scope, other: Scope) -> bool:
        return super().reaches(scope, other) and other.within(scope)


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
