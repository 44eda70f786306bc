# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The stage: the host's object that shows components."""

from __future__ import annotations

import ctypes
import json
from typing import TYPE_CHECKING, Any, Callable, Dict

from ._library import C, _callbacks
from ._library import _header as d
from .component import Closed, Component
from .events._catalogue import ContextLike, ScopeLike
from .events._received import Event, Retained
from .failure import Failure, check, encoded, is_async
from .observers._calls import Queue
from .servers._server import LATER, Table

if TYPE_CHECKING:
    from .navigator import Navigator


class Stage(Table):
    """Hands what a navigator shows and hides to an object of the host's."""

    __slots__ = ("_context", "_navigator")

    def __init__(
        self, navigator: "Navigator", stage: Any, parent: Any, child: Callable[[int], ScopeLike]
    ) -> None:
        self._navigator = navigator
        self._context: ContextLike = parent.context
        handlers = {
            "MainstemShow": self._handler(stage.show, self._component_in),
            "MainstemHide": self._handler(stage.hide, _closed_in),
        }
        super().__init__(parent, handlers, parent._in_loop, Queue(), {}, None, child)

    def add(self, name: Any = None) -> int:
        """Adds the stage to its parent, and returns the handle of its scope."""
        rows = (d.HandlerRow * len(self._rows))(
            *(d.HandlerRow(encoded(kind, "type"), _callbacks.on_event) for kind, _ in self._rows)
        )
        stage = ctypes.c_void_p()
        number = _callbacks.keep(self.deliver)
        status = C.mainstem_stage_add(
            self._scope.handle,
            rows,
            ctypes.sizeof(d.HandlerRow),
            len(rows),
            number,
            _callbacks.on_release,
            ctypes.byref(stage),
        )
        if status:
            _callbacks.forget(number)
            check(status)
        return stage.value or 0

    def _handler(self, function: Callable[[Any], Any], read: Callable[[Event], Any]) -> Any:
        """Makes a handler that answers when a function of the stage has returned.

        In a muted replay nobody asks: it only draws, and its Failure is no answer, but reported.
        """
        if not is_async(function):

            def handle(event: Event) -> Any:
                try:
                    answer = function(read(event))
                except Failure as failure:
                    if event.tracked:
                        raise
                    self._context.thrown.failed(failure, event, event._live())
                    return None
                # LATER: `Navigator.shown` answers.
                return LATER if answer is LATER else b"" if event.tracked else None

            return handle
        loop = self._context._loop_or_refuse("an async def stage")

        async def answer(event: Event) -> bytes:
            await function(read(event))
            return b""

        later = loop.answering(answer)

        async def draw(kept: Retained[Any], told: Any) -> None:
            try:
                await function(told)
            except Exception as exception:
                self._context.thrown.report(exception, kept.event)
            finally:
                kept.release()

        def begin(event: Event) -> Any:
            if event.tracked:
                return later(event)
            loop.soon(loop.start, draw(event.retain(), read(event)))
            return LATER

        return begin

    def _component_in(self, event: Event) -> Component:
        return Component(self._navigator, json.loads(event.text), event)


def _closed_in(event: Event) -> Closed:
    told: Dict[str, Any] = json.loads(event.text)
    return Closed(told["closed"], event)
