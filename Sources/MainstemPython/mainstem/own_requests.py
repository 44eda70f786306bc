# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a view model asks in its own methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Optional

from .failure import refuse_async
from .servers._requests import Pending
from .steps import PendingAnswer

if TYPE_CHECKING:
    from .failure import Failure
    from .live import Live


def ask_own(
    live: "Live",
    event: Any,
    data: Any,
    *,
    read: Optional[Callable[[Any], Any]] = None,
    then: Optional[Callable[[Any], object]] = None,
    failed: Optional[Callable[["Failure"], object]] = None,
    timeout: Optional[float] = None,
    share: bool = False,
    progress: Optional[Callable[[Any], object]] = None,
) -> PendingAnswer[Any]:
    """Asks a server as a view model. `read` makes of an answer what it gets."""
    for function in (then, failed, progress):
        refuse_async(function, "a function of request")
    asked: PendingAnswer[Any] = PendingAnswer(live)

    def answered(answer: Any) -> None:
        value = answer if read is None else read(answer)
        if then is not None:
            live.within(then, value)
        live.within(asked.settle, value)

    def lost(failure: "Failure") -> None:
        if failed is not None:
            live.within(failed, failure)
        live.within(asked.settle, None, None if failed is not None else failure)

    number, payload = live.context.catalogue.outgoing(event, data)
    step = None if progress is None else lambda told: live.within(progress, told)
    pending = Pending(live.owner, answered, step, lost, isinstance(event, str))
    pending.ask(number, payload, timeout, share)
    asked.stop_with(pending.cancel)
    return asked
