# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Scopes and servers: a part of the calls (calls.py)."""

from __future__ import annotations

import copy
from typing import Any, Callable

from reference.contract import EFFECTS
from reference.declarations import d
from reference.flow.effects import is_refused
from reference.flow.stream import Stream
from reference.flow.values import Callback, Filter, Scope, Subscription

#: Of an own handler: its flag, or that it gets only what views wrote.
OWN_ROW = d.HANDLER_OWN | d.HANDLER_WRITTEN


class Serving:
    """The calls that make and end them."""

    def scope_add_with(self, parent: Scope, name: str, how: dict[str, int]) -> Any:
        status = self.check_changing(parent)
        if status:
            return status, None
        scope = self.add_below(parent, name)
        parent.stream.narrow(scope, how)
        return d.OK, scope

    def scope_add(self, parent: Scope, name: str) -> Any:
        return self.scope_add_with(parent, name, {})

    def add_below(self, parent: Scope, name: str) -> Scope:
        """A scope with the rights of its parent, as those have that get no options."""
        scope = Scope(parent.stream, name, parent)
        scope.send_layers, scope.observe_layers = parent.send_layers, parent.observe_layers
        parent.stream.scopes.append(scope)
        return scope

    def scope_number(self, scope: Scope) -> int:
        """Any number that no other scope has; 0 is each context's, and 1 stands for none."""
        if self.check_reading(scope):
            return 1
        return id(scope) if scope.parent else 0

    def scope_find(self, through: Scope, number: int) -> Any:
        status, stream = self.check_reading(through), through.stream
        found = None
        for each in [stream.root, *stream.scopes]:
            if not status and number == self.scope_number(each) and stream.reaches(through, each):
                found = each
        return status, found

    def server_add(
        self,
        parent: Scope,
        name: str | None,
        rows: list[tuple[str, Callback, int]],
        hook: Callable[[], None] | None,
        how: Filter | None = None,
        show: Callable[[Scope], int] | None = None,
    ) -> Any:
        status, how = self.check_changing(parent), how or Filter()
        if not status and how.policy not in (d.QUEUE_REJECT, d.QUEUE_BLOCK):
            status = d.INVALID
        if not status and show and how.scheduler:
            status = d.INVALID
        if not status and name is None and (not parent.parent or parent.is_server):
            status = d.INVALID
        if status:
            return status, None
        numbers = {each.name: each.number for each in parent.stream.types}
        known = [numbers[row[0]] for row in rows if row[0] in numbers]
        # A row that says another effect than its type is as wrong as one whose type is unknown.
        count = len(rows) + any(is_refused(flags, row) for row, _, flags in rows)
        table = [(numbers[row], flags) for row, _, flags in rows if row in numbers]
        if name is None and parent.instance_of:
            table = [(number, flags) for number, flags in table if flags & d.HANDLER_OWN]
        status = self.check_serving(parent, known, count, bool(show), table)
        if status:
            return status, None
        server = parent if name is None else self.add_below(parent, name)
        server.is_server = True
        is_instance = bool(server.instance_of) and not how.scheduler
        both = {numbers[row] for row, _, flags in rows if not flags & OWN_ROW}
        server.owns = {numbers[row] for row, _, flags in rows if flags & OWN_ROW}
        if is_instance:
            server.owns |= both
        else:
            server.handles = both
        server.since = parent.stream.last
        stream = parent.stream
        for index, (row, fn, flags) in enumerate(rows):
            # The last to be cancelled is the first registered: it carries the server's hook.
            what, last_hook = copy.copy(how), hook if index == 0 else None
            what.types = [numbers[row]]
            what.of = server if flags & OWN_ROW or is_instance else None
            if flags & d.HANDLER_WRITTEN:
                what.flags |= d.OBSERVE_WRITTEN
            row = Subscription(server, what, fn, last_hook, self.starts_after(stream), True)
            row.is_for_others = not flags & OWN_ROW
            row.is_one_of_several = bool(flags & d.HANDLER_SEVERAL)
            row.effect = flags & sum(EFFECTS.values())
            self.register(row)
        if show:
            server.show = show
            # It counts as one observer, which gets nothing, and goes first.
            nothing = Filter(types=[])
            self.register(
                Subscription(server, nothing, lambda _: None, None, self.starts_after(stream))
            )
            stream.owe_first(server)
        stream.deliver()
        return d.OK, server

    def check_serving(
        self,
        scope: Scope,
        numbers: list[int],
        count: int,
        shows: bool,
        table: list[tuple[int, int]],
    ) -> int:
        """To serve is to observe, and to send the response. `table`: what it handles, and flags."""
        stream = scope.stream
        for number in numbers:
            answer = self.find(stream, stream.response_of(number))
            status = stream.check_observing(scope, self.find(stream, number))
            status = status or (stream.check_sending(scope, answer) if answer else d.OK)
            if status:
                return status
        if len(numbers) < count or self.has_rival(stream, table):
            return d.INVALID
        return d.OK if stream.has_budget(scope, count + shows) else d.LIMIT

    def has_rival(self, stream: Stream, table: list[tuple[int, int]]) -> bool:
        """Whether a request would have two handlers of which one is to be alone."""
        known: set[int] = set()
        for number, flags in table:
            is_several = bool(flags & d.HANDLER_SEVERAL)
            if not self.is_asked(stream, number):
                continue
            if number in known and not is_several:
                return True
            known.add(number)
            for each in self.rivals(stream, number, bool(flags & d.HANDLER_OWN)):
                if not is_several or not each.is_one_of_several:
                    return True
        return False

    def is_asked(self, stream: Stream, number: int) -> bool:
        kind = self.find(stream, number)
        return bool(kind.contract & d.ROLE_MASK == d.ROLE_REQUEST and kind.response)

    def rivals(self, stream: Stream, number: int, is_own: bool) -> list[Subscription]:
        """The handlers that get requests together with another one, which perhaps is an own one."""
        handlers = [
            each
            for each in stream.subscriptions
            if each.is_handler and each.filter.types == [number] and not each.cancelled
        ]
        plain = [each for each in handlers if not each.filter.of and not each.scope.instance_of]
        own = [each for each in handlers if each.filter.of and not each.is_for_others]
        return plain if is_own else plain + own

    def scope_end(self, scope: Scope) -> int:
        status = self.check_changing(scope)
        if status or scope.parent is None:
            return status or d.WRONG_KIND
        if scope.is_opened:
            return scope.stream.ask_to_end(scope)
        scope.stream.end_scope(scope)
        return d.OK
