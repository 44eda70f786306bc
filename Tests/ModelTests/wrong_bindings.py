# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong references and streams: bindings and their change sets."""

from __future__ import annotations

from reference.declarations import d
from reference.flow.values import Event, Pending, Subscription
from reference.model import Reference, Stream
from reference.state.binding import Binding


class OldOwnersAreStillHeard(Reference):
    def end_rows(self, binding: Binding) -> None:
        if binding.keeper.cancelled:
            super().end_rows(binding)
        binding.observers = []


class OwnersThatEndedAreWritten(Reference):
    def binding_set(self, binding: Binding, name: str, data: bytes) -> int:
        owner, has_ended = binding.owner, binding.owner is not None and binding.owner.ended
        if owner and has_ended:
            owner.ended = False
        status = super().binding_set(binding, name, data)
        if owner and has_ended:
            owner.ended = True
        return status


class WritesInsideAreOutputs(Stream):
    def put(self, event: Event, pending: Pending | None = None) -> None:
        if event.flags & d.EVENT_WRITTEN:
            event.flags &= ~d.EVENT_OUTSIDE
        super().put(event, pending)


class WritesComeFromTheView(Stream):
    """What a view wrote is not told from what its owner sent."""

    def put(self, event: Event, pending: Pending | None = None) -> None:
        event.flags &= ~d.EVENT_WRITTEN
        super().put(event, pending)


class WrittenMeansEverything(Stream):
    def is_wanted(self, subscription: Subscription, event: Event) -> bool:
        known = event.copy()
        known.flags |= d.EVENT_WRITTEN
        return super().is_wanted(subscription, known)


class EachChangeIsNamed(Stream):
    def note_change(self, binding: Binding, name: str) -> None:
        super().note_change(binding, name)
        if binding.changes and binding.changed[-1] != name:
            binding.changed.append(name)


class OnlyTheLastChangeIsNamed(Stream):
    def tell_changes(self, binding: Binding) -> None:
        del binding.changed[:-1]
        super().tell_changes(binding)


class ChangesAreToldFirst(Stream):
    def take_in_posts(self, most: int) -> int:
        done = self.run_tasks(most)
        return done + super().take_in_posts(most - done)


class ChangesAreToldAgain(Stream):
    """One call for each change, not one for all."""

    def note_change(self, binding: Binding, name: str) -> None:
        super().note_change(binding, name)
        if binding.changes and self.tasks.count(binding) < len(binding.changed):
            self.tasks.append(binding)
