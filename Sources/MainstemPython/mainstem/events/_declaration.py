# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Events as classes: `@mainstem.event`, the three roles, and the library's own reports."""

from __future__ import annotations

import dataclasses
import json
import struct
import sys
import typing
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Dict,
    Generic,
    List,
    Optional,
    Tuple,
    Type,
    TypeVar,
    Union,
)

from .._library._header import SECRET
from ..failure import MainstemError, Status, empty, refusal
from ._codec import (
    DecodeFields,
    EncodeFields,
    check_fields,
    decoder,
    encoder,
    initializer,
    is_plain,
)
from ._payload import Payload, Record, payload_bits, record_bits, role_bits
from ._wire import Place

__all__ = [
    "Declaration",
    "MainstemActivity",
    "MainstemDenied",
    "MainstemFailure",
    "MainstemJournalFailed",
    "MainstemLimit",
    "Notice",
    "Request",
    "Response",
    "Value",
    "declaration_of",
    "event",
]


# Events as objects: the three roles, and what a received one knows --------------------------------

if TYPE_CHECKING:
    from typing import Callable

    from typing_extensions import Self
    from typing_extensions import TypeVar as DefaultedTypeVar

    from ..failure import Failure
    from ._received import Event, Retained

    # A class of Request without an answer is asked in vain, and its handler returns None.
    Answer = DefaultedTypeVar("Answer", bound="Optional[Value]", default=None)
else:
    Answer = TypeVar("Answer")


_MISSING: Any = object()


class Value:
    """An event's payload as an object. If it came from the stream, it also has the event's facts.

    Its own fields come first. All other names are those of the `Event` behind it: `position`,
    `cause`, `answers`, `origin` …; `event` is that Event itself.
    """

    __mainstem_role__: Optional[str] = None
    __mainstem_names__: Dict[str, Any]

    if TYPE_CHECKING:
        __mainstem__: Declaration
        # Every event class is a dataclass.
        __dataclass_fields__: ClassVar[Dict[str, dataclasses.Field[Any]]]

        # Facts that a field may be named like are Any; those of `event` have their types.
        position: Any
        cause: Any
        origin: Any
        time: Any
        size: Any
        type: Any
        name: Any
        status: Any
        data: Any
        text: Any
        error: Any
        failed: Any
        late: Any
        secret: Any
        scope: Any
        progress: Any

        @property
        def event(self) -> Event: ...
        @property
        def answers(self) -> int: ...
        @property
        def correlation(self) -> int: ...
        @property
        def origin_number(self) -> int: ...
        @property
        def outside(self) -> bool: ...
        @property
        def tracked(self) -> bool: ...
        @property
        def is_progress(self) -> bool: ...
        @property
        def is_shared(self) -> bool: ...
        @property
        def is_settled(self) -> bool: ...
        def retain(self) -> Retained[Self]: ...
        def on_settled(self, function: Callable[[], object]) -> None: ...

    def __str__(self) -> str:
        event = self.__dict__.get("_event")
        return repr(self) if event is None else str(event)

    def __reduce__(self) -> Tuple[Any, ...]:
        names = type(self).__mainstem__.fields
        return (_remade, (type(self), {name: getattr(self, name) for name in names}))


def _fact_of(value: Any, name: str) -> Any:
    """Returns a fact of the event behind a value."""
    event = value.__dict__.get("_event")
    if event is not None and not name.startswith("_"):
        found = event if name == "event" else getattr(event, name, _MISSING)
        if found is not _MISSING:
            return found
    here = "" if event is not None else " (it was made here and has no place on the stream)"
    fields = ", ".join(field.name for field in dataclasses.fields(value)) or "none"
    wrong = AttributeError(f"{type(value).__name__} has no {name!r}{here}; its fields: {fields}")
    if sys.version_info >= (3, 10) and type(value).__mainstem__.secret:
        # Setting the name keeps Python from adding the object, which it does to suggest a name.
        wrong.name = name  # novermin
    value = event = None
    try:
        raise wrong
    finally:
        del wrong


if not TYPE_CHECKING:
    Value.__getattr__ = _fact_of


class _Field:
    """Decodes a received value when its first field is read; then the fields are in its dict."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, value: Any, kind: Type[Value]) -> Any:
        event = None if value is None else value.__dict__.get("_event")
        if event is None:
            raise AttributeError(f"type object {kind.__name__!r} has no attribute {self._name!r}")
        try:
            decoded = kind.__mainstem__.decode(event._facts[0], event.data)
            value.__dict__.update(decoded)
            return decoded[self._name]
        except BaseException as exception:
            value = event = decoded = None
            empty(exception)
            raise


def _remade(kind: Type[Value], values: Dict[str, Any]) -> Value:
    value: Value = object.__new__(kind)
    value.__dict__.update(values)
    return value


class Request(Value, Generic[Answer]):
    """An event that asks: `class RequestGreet(Request[ResponseGreeting])` names its answer."""

    __mainstem_role__ = "request"

    if TYPE_CHECKING:

        @classmethod
        def __mainstem_pair__(cls) -> Callable[[Self, Answer], Tuple[Self, Answer]]: ...
        def respond(self, answer: Union[Answer, Failure]) -> None: ...


class Response(Value):
    """An event that answers."""

    __mainstem_role__ = "response"


class Notice(Value):
    """An event that tells."""

    __mainstem_role__ = "notice"


# Events as classes: the `@mainstem.event` decorator -----------------------------------------------

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_: Any) -> Any:
        """For type checkers; does nothing at run time."""
        return lambda decorator: decorator


Kind = TypeVar("Kind", bound=type)
_AUTOMATIC: Any = object()


class Declaration:
    """What `@mainstem.event` knows about a class."""

    __slots__ = (
        "answer",
        "decode_fields",
        "encode_fields",
        "fields",
        "kept",
        "kind",
        "layer",
        "name",
        "payload",
        "place",
    )

    def __init__(
        self,
        kind: Type[Value],
        name: str,
        payload: Payload,
        layer: Optional[str],
        kept: int,
        answer: Union[Type[Value], str, None],
        place: Place,
    ) -> None:
        self.kind = kind
        #: Where the class is declared.
        self.place = place
        self.name = name
        self.payload = payload
        self.layer = layer
        #: The part of its contract that says what a journal keeps.
        self.kept = kept
        self.answer: Union[Type[Value], str, None] = answer
        self.fields = frozenset(field.name for field in dataclasses.fields(kind))
        # Made when first needed: a field's type may be declared after the class.
        self.encode_fields: EncodeFields = self._first_encode
        self.decode_fields: DecodeFields = self._first_decode

    @property
    def answer_name(self) -> Optional[str]:
        """The name of the type that answers it."""
        if self.answer is None or isinstance(self.answer, str):
            return self.answer
        return self.answer.__mainstem__.name

    @property
    def contract(self) -> int:
        """The library's contract, without the layer, which only a context knows."""
        role = role_bits(self.kind.__mainstem_role__)
        return payload_bits(self.payload) | role | self.kept

    @property
    def secret(self) -> bool:
        """Whether its events are secrets."""
        return bool(self.kept & SECRET)

    def _first_encode(self, value: Any) -> bytes:
        self.encode_fields = encoder(self.kind, self.payload)
        return self.encode_fields(value)

    def _first_decode(self, data: bytes) -> Dict[str, Any]:
        self.decode_fields = decoder(self.kind, self.payload)
        return self.decode_fields(data)

    def encode(self, value: Value) -> bytes:
        """Encodes a value; TypeError if a field has the wrong type."""
        if "_event" in value.__dict__:
            data: bytes = value.__dict__["_event"].data
            return data
        try:
            return self.encode_fields(value)
        except Exception as error:
            if not self.secret:
                raise
            refused = refusal(error, self.name)
        try:
            raise refused
        finally:
            del refused

    def decode(self, position: int, data: bytes) -> Dict[str, Any]:
        """Decodes the fields of the event received at a position."""
        try:
            return self.decode_fields(data)
        except Exception as error:
            if not self.secret:
                if isinstance(error, (TypeError, ValueError, struct.error, RecursionError)):
                    message = f"#{position} {self.name}: its payload {_misfit(error)}"
                    error.__context__ = None  # Of the quick decoder, which names no field.
                    raise MainstemError(Status.INVALID, message) from (
                        None if isinstance(error, json.JSONDecodeError) else error
                    )
                raise
        # Raised here, not above, where the original error would become its context.
        raise MainstemError(Status.INVALID, f"#{position} {self.name}: its payload does not fit")

    def received(self, event: object) -> Value:
        """Makes the object for a received event; its payload is decoded when a field is read."""
        value: Value = object.__new__(self.kind)
        value.__dict__["_event"] = event
        return value


def _misfit(error: Exception) -> str:
    """What is wrong with a payload, in our words."""
    if isinstance(error, UnicodeError):
        return "is not UTF-8"
    if isinstance(error, RecursionError):
        return "is nested too deep"
    if isinstance(error, json.JSONDecodeError):
        return "is not JSON"
    return f"does not fit: {error}"


@typing.overload
def event(kind: Kind) -> Kind: ...
@typing.overload
def event(
    *,
    name: Optional[str] = None,
    payload: Payload = ...,
    layer: Optional[str] = None,
    record: Record = "full",
    secret: bool = False,
) -> typing.Callable[[Kind], Kind]: ...
@dataclass_transform(frozen_default=True)
def event(
    kind: Any = None,
    *,
    name: Optional[str] = None,
    payload: Payload = _AUTOMATIC,
    layer: Optional[str] = None,
    record: Record = "full",
    secret: bool = False,
) -> Any:
    """Makes a class an event: a frozen dataclass whose name is the event's name.

    The payload is the fields as JSON; without fields there is none. `payload=str`, bytes, bool, int
    and float take the one field as it is; a `struct.Struct` packs the fields in order. The layer is
    one of the library's own or any other name. `record` says what a journal keeps: "full", "mark"
    (position, type, cause, time and flags), "none" or "inputs" (inputs in full; of an output the
    mark and a digest of its payload). Of a `secret` it keeps at most the mark.
    """
    # Classes made in a function may name each other: its names are kept to resolve type hints.
    frame = sys._getframe(1)
    names = frame.f_locals if frame.f_locals is not frame.f_globals else None
    kept = record_bits(record, secret)
    place = Place(frame.f_code, frame.f_lineno)

    def declare(kind: type) -> Type[Value]:
        return _declare(kind, name or kind.__name__, payload, layer, kept, names, place)

    return declare if kind is None else declare(kind)


def _declare(
    kind: Any,
    name: str,
    payload: Any,
    layer: Optional[str],
    kept: int,
    names: Any,
    place: Place,
) -> Type[Value]:
    if not (isinstance(kind, type) and issubclass(kind, Value)) or not kind.__mainstem_role__:
        raise TypeError(f"{kind!r}: an event is a class of Request, Response or Notice")
    if "__dataclass_params__" not in kind.__dict__:
        made = "__init__" not in kind.__dict__
        kind = dataclasses.dataclass(frozen=True)(kind)
        if made and is_plain(kind):
            kind.__init__ = initializer(kind)
    for field in dataclasses.fields(kind):
        # In place of a default, which would hide the received value.
        setattr(kind, field.name, _Field(field.name))
    if names is not None:
        kind.__mainstem_names__ = names
    fields = dataclasses.fields(kind)
    if payload is _AUTOMATIC:
        payload = "json" if fields else None
    _check_fields(kind, payload, len(fields))
    if payload == "json":
        check_fields(kind)
    if kept & SECRET:
        # A dataclass's own repr shows its fields.
        kind.__repr__ = _secret_repr
    declared: Type[Value] = kind
    answer = _answer_of(kind)
    declared.__mainstem__ = Declaration(declared, name, payload, layer, kept, answer, place)
    return declared


def _secret_repr(self: Value) -> str:
    return f"{type(self).__name__}(<secret>)"


def _check_fields(kind: type, payload: Payload, count: int) -> None:
    if payload is None and count:
        raise TypeError(f"{kind.__name__}: payload None, but it has fields")
    if isinstance(payload, type) and count != 1:
        raise TypeError(f"{kind.__name__}: payload {payload.__name__} needs exactly one field")


def _answer_of(kind: type) -> Union[Type[Value], str, None]:
    """The class that answers a request, or its name if it is declared later."""
    for base in getattr(kind, "__orig_bases__", ()):
        if typing.get_origin(base) is Request:
            answer = typing.get_args(base)[0]
            if isinstance(answer, typing.ForwardRef):
                return answer.__forward_arg__
            if answer is type(None):
                return None
            if isinstance(answer, type) and issubclass(answer, Value):
                return answer
            raise TypeError(f"{kind.__name__}: {answer!r} is not an event: decorate it first")
    return None


def declaration_of(kind: Type[Any]) -> Declaration:
    """Returns the declaration of a class; TypeError if it is not an event class."""
    if isinstance(kind, Value):
        name = type(kind).__name__
        raise TypeError(f"this is an object of {name}: give the class, {name}")
    known = kind.__dict__ if isinstance(kind, type) else {}
    declaration: Optional[Declaration] = known.get("__mainstem__")
    if declaration is None:
        raise TypeError(f"{kind!r} is not an event: decorate its class with @mainstem.event")
    return declaration


# The library's own events: what it reports on the stream ------------------------------------------


@event
class MainstemFailure(Notice):
    """The library's report of a subscription's 1st, 2nd, 4th, 8th … failure (law 7)."""

    type: str
    origin: Any
    code: int
    #: The member's name in journals, which never changes.
    sentence: str
    count: int

    @property
    def message(self) -> str:
        """What has failed, as in `Failure.message`."""
        return self.sentence


@event
class MainstemActivity(Notice):
    """The library's report that a request type is busy, or idle (count 0): `report_activity`."""

    type: str
    count: int


@event
class MainstemDenied(Notice):
    """The library's report of a scope's 1st, 2nd, 4th, 8th … call beyond its rights."""

    origin: str
    what: str
    type: str
    layer: str
    count: int


@event
class MainstemLimit(Notice):
    """The library's report of the 1st, 2nd, 4th, 8th … cascade cut at its limit (law 9)."""

    type: str
    origin: str
    limit: int
    chain: List[str]
    count: int


@event
class MainstemJournalFailed(Notice):
    """The library's report that writing a journal failed and its context goes on (law 10)."""

    path: str
    status: str
    written: int
