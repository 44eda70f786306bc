# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Events as objects: the three roles, and what a received one knows."""

from __future__ import annotations

import dataclasses
import sys
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Dict,
    Generic,
    Optional,
    Tuple,
    Type,
    TypeVar,
    Union,
)

from .failure import empty

if TYPE_CHECKING:
    from typing import Callable

    from typing_extensions import Self
    from typing_extensions import TypeVar as DefaultedTypeVar

    from .declaration import Declaration
    from .failure import Failure
    from .received import Event, Retained

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
