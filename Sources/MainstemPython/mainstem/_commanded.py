# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A command of one view model that another one runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, Optional

from ._protocols import ContextLike
from .children import Begets
from .model import Row
from .pending import Pending
from .received import Event
from .steps import Asked

if TYPE_CHECKING:
    from .live import Live

Read = Callable[[bytes], Any]


def answer_reader(row: Row, context: ContextLike) -> Read:
    """Returns the function that reads the answer of a command; of a child, its view model."""
    if isinstance(row.member, Begets):
        return lambda data: found_by(context, int.from_bytes(data, "little"))
    return _no_answer if row.answer is None else row.answer.decode


def found_by(context: ContextLike, number: int) -> Any:
    """Returns the view model whose scope has a number; one that is not Python's is the number."""
    return context.view_models.get(number, number)


def _no_answer(_: Any) -> None: ...


class Answers:
    """The answers that one view model awaits from the commands of another."""

    __slots__ = ("_asker", "_read", "_waiting")

    def __init__(self, asker: "Live", callee: "Live", kind: int, read: Read) -> None:
        self._asker = asker
        self._read = read
        self._waiting: Dict[int, Asked[Any]] = {}
        known = asker.context.catalogue.known(kind)
        asker.observe(known.response if known else 0, self._hear, callee.owner)

    def await_(self, position: int, asked: Asked[Any]) -> None:
        """Awaits the answer to the run at a position."""
        self._waiting[position] = asked

    def _hear(self, event: Event) -> None:
        asked = self._waiting.pop(event.answers, None)
        if asked is not None:
            failure = event.error
            value = self._read(event.data) if failure is None else None
            self._asker.within(asked.settle, value, failure)


def ask_another(
    asker: Optional["Live"], callee: "Live", kind: int, data: bytes, read: Read
) -> Asked[Any]:
    """Runs a command inside a callback: an output of it."""
    asked: Asked[Any] = Asked(asker or callee)
    if asker is None:
        pending = Pending(
            callee.owner,
            lambda event: asked.settle(read(event.data)),
            failed=lambda failure: asked.settle(None, failure),
            named=True,
        )
        pending.ask(kind, data)
        return asked
    # The request goes through the owner, so its answer is heard as an observer hears it: what the
    # asker then does is the asker's.
    pending = Pending(callee.owner, _no_answer, failed=_no_answer, named=True)
    answers = asker.steps.answers.get((callee.owner.handle, kind))
    if answers is None:
        answers = Answers(asker, callee, kind, read)
        asker.steps.answers[(callee.owner.handle, kind)] = answers
    pending.ask(kind, data)
    asked._stop = pending.cancel
    answers.await_(pending.position, asked)
    return asked
