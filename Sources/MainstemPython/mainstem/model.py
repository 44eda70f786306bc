# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a class of view models declares: its rows, in order."""

from __future__ import annotations

import operator
import typing
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from ._arguments import Arguments
from ._children import Child, Children
from ._library._header import (
    VIEWMODEL_COMMAND,
    VIEWMODEL_PULSE,
    VIEWMODEL_VALUE,
    VIEWMODEL_WRITABLE,
)
from .commands import POLICIES, Action, Command
from .events._codec import NUMBERS, Form, check_type, form_of
from .events._payload import payload_bits, record_bits
from .events._wire import meant, spelled
from .failure import refusal
from .hearing import heard_by
from .pulses import Mutations, Pulse
from .servers._server import marked
from .showing import Field, Shown

_MEMBERS = (Field, Shown, Pulse, Command, Child, Children)
_INTEGER = form_of(int)
_COMMAND_VALUES = {"enabled": form_of(bool), "executing": form_of(bool), "error": form_of(str)}


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
        return payload_bits(payload) | record_bits(kept, self.is_secret)

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
                form = self._form(hints, python, path, f"{python}: str")
                rows[python] = Row(kind, python, path, member, form)
            elif isinstance(member, Shown):
                form = self._form(self._hints(member.fget, path), "return", path, "-> str")
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

    def _form(self, hints: Dict[str, Any], name: str, path: str, example: str) -> Form:
        if name not in hints:
            raise TypeError(f"{path} has no type: say what it is, as in `{example}`")
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
