# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Moves: how a program goes from one component to another."""

from __future__ import annotations

import ctypes
import inspect
import json
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Literal, Optional, Union

from .._library import C
from .._library import _header as d
from ..events._catalogue import ContextLike, LiveLike
from ..events._received import Event, from_record
from ..failure import Failure, Status, check, refuse_async
from ..servers._requests import finish

if TYPE_CHECKING:
    from ._navigator import Navigator
    from ._router import Match

__all__ = [
    "KINDS",
    "KIND_NAMES",
    "Closed",
    "Component",
    "Kind",
    "Moves",
    "ViewModelMoves",
    "Which",
    "component_of",
    "number_of",
    "read_tree",
    "top_of",
]


# Components: what routes lead to, as the navigator tells of them ----------------------------------

#: How a component is shown, and what it stands on.
Kind = Literal["screen", "embed", "dialog", "present", "overlay", "group", "flow"]

KINDS: Dict[Kind, int] = {
    "screen": d.SCREEN,
    "embed": d.EMBED,
    "dialog": d.DIALOG,
    "present": d.PRESENT,
    "overlay": d.OVERLAY,
    "group": d.GROUP,
    "flow": d.FLOW,
}
KIND_NAMES: Dict[int, Kind] = {number: name for name, number in KINDS.items()}
#: What may be the top: it has a view of its own, and not in a slot.
_TOPS = ("screen", "dialog", "present", "overlay")
_ROOM = 512


class Component:
    """What a route leads to: a screen, a dialog, a widget in a slot."""

    __slots__ = (
        "_navigator",
        "hidden",
        "kind",
        "name",
        "number",
        "owner",
        "parent",
        "request",
        "slot",
        "url",
    )

    def __init__(
        self, navigator: "Navigator", told: Dict[str, Any], request: Optional[Event] = None
    ) -> None:
        self._navigator = navigator
        #: In a stage's `show`, the request: `retain()` it to answer later. Else None.
        self.request = request
        #: Its number: that of its scope.
        self.number: int = told["component"]
        #: The number of what it stands on; 0: nothing.
        self.parent: int = told.get("parent", 0)
        #: The number of its owner's scope; 0: it has none.
        self.owner: int = told.get("owner", 0)
        self.kind: Kind = told["kind"]
        #: The name of its factory; "" if it has none.
        self.name: str = told.get("name", "")
        #: The URL that was opened.
        self.url: str = told["url"]
        #: Of an embed: its slot; else "".
        self.slot: str = told.get("slot", "")
        #: Whether a screen covers it.
        self.hidden: bool = told.get("hidden", False)

    @property
    def route(self) -> "Match":
        """What its URL says: `component.route["id"]`."""
        return self._navigator.match(self.url)

    @property
    def view_model(self) -> Any:
        """The view model behind it; None: there is none in Python."""
        return self._navigator.view_model_of(self.owner)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Component) and other.number == self.number

    def __hash__(self) -> int:
        return hash(self.number)

    def __repr__(self) -> str:
        return f"<Component {self.number} {self.kind} {self.url!r}>"


class Closed(List[int]):
    """The numbers of components that close together, the last opened first."""

    __slots__ = ("request",)

    def __init__(self, numbers: List[int], request: Event) -> None:
        super().__init__(numbers)
        #: The request that they be hidden: `retain()` it to answer later.
        self.request = request


def number_of(component: Union[Component, int]) -> int:
    """The number of a component, given that or the component."""
    return component if isinstance(component, int) else component.number


def component_of(navigator: "Navigator", event: Event) -> Optional[Component]:
    """The component that an event was sent from, or asks a leaving guard about; None: none is."""
    number = ctypes.c_uint64()
    status = C.mainstem_event_component(event._live(), ctypes.byref(number))
    if status == Status.UNSET:
        return None
    check(status)
    return _read(navigator, event.scope.context, number.value)


def read_tree(navigator: "Navigator", context: ContextLike) -> List[Component]:
    """Reads all components, in the order in which they were opened."""
    count = ctypes.c_size_t()
    status = C.mainstem_navigator_tree(context.handle, None, 0, ctypes.byref(count))
    if status and status != Status.TOO_BIG:
        check(status)
    numbers = (ctypes.c_uint64 * count.value)()
    check(C.mainstem_navigator_tree(context.handle, numbers, len(numbers), ctypes.byref(count)))
    return [_read(navigator, context, number) for number in numbers]


def top_of(tree: List[Component]) -> Optional[Component]:
    """The last one with a view of its own that is no embed; None: there is none."""
    return next((one for one in reversed(tree) if one.kind in _TOPS), None)


def _read(navigator: "Navigator", context: ContextLike, number: int) -> Component:
    show = d.ComponentInfoStruct(size=ctypes.sizeof(d.ComponentInfoStruct))
    room = _ROOM
    while True:
        text = ctypes.create_string_buffer(room)
        read = C.mainstem_component_read
        status = read(context.handle, number, ctypes.byref(show), text, room)
        if status != Status.TOO_BIG:
            break
        room *= 8
    check(status)
    return Component(
        navigator,
        {
            "component": show.component,
            "parent": show.parent,
            "owner": show.owner,
            "kind": KIND_NAMES[show.kind],
            "name": _text(show.name),
            "url": _text(show.url),
            "slot": _text(show.slot),
            "hidden": bool(show.hidden),
        },
    )


def _text(data: Optional[bytes]) -> str:
    return (data or b"").decode("utf-8", "surrogateescape")


# Moves: how a program goes from one component to another ------------------------------------------

#: What each move may get: functions, and how long to wait.
Then = Optional[Callable[[Any], object]]
Failed = Optional[Callable[[Failure], object]]
Opened = Optional[Callable[[int], object]]
Which = Union[Component, int]

MOVE = "MainstemMove"
_UNSIGNED = (1 << 64) - 1


class Moving:
    """The moves. Each is a request, and waits for its answer as `Scope.request` does.

    With `then`, `failed` or `opened`, it does not wait: it returns a Pending. The answer of what
    opens is the result of the component when that has closed, or Cancelled if there is none. Of
    what closes, it is None when it is done. The asker is the component whose scope asks.
    """

    __slots__ = ()

    def open(
        self,
        url: str,
        *,
        kind: Optional[Kind] = None,
        slot: str = "",
        on: Optional[Which] = None,
        then: Then = None,
        failed: Failed = None,
        opened: Opened = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Opens a URL. The answer is its component's result, when that has closed.

        `opened` gets the number of the component when it is shown. `kind` is what the route must
        be; `on` another component to stand on than the asker; `slot`, of an embed, another slot
        than the route's.
        """
        on_what = None if on is None else number_of(on)
        move = _move("open", url=url, component=on_what, slot=slot, how=kind)
        return self._ask(move, then, failed, opened, timeout)

    def link(
        self,
        url: str,
        *,
        all_flows: bool = False,
        then: Then = None,
        failed: Failed = None,
        opened: Opened = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Opens a URL from outside the app: when it is ready, after all dialogs are closed.

        With `all_flows`, it opens nothing itself: each flow gets it as a notice, `MainstemLink`.
        """
        move = _move("link", url=url, all=int(all_flows))
        return self._ask(move, then, failed, opened, timeout)

    def replace_root(self, url: str, *, then: Then = None, failed: Failed = None) -> Any:
        """Opens a URL on nothing, and closes everything else when it is shown."""
        return self._ask(_move("replace-root", url=url), then, failed)

    def replace(
        self,
        url: str,
        *,
        kind: Optional[Kind] = None,
        on: Optional[Which] = None,
        then: Then = None,
        failed: Failed = None,
        opened: Opened = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Opens a URL in place of the topmost screen of the asker's stack. As `open`.

        What is below is not uncovered: the old screen closes when the new one is shown. `on` is
        another component whose stack is meant.
        """
        on_what = None if on is None else number_of(on)
        move = _move("replace", url=url, component=on_what, how=kind)
        return self._ask(move, then, failed, opened, timeout)

    def close(self, component: Which, *, then: Then = None, failed: Failed = None) -> Any:
        """Closes a component, and what stands on it."""
        return self._ask(_move("close", component=number_of(component)), then, failed)

    def pop(self, *, then: Then = None, failed: Failed = None) -> Any:
        """Closes the topmost screen of the asker's stack, if another is below."""
        return self._ask(_move("pop"), then, failed)

    def pop_to(self, component: Which, *, then: Then = None, failed: Failed = None) -> Any:
        """Closes what stands on a component, but for its embeds."""
        return self._ask(_move("pop-to", component=number_of(component)), then, failed)

    def dismiss(self, *, then: Then = None, failed: Failed = None) -> Any:
        """Closes the dialog, presented component or overlay that the asker is in, or the last."""
        return self._ask(_move("dismiss"), then, failed)

    def _ask(
        self,
        move: str,
        then: Then,
        failed: Failed,
        opened: Opened = None,
        timeout: Optional[float] = None,
    ) -> Any:
        raise NotImplementedError


class Moves(Moving):
    """The moves of whoever asks through a scope: `nav.of(scope)`."""

    __slots__ = ("_scope",)

    def __init__(self, scope: Any) -> None:
        self._scope = scope

    def finish(self, result: Any = None, data: Any = None) -> None:
        """Closes the component in which the scope is, with a result: what its opener gets.

        `result` is an object of an event class, or the name of a type, with its data; None: there
        is no result. Only the first result of a component counts.
        """
        finish(self._scope, result, data)

    def _ask(
        self,
        move: str,
        then: Then,
        failed: Failed,
        opened: Opened = None,
        timeout: Optional[float] = None,
    ) -> Any:
        scope = self._scope
        for function in (then, failed, opened):
            refuse_async(function, "a function of a move")
        if then is None and failed is None and opened is None:
            return self._result(scope.request(MOVE, move, timeout=timeout))

        def answered(event: Event) -> None:
            if not event.failed:
                if then is not None:
                    then(result_in(event))
            elif failed is not None:
                failed(failure_in(event))
            elif event.status != Status.CANCELLED:
                # Nobody asked for it, and no error is silent.
                scope.context.thrown.report(failure_in(event), event)

        progress = None if opened is None else step_of(opened)
        return scope.request(MOVE, move, then=answered, progress=progress, timeout=timeout)

    def _result(self, answer: Any) -> Any:
        if not inspect.isawaitable(answer):
            return result_in(answer)

        # Taken out: a failure holds the frame that awaits it, and its future holds the failure.
        waiting = [answer]

        async def result() -> Any:
            return result_in(await waiting.pop())

        return result()


def step_of(opened: Callable[[int], object]) -> Callable[[Event], object]:
    """Makes a function for the progress of a move: `opened` gets the component's number."""
    return lambda event: opened(event.value & _UNSIGNED)


def failure_in(event: Event) -> Failure:
    """The error of a failed answer."""
    failure = event.error
    assert failure is not None
    return failure


def result_in(event: Event) -> Any:
    """The result that an answer has: an object of its class, or its plain payload; None: none."""
    result = d.ResultStruct(size=ctypes.sizeof(d.ResultStruct))
    check(C.mainstem_result_read(event._readable(), ctypes.byref(result)))
    if not result.type:
        return None
    data = ctypes.string_at(result.data, result.data_size) if result.data_size else b""
    facts = event._facts
    header = facts[:5] + (len(data), facts[6], result.type) + facts[8:11]
    catalogue = event._scope.context.catalogue
    told = from_record(Event, event._scope, header, data)
    value = catalogue.value_of(told, result.type)
    return catalogue.plain(told) if value is None else value


def _move(verb: str, **members: Any) -> str:
    """A move as the library writes it; what is not said is left out. An empty URL is one."""
    said = {name: value for name, value in members.items() if value or name == "url"}
    return json.dumps({"verb": verb, **said}, ensure_ascii=False, separators=(",", ":"))


# The moves of a view model: what it asks of the navigator in its own methods ----------------------


class ViewModelMoves(Moving):
    """The moves of a view model: `self.navigator`. An async command awaits them."""

    __slots__ = ("_live",)

    def __init__(self, live: LiveLike) -> None:
        self._live = live

    def _ask(
        self,
        move: str,
        then: Then,
        failed: Failed,
        opened: Opened = None,
        timeout: Optional[float] = None,
    ) -> Any:
        return self._live.ask(
            MOVE,
            move,
            read=result_in,
            then=then,
            failed=failed,
            timeout=timeout,
            progress=None if opened is None else step_of(opened),
        )
