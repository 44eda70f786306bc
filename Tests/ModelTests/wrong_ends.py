# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong streams and calls: owners, and ends that are events."""

from __future__ import annotations

from typing import Any

from reference.flow.opens import Opening
from reference.flow.values import Callback, Event, Scope
from reference.model import Reference, Stream


class OwnersOutliveWhoAsked(Stream):
    def opened_by(self, scope: Scope) -> list[Scope]:
        return []


class OwnersEndAtOnce(Stream):
    """What was opened ends before its end is delivered."""

    def ask_to_end(self, scope: Scope) -> int:
        self.end_scope(scope)
        return 0


class EndsOfContextsThatNobodyDrainedAreSilent(Stream):
    def report_undrained(self) -> None:
        """What waits for a drain is dropped."""


class EveryEndIsTold(Stream):
    def owes_end(self, scope: Scope) -> bool:
        return not scope.is_ending


class EndsOfThoseWhoAskedAreSilent(Stream):
    def owes_end(self, scope: Scope) -> bool:
        is_known = scope.is_opened or self.shows_something(scope)
        return is_known and not scope.is_ending


class ChildrenEndBeforeParents(Stream):
    def downwards(self, scope: Scope, among: list[Scope]) -> list[Scope]:
        return list(super().downwards(scope, among))[::-1]


class NewestOpenedEndsFirst(Stream):
    def opened_by(self, scope: Scope) -> list[Scope]:
        return super().opened_by(scope)[::-1]


class HalfMadeOwnersStay(Reference):
    """A factory that fails leaves what it has added."""

    def discard(self, scope: Scope) -> None:
        scope.is_ending = True


class OwnersHangBelowWhoAsked(Reference):
    """They have the rights of who asked."""

    def open_one(
        self, name: str, home: Scope, make: Callback, event: Event, service: Any = None
    ) -> None:
        known = [each for each in home.stream.scopes if each.name == event.origin]
        Opening.open_one(self, name, known[0] if known else home, make, event, service)
