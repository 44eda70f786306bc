# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Bindings: a view's hold on what one scope shows."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, List, Mapping, Optional, Union

from ._library import C, _callbacks
from ._library import _header as d
from .events._catalogue import OwnerLike, ScopeLike
from .events._received import Event
from .failure import Status, check, discreet, encoded, refuse_async
from .observers._calls import added
from .rows import BindingRow, Show, shown_in

#: A function, perhaps in `two_way` or `on_host`; None: only `on_changes` hears of the value. It
#: gets the value, or if it has two parameters, the view and the value.
RowLike = Union[Show, BindingRow, None]
Changes = Callable[[List[str]], object]


class Binding:
    """A view's hold on an owner. Ends by `end`, with its `with` block, or with its view."""

    __slots__ = ("_changes", "_ended", "_handle", "_owner", "_rows", "_scope")

    def __init__(
        self,
        scope: ScopeLike,
        owner: Optional[OwnerLike],
        rows: Mapping[str, RowLike],
        view: Any = None,
    ) -> None:
        made = {
            name: row if isinstance(row, BindingRow) else BindingRow(row, 0)
            for name, row in rows.items()
        }
        for row in made.values():
            refuse_async(row.show, "a function of a binding")
        self._scope = scope
        # A function may write through it while it is added: it is whole before.
        given = self if view is None else view
        self._rows = {name: shown_in(given, row.show) for name, row in made.items()}
        self._owner = owner
        self._changes = self._ended = 0
        table = (d.BindingRow * len(rows))()
        for index, (name, row) in enumerate(made.items()):
            table[index] = d.BindingRow(encoded(name, "rows"), _callbacks.on_event, row.flags)
        self._handle: Any = ctypes.c_void_p()
        self._handle = added(
            scope,
            self._deliver,
            self._release,
            lambda number, handle: C.mainstem_binding_add(
                scope.handle,
                None if owner is None else owner.handle,
                table,
                ctypes.sizeof(d.BindingRow),
                len(rows),
                number,
                _callbacks.on_release,
                handle,
            ),
            C.mainstem_binding_end,
            self._handle,
        )

    @property
    def handle(self) -> int:
        """The library's handle."""
        return int(getattr(self._handle, "value", self._handle))

    def retarget(self, owner: Optional[OwnerLike]) -> None:
        """Points the binding at another owner, or with None nowhere.

        The functions hear no more of the old one, and get what is kept of the new one.
        """
        before, self._owner = self._owner, owner
        status = C.mainstem_binding_retarget(self._handle, None if owner is None else owner.handle)
        if status and self._owner is owner:
            self._owner = None if status in (Status.LIMIT, Status.NO_MEMORY) else before
        self._scope.context.thrown.returned(status)

    @discreet
    def set(self, name: str, value: Any) -> None:
        """Writes a value of the owner, as its view: an input, also inside a callback."""
        catalogue = self._scope.context.catalogue
        data = b""
        if self._owner is not None:
            data = catalogue.encode(catalogue.number_of(f"{self._owner.name}.{name}"), value)
        status = C.mainstem_binding_set(self._handle, encoded(name, "name"), data, len(data))
        self._scope.context.thrown.returned(status)

    def on_changes(self, function: Optional[Changes]) -> None:
        """Calls a function once per drain with the names of all values that have changed.

        It comes after everything else that the drain runs. None: nobody is told any longer.
        """
        refuse_async(function, "on_changes")
        number = 0 if function is None else _callbacks.keep_changes(self._guarded(function))
        callback = _callbacks.on_changes if function else d.CHANGES_FN()
        status = C.mainstem_binding_on_changes(self._handle, callback, number)
        if status == 0:
            number, self._changes = self._changes, number
        _callbacks.forget(number)
        check(status)

    def on_ended(self, function: Optional[Callable[[], object]]) -> None:
        """Calls a function when the owner has ended: once for each that the binding points at.

        `context.drain()` calls it, after the owner's last value and the change set that names it;
        the rows hear nothing after that. If the owner has ended already, the next drain calls it.
        None: nobody is told any longer.
        """
        refuse_async(function, "on_ended")
        number = 0
        if function is not None:
            told = function
            tell = self._guarded(lambda _: told())
            number = _callbacks.keep(lambda _: tell([]))
        callback = _callbacks.on_settled if number else d.SETTLED_FN()
        status = C.mainstem_binding_on_ended(self._handle, callback, number)
        if status == 0:
            number, self._ended = self._ended, number
        _callbacks.forget(number)
        check(status)

    def end(self) -> None:
        """Ends the binding: none of its functions is called any more. Does nothing if it ended."""
        status = C.mainstem_binding_end(self._handle)
        self._scope.context.thrown.returned(0 if status == Status.STALE else status)

    def __enter__(self) -> "Binding":
        return self

    def __exit__(self, *exception: object) -> None:
        self.end()

    def _deliver(self, address: int) -> None:
        event = Event(self._scope, address)
        thrown = self._scope.context.thrown
        depth = thrown.depth()
        try:
            thrown.enter(depth)
            owner = self._owner
            show = self._rows[event.name[len(owner.name) + 1 :]] if owner is not None else None
            if show is not None:
                show(shown_by(event))
        except BaseException as exception:
            thrown.failed(exception, event, address)
        finally:
            thrown.leave(depth)
            event._address = 0

    def _guarded(self, function: Changes) -> Callable[[List[str]], None]:
        thrown = self._scope.context.thrown

        def tell(names: List[str]) -> None:
            depth = thrown.depth()
            try:
                thrown.enter(depth)
                function(names)
            except BaseException as exception:
                thrown.report(exception, names)
            finally:
                thrown.leave(depth)

        return tell

    def _release(self) -> None:
        _callbacks.forget(self._changes)
        _callbacks.forget(self._ended)
        # A function that gets its view holds it.
        self._rows = {}


def shown_by(event: Event) -> Any:
    """What an event shows: its value, its text, what its JSON says, or its bytes."""
    value = event.value
    return event._scope.context.catalogue.plain(event) if value is None else value
