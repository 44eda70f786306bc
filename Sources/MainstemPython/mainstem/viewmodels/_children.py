# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A list of children: the library compares the keys, and says which are to be made."""

from __future__ import annotations

import ctypes
import functools
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple

from .._library import C, _callbacks
from .._library import _header as d
from ..events._codec import changes_in_place
from ..events._rows import key_bytes
from ..failure import Status, check
from ._declared import Children

if TYPE_CHECKING:
    from ._live import Live
    from ._running import Family

__all__ = ["ListedChildren"]

#: A child and the element that it was made of.
_Born = Tuple[Any, Any]


class ListedChildren:
    """A list of children, one for each element of a field.

    The library compares the keys, asks for the children that are new, and ends those that are gone.
    An event that leaves the field alone costs nothing here; one that changes it costs what it
    changes, but for looking where the same elements begin and end.
    """

    __slots__ = (
        "_elements",
        "_family",
        "_is_set",
        "_is_setting",
        "_kept",
        "_keys",
        "_live",
        "_member",
        "_type",
        "_version",
        "_waiting",
        "children",
    )

    def __init__(self, family: "Family", live: "Live", kind: int, member: Children) -> None:
        self._family = family
        self._live = live
        self._type = kind
        self._member = member
        #: What they are made of: it does not change in place. And its keys.
        self._elements: Tuple[Any, ...] = ()
        self._keys: Tuple[bytes, ...] = ()
        self._version = 0
        self._is_set = self._is_setting = False
        self._kept: Dict[bytes, _Born] = {}
        #: Those that were made outside callbacks, until the first show sets their list.
        self._waiting: Optional[Dict[bytes, _Born]] = None
        self.children: Tuple[Any, ...] = ()

    def settle(self) -> None:
        """Lets children come and go, and assigns elements that have changed."""
        elements, before = tuple(getattr(self._live.instance, self._member.source)), self._elements
        # What children cause while they come is looked at behind that.
        if self._is_setting or (self._is_set and elements is before):
            return
        if self._is_set and elements == before:
            self._elements = elements
        elif not self._live.context.thrown.inside():
            self._make_first(elements)
        else:
            self._is_setting = True
            try:
                is_set = self._set(elements)
            finally:
                self._is_setting = False
            if is_set:
                self.settle()

    def _make_first(self, elements: Tuple[Any, ...]) -> None:
        """Makes the children of a program's beginning; a replay has them, too."""
        if self._waiting is not None:
            return
        keys = self._keys_of(elements, 0, len(elements))
        if len(set(keys)) < len(keys):
            self._refuse(Status.INVALID, elements)
        waiting: Dict[bytes, _Born] = {}
        try:
            for key, element in zip(keys, elements):
                waiting[key] = (self._make(element), element)
                self._family.hear(self._member.python, waiting[key][0])
        except BaseException:
            for child, _ in waiting.values():
                self._family.let_go(child._live)
            raise
        self._waiting = waiting
        self.children = tuple([child for child, _ in waiting.values()])

    def show_first(self, _: Any) -> None:
        """Sets the list of children that were made outside callbacks."""
        if self._waiting is not None and not self._is_setting:
            self._is_setting = True
            try:
                self._set(tuple(getattr(self._live.instance, self._member.source)))
            finally:
                self._is_setting = False

    def _take_waiting(self, made: Dict[bytes, _Born], keys: Tuple[bytes, ...]) -> None:
        """Takes the children that a replay has listed, and ends those that nobody wants."""
        waiting, self._waiting, self.children = self._waiting or {}, None, ()
        listed = set(keys)
        for key, born in waiting.items():
            if key in listed:
                made.setdefault(key, born)
            else:
                self._family.let_go(born[0]._live)

    def _set(self, elements: Tuple[Any, ...]) -> bool:
        """Sets the list; False: the context is closing, or the owner has ended."""
        before = self._elements
        front = _same(before, elements)
        back = _same(before[front:][::-1], elements[front:][::-1])
        status, made = self._pass(elements, front, back)
        if status == Status.STALE:
            # Somebody else has set the list, or a replay did.
            front = back = 0
            status, made = self._pass(elements, front, back)
        if status == Status.STALE:
            return False
        if status:
            self._refuse(status, elements)
        old, stop = len(before) - back, len(elements) - back
        keys = self._keys_of(elements, front, stop)
        heard = self._waiting or {}
        if self._waiting is not None:
            self._take_waiting(made, keys)
        for key in set(self._keys[front:old]).difference(keys):
            self._family.unhear(self._kept.pop(key)[0]._live.owner.number)
        for key, born in made.items():
            former = self._kept.get(key)
            if former is not None:
                self._family.unhear(former[0]._live.owner.number)
            self._kept[key] = born
        children = tuple([self._kept[key][0] for key in keys])
        self._is_set = True
        self._elements = elements
        self._keys = self._keys[:front] + keys + self._keys[old:]
        self.children = self.children[:front] + children + self.children[old:]
        for key, (child, _) in made.items():
            if key not in heard:
                self._family.hear(self._member.python, child)
        return True

    def _keys_of(self, elements: Tuple[Any, ...], front: int, stop: int) -> Tuple[bytes, ...]:
        path, name = f"{self._live.model.name}.{self._member.python}", self._member.key
        return tuple([key_bytes(getattr(each, name), path) for each in elements[front:stop]])

    def _pass(
        self, elements: Tuple[Any, ...], front: int, back: int
    ) -> Tuple[int, Dict[bytes, _Born]]:
        """Says which children there are; returns the status, and those that were made."""
        keys = self._keys_of(elements, front, len(elements) - back)
        table = (d.ChildStruct * len(keys))()
        for place, key in enumerate(keys):
            flags = self._update(key, elements[front + place])
            table[place] = d.ChildStruct(key, len(key), flags)
        made: Dict[bytes, _Born] = {}
        raised: List[BaseException] = []

        def open_child(index: int, place: Any) -> int:
            try:
                element = elements[front + index]
                waiting = (self._waiting or {}).get(keys[index])
                child = self._make(element) if waiting is None else waiting[0]
                place[0] = child._live.owner.handle
                made[keys[index]] = (child, element)
            except BaseException as exception:
                raised.append(exception)
                return int(Status.CANCELLED)
            return 0

        ends = d.ListEndsStruct(self._version, front, back)
        number = _callbacks.keep_open(open_child)
        size = ctypes.sizeof(d.ChildStruct)
        try:
            status: int = C.mainstem_children_set(
                self._live.owner.handle,
                self._type,
                table,
                size,
                len(keys),
                ctypes.byref(ends),
                _callbacks.on_child,
                number,
            )
        finally:
            _callbacks.forget(number)
        if raised:
            raise raised.pop()
        if not status:
            self._version = ends.version
        return status, made

    def _refuse(self, status: int, elements: Tuple[Any, ...]) -> None:
        if status == Status.INVALID:
            known = set()
            for key in [getattr(element, self._member.key) for element in elements]:
                if key in known:
                    path = f"{self._live.model.name}.{self._member.python}"
                    raise ValueError(f"{path}: two elements have the {self._member.key} {key!r}")
                known.add(key)
        check(status)

    def _make(self, element: Any) -> Any:
        if changes_in_place(element):
            raise TypeError(
                f"{self._live.model.name}.{self._member.python}: a {type(element).__name__} may"
                " change and be the same: make the elements frozen, and assign new ones"
            )
        child = self._member.function(self._live.instance, element)
        self._family.adopt(self._member.python, child)
        return child

    def _update(self, key: bytes, element: Any) -> int:
        """Assigns an element that has changed to its child; returns the flags of the child."""
        born = self._kept.get(key)
        if born is None or born[1] is element or born[1] == element:
            return 0
        child = born[0]
        update = self._member.update
        if update is None:
            return d.CHILD_ANEW
        if child._live._number in self._live.context.view_models:
            call: Callable[..., Any] = (
                update if callable(update) else functools.partial(_assign, update)
            )
            child._live.within(call, child, element)
            child._live.pay()
        self._kept[key] = (child, element)
        return 0


def _same(one: Tuple[Any, ...], other: Tuple[Any, ...]) -> int:
    """How many elements two tuples have in common at the front."""
    # Slices are compared at once, and the same object is not looked into.
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _assign(name: Any, child: Any, element: Any) -> None:
    setattr(child, name, element)
