# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong references: children of scopes."""

from __future__ import annotations

from typing import Any, Sequence

from reference.declarations import d
from reference.flow.children import NOBODY, Given, Open
from reference.flow.lists import Ends
from reference.flow.stream import Stream
from reference.flow.values import Event, Row, Scope
from reference.model import Reference


class ChildrenStay(Reference):
    """Those whose keys are gone do not end."""

    def end_gone(self, scope: Scope, before: Event | None, rows: list[Row], ends: Ends) -> None:
        pass


class ChildrenEndBeforeTheirList(Reference):
    def open_new(self, scope: Scope, rows: list[Row], open_child: Open, opened: list[Scope]) -> int:
        status = super().open_new(scope, rows, open_child, opened)
        if not status:
            event = Event(self.number_set, b"", scope.name, flags=d.EVENT_LIST)
            before = self.list_of_ends(scope.stream, event)
            self.end_gone(scope, before, rows, Ends(0, *self.ends_set))
        return status

    def children_set(
        self,
        scope: Scope,
        number: int,
        children: Sequence[Given],
        ends: Ends | None,
        open_child: Open,
    ) -> tuple[int, int]:
        self.number_set, self.ends_set = number, (ends.first, ends.last) if ends else (0, 0)
        return super().children_set(scope, number, children, ends, open_child)


class ChildrenEndAtOnce(Reference):
    """Not by an event behind the list."""

    def end_child(self, child: Scope) -> None:
        child.stream.end_scope(child)


class LastChildEndsFirst(Reference):
    def end_gone(self, scope: Scope, before: Event | None, rows: list[Row], ends: Ends) -> None:
        if before:
            before = before.copy()
            before.rows = before.rows[::-1]
            ends = Ends(ends.version, ends.last, ends.first)
        super().end_gone(scope, before, rows, ends)


class ChildrenAreAlwaysOpenedAnew(Reference):
    def kept(self, scope: Scope, number: bytes, flags: int) -> bytes:
        return NOBODY


class ChildrenAreNeverOpenedAnew(Reference):
    def kept(self, scope: Scope, number: bytes, flags: int) -> bytes:
        return super().kept(scope, number, 0)


class ChildrenThatHaveEndedStay(Reference):
    """A key keeps its scope, whether or not that lives."""

    def kept(self, scope: Scope, number: bytes, flags: int) -> bytes:
        return NOBODY if flags & d.CHILD_ANEW else number


class ChildrenWhoseEndIsToldStay(Reference):
    def child_with(self, scope: Scope, number: bytes) -> Scope | None:
        below = [each for each in scope.stream.scopes if each.parent is scope]
        found = [each for each in below if scope.stream.number_of(each) == number]
        return found[0] if found else None


class ChildrenOfRefusedListsStay(Reference):
    def take_back(self, scope: Scope, opened: list[Scope]) -> None:
        pass


class FirstChildIsTakenBackFirst(Reference):
    def take_back(self, scope: Scope, opened: list[Scope]) -> None:
        super().take_back(scope, opened[::-1])


class ChildrenAreTakenBackByEvents(Reference):
    """No list has had them, but they end like those of one."""

    def take_back(self, scope: Scope, opened: list[Scope]) -> None:
        for child in reversed(opened):
            if not (scope.ended or child.ended or child.is_ending):
                self.end_child(child)


class ListsSetMeanwhileAreOverwritten(Reference):
    def is_stale(self, there: Event | None, ends: Ends) -> bool:
        if ends.is_strict and not (ends.first or ends.last):
            return False
        return super().is_stale(there, ends)


class ChildrenAreOpenedForWrongLists(Reference):
    """The keys are checked behind the children."""

    def check_rows_first(self, *given: Any) -> int:
        return d.OK


class AnyScopeIsAChild(Reference):
    def check_child(self, scope: Scope, child: Scope | None) -> int:
        if child is None or child.ended or child.stream is not scope.stream:
            return d.INVALID
        return d.INVALID if self.is_child(child) else d.OK


class ChildrenAreAddedTwice(Reference):
    def is_child(self, child: Scope) -> bool:
        return False


class ChildrenAreOpenedBehindOneThatFails(Reference):
    """All are opened, and the first that fails counts."""

    def open_new(self, scope: Scope, rows: list[Row], open_child: Open, opened: list[Scope]) -> int:
        status = super().open_new(scope, rows, open_child, opened)
        index = next((at for at, (_, number) in enumerate(rows) if number == NOBODY), len(rows))
        if status and not scope.ended:
            for at in range(index + 1, len(rows)):
                if rows[at][1] == NOBODY:
                    open_child(at)
        return status


class AppsSayWhyNoChildIsOpened(Reference):
    def status_of_open(self, status: int) -> int:
        return status


class ChildrenOfOtherListsCount(Reference):
    """Those of the list that was delivered, not of one on its way."""

    def list_of_children(self, stream: Stream, event: Event) -> Event | None:
        return stream.present.get((event.type, event.origin))


class ChildrenEndPlainly(Reference):
    """A program that ends a child ends it at once."""

    def scope_end(self, scope: Scope) -> int:
        was_opened = scope.is_opened
        if scope.was_child and not scope.is_ending:
            scope.is_opened = False
        status = super().scope_end(scope)
        scope.is_opened = was_opened
        return status


class UnknownFlagsOfChildrenAreTaken(Reference):
    def check_flags(self, children: Sequence[Given]) -> int:
        return d.OK


class AnyListIsOneOfChildren(Reference):
    def check_list_of_children(self, stream: Stream, number: int) -> int:
        return self.check_list(stream, number)


class ChildrenBetweenTheEndsAlone(Reference):
    """Those at the ends that a call keeps go, too."""

    def end_gone(self, scope: Scope, before: Event | None, rows: list[Row], ends: Ends) -> None:
        super().end_gone(scope, before, rows, Ends(ends.version))
