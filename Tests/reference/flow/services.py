# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Services, made when first asked for: a part of the calls (calls.py)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable

from reference.declarations import d
from reference.flow.stream import Stream
from reference.flow.values import Event, EventType, Filter, Scope, Subscription


@dataclass(eq=False)
class Service:
    """What makes one instance for all, and others for who opens one."""

    name: str
    home: Scope
    #: The type that asks for the instance.
    find: int
    make: Callable[[Scope, Event | None], int]
    instance: Scope | None = None
    #: What the last request for the instance was answered with.
    outcome: int = d.OK
    is_making: bool = False


class Services:
    """The calls that add and find them."""

    def service_add(
        self,
        home: Scope,
        name: str,
        types: list[str],
        contract: int,
        make: Callable[[Scope, Event], int],
        hook: Callable[[], None] | None,
    ) -> int:
        status, stream = self.check_changing(home), home.stream
        status = status or self.add_types_of_factory(home, name, contract)
        if status:
            return status
        find = self.add_types_of_service(stream, name, contract & d.LAYER_MASK)
        numbers = [stream.number(f"RequestOpen.{name}"), find, *map(stream.number, types)]
        known = [each for each in numbers if each]
        status = self.check_serving(home, known, len(numbers), False, [(each, 0) for each in known])
        if status:
            return status
        service = Service(name, home, find, make)
        server = self.add_below(home, f"RequestOpen.{name}")
        server.handles, server.since, server.service = set(numbers), stream.last, service

        def open_own(event: Event) -> None:
            self.open_one(name, home, make, event, service)

        def serve(event: Event) -> None:
            self.serve(service, event)

        for index, number in enumerate(numbers):
            what, fn = Filter(types=[number]), serve if index else open_own
            starts_after = self.starts_after(stream)
            last_hook = None if index else hook
            self.register(Subscription(server, what, fn, last_hook, starts_after, True))
        stream.deliver()
        return d.OK

    def add_types_of_service(self, stream: Stream, name: str, layer: int) -> int:
        request, response = f"RequestFind.{name}", f"ResponseFind.{name}"
        for each, bits, answer in (
            (response, d.PAYLOAD_INTEGER | d.ROLE_RESPONSE | layer, None),
            (request, d.PAYLOAD_NONE | d.ROLE_REQUEST | layer, response),
        ):
            if not stream.number(each):
                stream.types.append(EventType(len(stream.types) + 1, each, bits, answer))
        return stream.number(request)

    def serve(self, service: Service, event: Event) -> None:
        """What others send is for the instance; what an instance sends is for that one."""
        stream, is_find = service.home.stream, event.type == service.find
        sender = next((each for each in stream.scopes if each.name == event.origin), None)
        if sender and not self.is_instance(sender, service):
            sender = None
        if sender and not is_find:
            self.refuse(event, d.OK if self.handlers_of(sender, event) else d.UNHANDLED)
            return
        if self.lives(service):
            status = self.give(event, d.OK, self.number_of(service)) if is_find else d.OK
        else:
            status = self.make_instance(service, event)
        if not status and not is_find and not self.hand(service.instance, event):
            status = d.UNHANDLED
        if is_find:
            service.outcome = status
        self.refuse(event, status)

    def is_instance(self, scope: Scope, service: Service) -> bool:
        return scope.instance_of is service

    def lives(self, service: Service) -> bool:
        return service.instance is not None and not service.instance.ended

    def number_of(self, service: Service) -> bytes:
        return service.home.stream.number_of(service.instance)

    def refuse(self, event: Event, status: int) -> None:
        if status and event.flags & d.EVENT_TRACKED:
            self.respond_error(event, status, "the service could not be made")

    def handlers_of(self, instance: Scope, event: Event) -> list[Subscription]:
        known = instance.stream.subscriptions
        mine = [each for each in known if each.scope is instance and each.is_for_others]
        return [each for each in mine if each.filter.types == [event.type] and not each.cancelled]

    def hand(self, instance: Scope, event: Event) -> bool:
        """Calls the handlers of an instance, those too that have not joined yet."""
        stream = instance.stream
        pending = stream.open.get(event.position)
        called: list[Subscription] = []
        while left := [each for each in self.handlers_of(instance, event) if each not in called]:
            if pending and not instance.ended:
                pending.served = instance
            called.append(left[0])
            if not stream.is_asker(event):
                stream.call_fn(left[0], event)
        return bool(called)

    def make_instance(self, service: Service, event: Event | None) -> int:
        """Makes it in a callback. A request that finds it is answered when it has shown."""
        if service.is_making:
            return d.BUSY
        service.is_making = True

        def answer(scope: Scope) -> int:
            service.instance = scope
            is_find = event is not None and event.type == service.find
            return self.give(event, d.OK, self.number_of(service)) if is_find else d.OK

        status = self.open_scope(service.name, service.home, service.make, event, service, answer)
        service.is_making = False
        return status

    def service_find(self, scope: Scope, name: str) -> Any:
        status, stream = self.check(scope), scope.stream
        if status:
            return status, None
        known = [each.service for each in stream.scopes if each.service]
        service = next((each for each in known if each.name == name), None)
        if not service:
            return d.INVALID, None
        if not self.lives(service):
            status = self.have_made(scope, service)
            if status:
                return status, None
        if not self.lives(service):
            return d.UNSET, None
        status = self.check_reading(scope)
        if status:
            return status, None
        if not stream.reaches(scope, service.instance):
            return d.DENIED, None
        return d.OK, service.instance

    def have_made(self, scope: Scope, service: Service) -> int:
        if self.is_in_show(scope.stream):
            return d.BUSY
        frame = self.process.frame(scope.stream)
        if frame and frame.event and not frame.is_outside:
            status = self.make_instance(service, None)
        else:
            service.outcome = d.OK
            status = self.request(scope, service.find, b"", None)[0]
            is_left = any(each.service is service for each in scope.stream.scopes)
            if not status and is_left and not self.lives(service):
                status = service.outcome
        return d.CANCELLED if status >= d.APP else status
