# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong references: services."""

from __future__ import annotations

from reference.flow.services import Service
from reference.flow.values import Event, Scope
from reference.model import Reference


class ServicesAreMadeAgain(Reference):
    """Each who asks gets another one."""

    def lives(self, service: Service) -> bool:
        return super().lives(service) and service.is_making


class OnesOwnIsForEverybody(Reference):
    """What is sent through an instance of one's own is handed to the shared one, too."""

    def is_instance(self, scope: Scope, service: Service) -> bool:
        return False


class EndedServicesAnswerNobody(Reference):
    """What an ended service has not answered stays open."""

    def hand(self, instance: Scope, event: Event) -> bool:
        was_handed = super().hand(instance, event)
        pending = instance.stream.open.get(event.position)
        if pending:
            pending.served = None
        return was_handed


class TheFirstRequestIsLost(Reference):
    """The request that makes a service comes before its handlers."""

    def hand(self, instance: Scope, event: Event) -> bool:
        known = [each for each in instance.stream.subscriptions if each.scope is instance]
        if any(each.starts_after < event.position for each in known):
            return super().hand(instance, event)
        return True


class CallbacksWaitForTheirService(Reference):
    def have_made(self, scope: Scope, service: Service) -> int:
        return self.request(scope, service.find, b"", None)[0]
