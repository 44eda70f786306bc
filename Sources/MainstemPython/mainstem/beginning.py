# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""How a view model begins: it hears others, runs `opened`, and has its first children."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Optional

from ._library import C
from .failure import check
from .handling import handle
from .steps import Step

if TYPE_CHECKING:
    from .live import Live


class Beginning:
    """How a live view model begins."""

    __slots__ = ("_live", "_type", "is_due")

    #: Whether `opened` is still to be run: until then nothing is shown.
    is_due: bool

    def __init__(self, live: "Live") -> None:
        self._live = live
        self._type = 0
        self.is_due = hasattr(live.instance, "opened")

    def begin(self, is_service: bool) -> None:
        """Begins. In a callback `opened` is run at once, else with the first show."""
        live = self._live
        is_inside = live.context.thrown.inside()
        if self.is_due and not is_inside:
            # What `opened` asks for must follow from an event, to be done again in a replay. This
            # comes first: a value that is heard, and there already, has it show at once.
            self._type = live.own_notice("opened", None)
            live.observe(self._type, self._be_opened, live.owner)
        if live.model.handled:
            handle(live, is_service)
        for (what, *heard), method in live.model.heard:
            if what == "of" and isinstance(heard[0], type):
                model = heard[0].__mainstem_model__  # type: ignore[attr-defined]
                live.hear(model, heard[1], getattr(live.instance, method), None)
        live.family.hear_ends()
        if self.is_due and is_inside:
            self._run()
        else:
            live.within(_no_opened)

    def tell(self, handle: int) -> None:
        """Sends the event that `opened` follows from, in place of the first show."""
        check(C.mainstem_send(handle, self._type, b"", 0))

    def _be_opened(self, _: Any) -> None:
        if self.is_due:
            self._run()

    def _run(self) -> None:
        self.is_due = False
        self._live.within(self._open)

    def _open(self) -> None:
        live = self._live
        outcome = live.instance.opened()  # type: ignore[attr-defined]
        if inspect.iscoroutine(outcome):
            Step(live, f"{live.model.name}.opened", outcome, _opened).go_on()


def _no_opened() -> None: ...


def _opened(_: Any, raised: Optional[BaseException]) -> None:
    if raised is not None:
        try:
            raise raised
        finally:
            del raised
