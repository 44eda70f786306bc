# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong streams: shared requests."""

from __future__ import annotations

from reference.flow.sharing import Key
from reference.flow.values import Event, Group, Joined, Pending
from reference.model import Stream


class EachAskerAsks(Stream):
    def key_of(self, asker: Event) -> Key:
        return (*super().key_of(asker)[:3], asker.position)


class HandlersGetAskers(Stream):
    def is_asker(self, event: Event) -> bool:
        return False


class OwnersAskTogether(Stream):
    def owner_of(self, asker: Event) -> str:
        return ""


class EveryOriginAsksAlone(Stream):
    def owner_of(self, asker: Event) -> str:
        return asker.origin


class TheLastAskerIsAnsweredFirst(Stream):
    def give_to_all(self, group: Group, event: Event) -> None:
        group.askers.reverse()
        super().give_to_all(group, event)


class TheFirstToGiveUpStopsTheWork(Stream):
    def is_left(self, group: Group) -> bool:
        return True


class NobodyStopsTheWork(Stream):
    def is_left(self, group: Group) -> bool:
        return False


class StepsForTheFirstAsker(Stream):
    def give_step(self, pending: Pending, event: Event) -> None:
        if all(each.event.position >= pending.event.position for each in self.open_requests()):
            super().give_step(pending, event)


class AskersJoinWhatIsAnswered(Stream):
    """A new asker of what has just been answered waits for an answer that does not come."""

    def forget(self, group: Group) -> None:
        if not group.askers:
            super().forget(group)

    def leave(self, joined: Joined, answer: Event) -> None:
        super().leave(joined, answer)
        if not joined.group.askers:
            self.groups.pop(joined.group.key, None)
