# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Counts how often scripts reach the situations in which a stream goes wrong."""

from __future__ import annotations

from collections import Counter
from typing import Any, Iterable

import counting
from counting import Around, CountingStream, Rows, top
from player import Player
from reference.declarations import d
from reference.flow.children import NOBODY
from reference.flow.effects import is_refused
from reference.flow.values import Event, Scope
from reference.model import Reference
from script import Step


def lives(self: Any, through: Scope, number: int) -> bool:
    return number in [self.scope_number(each) for each in through.stream.scopes]


def in_callback(self: Any, scope: Scope) -> bool:
    return self.process.frame(scope.stream) is not None


def in_action(self: Any, action: Event) -> bool:
    return bool(top(self)) and action.position == top(self).event.position


def is_answered(self: Any, status: int, event: Event, is_inside: bool) -> bool:
    frame = self.process.frame(event.context.stream)
    in_handler = bool(frame) and frame.event is event
    return is_tracked(status, event) and in_handler == is_inside


def is_tracked(status: int, event: Event) -> bool:
    return status == d.OK and bool(event.flags & d.EVENT_TRACKED)


BEFORE: Rows = {
    "server_add": {
        "handler refused for its effect": lambda _, parent, name, rows, *rest: any(
            is_refused(flags, row) for row, _, flags in rows
        ),
    },
    "tell_at_once": {"told at once": lambda *_: 1},
    "take_back": {"child taken back": lambda self, scope, opened: len(opened)},
    "end_child": {"child ended behind its list": lambda *_: 1},
}
AFTER: Rows = {
    "has_rival": {
        "handler refused beside another": lambda _, found, *__: found,
        "handler beside another": lambda self, found, stream, table: (
            not found
            and any(self.rivals(stream, each, bool(flags & d.HANDLER_OWN)) for each, flags in table)
        ),
    },
    "scope_find": {
        "scope found": lambda _, outcome, through, number: (
            not outcome[0] and bool(number) and outcome[1] is not None
        ),
        "ended scope not found": lambda self, outcome, through, number: (
            not outcome[0] and bool(number) and not lives(self, through, number)
        ),
    },
    "lives": {"service found again": lambda _, lives, __: lives},
    "is_instance": {
        "instance of one's own asked": lambda _, is_instance, scope, service: (
            is_instance and scope != service.instance
        ),
    },
    "reactor_mutate": {
        "mutated by an action": lambda self, status, action, _: (
            status == d.OK and in_action(self, action)
        ),
        "mutated by an action later": lambda self, status, action, _: (
            status == d.OK and not in_action(self, action)
        ),
    },
    "list_set": {
        "list set in a callback": lambda self, outcome, scope, *_: (
            outcome[0] == d.OK and in_callback(self, scope)
        ),
        "list set between its ends": lambda _, outcome, scope, number, rows, ends, window: (
            outcome[0] == d.OK and bool(ends and (ends.first or ends.last))
        ),
        "list set as a part": lambda _, outcome, scope, number, rows, ends, window: (
            outcome[0] == d.OK and bool(window)
        ),
        "wrong window": lambda _, outcome, scope, number, rows, ends, window: (
            outcome[0] == d.INVALID and bool(window and window[2] < window[0] + window[1])
        ),
    },
    "children_set": {
        "children set in a callback": lambda self, outcome, scope, *_: (
            outcome[0] == d.OK and in_callback(self, scope)
        ),
        "children set in a show": lambda self, outcome, scope, *_: (
            outcome[0] == d.OK and self.is_in_show(scope.stream)
        ),
        "children set between those at the ends": (
            lambda _, outcome, scope, number, children, ends, open_child: (
                outcome[0] == d.OK and bool(ends and (ends.first or ends.last))
            )
        ),
    },
    "kept": {
        "child opened anew": lambda _, kept, scope, number, flags: (
            number != NOBODY and bool(flags & d.CHILD_ANEW)
        ),
        "ended child opened again": lambda _, kept, scope, number, flags: (
            number != NOBODY and kept == NOBODY and not flags
        ),
    },
    "check_child": {"wrong child": lambda _, status, *__: bool(status)},
    "is_stale": {
        "stale ends refused": lambda _, is_stale, there, ends: is_stale and not ends.is_strict,
        "children set meanwhile": lambda _, is_stale, there, ends: is_stale and ends.is_strict,
    },
    "has_duplicates": {"two rows with one key": lambda _, has_duplicates, __: has_duplicates},
    "check_key": {"wrong key": lambda _, status, __: bool(status)},
    "reactor_merge": {"merged": lambda _, status, *__: status == d.OK},
    "check_writer": {
        "mutated outside the reactor": lambda _, status, scope: bool(status and scope.reactor),
    },
    "send_pulses": {
        "pulse without room": lambda _, after, table, scope, status: (
            after in (d.FULL, d.NO_MEMORY) and after != status
        ),
    },
    "observe": {
        "observe in a callback": lambda self, outcome, scope, *_: (
            outcome[0] == d.OK and in_callback(self, scope)
        ),
        "observe in a callback while events wait": lambda self, outcome, scope, *_: (
            outcome[0] == d.OK and in_callback(self, scope) and bool(scope.stream.queue)
        ),
    },
    "request": {
        "request inside a callback": lambda self, outcome, scope, *_: (
            outcome[0] == d.OK and in_callback(self, scope)
        ),
    },
    "post": {
        "post inside a callback": lambda self, status, scope, *_: (
            status == d.OK and in_callback(self, scope)
        ),
    },
    "check_posts": {"posts full": lambda _, status, __: bool(status)},
    "post_from_interrupt": {"posted from an interrupt": lambda _, status, *__: status == d.OK},
    "give": {
        "second answer refused": lambda _, status, event, *__: (
            status == d.STALE and not event.context.stream.gone
        ),
        "answered inside the handler": lambda self, status, event, *_: is_answered(
            self, status, event, True
        ),
        "answered later": lambda self, status, event, *_: is_answered(self, status, event, False),
        "answered from another thread": lambda self, status, event, *_: (
            is_tracked(status, event) and bool(self.process.thread)
        ),
    },
    "check_outside_show": {"call refused in a show": lambda _, status, __: bool(status)},
    "check_waiting": {"wait refused in a callback": lambda _, status, __: status == d.BUSY},
}


def open_one(_: Any, name: str, home: Scope, *rest: Any) -> Any:
    known = set(home.stream.scopes)
    yield
    made = [each for each in home.stream.scopes if each not in known and each.is_opened]
    yield [bool(made), any(each.opener.is_opened for each in made), not made]


def make_instance(_: Any, service: Any, event: Event | None) -> Any:
    is_find = event is not None and event.type == service.find
    status = yield
    whys = (is_find, bool(event) and not is_find, not event)
    yield [bool(status), *(not status and each for each in whys)]


def take(_: Any, scope: Scope, *rest: Any) -> Any:
    before = scope.reactor.state
    status = yield
    yield [bool(status), status == d.OK and scope.reactor.state == before]


def type_add(self: Any, scope: Scope, *rest: Any) -> Any:
    known = len(scope.stream.types)
    yield
    yield [len(scope.stream.types) > known and in_callback(self, scope)]


AROUND: Around = {
    "open_one": (("owner opened", "owner opened for an owner", "factory failed"), open_one),
    "make_instance": (
        (
            "service failed",
            "service made by a find",
            "service made by a request",
            "service made in a callback",
        ),
        make_instance,
    ),
    "take": (("mutation refused", "mutation dropped"), take),
    "type_add": (("type registered in a callback",), type_add),
}
ROWS = (BEFORE, AFTER, AROUND)
SITUATIONS = counting.situations_of(*ROWS) + counting.situations_of(
    counting.BEFORE, counting.AFTER, counting.AROUND
)


class CountingReference(counting.counting(Reference, *ROWS)):
    def __init__(self, census: Counter) -> None:
        super().__init__()
        self.census = census

    def create(self, how: dict[str, int]) -> Scope:
        stream = CountingStream(self.process, how)
        stream.watch(self.census)
        self.streams.append(stream)
        return stream.root


def take_census(scripts: Iterable[Step]) -> Counter:
    """How often each situation came up."""
    census: Counter = Counter()
    for script in scripts:
        Player(CountingReference(census), script).play()
    return census
