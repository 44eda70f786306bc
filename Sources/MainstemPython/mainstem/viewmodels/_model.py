# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The model of a class of view models: its rows in order, arguments, and values."""

from __future__ import annotations

import ctypes
import inspect
import json
import operator
import typing
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from .._library import C, _callbacks
from .._library import _header as d
from .._library._header import (
    VIEWMODEL_COMMAND,
    VIEWMODEL_PULSE,
    VIEWMODEL_VALUE,
    VIEWMODEL_WRITABLE,
)
from ..events import _payload
from ..events._catalogue import OwnerLike
from ..events._codec import Form, changes_in_place, check_type, form_of
from ..events._lists import NUMBERS, KeyOf, ListForm, ListSetter, list_form, row_type
from ..events._payload import Payload, payload_bits, record_bits
from ..events._wire import json_of, meant, spelled
from ..failure import check, encoded, for_users, refusal
from ..servers._server import marked
from ._declared import (
    POLICIES,
    Action,
    Child,
    Children,
    Command,
    Field,
    Mutations,
    Pulse,
    Shown,
    heard_by,
)

__all__ = ["Model", "Row", "Slot", "add_model", "slot_of"]


# What a command is given, as the payload of its request -------------------------------------------


class Arguments:
    """The arguments of a command: none, the one as it is, or several as an object."""

    __slots__ = ("_by_name", "_forms", "_path", "_signature", "payload")

    def __init__(self, function: Any, hints: Dict[str, Any], path: str) -> None:
        signature = inspect.signature(function)
        given = list(signature.parameters.values())[1:]
        for one in given:
            if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
                raise TypeError(f"{path} takes *{one.name}: a command has its arguments by name")
            if one.name not in hints:
                raise TypeError(f"{path}({one.name}) has no type: say what it is, as in `: str`")
            check_type(hints[one.name], f"{path}({one.name})")
        self._path = path
        self._signature = signature.replace(parameters=given)
        #: The names of those that are given by name only; they come last.
        self._by_name = [one.name for one in given if one.kind is one.KEYWORD_ONLY]
        self._forms = [(one.name, hints[one.name]) for one in given]
        self.payload: Payload = None
        if len(given) == 1:
            self.payload = form_of(self._forms[0][1]).payload
        elif given:
            self.payload = "json"

    def encode(self, given: Tuple[Any, ...], named: Mapping[str, Any]) -> bytes:
        """Returns the payload of a call; TypeError if it does not fit."""
        if not (self._forms or given or named):
            return b""
        try:
            bound = self._signature.bind(*given, **named)
        except TypeError as error:
            raise TypeError(f"{self._path}: {error}") from None
        bound.apply_defaults()
        found = bound.arguments
        if len(self._forms) == 1:
            name, wanted = self._forms[0]
            return form_of(wanted).encode(found[name], f"{self._path}({name})")
        if not self._forms:
            return b""
        plain = {
            spelled(name): _payload.converter(wanted, _payload.SPELLED)(
                found[name], f"{self._path}({name})"
            )
            for name, wanted in self._forms
        }
        return json_of(plain, self._path)

    def call(self, function: Any, instance: Any, given: Sequence[Any]) -> Any:
        """Calls a command's method with arguments that are in order."""
        if not self._by_name:
            return function(instance, *given)
        first = len(self._forms) - len(self._by_name)
        return function(instance, *given[:first], **dict(zip(self._by_name, given[first:])))

    def decode(self, data: bytes) -> List[Any]:
        """Returns the arguments that a payload has, in order."""
        if len(self._forms) == 1:
            return [form_of(self._forms[0][1]).decode(data)]
        if not self._forms:
            return []
        way = _payload.SPELLED | _payload.DECODE
        found, arguments = json.loads(data.decode()), []
        for name, wanted in self._forms:
            key, path = spelled(name), f"{self._path}({name})"
            default = self._signature.parameters[name].default
            if key not in found and default is not inspect.Parameter.empty:
                arguments.append(default)
            elif not isinstance(found, dict) or key not in found:
                raise TypeError(f"{path}: missing")
            else:
                arguments.append(_payload.converter(wanted, way)(found[key], path))
        return arguments


# The model ----------------------------------------------------------------------------------------

_MEMBERS = (Field, Shown, Pulse, Command, Child, Children)
_INTEGER = form_of(int)
_TEXT = form_of(str)
_ERROR = Form(_TEXT.payload, _TEXT.encode, lambda data: for_users(data.decode()), _TEXT.copy)
_COMMAND_VALUES = {"enabled": form_of(bool), "executing": form_of(bool), "error": _ERROR}


class Row:
    """One row: a value, a pulse or a command."""

    __slots__ = ("answer", "arguments", "ask", "form", "kind", "member", "name", "path", "python")

    def __init__(self, kind: int, python: str, path: str, member: Any, form: Form) -> None:
        self.kind = kind
        #: Its name in Python, and on the stream, behind the owner's.
        self.python = python
        self.name = member.name or spelled(python)
        #: Its name in messages.
        self.path = path
        self.member = member
        #: Of a value, or of what a pulse tells.
        self.form = form
        #: What a command is given, and what it answers; None: nothing.
        self.arguments: Optional[Arguments] = None
        self.answer: Optional[Form] = None
        #: Reads a value of the view model.
        self.ask: Callable[[Any], Any] = operator.attrgetter(python)

    def encode(self, given: Tuple[Any, ...], named: Mapping[str, Any]) -> bytes:
        """Returns what a run of a command is given, as bytes."""
        if self.arguments is None:
            raise TypeError(f"{self.path} is no command")
        try:
            return self.arguments.encode(given, named)
        except Exception as error:
            if not self.is_secret:
                raise
            refused = refusal(error, self.path)
        try:
            raise refused
        finally:
            del refused

    def check_parts(self, instance: Any) -> None:
        """Raises a TypeError if it is made of what a view model does not have."""
        by: Tuple[str, ...] = getattr(self.member, "by", ())
        for name in by or (getattr(self.member, "source", ""),):
            if name and not hasattr(instance, name):
                kind = type(instance).__mainstem_model__
                known = [*kind.members, *(each for each in vars(instance) if each[0] != "_")]
                raise TypeError(f"{self.path}: {kind.name} has no {name!r}{meant(name, known)}")

    @property
    def contract(self) -> int:
        """The payload of its type and what a journal keeps of it, as a contract."""
        payload = self.form.payload if self.arguments is None else self.arguments.payload
        kept = self.member.record if isinstance(self.member, (Field, Shown)) else "full"
        bits = payload_bits(payload) | record_bits(kept, self.is_secret)
        return bits | d.LIST if isinstance(self.form, ListForm) else bits

    @property
    def is_secret(self) -> bool:
        """Whether what views write or give is a secret."""
        return bool(getattr(self.member, "secret", False))

    @property
    def layer(self) -> str:
        """The layer of its type."""
        return "view" if self.kind in (VIEWMODEL_WRITABLE, VIEWMODEL_COMMAND) else "viewmodel"

    @property
    def answer_contract(self) -> int:
        """The payload of its answer, as a contract."""
        return 0 if self.answer is None else payload_bits(self.answer.payload)


class Model:
    """What a class of view models declares."""

    __slots__ = (
        "_names",
        "_resolved",
        "_views",
        "handled",
        "heard",
        "kind",
        "members",
        "name",
        "own",
        "writers",
    )

    def __init__(
        self,
        kind: type,
        name: str,
        names: Mapping[str, Any],
        reserved: Any,
        made: Mapping[str, Any],
    ) -> None:
        self.kind = kind
        #: The owner's name.
        self.name = name
        self._names = dict(names)
        self._resolved: Optional[Dict[str, Row]] = None
        self._views: Dict[str, Tuple[str, Form]] = {}
        #: What its class declares, by Python name, in order; and what its methods hear.
        self.members: Dict[str, Any] = {}
        self.heard: List[Tuple[Any, str]] = []
        for base in reversed(kind.__mro__):
            model = base.__dict__.get("__mainstem_model__")
            declared = base.__dict__ if model is None else model.own
            if base is kind:
                declared = {**made, **declared}
            for python, member in list(declared.items()):
                self._note(python, member, reserved)
        declared = {**made, **kind.__dict__}
        self.own = {python: one for python, one in declared.items() if _declares(one)}
        #: What its methods are marked to handle, as any server's.
        self.handled = marked(kind)
        for python, one in self.own.items():
            if isinstance(one, Field):
                setattr(kind, python, one.default)
        #: The methods that are called when a view has written a field, by its name.
        self.writers: Dict[str, List[str]] = {}
        self._check_enabled()
        self._check_heard()

    def _check_heard(self) -> None:
        for (what, name, *_), method in self.heard:
            path = f"{self.name}.{method}"
            member = self.members.get(name) if isinstance(name, str) else None
            if what == "write":
                if not isinstance(member, Field) or not member.is_written:
                    fields = [
                        each
                        for each, one in self.members.items()
                        if isinstance(one, Field) and one.is_written
                    ]
                    raise TypeError(
                        f"{path}: {self.name} has no {name!r} that is written{meant(name, fields)}"
                    )
                self.writers.setdefault(name, []).append(method)
            elif isinstance(name, type):
                if not hasattr(name, "__mainstem_model__"):
                    raise TypeError(f"{path}: {name.__name__} is no class of view models")
            elif not isinstance(member, (Child,) if what == "ended" else (Child, Children)):
                children = [
                    each for each, one in self.members.items() if isinstance(one, (Child, Children))
                ]
                raise TypeError(f"{path}: {self.name} has no child {name!r}{meant(name, children)}")

    def _note(self, python: str, member: Any, reserved: Any) -> None:
        if isinstance(member, _MEMBERS):
            if python in reserved or python.startswith("_"):
                why = "is a name of ViewModel itself" if python in reserved else "is private"
                hint = f'name="{spelled(python)}"'
                raise TypeError(f"{self.name}.{python} {why}: take another, or pin it: {hint}")
            self.members.pop(python, None)
            self.members[python] = member
        for heard in heard_by(member):
            if (heard, python) not in self.heard:
                self.heard.append((heard, python))

    def _check_enabled(self) -> None:
        for python, member in self.members.items():
            enabled = getattr(member, "enabled", "")
            if enabled and enabled not in self.members:
                values = [
                    name for name, one in self.members.items() if isinstance(one, (Field, Shown))
                ]
                raise TypeError(
                    f"{self.name}.{python}: enabled={enabled!r} is no value of"
                    f" {self.name}{meant(enabled, values)}"
                )

            ender = getattr(member, "cancelled_by", "")
            if ender and not isinstance(self.members.get(ender), Command):
                commands = [name for name, one in self.members.items() if isinstance(one, Command)]
                raise TypeError(
                    f"{self.name}.{python}: cancelled_by={ender!r} is no command of"
                    f" {self.name}{meant(ender, commands)}"
                )

    # Rows

    @property
    def rows(self) -> Dict[str, Row]:
        """Its rows by their Python names, in order."""
        if self._resolved is None:
            self._resolved = self._resolve()
        return self._resolved

    @property
    def views(self) -> Dict[str, Tuple[str, Form]]:
        """What views may bind: the name on the stream and the form, by the name in Python."""
        if not self._views:
            views: Dict[str, Tuple[str, Form]] = {}
            for python, row in self.rows.items():
                if row.kind == VIEWMODEL_WRITABLE and row.is_secret:
                    continue  # Written, never shown.
                if row.kind != VIEWMODEL_COMMAND:
                    views[python] = (row.name, row.form)
                    continue
                for part, form in _COMMAND_VALUES.items():
                    views[f"{python}.{part}"] = (f"{row.name}.{part}", form)
                    views.setdefault(f"{python}_{part}", (f"{row.name}.{part}", form))
            self._views = views
        return self._views

    def row_of(self, python: str) -> Row:
        """Returns a row by its Python name; TypeError if there is none."""
        row = self.rows.get(python)
        if row is None:
            raise TypeError(f"{self.name} has no {python!r}{meant(python, self.rows)}")
        return row

    def _resolve(self) -> Dict[str, Row]:
        hints = self._hints(self.kind, self.name)
        rows = {}
        for python, member in self.members.items():
            path = f"{self.name}.{python}"
            if isinstance(member, Field):
                kind = VIEWMODEL_WRITABLE if member.is_written else VIEWMODEL_VALUE
                form = self._form(hints, python, path, f"{python}: str", member.key)
                rows[python] = Row(kind, python, path, member, form)
            elif isinstance(member, Shown):
                said = self._hints(member.fget, path)
                form = self._form(said, "return", path, "-> str", member.key)
                rows[python] = Row(VIEWMODEL_VALUE, python, path, member, form)
            elif isinstance(member, Mutations):
                form = member.form_in(self._hints(member.reduce, path), f"{self.name}.reduce")
                rows[python] = Row(VIEWMODEL_PULSE, python, path, member, form)
            elif isinstance(member, Pulse):
                rows[python] = Row(VIEWMODEL_PULSE, python, path, member, member.form)
            elif isinstance(member, Children):
                rows[python] = Row(VIEWMODEL_VALUE, python, path, member, NUMBERS)
            else:
                rows[python] = self._command(member, python, path)
        for row in rows.values():
            self._check_bool(row, rows)
        return rows

    def _command(self, member: Any, python: str, path: str) -> Row:
        row = Row(VIEWMODEL_COMMAND, python, path, member, form_of(None))
        hints = self._hints(member.function, path)
        row.arguments = Arguments(member.function, hints, path)
        answer: Any = hints.get("return", type(None))
        if isinstance(member, Action):
            answer = type(None)
        if isinstance(member, Child):
            row.answer = _INTEGER
        elif answer is not type(None):
            check_type(answer, f"{path}, its answer")
            row.answer = form_of(answer)
        return row

    def _check_bool(self, row: Row, rows: Dict[str, Row]) -> None:
        enabled = getattr(row.member, "enabled", "")
        if enabled and rows[enabled].form.payload is not bool:
            raise TypeError(f"{row.path}: enabled={enabled!r} is no bool: declare it as one")

    def _form(
        self, hints: Dict[str, Any], name: str, path: str, example: str, key: Optional[KeyOf]
    ) -> Form:
        if name not in hints:
            raise TypeError(f"{path} has no type: say what it is, as in `{example}`")
        if key is not None:
            return list_form(row_type(hints[name], path), key, path)
        check_type(hints[name], path)
        return form_of(hints[name])

    def _hints(self, what: Any, path: str) -> Dict[str, Any]:
        local = dict(self._names)
        local.setdefault(self.kind.__name__, self.kind)
        try:
            return typing.get_type_hints(what, localns=local)
        except NameError as error:
            raise TypeError(f"{path}: {error}: its types must be known where it runs") from None


def _declares(what: Any) -> bool:
    return isinstance(what, _MEMBERS) or bool(heard_by(what))


def policy_of(row: Row) -> int:
    """The number of a command's policy."""
    return POLICIES.index(row.member.policy)


# Adds the model of a view model to a scope --------------------------------------------------------


def add_model(
    parent: OwnerLike, model: Model, number: int, is_scope: bool
) -> Tuple[int, List[Tuple[int, Row]]]:
    """Adds a model whose functions are kept under a number; returns its handle and its types.

    With `is_scope`, the scope itself becomes the model: a factory has made it.
    """
    found = model.rows
    rows = (d.ViewmodelRow * len(found))()
    for index, row in enumerate(found.values()):
        fn = (
            _callbacks.on_event
            if row.kind in (d.VIEWMODEL_WRITABLE, d.VIEWMODEL_COMMAND)
            else d.EVENT_FN()
        )
        one = d.ViewmodelRow(encoded(row.name, "name"), row.kind, row.contract, fn)
        if row.kind == d.VIEWMODEL_COMMAND:
            enabled = row.member.enabled
            one.enabled = found[enabled].name.encode() if enabled else None
            one.policy = policy_of(row)
            one.answer = row.answer_contract
            ender = getattr(row.member, "cancelled_by", "")
            one.cancelled_by = found[ender].name.encode() if ender else None
        rows[index] = one
    made = ctypes.c_void_p()
    status = C.mainstem_viewmodel_add(
        parent.handle,
        None if is_scope else encoded(model.name, "name"),
        rows,
        ctypes.sizeof(d.ViewmodelRow),
        len(rows),
        _callbacks.on_show,
        number,
        _callbacks.on_release,
        ctypes.byref(made),
    )
    check(status)
    numbers = parent.context.catalogue.number_of
    return made.value or 0, [(numbers(f"{model.name}.{row.name}"), row) for row in found.values()]


# One value of a live view model: what was shown of it last ----------------------------------------

_set = C.mainstem_value_set
#: What nothing is equal to.
_NOTHING: Any = object()


class Slot:
    """One value of a live view model."""

    __slots__ = (
        "_ask",
        "_by",
        "_copy",
        "_encode",
        "_is_written",
        "_kept",
        "_made_of",
        "data",
        "path",
        "type",
    )

    def __init__(self, row: Row, number: int, ask: Callable[[Any], Any]) -> None:
        self.type = number
        self.path = row.path
        self._ask = ask
        self._by: Tuple[str, ...] = getattr(row.member, "by", ())
        self._copy = row.form.copy
        self._encode = row.form.encode
        #: Whether views write it, too: then only the library knows what is there.
        self._is_written = row.kind == VIEWMODEL_WRITABLE
        #: What was set last, to compare with, and its bytes.
        self._kept = _NOTHING
        self.data = b""
        #: What the value was made of when it was asked last.
        self._made_of: List[Any] = []

    def show(self, instance: Any, handle: int) -> None:
        """Sets the value if it differs."""
        if self._by and not self._differs(instance):
            return
        value = self._ask(instance)
        kept, copy = self._kept, self._copy
        if copy is not None and (value is kept or (type(value) is type(kept) and value == kept)):
            if not self._is_written:
                return
            data = self.data
        else:
            data = self._encode(value, self.path)
        status = _set(handle, self.type, data, len(data))
        if status:
            self._made_of = []
            check(status)
        self.data = data
        self._kept = _NOTHING if copy is None else copy(value)

    def _differs(self, instance: Any) -> bool:
        """Whether one of the fields that the value is made of has another value now."""
        made_of = [getattr(instance, name) for name in self._by]
        before = self._made_of
        if len(before) == len(made_of) and all(
            old is new or (type(old) is type(new) and old == new)
            for old, new in zip(before, made_of)
        ):
            return False
        for name, value in zip(self._by, made_of):
            if changes_in_place(value):
                kind = type(value).__name__
                raise TypeError(
                    f"{self.path} is asked again when {name!r} has another value, but a {kind} may"
                    " change and stay the same object: use a tuple, or what else is frozen"
                )
        self._made_of = made_of
        return True


class ListSlot(Slot):
    """A list of a live view model."""

    __slots__ = ("_setter",)

    def __init__(self, row: Row, form: ListForm, number: int, ask: Callable[[Any], Any]) -> None:
        super().__init__(row, number, ask)
        self._setter = ListSetter(number, form, row.path)

    def show(self, instance: Any, handle: int) -> None:
        """Sets the list if it differs."""
        if self._by and not self._differs(instance):
            return
        status = self._setter.set(handle, self._ask(instance))
        if status:
            self._made_of = []
            check(status)


class ChildrenSlot(Slot):
    """A list of children: shown here only if they were made outside callbacks."""

    __slots__ = ()

    def show(self, instance: Any, handle: int) -> None:
        """Shows the first of them."""
        self._ask(instance)


def slot_of(row: Row, number: int, ask: Callable[[Any], Any]) -> Slot:
    """Makes the slot of a value."""
    if isinstance(row.member, Children):
        return ChildrenSlot(row, number, ask)
    if isinstance(row.form, ListForm):
        return ListSlot(row, row.form, number, ask)
    return Slot(row, number, ask)
