# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A command of one view model that another one runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Optional

from ._children import Child
from .events._catalogue import ContextLike
from .model import Row
from .servers._requests import Pending
from .steps import PendingAnswer

if TYPE_CHECKING:
    from .live import Live

Read = Callable[[bytes], Any]


def answer_reader(row: Row, context: ContextLike) -> Read:
    """Returns the function that reads the answer of a command; of a child, its view model."""
    if isinstance(row.member, Child):
        return lambda data: found_by(context, int.from_bytes(data, "little"))
    return _no_answer if row.answer is None else row.answer.decode


def found_by(context: ContextLike, number: int) -> Any:
    """Returns the view model whose scope has a number; one that is not Python's is the number."""
    return context.view_models.get(number, number)


def _no_answer(_: Any) -> None: ...


def ask_another(
    asker: Optional["Live"], callee: "Live", kind: int, data: bytes, read: Read
) -> PendingAnswer[Any]:
    """Runs a command inside a callback: an output of it."""
    asked: PendingAnswer[Any] = PendingAnswer(asker or callee)
    if asker is not None:
        asker.steps.hear_answers()

    # The request goes through the owner, and its answer comes there. What follows is the asker's.
    def settle(value: Any, failure: Optional[BaseException]) -> None:
        if asker is None:
            asked.settle(value, failure)
        else:
            asker.steps.settle(asked, value, failure)

    pending = Pending(
        callee.owner,
        lambda event: settle(read(event.data), None),
        failed=lambda failure: settle(None, failure),
        named=True,
    )
    pending.ask(kind, data)
    asked.stop_with(pending.cancel)
    return asked
