# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a live view model does in its turn: children, commands, and what it says."""

from __future__ import annotations

import collections
import functools
import inspect
from typing import TYPE_CHECKING, Any, Callable, Deque, Dict, List, Optional, Tuple

from .._library import C
from .._library._header import VIEWMODEL_COMMAND
from ..events._catalogue import Catalogue
from ..events._received import Event, Retained, error_of
from ..failure import Failure, MainstemError, Status, check, hidden
from ..observers._calls import message_of
from ._children import ListedChildren
from ._declared import Child, Children
from ._model import Model, Row, Slot
from ._steps import Awaited, Step

if TYPE_CHECKING:
    from ..observers._subscription import Subscription
    from ._live import Live

__all__ = ["Carrying", "CommandsSeen", "Family", "Saying"]


# The children of a live view model ----------------------------------------------------------------


class Family:
    """The children of a live view model, and what it hears of them."""

    __slots__ = ("_ears", "_ending", "_lists", "_live", "_named", "_only", "unpaid")

    def __init__(self, live: "Live") -> None:
        self._live = live
        self._lists: Dict[str, ListedChildren] = {}
        #: The children that were asked for, by the numbers of their scopes.
        self._named: Dict[int, Any] = {}
        #: Those of methods without arguments, by path.
        self._only: Dict[str, Any] = {}
        self._ending: Dict[str, int] = {}
        self._ears: Dict[int, List["Subscription"]] = {}
        #: The children opened outside callbacks that have set no values yet.
        self.unpaid: List["Live"] = []

    def add(self, python: str, kind: int, member: Children) -> Callable[[Any], None]:
        """Adds a list of children; returns what shows the first of them."""
        added = self._lists[python] = ListedChildren(self, self._live, kind, member)
        return added.show_first

    @property
    def has_lists(self) -> bool:
        """Whether there is a list to settle."""
        return bool(self._lists)

    def children_of(self, python: str) -> Tuple[Any, ...]:
        """The children of a list, in order."""
        return self._lists[python].children

    def settle(self) -> None:
        """Lets the children of lists come and go with what they are made of."""
        for each in self._lists.values():
            each.settle()

    def pay_first(self) -> None:
        """Lets children that were opened outside callbacks set their values before their list."""
        unpaid, self.unpaid = self.unpaid, []
        for child in unpaid:
            child.family.pay_first()
            child.pay_first()

    def adopt(self, python: str, child: Any) -> "Live":
        """Opens a child. Inside a callback its values are set before it returns."""
        live = self._live
        opened = live.open_below(child, f"{live.model.name}.{python}")
        opened.parent = live
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
        self.hear(python, child)
        number = opened.owner.number
        self._named[number] = child
        self._only.setdefault(path, child)
        return number

    def hear(self, python: str, child: Any) -> None:
        """Hears what a child shows."""
        live, opened, ears = self._live, child._live, []
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
        self.unhear(number)
        child.owner.end()

    def unhear(self, number: int) -> None:
        """Hears no more of the child with a number."""
        for ear in self._ears.pop(number, []):
            ear.cancel()


def signed(number: int) -> int:
    """A scope's number as the INTEGER that carries it."""
    return number - (1 << 64) if number >> 63 else number


# How a command is carried out, at once or in steps ------------------------------------------------


class Carrying:
    """Carries out one command of a live view model."""

    __slots__ = ("_live", "_row")

    def __init__(self, live: "Live", row: Row) -> None:
        self._live = live
        self._row = row

    def begin(self, facts: Any, address: int) -> None:
        """Runs it for the library."""
        live, row = self._live, self._row
        event = Event(live.owner, address)
        raised: Optional[BaseException] = None
        outcome: Any = None
        try:
            assert row.arguments is not None
            if isinstance(row.member, Child):
                outcome = live.family.only(row.python)
            if outcome is None:
                given = row.arguments.decode(event.data)
                if live.mutating is None:
                    outcome = row.arguments.call(row.member.function, live.instance, given)
                else:
                    outcome = live.mutating.act(row, given, address)
        except BaseException as exception:
            raised = exception
        try:
            if raised is None and (type(outcome) is Awaited or inspect.iscoroutine(outcome)):
                _Going(self, event, outcome).begin()
            else:
                self.answer(event, address, outcome, raised)
        finally:
            # It holds this frame, and with this variable they would be a cycle.
            del raised
        event._address = 0

    def answer(
        self, event: Event, pointer: int, outcome: Any, raised: Optional[BaseException]
    ) -> None:
        """Answers a run. Raises what went wrong, unless that is a Failure: an answer, too."""
        try:
            if raised is None:
                raised = self._refused(pointer, outcome)
            if raised is None:
                return
            if event.secret and not isinstance(raised, Failure):
                raised = hidden(raised)
            if not isinstance(raised, Failure):
                told = Failure(message_of(raised, event))
                C.mainstem_respond_error_with(pointer, error_of(told))
                raise raised
            status = C.mainstem_respond_error_with(pointer, error_of(raised))
            if status != Status.STALE:
                check(status)
        finally:
            del raised

    def _refused(self, pointer: int, outcome: Any) -> Optional[BaseException]:
        """Answers with an outcome. Returns why that is no answer, or None."""
        try:
            self._answer(pointer, outcome)
        except MainstemError as error:
            return None if error.status == Status.STALE else error
        except Exception as error:
            return error
        return None

    def _answer(self, pointer: int, outcome: Any) -> None:
        row = self._row
        if isinstance(row.member, Child):
            outcome = signed(self._live.family.make(row.python, outcome))
        if row.answer is not None:
            data = row.answer.encode(outcome, f"what {row.path} returns")
        elif outcome is None:
            data = b""  # The library's own answer, too; but a run in steps needs this one.
        else:
            kind = type(outcome).__name__
            raise TypeError(f"{row.path} returned a {kind}, and says no type: declare `-> {kind}`")
        check(C.mainstem_respond(pointer, data, len(data)))


class _Going:
    """A run of an async command that has not come to its end."""

    __slots__ = ("_carrying", "_coroutine", "_event", "_kept", "_step")

    def __init__(self, carrying: Carrying, event: Event, coroutine: Any) -> None:
        self._carrying = carrying
        self._coroutine = coroutine
        self._event = event
        self._kept: Optional[Retained[Any]] = None
        self._step = Step(carrying._live, carrying._row.path, coroutine, self._done)

    def begin(self) -> None:
        """Takes the first step; if that is not the last, keeps the request."""
        self._step.go_on()
        if not self._step.is_over:
            self._kept = self._event.retain()
            if type(self._coroutine) is Awaited:
                self._coroutine.address = self._kept._pointer()
            self._event.on_settled(self._stop)

    def _stop(self) -> None:
        self._step.stop()
        if self._kept is not None:
            self._kept.release()

    def _done(self, outcome: Any, raised: Optional[BaseException]) -> None:
        kept = self._kept
        pointer = self._event._live() if kept is None else kept._pointer()
        try:
            self._carrying.answer(self._event, pointer, outcome, raised)
        finally:
            del raised
            if kept is not None:
                kept.release()


# What views see of the commands of a child, said together with its values -------------------------

_set = C.mainstem_value_set
_YES, _NO = b"\1", b"\0"


class CommandsSeen:
    """What views see of the commands of a child.

    The library says it after the child's own show function. A child's parent says earlier what the
    child shows, so that views find it ready: then this is part of that.
    """

    __slots__ = ("_commands", "_is_begun")

    def __init__(self, model: Model, catalogue: Catalogue, slots: List[Slot]) -> None:
        #: Of each: the value that enables it, and the types "enabled", "executing" and "error".
        self._commands: List[Tuple[Optional[Slot], int, int, int]] = []
        self._is_begun = False
        number_of = catalogue.number_of
        for row in model.rows.values():
            if row.kind == VIEWMODEL_COMMAND:
                enabler = row.member.enabled and model.rows[row.member.enabled].path
                slot = next((each for each in slots if each.path == enabler), None)
                whole = f"{model.name}.{row.name}"
                enabled, executing = number_of(f"{whole}.enabled"), number_of(f"{whole}.executing")
                self._commands.append((slot, enabled, executing, number_of(f"{whole}.error")))

    def say(self, handle: int) -> None:
        """Says which are enabled; the first time, too, that none is executing or has failed."""
        for slot, enabled, executing, error in self._commands:
            is_enabled = _YES if slot is None else slot.data or _NO
            check(_set(handle, enabled, is_enabled, 1))
            if not self._is_begun:
                check(_set(handle, executing, _NO, 1))
                check(_set(handle, error, b"", 0))
        self._is_begun = True


# What a live view model says in its turn: all values, then the pulses -----------------------------

#: With these, what was to be shown is shown later, or never.
_NO_ROOM = (Status.FULL, Status.NO_MEMORY, Status.STALE)


class Saying:
    """What a live view model says."""

    __slots__ = ("commands", "path", "pulses", "slots")

    def __init__(self) -> None:
        #: Its values, in the order of the rows.
        self.slots: List[Slot] = []
        #: The types and payloads of pulses that wait for the values.
        self.pulses: Deque[Tuple[int, bytes]] = collections.deque()
        #: Of a child: what views see of its commands.
        self.commands: Optional[CommandsSeen] = None
        #: The path of the value that is asked for now.
        self.path = ""

    def say(self, instance: Any, handle: int) -> None:
        """Sets all values, then tells the pulses. Of several values that fail, raises the first."""
        failures: List[BaseException] = []
        try:
            for slot in self.slots:
                self.path = slot.path
                try:
                    slot.show(instance, handle)
                except Exception as exception:
                    if isinstance(exception, MainstemError) and exception.status in _NO_ROOM:
                        raise
                    failures.append(exception)
        finally:
            self.path = ""
        if self.commands is not None:
            self.commands.say(handle)
        pulses = self.pulses
        while pulses:
            kind, data = pulses[0]
            check(C.mainstem_send(handle, kind, data, len(data)))
            pulses.popleft()
        if failures:
            del failures[1:]
            raise failures.pop()
