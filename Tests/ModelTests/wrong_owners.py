# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong streams and references: what a binding hears of the end of its owner."""

from __future__ import annotations

from typing import Callable

from reference.flow.values import Scope
from reference.model import Reference, Stream
from reference.state.binding import Binding


class EndsAreToldBeforeChanges(Stream):
    def tell_changes(self, binding: Binding) -> None:
        self.tell_end_of_owner(binding)
        if not binding.keeper.cancelled:
            super().tell_changes(binding)


class EndsAreToldAgain(Stream):
    def tell_end_of_owner(self, binding: Binding) -> None:
        had_ended = binding.has_ended and not self.is_behind(binding)
        super().tell_end_of_owner(binding)
        binding.has_ended = had_ended and binding.ended is not None


class EndsOvertakeValues(Stream):
    def is_behind(self, binding: Binding) -> bool:
        return False


class OnlyTheFirstBindingIsTold(Stream):
    def note_ends(self, owner: Scope) -> None:
        first = next((each for each in self.bound if each.owner is owner), None)
        self.bound = [each for each in self.bound if each is first or each.owner is not owner]
        super().note_ends(owner)


class OldOwnersAreTold(Reference):
    def join_rows(self, binding: Binding, owner: Scope | None) -> None:
        had_ended = binding.has_ended
        super().join_rows(binding, owner)
        binding.has_ended = had_ended


class LateFunctionsAreNotTold(Reference):
    def binding_on_ended(self, binding: Binding, ended: Callable[[], None] | None) -> int:
        had_ended, binding.has_ended = binding.has_ended, False
        status = super().binding_on_ended(binding, ended)
        binding.has_ended = had_ended and (status != 0 or not ended)
        return status
