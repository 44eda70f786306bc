# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong references: several handlers of one request."""

from __future__ import annotations

from reference.declarations import d
from reference.flow.values import Subscription
from reference.model import Reference, Stream


class SecondHandlersAreAdded(Reference):
    def has_rival(self, stream: Stream, table: list[tuple[int, int]]) -> bool:
        return False


class OnlyTheSecondSaysSo(Reference):
    """A handler that says that there are several is added, whatever the first says."""

    def has_rival(self, stream: Stream, table: list[tuple[int, int]]) -> bool:
        return super().has_rival(stream, [row for row in table if not row[1] & d.HANDLER_SEVERAL])


class OwnHandlersAreNoRivals(Reference):
    def rivals(self, stream: Stream, number: int, is_own: bool) -> list[Subscription]:
        found = super().rivals(stream, number, is_own)
        return [] if is_own else [each for each in found if not each.filter.of]


class EndedHandlersAreRivals(Reference):
    """A server takes the place of none that has ended before."""

    def __init__(self) -> None:
        super().__init__()
        self.served: set[tuple[Stream, int]] = set()

    def has_rival(self, stream: Stream, table: list[tuple[int, int]]) -> bool:
        found = super().has_rival(stream, table)
        for number, flags in table:
            if not flags & d.HANDLER_SEVERAL and self.is_asked(stream, number):
                found = found or (stream, number) in self.served
        if not found:
            self.served |= {(stream, number) for number, _ in table}
        return found


class EventsHaveOneHandler(Reference):
    """What is no request, too."""

    def is_asked(self, stream: Stream, number: int) -> bool:
        return True
