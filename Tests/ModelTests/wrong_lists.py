# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong references and streams: lists."""

from __future__ import annotations

from typing import Sequence

from reference.declarations import d
from reference.flow.changes import Change, Shown
from reference.flow.lists import Ends, Window
from reference.flow.values import Event, EventType, Row, Scope, Subscription
from reference.model import Reference, Stream


class ListsDifferWhereTheyAreSet(Stream):
    """From the list that is there then, not from the one before it when it is delivered."""

    def accept(self, event: Event) -> int:
        if event.rows is not None:
            event.before = self.current(event)
        return super().accept(event)

    def list_before(self, event: Event) -> Event | None:
        return event.before


class ListsBehindGapsAreChanges(Stream):
    def may_have_lost(self, subscription: Subscription, event: Event) -> bool:
        return False


class ListsBehindGapsStayWhole(Stream):
    """Each event of a list is whole, once one has been lost."""

    def may_have_lost(self, subscription: Subscription, event: Event) -> bool:
        return subscription.lost_lists is not None


class OnlyTheFirstLossCounts(Stream):
    def note_lost(self, subscription: Subscription, event: Event) -> None:
        if not subscription.lost_lists:
            super().note_lost(subscription, event)


class OnlyTheLastLossCounts(Stream):
    def note_lost(self, subscription: Subscription, event: Event) -> None:
        subscription.lost_lists = None
        super().note_lost(subscription, event)


class EndingScopesGoOn(Stream):
    """What a scope sets when its end is told follows what it showed before."""

    def current(self, event: Event) -> Event | None:
        event.shower = None
        return super().current(event)


class LateListsAreChanges(Stream):
    def is_whole(self, event: Event) -> bool:
        return not event.before or bool(event.flags & d.EVENT_WHOLE)


class FirstListsAreChanges(Stream):
    def is_whole(self, event: Event) -> bool:
        event.before = event.before or Event(event.type, b"", event.origin, rows=())
        return super().is_whole(event)


class ListsOfEndedScopesStay(Stream):
    def end_values(self, ended: list[Scope]) -> None:
        lists = {key: each for key, each in self.present.items() if each.rows is not None}
        super().end_values(ended)
        self.present.update(lists)


class ListsThatAreThereAreSent(Stream):
    def is_there(self, event: Event) -> bool:
        return event.rows is None and super().is_there(event)


class ListsInAnotherOrderAreTheSame(Stream):
    def is_there(self, event: Event) -> bool:
        last = self.current(event)
        if event.rows is None or last is None:
            return super().is_there(event)
        return sorted(last.rows) == sorted(event.rows)


class ListsWithTheSameKeysAreTheSame(Stream):
    def is_there(self, event: Event) -> bool:
        last = self.current(event)
        if event.rows is None or last is None:
            return super().is_there(event)
        return [key for key, _ in last.rows] == [key for key, _ in event.rows]


class StaleEndsAreTaken(Reference):
    def is_stale(self, there: Event | None, ends: Ends) -> bool:
        return there is None


class AllRowsMayBeStale(Reference):
    """The version counts also where no end is kept."""

    def fill(
        self,
        stream: Stream,
        event: Event,
        rows: Sequence[Row],
        ends: Ends | None,
        window: Window | None,
    ) -> int:
        there = stream.current(event)
        if ends and there and self.is_stale(there, ends):
            return d.STALE
        return super().fill(stream, event, rows, ends, window)


class EndsOfWhatWasDelivered(Reference):
    """Not of what is on its way."""

    def list_of_ends(self, stream: Stream, event: Event) -> Event | None:
        return stream.present.get((event.type, event.origin))


class DuplicatesAreTaken(Reference):
    def has_duplicates(self, event: Event) -> bool:
        return False


class KeysAreNotChecked(Reference):
    def check_key(self, key: bytes) -> int:
        return d.OK


class RefusedListsAreEmpty(Reference):
    """A list with a wrong row is lost."""

    def check_rows(
        self, stream: Stream, known: EventType, rows: Sequence[Row], event: Event
    ) -> int:
        status = super().check_rows(stream, known, rows, event)
        if status:
            stream.present.pop((event.type, event.origin), None)
        return status


class AnyValueIsAList(Reference):
    def check_list(self, stream: Stream, number: int) -> int:
        return self.check_value(stream, number)


class ListsAreSetAsValues(Reference):
    def value_set(self, scope: Scope, number: int, data: bytes) -> int:
        known = self.find(scope.stream, number)
        if known and known.is_list:
            return self.list_set(scope, number, [(b"a", data)])[0]
        return super().value_set(scope, number, data)


class KeptListsAreTheNewest(Reference):
    def shown_list(self, event: Event) -> object:
        stream = event.context.stream
        newest = stream.present.get((event.type, event.origin))
        if newest and event.rows is not None:
            event = event.copy()
            event.rows = newest.rows
        return stream.shown_list(event)


class ListsFollowThoseOfOtherScopes(Stream):
    def list_before(self, event: Event) -> Event | None:
        of_type = [each for each in self.present.values() if each.type == event.type]
        return max(of_type, key=lambda each: each.position, default=None)


class OtherLossesDoNotCount(Stream):
    """Each observer knows which events of which list it has lost."""

    def note_lost(self, subscription: Subscription, event: Event) -> None:
        subscription.lists.add((event.position, ""))

    def may_have_lost(self, subscription: Subscription, event: Event) -> bool:
        return (event.position, "") in subscription.lists


class ListsThatAreThereHaveNewVersions(Reference):
    def list_set(
        self,
        scope: Scope,
        number: int,
        rows: Sequence[Row],
        ends: Ends | None = None,
        window: Window | None = None,
    ) -> tuple[int, int]:
        last = scope.stream.last
        status, version = super().list_set(scope, number, rows, ends, window)
        return status, version if status or last < scope.stream.last else -version


class WindowsAreNoNews(Stream):
    def is_there(self, event: Event) -> bool:
        last = self.current(event)
        if event.rows is not None and last is not None and last.rows == event.rows:
            return True
        return super().is_there(event)


class WindowsAreNotChecked(Reference):
    def list_set(
        self,
        scope: Scope,
        number: int,
        rows: Sequence[Row],
        ends: Ends | None = None,
        window: Window | None = None,
    ) -> tuple[int, int]:
        if window:
            window = (*window[:2], max(window[2], window[0] + window[1]))
        return super().list_set(scope, number, rows, ends, window)


class WindowsAreTheNewest(Reference):
    def shown_list(self, event: Event) -> Shown | None:
        shown = super().shown_list(event)
        newest = event.context.stream.present.get((event.type, event.origin))
        if newest and shown:
            shown.window = newest.window
        return shown


class MovesAreNotTheFewest(Stream):
    """Rows behind the first that moves move, too."""

    def shown_list(self, event: Event) -> Shown | None:
        shown = super().shown_list(event)
        return shown and Moving(shown.rows, shown.before, shown.window)


class Moving(Shown):
    @property
    def changes(self) -> list[Change]:
        changes = super().changes
        moves = [each for each in changes if each[0] == d.LIST_MOVE]
        return [*changes, *moves[:1]]


class MovedRowsAreNotUpdated(Stream):
    def shown_list(self, event: Event) -> Shown | None:
        shown = super().shown_list(event)
        return shown and Unchanging(shown.rows, shown.before, shown.window)


class Unchanging(Shown):
    @property
    def changes(self) -> list[Change]:
        changes = super().changes
        is_moved = any(kind == d.LIST_MOVE for kind, *_ in changes)
        return [each for each in changes if each[0] != d.LIST_UPDATE or not is_moved]
