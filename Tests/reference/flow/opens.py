# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Owners: factories that make them, and ends that are events."""

from __future__ import annotations

from typing import Any, Callable, Iterator

from reference.contract import ENDED_NAME
from reference.declarations import d
from reference.flow.process import Frame
from reference.flow.values import Callback, Event, EventType, Filter, Scope, Subscription


class OneOfMany(str):
    """The name of a scope that others have, too: equal to itself only."""

    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other


class Ends:
    """Ends that are told: a part of the stream (stream.py)."""

    def number(self, name: str) -> int:
        return next((each.number for each in self.types if each.name == name), 0)

    def downwards(self, scope: Scope, among: list[Scope]) -> Iterator[Scope]:
        """A scope and those below it, the newest first."""
        yield scope
        for each in reversed(among):
            if each.parent is scope:
                yield from self.downwards(each, among)

    def upwards(self, scope: Scope, among: list[Scope]) -> Iterator[Scope]:
        """A scope behind those below it, the newest first."""
        for each in reversed(among):
            if each.parent is scope:
                yield from self.upwards(each, among)
        yield scope

    def add_end_type(self) -> None:
        if not self.number(ENDED_NAME):
            bits = d.PAYLOAD_INTEGER | d.ROLE_NOTICE | d.LAYER_SYSTEM
            self.types.append(EventType(len(self.types) + 1, ENDED_NAME, bits, None))

    def owes_end(self, scope: Scope) -> bool:
        is_known = scope.is_opened or scope.has_asked or scope.was_child
        is_known = is_known or self.shows_something(scope)
        return is_known and not scope.is_ending

    def tell_end(self, scope: Scope) -> None:
        scope.is_ending = True
        payload = self.number_of(scope)
        told = Event(self.number(ENDED_NAME), payload, scope.name, is_owed=True, ends=scope)
        self.set_cause(told)
        told.is_foreign = False
        self.accept(told)

    def number_of(self, scope: Scope) -> bytes:
        return id(scope).to_bytes(8, "little")

    def ask_to_end(self, scope: Scope) -> int:
        """What was opened ends when its end is delivered."""
        if scope.is_ending:
            return d.STALE
        if not self.delivering:
            self.delivering = True
            self.run_hooks()
            self.delivering = False
        self.tell_end(scope)
        self.deliver()
        return d.OK

    def end_what_has_ended(self, event: Event) -> None:
        """After the observers of an end: the scope itself, and what it had opened."""
        scope = event.ends
        if not scope:
            return
        with self.process.inside(Frame(self, event)):
            if scope.is_opened and not scope.ended:
                self.end_scope(scope)
            self.end_values([scope])
            self.note_ends(scope)
            for each in self.opened_by(scope):
                self.tell_end(each)
        self.run_hooks()

    def opened_by(self, scope: Scope) -> list[Scope]:
        return [each for each in self.scopes if each.opener is scope and not each.is_ending]


class Opening:
    """The calls that open: a part of the calls (calls.py)."""

    def factory_add(
        self,
        home: Scope,
        name: str,
        contract: int,
        make: Callable[[Scope, Event], int],
        hook: Callable[[], None] | None,
    ) -> int:
        status, stream = self.check_changing(home), home.stream
        status = status or self.add_types_of_factory(home, name, contract)
        if status:
            return status
        request = f"RequestOpen.{name}"
        number = stream.number(request)
        status = self.check_serving(home, [number], 1, False, [(number, 0)])
        if status:
            return status
        server = self.add_below(home, request)
        server.handles, server.since = {number}, stream.last

        def handle(event: Event) -> None:
            self.open_one(name, home, make, event)

        what, starts_after = Filter(types=[number]), self.starts_after(stream)
        self.register(Subscription(server, what, handle, hook, starts_after, True))
        stream.deliver()
        return d.OK

    def add_types_of_factory(self, home: Scope, name: str, contract: int) -> int:
        request, response = f"RequestOpen.{name}", f"ResponseOpen.{name}"
        layer, stream = contract & d.LAYER_MASK, home.stream
        is_known = any(each.name == request for each in stream.scopes)
        if stream.last or contract & d.ROLE_MASK or is_known:
            return d.INVALID
        system = d.PAYLOAD_INTEGER | d.ROLE_NOTICE | d.LAYER_SYSTEM
        wanted = (
            (ENDED_NAME, system, None),
            (response, d.PAYLOAD_INTEGER | d.ROLE_RESPONSE | layer, None),
            (request, contract | d.ROLE_REQUEST, response),
        )
        # One that was refused before may have left its types.
        left = {each.name: (each.contract, each.response) for each in stream.types}
        if any(left.get(each, (bits, answer)) != (bits, answer) for each, bits, answer in wanted):
            return d.INVALID
        for each, bits, answer in wanted:
            if not stream.number(each):
                stream.types.append(EventType(len(stream.types) + 1, each, bits, answer))
        return d.OK

    def open_one(
        self, name: str, home: Scope, make: Callback, event: Event, service: Any = None
    ) -> None:
        stream = home.stream
        asker = next((each for each in stream.scopes if each.name == event.origin), None)
        made: list[Scope] = []

        def answer(scope: Scope) -> int:
            made.append(scope)
            return self.give(event, d.OK, stream.number_of(scope))

        status = self.open_scope(name, home, make, event, service, answer, asker or stream.root)
        if status:
            for scope in made:
                self.discard(scope)
            self.respond_error(event, status, "the factory has failed")

    def open_scope(
        self,
        name: str,
        home: Scope,
        make: Callback,
        event: Event,
        service: Any,
        answer: Callable[[Scope], int],
        asker: Scope | None = None,
    ) -> int:
        """Makes a scope and lets the program fill it; then it is answered."""
        stream, asker = home.stream, asker or home
        if asker.parent:
            asker.has_asked = True
        scope = self.add_below(home, OneOfMany(name))
        scope.instance_of = service
        before = stream.owed[-1:]
        status = make(scope, event)
        if not status and scope.ended:
            status = d.CANCELLED
        scope.is_opened, scope.opener = not status, None if status else asker
        if status:
            self.discard(scope)
            return status
        frame, added = self.process.frame(stream), stream.owed[-1:]
        # Its first shows come before the answer.
        holder = frame.holder
        frame.holder = added[0] if added != before else holder
        status = answer(scope)
        frame.holder = holder
        return status

    def discard(self, scope: Scope) -> None:
        """Nobody was told of it, but perhaps of a value."""
        scope.is_opened = scope.has_asked = False
        if not scope.ended:
            scope.stream.end_scope(scope)

    def instance_open(self, scope: Scope, name: str, data: bytes, fn: Callback | None) -> Any:
        status, number = self.check(scope), scope.stream.number(f"RequestOpen.{name}")
        if not status and not number:
            status = d.INVALID
        return (status, None) if status else self.request(scope, number, data, fn)
