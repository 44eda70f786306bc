# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong streams: who hears that a request was settled, and when."""

from __future__ import annotations

from reference.flow.values import Event, Scope, Told
from reference.model import Stream


class TheAnswererIsTold(Stream):
    def is_answerer(self, told: Told, answer: Event) -> bool:
        return False


class OnlyTheLibrarysAnswersAreTold(Stream):
    def is_answerer(self, told: Told, answer: Event) -> bool:
        return answer.answerer is not None


class ToldBeforeTheRequester(Stream):
    def complete(self, event: Event) -> None:
        self.tell_settled(event)
        super().complete(event)

    def tell_settled(self, answer: Event) -> None:
        super().tell_settled(answer)
        answer.settles = None


class ToldAfterItsScope(Stream):
    def has_ended(self, scope: Scope) -> bool:
        return False


class ToldAtOnceOnASchedulerToo(Stream):
    def tell_settled(self, answer: Event) -> None:
        for told in answer.settles.told if answer.settles else ():
            told.scheduler = 0
        super().tell_settled(answer)
