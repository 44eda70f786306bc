# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What `info` keeps of a navigator: what it was asked for and has opened, counted."""

from __future__ import annotations

from collections import Counter
from typing import List, Optional

from .._journal.record import ORIGIN
from ..journal_file import Record, TypeInfo
from .moves import Component, Move, Note
from .navigation import Navigation, scope_of_sender
from .reading import count
from .steps import told_all


class Survey(Navigation):
    """A navigator of which no move and nothing that was closed is kept.

    Once it is known who the navigator is, only moves and changes of the tree say anything.
    """

    def _begin(self) -> None:
        super()._begin()
        #: How many moves there were of each verb, and what they have opened of each kind.
        self.verbs: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        #: Whether it is known who the navigator is.
        self.is_settled = False

    def learn(self, record: Record) -> None:
        """Takes the next record, if that is no event; who asks for a move does not matter."""
        if record.kind != ORIGIN:
            super().learn(record)

    def _is_of_navigator(self, event: Record) -> bool:
        is_it = super()._is_of_navigator(event)
        if not self.is_settled and self._home is not None:
            self.is_settled = True
            self.moves.clear()
            for number in list(self.telling):
                self._leave_out(number)
        return is_it

    def _learn_type(self, number: int, info: TypeInfo) -> None:
        super()._learn_type(number, info)
        if self.is_settled:
            self._leave_out(number)

    def _leave_out(self, number: int) -> None:
        """Takes no more events of a type, if they only told who the navigator is."""
        if self.telling.get(number) not in (self._move, self._tree):
            self.telling.pop(number, None)

    def _move(self, event: Record) -> Note:
        move = Move(event, scope_of_sender(event))
        self.verbs[move.verb] += 1
        if not self.is_settled:
            self.moves[event.position] = move
        return Note("move", move=move)

    def _change(
        self, event: Record, by: int, opened: Optional[Component], closed: List[int], top: int
    ) -> Note:
        for number in closed:
            self.shown.pop(number, None)
        if opened is not None:
            self.shown[opened.number] = opened
            self.kinds[opened.kind] += 1
        return Note("change", by)

    # What only tells why -------------------------------------------------------------------------

    def _result(self, event: Record) -> None:
        return None

    def _gone(self, event: Record) -> None:
        return None

    def _finish(self, event: Record) -> None:
        return None

    def _ended(self, event: Record) -> None:
        return None


def summary_of(survey: Survey) -> List[str]:
    """Returns a line on a navigator, if there is one: its moves, and what they opened."""
    if not survey.is_there:
        return []
    moves, components = sum(survey.verbs.values()), sum(survey.kinds.values())
    return [
        f"  {count(moves, 'move')}{_counted(survey.verbs)} opened "
        f"{count(components, 'component')}{_counted(survey.kinds)}; "
        f"at the end there is {told_all(survey.shown.values()) or 'nothing'}"
    ]


def _counted(words: Counter[str]) -> str:
    names = [f"{word} {much:,}" for word, much in words.most_common()]
    return f" ({', '.join(names)})" if names else ""
