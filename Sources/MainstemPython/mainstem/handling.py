# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a live view model handles: requests that it answers, and other events that it gets."""

from __future__ import annotations

import ctypes
import functools
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

from ._library import C, _callbacks
from ._library import _header as d
from .events._catalogue import WrongAnswer
from .events._received import _MEMORY, Event, Retained, _unpack, event_of
from .failure import Failure, check, encoded, is_async
from .observers._calls import Queue, added, message_of
from .observers._subscription import Filter
from .servers._server import LATER, Handler, Table, answer_event, no_answer, no_loop
from .steps import Step

if TYPE_CHECKING:
    from .live import Live

#: A request that shares its answer with others: one request stands for all of them.
_ASKER = d.EVENT_SHARED | d.EVENT_TRACKED


def handle(live: "Live", is_service: bool) -> None:
    """Lets a view model handle what its methods are marked to handle.

    The instance of a service gets handlers, since only they get the request that has made it.
    Others observe, so that they show after each event; a server below says what they handle.
    """
    plain: Dict[Any, Handler] = {}
    own: Dict[Any, Handler] = {}
    for what, method, is_own in live.model.handled:
        path = f"{live.model.name}.{method}"
        if is_own and live.context.catalogue.is_request(what):
            name = live.context.catalogue.name_of(live.context.catalogue.number_of(what))
            raise TypeError(f"{path} answers {name} as its own: make it a command")
        (own if is_own else plain)[what] = handler_of(live, getattr(live.instance, method), path)
    if is_service:
        Table(live.owner, plain, no_loop, Queue(), own, None, lambda _: live.owner).add(None)
    else:
        _Heard(live, plain, own).begin()


def handler_of(live: "Live", method: Handler, path: str) -> Handler:
    """Makes the handler of a method: in it, the view model may change."""

    def begin(value: Any) -> Any:
        return live.within(_Going(live, method, path, value).begin)

    handler = begin if is_async(method) else functools.partial(live.within, method)
    return functools.update_wrapper(handler, method)


class _Heard(Table):
    """The handlers of a view model that is no service: it observes what they handle."""

    __slots__ = ("_live",)

    def __init__(self, live: "Live", plain: Dict[Any, Handler], own: Dict[Any, Handler]) -> None:
        super().__init__(live.owner, plain, no_loop, Queue(), own, None, lambda _: live.owner)
        self._live = live

    def begin(self) -> None:
        """Observes what is handled, and adds the server that says so."""
        owner, requests = self._live.owner, []
        for (name, flags), number in zip(self._rows, self._handlers):
            which = Filter([number], 0, 0, 0, 0)
            which.of = owner if flags & d.HANDLER_OWN else None
            options = which.options()
            options.flags &= ~d.OBSERVE_CONFIRM
            self._observe(options)
            if owner.context.catalogue.is_request(number):
                requests.append((name, flags))
        if requests:
            self._say(requests)

    def _observe(self, options: Any) -> None:
        owner = self._live.owner
        added(
            owner,
            self.deliver,
            _nothing,
            lambda number, place: C.mainstem_observe_with(
                owner.handle,
                ctypes.byref(options),
                _callbacks.on_event,
                number,
                _callbacks.on_release,
                place,
            ),
            C.mainstem_cancel,
        )

    def _say(self, requests: List[Tuple[str, int]]) -> None:
        rows = (d.HandlerRow * len(requests))()
        for index, (name, flags) in enumerate(requests):
            rows[index] = d.HandlerRow(encoded(name, "type"), _callbacks.on_event, flags)
        number = _callbacks.keep(_nothing)
        status = C.mainstem_server_add(
            self._live.owner.handle,
            encoded(f"{self._live.model.name}.requests", "name"),
            rows,
            ctypes.sizeof(d.HandlerRow),
            len(rows),
            number,
            _callbacks.on_release,
            None,
        )
        if status:
            _callbacks.forget(number)
            check(status)

    def deliver(self, address: int) -> None:
        """Runs a handler for the library, unless one request stands for this one and others."""
        if _unpack(_MEMORY, address)[10] & _ASKER != _ASKER:
            super().deliver(address)


def _nothing(_: int = 0) -> None: ...


class _Going:
    """An async handler, until it has come to its end."""

    __slots__ = ("_event", "_has_begun", "_kept", "_method", "_outcome", "_raised", "_step")

    def __init__(self, live: "Live", method: Handler, path: str, value: Any) -> None:
        self._event: Event = event_of(value)
        self._kept: Optional[Retained[Any]] = None
        if live.context.catalogue.is_answered(self._event.type):
            self._kept = self._event.retain()
            value = self._kept.value if value is not self._event else self._kept.event
        self._has_begun = False
        self._method = method
        self._outcome: Any = None
        self._raised: Optional[BaseException] = None
        self._step = Step(live, path, method(value), self._done)

    def begin(self) -> Any:
        """Takes the first step. Returns the answer, or LATER."""
        self._step.go_on()
        self._has_begun = True
        if not self._step.is_over:
            if self._kept is not None:
                self._event.on_settled(self._stop)
            return LATER
        if self._kept is not None:
            self._event._answered = self._kept.event.has_answered
        self._release()
        raised, self._raised = self._raised, None
        try:
            if raised is not None:
                raise raised
        finally:
            del raised
        return self._outcome

    def _stop(self) -> None:
        self._step.stop()
        self._release()

    def _release(self) -> None:
        if self._kept is not None:
            self._kept.release()

    def _done(self, outcome: Any, raised: Optional[BaseException]) -> None:
        if not self._has_begun:
            self._outcome, self._raised = outcome, raised
            return
        try:
            self._answer(outcome, raised)
        finally:
            del raised
            self._release()

    def _answer(self, outcome: Any, raised: Optional[BaseException]) -> None:
        """Answers in a later step. Raises what went wrong, unless that is an answer, too."""
        kept = self._kept
        try:
            if kept is not None and raised is None:
                raised = _refused(kept.event, outcome)
            if raised is None:
                return
            if isinstance(raised, WrongAnswer):
                raised.name(self._method)
            if kept is not None and isinstance(raised, Failure):
                answer_event(kept.event, raised)
                return
            if kept is not None:
                answer_event(kept.event, Failure(message_of(raised, kept.value)))
            raise raised
        finally:
            del raised


def _refused(event: Event, outcome: Any) -> Optional[BaseException]:
    """Answers with what a handler returned. Returns why that is no answer, or None."""
    try:
        if outcome is not None:
            answer_event(event, outcome)
        elif event.tracked and not event.has_answered:
            raise WrongAnswer(no_answer(event))
    except Exception as exception:
        return exception
    return None
