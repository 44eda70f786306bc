# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Intents: what the components of a flow say, and the methods of the flow that hear it."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import inspect
from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    Literal,
    Optional,
    Tuple,
    TypeVar,
    Union,
)

from ._library import C, _callbacks
from ._library import _header as d
from .component import Component
from .events._catalogue import LiveLike
from .events._received import Event, event_of
from .failure import Cancelled, check, encoded, is_async
from .observers._calls import Queue
from .servers._server import Handler, Table, no_loop

Function = TypeVar("Function", bound=Callable[..., Any])
#: What becomes of an intent while a screen covers the component that says it.
WhenHidden = Literal["dropped", "queued", "allowed"]
_FLAGS: Dict[str, int] = {
    "dropped": 0,
    "queued": d.INTENT_QUEUED,
    "allowed": d.INTENT_ALLOWED,
}
#: What is heard, the name of who says it, a flag.
_Row = Tuple[Any, str, int]
#: Finds the component that an event was sent from.
_Speaker = Callable[[Event], Optional[Component]]


def intent(
    what: Any, *, of: Union[type, str] = "", when_hidden: WhenHidden = "dropped"
) -> Callable[[Function], Function]:
    """Marks a method of a flow: it hears what components of the flow say.

        class DiaryFlow(mainstem.ViewModel):
            @mainstem.intent(EntryPicked, of=DiaryList)
            async def picked(self, entry: EntryPicked) -> None:
                await self.navigator.open(f"diary/{entry.id}")

    `what` is an event class, or the name of a type; "MainstemLink" hears links to all flows. `of`
    is the class or the name of what is behind the component, else it is any. The method gets the
    event and, if it has a second parameter, the Component that says it: None, if a link comes. What
    is said while a screen covers the component is dropped, or else "queued" until nothing covers
    it, or "allowed". An async method whose component is closed without a result ends there.
    """
    if when_hidden not in _FLAGS:
        raise ValueError(f"when_hidden is {when_hidden!r}: it is one of {', '.join(_FLAGS)}")
    row: _Row = (what, of if isinstance(of, str) else _name_of(of), _FLAGS[when_hidden])

    def mark(function: Function) -> Function:
        rows = (row, *getattr(function, "__mainstem_intents__", ()))
        function.__mainstem_intents__ = rows  # type: ignore[attr-defined]
        return function

    return mark


def _name_of(kind: type) -> str:
    model = getattr(kind, "__mainstem_model__", None)
    return kind.__name__ if model is None else str(model.name)


def _intents_of(kind: type) -> Iterator[Tuple[str, _Row]]:
    """The intents of a class, each with its method."""
    for method, function in inspect.getmembers(kind, callable):
        for row in getattr(function, "__mainstem_intents__", ()):
            yield method, row


def hear_intents(live: LiveLike, request: Event, speaker_of: _Speaker) -> None:
    """Lets a view model hear the intents of the flow that it was made for."""
    for method, (what, speaker, flag) in _intents_of(type(live.instance)):
        component = speaker_of(request)
        if component is None or component.kind != "flow":
            raise TypeError(f"{live.model.name}.{method} hears an intent: nav.flow adds its route")
        _Heard(live, what, method, speaker_of).begin(speaker, flag)


def refuse_intents(made: object) -> None:
    """Raises a TypeError for an object that hears intents, and is no view model."""
    for method, _ in _intents_of(type(made)):
        kind = type(made).__name__
        raise TypeError(f"{kind}.{method} hears an intent: make {kind} a mainstem.ViewModel")


class _Heard(Table):
    """One intent, and the method that hears it."""

    __slots__ = ()

    def __init__(self, live: LiveLike, what: Any, method: str, speaker_of: _Speaker) -> None:
        path = f"{live.model.name}.{method}"
        function = _with_speaker(getattr(live.instance, method), speaker_of)
        handlers = {what: live.handler_of(function, path)}
        super().__init__(live.owner, handlers, no_loop, Queue(), {}, None, lambda _: live.owner)
        if live.context.catalogue.is_request(*self._handlers):
            raise TypeError(f"{path}: {self._rows[0][0]} is a request: say @mainstem.handles")

    def begin(self, speaker: str, flag: int) -> None:
        """Hears it, until the flow ends."""
        name = encoded(self._rows[0][0], "type")
        of = encoded(speaker, "of") if speaker else None
        row = d.IntentRow(name, of, _callbacks.on_event, flag, 0)
        number = _callbacks.keep(self.deliver)
        status = C.mainstem_intents_add(
            self._scope.handle,
            ctypes.byref(row),
            ctypes.sizeof(row),
            1,
            number,
            _callbacks.on_release,
        )
        if status:
            _callbacks.forget(number)
            check(status)


def _with_speaker(method: Callable[..., Any], speaker_of: _Speaker) -> Handler:
    """Makes the handler of a method, which may have a second parameter."""
    wants_speaker = len(inspect.signature(method).parameters) > 1

    def told(value: Any) -> Any:
        if not wants_speaker:
            return method(value)
        return method(value, speaker_of(event_of(value)))

    if not is_async(method):
        return told

    async def hear(value: Any) -> None:
        # What it has opened was closed, so it leads nowhere.
        with contextlib.suppress(Cancelled):
            await told(value)

    return functools.update_wrapper(hear, method)
