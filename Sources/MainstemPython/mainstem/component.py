# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Components: what routes lead to, as the navigator tells of them."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, Union

from ._library import C
from ._library import _header as d
from .events._catalogue import ContextLike
from .events._received import Event
from .failure import Status, check

if TYPE_CHECKING:
    from .navigator import Navigator
    from .router import Match

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
