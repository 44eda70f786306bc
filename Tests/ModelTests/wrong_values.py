# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong streams: values."""

from __future__ import annotations

from reference.flow.values import Event, Scope, Subscription
from reference.model import Stream


class PresentValueNotGiven(Stream):
    def next_kept(self, after: int, to: int) -> Event | None:
        present, self.present = self.present, {}
        event = super().next_kept(after, to)
        self.present = present
        return event


class PresentValueGivenTwice(Stream):
    def give_late(self, subscription: Subscription, event: Event) -> None:
        super().give_late(subscription, event.copy())
        if self.is_value(self.types[event.type - 1]) and self.is_live(subscription):
            super().give_late(subscription, event)


class WhatIsThereIsSent(Stream):
    def is_there(self, event: Event) -> bool:
        return False


class WhatIsOnItsWayForgotten(Stream):
    def last_waiting(self, event: Event, outside: int) -> Event | None:
        return None


class OutputsHeedInputs(Stream):
    def last_output(self, event: Event) -> Event | None:
        return super().last_output(event) or self.last_input(event)


class InputsHeedNoInputs(Stream):
    def last_input(self, event: Event) -> Event | None:
        return None


class ValuesOutliveTheirScope(Stream):
    def end_values(self, ended: list[Scope]) -> None:
        """They stay."""


class ValuesEndAtOnce(Stream):
    """Before their end is delivered."""

    def tell_end(self, scope: Scope) -> None:
        super().tell_end(scope)
        self.end_values([scope])


class EndsOfThoseWhoShowAreSilent(Stream):
    def shows_something(self, scope: Scope) -> bool:
        return False


class WhatWaitsIsNotShown(Stream):
    """A scope has a value only when that is delivered."""

    def shows_something(self, scope: Scope) -> bool:
        return any(origin == scope.name for _, origin in self.present)


class ValuesOutliveTheirEnd(Stream):
    def end_what_has_ended(self, event: Event) -> None:
        present = self.present
        super().end_what_has_ended(event)
        self.present = present


class ValuesOfEndedScopesKept(Stream):
    def keeps_values(self, origin: str) -> bool:
        return True


class ChangedBehindTheObservers(Stream):
    def change(self, event: Event) -> None:
        """Not yet."""

    def hand_over(self, event: Event) -> None:
        super().hand_over(event)
        super().change(event)


class OneValueForAllScopes(Stream):
    def change(self, event: Event) -> None:
        super().change(event)
        for key in [each for each in self.present if each[0] == event.type]:
            if key[1] != event.origin:
                del self.present[key]
