# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The event types of one context, and what those below see of the context and its scopes."""

from __future__ import annotations

import inspect
import json
import os
import threading
from typing import (
    Any,
    Callable,
    ClassVar,
    Dict,
    Iterable,
    List,
    Optional,
    Protocol,
    Set,
    Tuple,
    Union,
)

from .._library import _header as d
from .._library._interrupts import warn
from ..failure import MainstemError, Status, refusal
from . import _payload
from ._declaration import Declaration, Value, declaration_of
from ._lists import ListForm
from ._payload import Data, EventType, add_type, fields_of, find_type, layer_bits, read_type
from ._rows import KeptRows
from ._wire import is_scalar, unpacked

__all__ = [
    "Catalogue",
    "ContextLike",
    "LiveLike",
    "OwnerLike",
    "Running",
    "ScopeLike",
    "ViewModelLike",
    "WrongAnswer",
]


# Two classes of one name, and whether they are one class that is declared again -------------------


def is_again(before: Declaration, now: Declaration) -> bool:
    """Whether a class is the one of before, declared again: a cell was run twice, or a reload.

    A function may make classes of one name with different fields: these are two.
    """
    one, other = before.kind, now.kind
    if (one.__module__, one.__qualname__) != (other.__module__, other.__qualname__):
        return False
    return before.place.code is not now.place.code or _fields_of(before) == _fields_of(now)


def _fields_of(declared: Declaration) -> object:
    kind: type = declared.kind
    try:
        fields: object = fields_of(kind)
    except Exception:  # A type that is not known yet.
        fields = kind.__dict__.get("__annotations__")
    return declared.payload, fields


def two_of(before: Declaration, now: Declaration) -> str:
    """Says which two classes have one name, and what to do."""
    both = " and ".join(
        f"{one.kind.__module__}.{one.kind.__qualname__} ({one.place})" for one in (before, now)
    )
    if _is_one_file(before, now):
        name = next(each.kind.__module__ for each in (before, now) if not _is_program(each))
        return (
            f"{now.name} is declared twice, as {both}: the file runs as the program and is imported"
            f" as {name}, too. Move its events into a module that both import"
        )
    return (
        f"{now.name} is the name of two classes, {both}: a context has one class for a name."
        ' Give one of them another: @mainstem.event(name="…")'
    )


def _is_one_file(before: Declaration, now: Declaration) -> bool:
    """Whether one class was declared by the program's file and by an import of the same file."""
    if before.kind.__qualname__ != now.kind.__qualname__ or before.place.line != now.place.line:
        return False
    if _is_program(before) == _is_program(now):
        return False
    files = [os.path.basename(each.place.code.co_filename) for each in (before, now)]
    return files[0] == files[1]


def _is_program(declared: Declaration) -> bool:
    return declared.kind.__module__ == "__main__"


# The catalogue: which class has which number ------------------------------------------------------


class WrongAnswer(TypeError):
    """What a handler returned is no answer to its request.

    Its text names the handler. Its repr, which is the error response and in journals, does not.
    """

    #: The handler and its place, if they are known.
    handler: str = ""

    def __str__(self) -> str:
        message = str(self.args[0])
        return f"{message}: {self.handler} returned it" if self.handler else message

    def __repr__(self) -> str:
        return f"TypeError({self.args[0]!r})"

    def name(self, handler: Any) -> None:
        """Names the handler."""
        handler = inspect.unwrap(getattr(handler, "__func__", handler))
        code = getattr(handler, "__code__", None)
        place = f" ({code.co_filename}:{code.co_firstlineno})" if code else ""
        self.handler = getattr(handler, "__qualname__", repr(handler)) + place


class Catalogue:
    """Registers classes when they are first used, and caches descriptions of types."""

    __slots__ = (
        "_answers",
        "_handle",
        "_known",
        "_named",
        "_numbers",
        "_wanted",
        "declared",
        "lists",
        "rows",
    )

    #: The declarations, by type number.
    declared: Dict[int, Declaration]
    #: The lists that were added, by type number.
    lists: Dict[int, ListForm]
    #: The rows of lists that the program keeps.
    rows: KeptRows

    def __init__(self, handle: int) -> None:
        self._handle = handle
        #: The class of the answers to each request that were given so far.
        self._answers: Dict[int, type] = {}
        self._numbers: Dict[Any, int] = {}
        self._known: Dict[int, EventType] = {}
        #: The declarations by name, and the names of those that observers and handlers want.
        self._named: Dict[str, Declaration] = {}
        self._wanted: Set[str] = set()
        self.declared = {}
        self.lists = {}
        self.rows = KeptRows()

    def number_of(self, what: Any) -> int:
        """The number of a type, given its class, name or number."""
        if isinstance(what, int):
            return what
        number = self._numbers.get(what)
        if number is None:
            number = self._find(what) if isinstance(what, str) else self._register(what)
            # Read now: another thread that answers later is not allowed to.
            self.known(number)
        return number

    def known(self, number: int) -> Optional[EventType]:
        """The description of a type; None if unknown, or not read before the context closed."""
        known = self._known.get(number)
        # The response of a request may be registered after it.
        if known is None or (known.response == 0 and known.role == "request"):
            try:
                known = self._known[number] = read_type(self._handle, number)
            except MainstemError:
                return known
        return known

    def name_of(self, number: int) -> str:
        """The name of a type; empty if it is unknown."""
        known = self.known(number)
        return "" if known is None else known.name

    def is_answered(self, number: int) -> bool:
        """Whether events of a type can be answered: a request that names its response."""
        known = self.known(number)
        return known is not None and known.role == "request" and known.response != 0

    def is_request(self, what: Any) -> bool:
        """Whether events of a class, or of a type, ask."""
        known = self.known(self.number_of(what))
        return known is not None and known.role == "request"

    def is_secret(self, number: int) -> bool:
        """Whether events of a type are secrets."""
        known = self.known(number) if number else None
        return known is not None and known.secret

    def is_list(self, number: int) -> bool:
        """Whether a type is a list. An event of one without rows says that it is not known."""
        known = self.known(number)
        return known is not None and bool(known.contract & d.LIST)

    def answers_with_secret(self, number: int) -> bool:
        """Whether the answers to requests of a type are secrets."""
        known = self.known(number)
        return known is not None and known.response != 0 and self.is_secret(known.response)

    def remember(self, count: int) -> None:
        """Reads the first `count` types, so that kept events have names after the close too."""
        for number in range(1, count + 1):
            self.known(number)

    def outgoing(self, event: Any, data: Data) -> Tuple[int, bytes]:
        """Returns the type number and the bytes of an event to send."""
        kind = type(event)
        # The usual cases come first.
        if kind is str:
            number = self._numbers.get(event)
            if number is not None and type(data) is bytes:
                return number, data
        else:
            number = self._numbers.get(kind)
            if number is not None:
                return number, kind.__mainstem__.encode(event)
            if isinstance(event, Value):
                return self.number_of(kind), kind.__mainstem__.encode(event)
        if not isinstance(event, (str, int)):
            raise TypeError(_no_event(event))
        number = self.number_of(event)
        return number, self._bytes_of(number, data, event)

    def outgoing_many(
        self, events: Union[Iterable[Any], str], data: Iterable[Any]
    ) -> Tuple[List[int], List[bytes]]:
        """Returns the type numbers and the bytes of many events to send."""
        if isinstance(events, str):
            number = self.number_of(events)
            payloads = [
                # The usual case, without a call.
                one if type(one) is bytes else self._bytes_of(number, one, events)
                for one in data
            ]
            return [number] * len(payloads), payloads
        numbers, payloads = [], []
        for event in events:
            pair = event if isinstance(event, tuple) else (event, None)
            number, payload = self.outgoing(*pair)
            numbers.append(number)
            payloads.append(payload)
        return numbers, payloads

    def encode_answer(self, request: int, answer: Any) -> bytes:
        """Returns the bytes of an answer; TypeError if it is not one to requests of this type."""
        kind = type(answer)
        if self._answers.get(request) is kind:
            encoded: bytes = kind.__mainstem__.encode(answer)
            return encoded
        known = self.known(request)
        if not isinstance(answer, Value):
            response = known.response if known else 0
            self._check_text(response, answer)
            return self._bytes_of(response, answer, f"the answer of {self.name_of(request)}")
        number, data = self.outgoing(answer, None)
        if known is None or known.response != number:
            wanted = self.name_of(known.response) if known and known.response else "none"
            raise WrongAnswer(f"expected {wanted} as the answer, got {type(answer).__name__}")
        self._answers[request] = kind
        return data

    def _check_text(self, response: int, answer: Any) -> None:
        """Refuses an answer that is no object of its class, and no JSON of one either."""
        declaration = self.declared.get(response)
        if declaration is not None and declaration.payload == "json":
            text = answer if isinstance(answer, str) else "{" if isinstance(answer, bytes) else ""
            if not text.lstrip().startswith("{"):
                given = type(answer).__name__
                raise WrongAnswer(f"expected {declaration.name} as the answer, got {given}")

    def encode(self, number: int, event: Any) -> bytes:
        """Returns the bytes of an event; TypeError if it is of another type."""
        if not isinstance(event, Value):
            return self._bytes_of(number, event, self.name_of(number))
        given, data = self.outgoing(event, None)
        if given != number:
            raise TypeError(f"expected {self.name_of(number)}, got {type(event).__name__}")
        return data

    def _bytes_of(self, number: int, data: Data, what: Any) -> bytes:
        """Returns the bytes of a payload. For a secret, an error does not quote it."""
        try:
            return self.encode_plain(number, data, what)
        except Exception as error:
            if not self.is_secret(number):
                raise
            refused = refusal(error, str(what))
        try:
            raise refused
        finally:
            del refused

    def value_of(self, event: Any, number: int) -> Any:
        """Returns an event of a type as an object of its class, or as a scalar; None: neither."""
        declaration = self.declared.get(number)
        if declaration is not None:
            return declaration.received(event)
        known = self.known(number)
        if known and known.contract & d.LIST:
            return None
        return unpacked(known.payload, event.data) if known and is_scalar(known.payload) else None

    def plain(self, event: Any) -> Any:
        """Returns a payload that is no object of a class, and no scalar."""
        known = self.known(event.type)
        kind = known.payload if known else bytes
        if kind is str:
            return event.text
        if kind == "json":
            return json.loads(event.text)
        return None if kind is None else event.data

    def row_decoder(self, number: int) -> Callable[[bytes], Any]:
        """Returns what decodes the rows of a list: if it was not added here, as its payload is."""
        form = self.lists.get(number)
        if form is not None:
            return form.decode
        known = self.known(number)
        kind = known.payload if known else bytes
        if is_scalar(kind):
            return lambda data: unpacked(kind, data)
        if kind == "json":
            return lambda data: json.loads(data.decode())
        return bytes.decode if kind is str else bytes

    def encode_plain(self, number: int, data: Data, what: Any) -> bytes:
        """Returns the bytes of a payload that is given as it is; number 0: of an unknown type."""
        if data is None:
            return b""
        kind = type(data)
        if is_scalar(kind):
            # An int may be a number, too: the type decides.
            known = self.known(number)
            payload = known.payload if known else None
            kind = payload if is_scalar(payload) else bytes
        elif kind is not str:
            kind = bytes
        return _payload.raw(data, kind, str(what))

    def _add(self, declaration: Declaration, before: Optional[Declaration]) -> int:
        try:
            layer = layer_bits(self._handle, declaration.layer)
            contract = declaration.contract | layer
            name, answer = declaration.name, declaration.answer_name
            return add_type(self._handle, name, contract, answer)
        except MainstemError as error:
            if before is not None and error.status == Status.INVALID:
                raise MainstemError(Status.INVALID, _changed(before, declaration)) from error
            if error.status != Status.WRONG_THREAD:
                raise
            message = (
                f"{declaration.name} is not registered yet, and only the context's thread can do"
                f" that: call context.register({declaration.kind.__name__}) there first"
            )
        raise MainstemError(Status.WRONG_THREAD, message)

    def _find(self, name: str) -> int:
        number = self._numbers[name] = find_type(self._handle, name)
        return number

    def wanted(self, kind: type) -> Declaration:
        """The declaration of a class whose objects an observer or a handler wants."""
        declaration = declaration_of(kind)
        self._wanted.add(declaration.name)
        return declaration

    def refuse_second(self, kind: type) -> Declaration:
        """The declaration of a class; TypeError if the context has another class of its name."""
        declaration = declaration_of(kind)
        before = self._named.get(declaration.name, declaration)
        if before is not declaration and not is_again(before, declaration):
            raise TypeError(two_of(before, declaration))
        return declaration

    def _register(self, kind: type) -> int:
        declaration = self.refuse_second(kind)
        before = self._named.get(declaration.name)
        # Names that begin with "Mainstem" are reserved for the library: those types exist already.
        if declaration.name.startswith("Mainstem"):
            number = find_type(self._handle, declaration.name)
        else:
            number = self._add(declaration, before)
        self._numbers[kind] = number
        self.declared[number] = declaration
        self._named[declaration.name] = declaration
        self._answers.clear()
        if before is not None and declaration.name in self._wanted:
            warn(
                f"{declaration.name} is declared again ({declaration.place}). What observes or"
                f" handles the one of before ({before.place}) still gets objects of that one: run"
                " those lines again, too",
                kind,
            )
        if isinstance(declaration.answer, type):
            self.number_of(declaration.answer)
        return number


def _changed(before: Declaration, now: Declaration) -> str:
    return (
        f"{now.name} is declared again ({now.place}), with another payload, layer, record or answer"
        f" than before ({before.place}): a context keeps those of a type. Open a new context"
    )


def _no_event(event: Any) -> str:
    if isinstance(event, type):
        return f"{event.__name__} is a class: give an object of it, {event.__name__}(…)"
    return (
        f"a {type(event).__name__} is not an event: give an object of an event class, or the name"
        " of a type with its data"
    )


# A scope and its context, as their parts see them -------------------------------------------------
#
# Scope and Context know every part. So a part does not know them: it knows what is listed here.


class Running(threading.local):
    """How many callbacks this thread is inside; serial schedulers run theirs on other threads."""

    depth = 0
    #: The view model whose code runs.
    live: Any = None


class ThrownLike(Protocol):
    """A context's `Thrown`: a callback tells it when it begins, ends and raises."""

    @property
    def running(self) -> Running: ...

    def depth(self) -> int: ...

    def inside(self) -> bool: ...

    def enter(self, depth: int) -> None: ...

    def leave(self, depth: int) -> None: ...

    def failed(self, exception: BaseException, value: Any, address: int) -> None: ...

    def failed_to_show(self, exception: BaseException, server: Any) -> int: ...

    def report(self, exception: BaseException, value: Any) -> None: ...

    def raise_caught(self) -> None: ...

    def returned(self, status: int) -> None: ...


class ScopeLike(Protocol):
    """A `Scope`: what is sent, observed or asked through."""

    handle: int

    @property
    def context(self) -> ContextLike: ...


class OwnerLike(ScopeLike, Protocol):
    """A `Scope` whose values are seen, and whose children come and go."""

    name: str

    @property
    def number(self) -> int: ...

    def find_scope(self, number: int) -> Optional[OwnerLike]: ...

    def end(self) -> None: ...

    def _child(self, handle: int, name: str) -> OwnerLike: ...


class LiveLike(Protocol):
    """A view model that is open, as those see it who open one."""

    instance: Any
    model: Any
    owner: OwnerLike

    @property
    def context(self) -> ContextLike: ...

    def ask(
        self,
        event: Any,
        data: Any,
        *,
        read: Optional[Callable[[Any], Any]] = None,
        then: Optional[Callable[[Any], object]] = None,
        failed: Optional[Callable[[Any], object]] = None,
        timeout: Optional[float] = None,
        progress: Optional[Callable[[Any], object]] = None,
    ) -> Any: ...

    def handler_of(self, method: Callable[..., Any], path: str) -> Callable[..., Any]: ...


class ViewModelLike(Protocol):
    """A `ViewModel`: what a scope opens."""

    __mainstem_model__: ClassVar[Any]

    def __mainstem_open__(
        self, parent: Any, path: str, is_scope: bool, is_service: bool = False
    ) -> LiveLike: ...


class ContextLike(ScopeLike, Protocol):
    """A `Context`: what all its scopes share."""

    any_thread: bool
    origins: Dict[int, str]
    catalogue: Catalogue
    view_models: Dict[int, Any]
    navigator: Any
    on_exception: Optional[Callable[[BaseException, Any], Any]]

    @property
    def thrown(self) -> ThrownLike: ...

    @property
    def closed(self) -> bool: ...

    @property
    def replaying(self) -> bool: ...

    def name_of_origin(self, number: int) -> str: ...

    def fileno(self) -> int: ...

    def drain(self) -> int: ...

    def _loop_or_refuse(self, what: str) -> Any: ...

    def _wait_for_run(self, run: Any) -> None: ...

    def _installed(self, install: Callable[[], Any]) -> Any: ...
