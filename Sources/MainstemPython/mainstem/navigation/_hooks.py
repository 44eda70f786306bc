# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the navigator asks and tells: guards, the stage, the intents of flows."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import inspect
import json
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Iterator,
    Literal,
    NamedTuple,
    Optional,
    Tuple,
    TypeVar,
    Union,
)

from .._library import C, _callbacks
from .._library import _header as d
from ..events._catalogue import ContextLike, LiveLike, ScopeLike
from ..events._received import Event, Retained, event_of
from ..failure import Cancelled, Failure, Status, check, encoded, is_async
from ..observers._calls import Queue
from ..servers._server import LATER, Handler, Table, no_loop
from ._moves import Closed, Component

if TYPE_CHECKING:
    from ._navigator import Navigator

__all__ = [
    "After",
    "Guard",
    "OpenFirst",
    "Redirect",
    "Stage",
    "asks",
    "hear_intents",
    "intent",
    "refuse_intents",
]


# Guards: functions that are asked before a URL is opened, or closed -------------------------------


class Redirect(NamedTuple):
    """What a guard returns to open another URL instead."""

    url: str


class OpenFirst(NamedTuple):
    """What a guard returns to open another URL first: at its result, the guards are asked again."""

    url: str


#: Its name in 0.10: a message that stands in journals, and so never changes, has it.
After = OpenFirst

#: What a guard returns: True or None to let the move go on, False to refuse it.
Verdict = Union[bool, None, Redirect, OpenFirst]
Guard = Callable[[Any], Any]


def asks(
    guard: Guard, name: str, leaving: bool, match: Callable[[Event], Any]
) -> Callable[[Event], Any]:
    """Makes the handler of a guard's requests."""
    said = _said_of_leaving if leaving else _said
    if not is_async(guard):
        return lambda event: _answer(event, *said(guard(match(event)), name))

    async def ask(event: Event) -> None:
        _answer(event, *said(await guard(match(event)), name))

    return ask


def _answer(event: Event, number: int, url: Optional[bytes]) -> None:
    status = C.mainstem_guard_answer(event._live(), number, url)
    event._answered = True
    # Somebody else may have answered, or nobody waits any more.
    check(0 if status == Status.STALE else status)


def _said_of_leaving(verdict: Verdict, name: str) -> Tuple[int, Optional[bytes]]:
    number, url = _said(verdict, name)
    if number != d.GUARD_ALLOW:
        raise TypeError(f"{name} returned {verdict}: a leaving guard returns True or False")
    return number, url


def _said(verdict: Verdict, name: str) -> Tuple[int, Optional[bytes]]:
    if verdict is None or verdict is True:
        return d.GUARD_ALLOW, None
    if verdict is False:
        raise Failure(f"{name} refuses", code=Status.DENIED)
    if isinstance(verdict, Redirect):
        return d.GUARD_REDIRECT, encoded(verdict.url, "url")
    if isinstance(verdict, OpenFirst):
        return d.GUARD_OPEN_FIRST, encoded(verdict.url, "url")
    raise TypeError(
        f"{name} returned a {type(verdict).__name__}: a guard returns True, False,"
        " mainstem.Redirect(url) or mainstem.After(url)"
    )


# The stage: the host's object that shows components -----------------------------------------------


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


# Intents: what the components of a flow say, and the methods of the flow that hear it -------------

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
