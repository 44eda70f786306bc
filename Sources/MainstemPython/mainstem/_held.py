# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a view holds: a binding whose values have the forms that a class of view models declares."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from ._commanded import answer_reader, found_by
from ._library import C
from ._library._header import VIEWMODEL_COMMAND, VIEWMODEL_WRITABLE
from .context._observing import Binding, RowLike
from .events._catalogue import OwnerLike
from .events._codec import NUMBERS, Form
from .events._received import _MEMORY, Event, Retained, _unpack
from .events._wire import meant
from .failure import Status, check, refusal
from .model import Model
from .run import Run

_write = C.mainstem_binding_set
#: What to call with a value, and how it is read.
_Known = Tuple[Optional[Callable[[Any], object]], Callable[[bytes], Any]]


class Held(Binding):
    """What a view holds."""

    __slots__ = ("_by_type", "_forms", "_view", "_written", "commands", "model")

    def __init__(
        self, scope: OwnerLike, model: Model, owner: Any, rows: Mapping[str, RowLike], view: Any
    ) -> None:
        self.model = model
        self._view = scope
        #: The Python names of its commands.
        self.commands = {name for name, row in model.rows.items() if row.kind == VIEWMODEL_COMMAND}
        self._forms: Dict[str, Form] = {}
        #: What to call with the values of a type, and how they are read.
        self._by_type: Dict[int, _Known] = {}
        #: Of each field that views write: its name, and how it is encoded.
        self._written = {
            name: (row.name.encode(), row.form.encode, row.path)
            for name, row in model.rows.items()
            if row.kind == VIEWMODEL_WRITABLE
        }
        shows: Dict[str, RowLike] = {}
        for python, show in rows.items():
            name, form = self._view_of(python)
            shows[name] = show
            self._forms[name] = form
        super().__init__(scope, self._owner_of(owner), shows, view)
        views = getattr(scope.context, "_views", None)
        if views is not None:
            views.append(self)  # A test's views may still be there at its end.

    def _view_of(self, python: str) -> Tuple[str, Form]:
        found = self.model.views.get(python)
        if found is None:
            known = [name for name in self.model.views if "." not in name]
            raise TypeError(f"{self.model.name} shows no {python!r}{meant(python, known)}")
        return found

    def _owner_of(self, target: Any) -> Any:
        if hasattr(type(target), "__mainstem_model__"):
            return target._opened().owner
        if not isinstance(target, int):
            return target
        known = self._view.context.view_models.get(target)
        found = self._view.find_scope(target) if known is None else known._opened().owner
        if found is None:
            raise ValueError(f"there is no scope with the number {target}")
        return found

    def names(self) -> List[str]:
        """What a view has: what is shown and written, and its commands."""
        shown = {name for name in self.model.views if "." not in name}
        return sorted(shown | set(self._written) | self.commands)

    def point_at(self, owner: Any) -> None:
        """Points elsewhere."""
        self.retarget(self._owner_of(owner))

    # Reading, writing, running

    def read(self, python: str) -> Any:
        """Returns what is shown now."""
        try:
            name, form = self._view_of(python)
        except TypeError as error:
            raise AttributeError(str(error)) from None
        return present(self._scope, self._pointed(), name, self._read_with(form), python)

    def write(self, python: str, value: Any) -> None:
        """Writes a field."""
        written = self._written.get(python)
        if written is None:
            raise AttributeError(
                f"{self.model.name}.{python} is not written by views{meant(python, self._written)}"
            )
        name, encode, path = written
        try:
            data = encode(value, path)
        except Exception as error:
            if not self.model.rows[python].is_secret:
                raise
            refused = refusal(error, path)
        else:
            self._send(name, data)
            return
        try:
            raise refused
        finally:
            del refused

    def _send(self, name: bytes, data: bytes) -> None:
        status = _write(self._handle, name, data, len(data))
        thrown = self._scope.context.thrown
        thrown.raise_caught()
        if status:
            check(status)

    def run(self, python: str, given: Tuple[Any, ...], named: Mapping[str, Any]) -> Run[Any]:
        """Runs a command."""
        row = self.model.row_of(python)
        data = row.encode(given, named)
        read = answer_reader(row, self._scope.context)
        self._pointed()
        run: Run[Any] = Run(self._scope, read)
        run.begin(self._handle, row.name, data)
        run._what = row.path
        return run

    def _pointed(self) -> Any:
        if self._owner is None:
            raise RuntimeError(f"this view of {self.model.name} points nowhere")
        return self._owner

    def _read_with(self, form: Form) -> Callable[[bytes], Any]:
        if form is not NUMBERS:
            return form.decode
        context = self._scope.context
        return lambda data: tuple(found_by(context, number) for number in NUMBERS.decode(data))

    # Delivery

    def _deliver(self, address: int) -> None:
        facts = _unpack(_MEMORY, address)
        thrown = self._scope.context.thrown
        running = thrown.running
        depth = running.depth
        try:
            running.depth = depth + 1
            known = self._by_type.get(facts[7])
            show, decode = self._learn(address) if known is None else known
            if show is not None:
                start = facts[11]
                show(decode(_MEMORY[start : start + facts[5]]))
        except BaseException as exception:
            thrown.failed(exception, Event(self._scope, address), address)
        finally:
            running.depth = depth

    def _release(self) -> None:
        super()._release()
        self._by_type = {}

    def _learn(self, address: int) -> "_Known":
        event = Event(self._scope, address)
        event._address = 0
        name = event.name[len(event.origin) + 1 :]
        known = self._by_type[event.type] = (
            self._rows[name],
            self._read_with(self._forms[name]),
        )
        return known


def present(scope: Any, owner: Any, name: str, decode: Callable[[bytes], Any], python: str) -> Any:
    """Returns what an owner shows now."""
    kept = ctypes.c_void_p()
    number = scope.context.catalogue.number_of(f"{owner.name}.{name}")
    status = C.mainstem_value_get(owner.handle, number, ctypes.byref(kept))
    if status == Status.UNSET:
        raise AttributeError(f"{owner.name} has not shown {python!r} yet")
    check(status)
    retained: Retained[Any] = Retained(scope, kept.value)
    with retained:
        return decode(retained.event.data)
