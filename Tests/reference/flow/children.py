# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Children of a scope: a part of the calls (calls.py), lists.h."""

from __future__ import annotations

from typing import Any, Callable, Sequence, Tuple

from reference.declarations import d
from reference.flow.lists import Ends
from reference.flow.opens import OneOfMany
from reference.flow.stream import Stream
from reference.flow.values import Event, Row, Scope

#: A key, and flags.
Given = Tuple[bytes, int]
#: Opens the child with an index: its status, and a scope or None.
Open = Callable[[int], Tuple[int, Any]]
#: What stands for a child that is not open yet.
NOBODY = bytes(8)


class Children:
    """The call that says which scopes there are below another one."""

    def children_set(
        self,
        scope: Scope,
        number: int,
        children: Sequence[Given],
        ends: Ends | None,
        open_child: Open,
    ) -> tuple[int, int]:
        """Status, and the version that the ends have then."""
        ends = ends or Ends()
        event = Event(number, b"", scope.name, flags=d.EVENT_LIST, shower=scope)
        status = self.check_children(scope, event, children, ends)
        if status:
            return status, ends.version
        followed = self.list_of_children(scope.stream, event)
        before = scope.stream.newest(event) if scope.is_ending else followed
        rows = self.rows_of(scope, before, children)
        status = self.check_rows_first(scope.stream, event, rows, ends)
        status = status or self.check_changes_of_children(scope.stream, event)
        if status:
            return status, ends.version
        opened: list[Scope] = []
        status = self.open_new(scope, rows, open_child, opened)
        # Only the list that the keys were compared with may be followed.
        strict = Ends(self.version_of(followed), ends.first, ends.last, True)
        version = ends.version
        if not status:
            status, version = self.list_set(scope, number, rows, strict, None)
        if status:
            self.take_back(scope, opened)
            return status, ends.version
        self.end_gone(scope, before, rows, strict)
        return status, version

    def check_children(
        self, scope: Scope, event: Event, children: Sequence[Given], ends: Ends
    ) -> int:
        stream, number = scope.stream, event.type
        status = self.check_flags(children) or self.check(scope)
        status = status or self.check_list_of_children(stream, number)
        status = status or stream.check_sending(scope, self.find(stream, number))
        if status:
            return status
        before = self.list_of_children(stream, event)
        if ends.first or ends.last:
            if self.is_stale(before, ends):
                return d.STALE
            if ends.first + ends.last > len(before.rows):
                return d.INVALID
        return d.OK

    def check_flags(self, children: Sequence[Given]) -> int:
        is_known = all(not flags & ~d.CHILD_ANEW for _, flags in children)
        return d.OK if is_known else d.UNSUPPORTED

    def list_of_children(self, stream: Stream, event: Event) -> Event | None:
        """The list that was accepted last."""
        return self.list_of_ends(stream, event)

    def check_rows_first(self, stream: Stream, event: Event, rows: list[Row], ends: Ends) -> int:
        """What is no list opens nothing."""
        return self.fill(stream, event, rows, ends, None)

    def check_list_of_children(self, stream: Stream, number: int) -> int:
        known = self.find(stream, number)
        holds = known and known.contract & d.PAYLOAD_MASK == d.PAYLOAD_INTEGER
        return self.check_list(stream, number) if holds else d.INVALID

    def check_changes_of_children(self, stream: Stream, event: Event) -> int:
        """A fetch changes no value: this is said before a child is opened."""
        broken = 0 if stream.is_there(event) else stream.broken_by(event)
        if not broken:
            return d.OK
        self.process.frame(stream).fail(d.INVALID, "core", broken)
        return d.INVALID

    def version_of(self, event: Event | None) -> int:
        return event.version if event else 0

    # Which of them there are --------------------------------------------------------------------

    def rows_of(self, scope: Scope, before: Event | None, children: Sequence[Given]) -> list[Row]:
        """A row for each that is given, with the number of its scope, or NOBODY."""
        known = dict(before.rows) if before else {}
        return [(key, self.kept(scope, known.get(key, NOBODY), flags)) for key, flags in children]

    def kept(self, scope: Scope, number: bytes, flags: int) -> bytes:
        """The number of a child, if that stays."""
        lives = self.child_with(scope, number) is not None
        return number if lives and not flags & d.CHILD_ANEW else NOBODY

    def child_with(self, scope: Scope, number: bytes) -> Scope | None:
        """The scope below another one that has a number, unless its end is told."""
        below = [each for each in scope.stream.scopes if each.parent is scope]
        found = [each for each in below if scope.stream.number_of(each) == number]
        return next((each for each in found if not each.is_ending), None)

    # Opening ------------------------------------------------------------------------------------

    def open_new(self, scope: Scope, rows: list[Row], open_child: Open, opened: list[Scope]) -> int:
        """Opens those that are not open yet, up to the first that cannot be opened."""
        for index, (key, number) in enumerate(rows):
            if number != NOBODY:
                self.adopt(scope, self.child_with(scope, number))
                continue
            status, child = open_child(index)
            status = self.status_of_open(status) or self.check(scope)
            status = status or self.check_child(scope, child)
            if status:
                return status
            self.adopt(scope, child)
            opened.append(child)
            rows[index] = (key, scope.stream.number_of(child))
        return d.OK

    def status_of_open(self, status: int) -> int:
        """A code of the app is its own affair."""
        return d.CANCELLED if status >= d.APP else status

    def check_child(self, scope: Scope, child: Scope | None) -> int:
        if child is None or child.ended or child.parent is not scope:
            return d.INVALID
        return d.INVALID if self.is_child(child) else d.OK

    def is_child(self, child: Scope) -> bool:
        """Whether it ends by an event already: a child, or what a factory makes or has made."""
        return child.is_opened or isinstance(child.name, OneOfMany)

    def adopt(self, scope: Scope, child: Scope | None) -> None:
        """From here on, it ends by an event."""
        if child and not child.is_opened:
            child.is_opened, child.opener, child.was_child = True, scope, True

    def take_back(self, scope: Scope, opened: list[Scope]) -> None:
        """Ends those that no list has had, the last one first: at once, and then it is told.

        In a show, they stay.
        """
        for child in reversed(opened):
            if not (scope.ended or child.ended or child.is_ending):
                child.is_opened, child.opener = False, None
                self.scope_end(child)

    # Ending -------------------------------------------------------------------------------------

    def end_gone(self, scope: Scope, before: Event | None, rows: list[Row], ends: Ends) -> None:
        """Behind the list, in the order of the list before."""
        stay = {number for _, number in rows}
        old = before.rows[ends.first : len(before.rows) - ends.last] if before else ()
        for _, number in old:
            child = self.child_with(scope, number)
            if number not in stay and child and not scope.ended:
                self.adopt(scope, child)
                self.end_child(child)

    def end_child(self, child: Scope) -> None:
        child.stream.ask_to_end(child)
