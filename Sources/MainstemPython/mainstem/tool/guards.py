# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The guards of a session: which moves they were asked about, and what they said."""

from __future__ import annotations

from typing import Dict, Optional

from ..journal_file import Record
from .moves import Move, Note

GUARD, VERDICT = b"RequestGuard.", b"ResponseGuard."


class Guards:
    """What guards were asked. The navigator goes on with a move where its guard has answered."""

    def __init__(self) -> None:
        # The move of each request of a guard, and of what makes the navigator ask the next one.
        self._moves: Dict[int, Move] = {}

    def ask(self, event: Record, move: Optional[Move]) -> Note:
        """Takes a guard's request; `move` is its cause, if that is a move."""
        move = self._moves.get(event.cause, move)
        name = event.name[len(GUARD) :]
        if move is None:
            return Note("guard", text=name)
        move.guards.append(name)
        self._moves[event.position] = move
        return Note("guard", move.position, move, text=name)

    def take(self, event: Record) -> Optional[Note]:
        """Takes a guard's answer."""
        move = self._moves.get(event.answers)
        if move is None:
            return None
        self._moves[event.position] = move
        said = (
            "" if event.status or event.marked else event.data.decode("utf-8", "backslashreplace")
        )
        verdict, _, url = said.partition(" ")
        if event.status:
            move.refused_by = event.name[len(VERDICT) :]
        elif verdict == "redirect":
            move.redirects.append(url)
        return Note("verdict", 0, move, text=said)

    def go_on(self, first: Move, position: int) -> None:
        """Takes the answer of a move, which a guard may have wanted first: it is asked again."""
        if first.cause in self._moves:
            self._moves[position] = self._moves[first.cause]
