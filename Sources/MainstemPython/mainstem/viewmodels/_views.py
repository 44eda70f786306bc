# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Views of view models: what is bound, written and run."""

from __future__ import annotations

import asyncio
import ctypes
import inspect
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Generator,
    Generic,
    List,
    Mapping,
    Optional,
    Tuple,
    Type,
    TypeVar,
    Union,
    cast,
)

from .._library import C, _callbacks
from .._library._header import EVENT_LIST, VIEWMODEL_COMMAND, VIEWMODEL_WRITABLE
from .._library._interrupts import bell
from ..context._observing import Binding, RowLike
from ..events._catalogue import OwnerLike, ScopeLike
from ..events._codec import Form
from ..events._lists import NUMBERS, ListForm
from ..events._received import MEMORY, Event, Retained, unpack_facts
from ..events._rows import Rows
from ..events._wire import meant
from ..failure import MainstemError, Status, again, check, refusal
from ..servers._requests import Pending, failure_of, lost
from ._model import Model
from ._steps import answer_reader, found_by

__all__ = [
    "Run",
    "View",
    "end",
    "on_changes",
    "on_ended",
    "open_child",
    "present",
    "retarget",
    "view",
]


# A command that a view has run --------------------------------------------------------------------

Answer = TypeVar("Answer")
_REFUSED = (Status.DISABLED, Status.EXECUTING, Status.FULL)


class Run(Pending, Generic[Answer]):
    """A command that a view has run. It goes on whether or not somebody waits for it.

    `await run` where a loop runs, else `run.result()` waits for its answer.
    """

    __slots__ = ("_bell", "_failure", "_over_calls", "_read", "_value", "_what", "is_over")

    #: Whether it is over: it has its answer, or nobody will hear of it.
    is_over: bool

    def __init__(self, scope: ScopeLike, read: Callable[[bytes], Any]) -> None:
        super().__init__(scope, _nothing, named=True)
        self._bell = bell() if scope.context.any_thread else None
        self._read = read
        self._value: Any = None
        self._failure: Optional[BaseException] = None
        self._over_calls: List[Callable[[], None]] = []
        self.is_over = False
        #: What is run.
        self._what = ""

    def __repr__(self) -> str:
        end = "goes on"
        if self.is_over:
            failure = self._failure
            status = getattr(failure, "status", None)
            what = status.name if isinstance(status, Status) else type(failure).__name__
            end = "answered" if failure is None else f"failed: {what}"
        return f"<mainstem Run of {self._what}, {end}>"

    def begin(self, binding: int, name: str, data: bytes) -> None:
        """Runs the command through a binding. Call it once."""
        kept = _callbacks.keep(self._deliver, self._over)
        status = C.mainstem_binding_run(
            binding,
            name.encode(),
            data,
            len(data),
            _callbacks.on_event,
            kept,
            _callbacks.on_release,
            ctypes.byref(self._handle),
        )
        if status:
            _callbacks.forget(kept)
        self._scope.context.thrown.returned(status)

    def result(self) -> Answer:
        """Waits for its answer and returns it. A failed one is raised. BUSY inside a callback."""
        if not self.is_over:
            self._scope.context._wait_for_run(self)
        if self._failure is not None:
            raise again(self._failure)
        answer: Answer = self._value
        return answer

    def __await__(self) -> Generator[Any, None, Answer]:
        if not self.is_over:
            future = asyncio.get_running_loop().create_future()
            soon = self._scope.context._loop_or_refuse("await")

            def wake() -> None:
                soon.soon(_set, future)

            self._over_calls.append(wake)
            try:
                yield from future
            except asyncio.CancelledError:
                self.give_up()
                raise
        return self.result()

    def _settle(self, event: Any, value: Any) -> None:
        number, timeout = self._timed
        failure = failure_of(self._scope, number, event, timeout)
        if failure is not None:
            self._failure = failure
            if failure.status in _REFUSED:
                # Like a run that is refused at once.
                self._failure = MainstemError(int(failure.status), failure.message)
        else:
            try:
                self._value = self._read(event.data)
            except Exception as error:
                self._failure = error
        self._finish()

    def _over(self) -> None:
        if not self.answered:
            self._failure = lost(self._scope.context)
        self._finish()

    def _finish(self) -> None:
        if not self.is_over:
            self.is_over = True
            calls, self._over_calls = self._over_calls, []
            for call in calls:
                call()
            if self._bell is not None:
                self._bell.ring()


def _set(future: "asyncio.Future[None]") -> None:
    if not future.done():
        future.set_result(None)


def _nothing(_: Any) -> None: ...


# What a view holds: a binding whose values have the forms that a class of view models declares ----

_write = C.mainstem_binding_set
#: What to call with a value, how it is read, and whether it is a list.
_Known = Tuple[Optional[Callable[[Any], object]], Callable[[bytes], Any], bool]


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
        return lambda data: found_by(context, NUMBERS.decode(data))

    # Delivery

    def _deliver(self, address: int) -> None:
        facts = unpack_facts(MEMORY, address)
        thrown = self._scope.context.thrown
        running = thrown.running
        depth = running.depth
        try:
            running.depth = depth + 1
            known = self._by_type.get(facts[7])
            show, decode, is_list = self._learn(address) if known is None else known
            if show is None:
                return
            if facts[10] & EVENT_LIST:
                show(Rows(self._scope.context.catalogue, address, facts[7], decode))
            elif not is_list:  # Else a journal has not kept it.
                start = facts[11]
                show(decode(MEMORY[start : start + facts[5]]))
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
            isinstance(self._forms[name], ListForm),
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
        if retained.event._is_unknown_list:
            raise AttributeError(f"a journal has not kept {python!r} of {owner.name}")
        return retained.event._decoded(decode)


# The views ----------------------------------------------------------------------------------------

if TYPE_CHECKING:
    from ..context._scope import Scope
    from ..events._catalogue import OwnerLike
    from ._view_model import ViewModel

    Viewed = TypeVar("Viewed", bound=ViewModel)
    #: What a view may point at.
    Owner = Union[ViewModel, OwnerLike, int, None]


class View:
    """A view of a view model. It has the view model's names, and no others."""

    __slots__ = ("__weakref__", "_held")

    _held: Held

    def __init__(self, held: Held) -> None:
        object.__setattr__(self, "_held", held)

    def __getattr__(self, name: str) -> Any:
        if name in self._held.commands:
            return ViewCommand(self._held, name)
        return self._held.read(name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._held.write(name, value)

    def __enter__(self) -> "View":
        return self

    def __exit__(self, *exception: object) -> None:
        self._held.end()

    def __dir__(self) -> List[str]:
        return self._held.names()

    def __repr__(self) -> str:
        return f"<mainstem view of {self._held.model.name}>"


class ViewCommand:
    # A command of what a view points at. Its text for `help` is that of the command.

    __slots__ = ("_held", "_python")

    @property
    def __doc__(self) -> Optional[str]:  # type: ignore[override]
        return inspect.getdoc(self.__wrapped__)

    @property
    def __name__(self) -> str:
        return self._python

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        function: Callable[..., Any] = self._held.model.members[self._python].function
        return function

    @property
    def __signature__(self) -> inspect.Signature:
        signature = inspect.signature(self.__wrapped__)
        return signature.replace(parameters=list(signature.parameters.values())[1:])

    def __dir__(self) -> List[str]:
        return ["enabled", "error", "executing"]

    def __repr__(self) -> str:
        return f"<command {self._held.model.name}.{self._python}{self.__signature__} of a view>"

    def __init__(self, held: Held, python: str) -> None:
        self._held = held
        self._python = python

    def __call__(self, *given: Any, **named: Any) -> Run[Any]:
        return self._held.run(self._python, given, named)

    def __getattr__(self, name: str) -> Any:
        return self._held.read(f"{self._python}.{name}")


def view(
    scope: "Scope",
    kind: "Type[Viewed]",
    owner: "Owner" = None,
    /,
    **rows: RowLike,
) -> "Viewed":
    """Makes a view, whose rights are those of a scope: like `ViewModel.bind`.

    It points at `owner`: a view model of this class, the number of its scope, or its scope, in
    whatever language it is written; None: at nothing yet. A function of `rows` that has two
    parameters gets the view and the value: the first calls come before this returns.
    """
    # Before a function is called, there is the view that it may get.
    held = Held.__new__(Held)
    made = View(held)
    held.__init__(scope, kind.__mainstem_model__, owner, rows, made)  # type: ignore[misc]
    return cast("Viewed", made)


def _held_of(what: Any) -> Held:
    if not isinstance(what, View):
        raise TypeError(f"a {type(what).__name__} is no view: `bind` returns one")
    return object.__getattribute__(what, "_held")  # type: ignore[no-any-return]


def retarget(view: "ViewModel", owner: "Owner") -> None:
    """Points a view elsewhere, at a view model, a scope or its number; None: nowhere.

    The functions hear no more of the old one, and get at once what the new one shows.
    """
    _held_of(view).point_at(owner)


def on_changes(view: "ViewModel", function: Optional[Callable[[Any], object]]) -> None:
    """Calls a function once per drain with the names of what has changed: see `Binding`."""
    _held_of(view).on_changes(function)


def on_ended(view: "ViewModel", function: Optional[Callable[[], object]]) -> None:
    """Calls a function in a drain when what the view points at has ended: see `Binding`."""
    _held_of(view).on_ended(function)


def open_child(view: "ViewModel", child: str, /, *given: Any, **named: Any) -> Any:
    """Asks for a child that the view model `child`; `given` are the arguments of its method.

    Through a view, returns a Run: await it, or its `result()` is the child; outside Python, its
    number. In a method of the view model itself, returns the child.
    """
    if isinstance(view, View):
        return _held_of(view).run(child, given, named)
    live = view._opened()
    row = live.model.row_of(child)
    if not live.depth:
        return live.run(child, given, named)
    made = live.family.only(child)
    if made is None:
        made = row.member.function(view, *given, **named)
        live.family.make(child, made)
    return made


def end(what: "ViewModel") -> None:
    """Ends a view; or a view model that was opened, or asked for as a child."""
    if isinstance(what, View):
        _held_of(what).end()
    else:
        what._opened().end()
