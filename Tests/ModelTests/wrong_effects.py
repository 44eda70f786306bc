# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong streams: effects."""

from __future__ import annotations

from reference.flow.process import Frame
from reference.flow.values import Event, Pending, Scope
from reference.model import Stream


class FetchesMayChangeValues(Stream):
    """What a fetch's own handler changes is changed; what it asks changes nothing."""

    def fetches_in(self, frame: Frame) -> dict[str, int]:
        return self.inherited(frame.event) if frame.event else {}


class WhatAFetchAsksIsFree(Stream):
    def note_asked(self, pending: Pending) -> None:
        """It inherits nothing."""


class AnswersAreNoPartOfAFetch(Stream):
    """Their completions are."""

    def note_answer(self, event: Event) -> None:
        """Who is told, and what is shown, comes after the fetch."""


class InnerFetchesHideOuterOnes(Stream):
    def fetches_in(self, frame: Frame) -> dict[str, int]:
        return dict(list(super().fetches_in(frame).items())[:1])


class ShowsAfterAFetchMayChange(Stream):
    def fetches(self, server: Scope, number: int) -> bool:
        return False


class NothingIsShownFirst(Stream):
    """What a server has never shown may not appear after a fetch."""

    def shows_first(self, event: Event) -> bool:
        return False


class FetchesKeepEverybodysValues(Stream):
    """The values of other servers, too."""

    def broken_by(self, event: Event) -> int:
        frame = self.process.frame(self)
        if not self.sends_output() or frame.is_show:
            return super().broken_by(event)
        return next(iter(self.fetches_in(frame).values()), 0)
