# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The children of a live view model."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Tuple

from ._children import Child, Children
from ._library import C
from .events._codec import changes_in_place

if TYPE_CHECKING:
    from .live import Live
    from .observers._subscription import Subscription


class Family:
    """The children of a live view model, and what it hears of them."""

    __slots__ = ("_ears", "_ending", "_lists", "_live", "_named", "_only", "unpaid")

    def __init__(self, live: "Live") -> None:
        self._live = live
        self._lists: Dict[str, _List] = {}
        #: The children that were asked for, by the numbers of their scopes.
        self._named: Dict[int, Any] = {}
        #: Those of methods without arguments, by path.
        self._only: Dict[str, Any] = {}
        self._ending: Dict[str, int] = {}
        self._ears: Dict[int, List["Subscription"]] = {}
        #: The children opened outside callbacks that have set no values yet.
        self.unpaid: List["Live"] = []
        for python, member in live.model.members.items():
            if isinstance(member, Children):
                self._lists[python] = _List(self, live, member)

    @property
    def has_lists(self) -> bool:
        """Whether there is a list to settle."""
        return bool(self._lists)

    def children_of(self, python: str) -> Tuple[Any, ...]:
        """The children of a list, in order."""
        return self._lists[python].children

    def numbers_of(self, python: str) -> Tuple[int, ...]:
        """The numbers of the scopes of a list's children, in order."""
        return self._lists[python].numbers

    def settle(self) -> None:
        """Lets the children of lists come and go with what they are made of."""
        for each in self._lists.values():
            each.settle()

    def pay_first(self) -> None:
        """Lets children that were opened outside callbacks set their values before the numbers."""
        unpaid, self.unpaid = self.unpaid, []
        for child in unpaid:
            child.family.pay_first()
            child.pay_first()

    def adopt(self, python: str, child: Any) -> "Live":
        """Opens a child, and hears it. Inside a callback its values are set before it returns."""
        live = self._live
        opened = live.open_below(child, f"{live.model.name}.{python}")
        opened.parent = live
        self._hear(python, child, opened)
        return opened

    def only(self, python: str) -> Any:
        """The living child of a method without arguments; None: there is none."""
        arguments = self._live.model.rows[python].arguments
        if arguments is None or arguments.payload is not None:
            return None
        return self._only.get(f"{self._live.model.name}.{python}")

    def make(self, python: str, child: Any) -> int:
        """Opens a child that was asked for, and returns its number."""
        path = f"{self._live.model.name}.{python}"
        if child is not None and child is self.only(python):
            return int(child._live.owner.number)
        if not hasattr(type(child), "__mainstem_model__"):
            raise TypeError(f"{path} returned a {type(child).__name__}, not a view model")
        opened = self.adopt(python, child)
        number = opened.owner.number
        self._named[number] = child
        self._only.setdefault(path, child)
        return number

    def _hear(self, python: str, child: Any, opened: "Live") -> None:
        live, ears = self._live, []
        for (what, *heard), method in live.model.heard:
            if what == "of" and heard[0] == python:
                hear = functools.partial(getattr(live.instance, method), child)
                ears.append(live.hear(opened.model, heard[1], hear, opened.owner))
        if ears:
            self._ears[opened.owner.number] = ears

    # Ends

    def ask_to_end(self, child: "Live") -> None:
        """Asks for the end of a child that was asked for, with an event of this view model."""
        number = child.owner.number
        if number not in self._named:
            raise TypeError(f"it is one of {child.path}: it ends when its element goes")
        kind = self._type_of_end(child.path)
        data = number.to_bytes(8, "little")
        status = C.mainstem_send(self._live.owner.handle, kind, data, len(data))
        self._live.context.thrown.returned(status)

    def _type_of_end(self, path: str) -> int:
        kind = self._ending.get(path, 0)
        if not kind:
            live, python = self._live, path.split(".")[-1]
            row = live.model.row_of(python)
            self._ending[path] = kind = live.own_notice(f"{row.name}.ended", int)
        return kind

    def hear_ends(self) -> None:
        """Hears the ends of children that were asked for."""
        live = self._live
        for python, member in live.model.members.items():
            if isinstance(member, Child):
                kind = self._type_of_end(f"{live.model.name}.{python}")
                ended = functools.partial(self._ended, python)
                live.observe(kind, ended, live.owner)

    def _ended(self, python: str, event: Any) -> None:
        child = self._named.get(int.from_bytes(event.data, "little"))
        if child is not None:
            self._live.within(self._end, python, child)

    def _end(self, python: str, child: Any) -> None:
        instance = self._live.instance
        try:
            for heard, method in self._live.model.heard:
                if heard == ("ended", python):
                    getattr(instance, method)(child)
        finally:
            self.let_go(child._live)

    def let_go(self, child: "Live") -> None:
        """Ends a child's scope."""
        number = child.owner.number
        self._named.pop(number, None)
        if self._only.get(child.path) is child.instance:
            del self._only[child.path]
        for ear in self._ears.pop(number, []):
            ear.cancel()
        child.owner.end()


class _List:
    """A list of children, one for each element of a field.

    An event that leaves the field alone costs nothing here; one that changes it costs what it
    changes, but for looking where the same elements begin and end.
    """

    __slots__ = (
        "_elements",
        "_family",
        "_kept",
        "_keys",
        "_live",
        "_member",
        "children",
        "numbers",
    )

    def __init__(self, family: Family, live: "Live", member: Children) -> None:
        self._family = family
        self._live = live
        self._member = member
        #: What they are made of: it does not change in place. And its identities.
        self._elements: Tuple[Any, ...] = ()
        self._keys: Tuple[Any, ...] = ()
        #: The child of each element and the element, by its identity.
        self._kept: Dict[Any, Tuple[Any, Any]] = {}
        self.children: Tuple[Any, ...] = ()
        self.numbers: Tuple[int, ...] = ()

    def settle(self) -> None:
        """Lets children come and go, and assigns elements that have changed."""
        elements, before = tuple(getattr(self._live.instance, self._member.source)), self._elements
        if elements is before:
            return
        if elements == before:
            self._elements = elements
            return
        front = _same(before, elements)
        back = _same(before[front:][::-1], elements[front:][::-1])
        keys = self._keys_of(elements[front : len(elements) - back])
        gone = set(self._keys[front : len(before) - back])
        if len(set(keys)) < len(keys) or any(one in self._kept and one not in gone for one in keys):
            # Two have the same identity: the walk over all finds the second.
            front = back = 0
        self._change(elements, front, back)

    def _keys_of(self, elements: Tuple[Any, ...]) -> Tuple[Any, ...]:
        return tuple([getattr(element, self._member.key) for element in elements])

    def _change(self, elements: Tuple[Any, ...], front: int, back: int) -> None:
        """Takes all elements but some at the front and at the back, which are there already."""
        member, kept, old = self._member, self._kept, len(self._elements) - back
        now: Dict[Any, Tuple[Any, Any]] = {}
        made: List[Any] = []
        path = f"{self._live.model.name}.{member.python}"
        try:
            for element in elements[front : len(elements) - back]:
                key = getattr(element, member.key)
                if key in now:
                    raise ValueError(f"{path}: two elements have the {member.key} {key!r}")
                pair = kept.get(key)
                if pair is None or (pair[1] != element and member.update is None):
                    made.append(self._make(element))
                    pair = (made[-1], element)
                elif pair[1] is not element and pair[1] != element:
                    self._update(pair[0], element)
                    pair = (pair[0], element)
                now[key] = pair
        except BaseException:
            for child in made:
                self._family.let_go(child._live)
            raise
        gone = [(key, kept.pop(key)[0]) for key in self._keys[front:old]]
        kept.update(now)
        children = tuple([child for child, _ in now.values()])
        numbers = tuple([child._live.owner.number for child in children])
        self._elements = elements
        self._keys = self._keys[:front] + tuple(now) + self._keys[old:]
        self.children = self.children[:front] + children + self.children[old:]
        self.numbers = self.numbers[:front] + numbers + self.numbers[old:]
        for key, child in gone:
            if key not in now or now[key][0] is not child:
                self._family.let_go(child._live)

    def _make(self, element: Any) -> Any:
        if changes_in_place(element):
            raise TypeError(
                f"{self._live.model.name}.{self._member.python}: a {type(element).__name__} may"
                " change and be the same: make the elements frozen, and assign new ones"
            )
        child = self._member.function(self._live.instance, element)
        self._family.adopt(self._member.python, child)
        return child

    def _update(self, child: Any, element: Any) -> None:
        update = self._member.update
        call: Callable[..., Any] = (
            update if callable(update) else functools.partial(_assign, update)
        )
        child._live.within(call, child, element)
        child._live.pay()


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


def signed(number: int) -> int:
    """A scope's number as the INTEGER that carries it."""
    return number - (1 << 64) if number >> 63 else number


def _assign(name: Any, child: Any, element: Any) -> None:
    setattr(child, name, element)
