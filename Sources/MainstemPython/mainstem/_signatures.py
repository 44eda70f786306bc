# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Types in the signatures of Scope and Context. Only type checkers import this file."""

from __future__ import annotations

from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Coroutine,
    Optional,
    Protocol,
    Sequence,
    Tuple,
    TypedDict,
    TypeVar,
    Union,
    overload,
)

from .events._catalogue import ScopeLike
from .events._declaration import Value
from .events._payload import Role
from .events._received import Gap
from .observers._calls import On, Policy

if TYPE_CHECKING:
    from .server import Later

One = TypeVar("One", bound=Value)
Two = TypeVar("Two", bound=Value)
Result = TypeVar("Result")
Asked = TypeVar("Asked")
Answered = TypeVar("Answered", bound=Optional[Value])
Self_ = TypeVar("Self_")

#: A layer, or several, by name.
Layers = Union[str, Sequence[str], None]


class NotAwaited:
    """What a request gives if `progress` is an `async def`: it is called, not awaited.

    The call raises a TypeError. For a checker, the answer that is not there is the mistake.
    """


class Choice(TypedDict, total=False):
    """Which events to observe, and how many."""

    role: Optional[Role]
    layer: Layers
    count: int
    history: bool
    of: Optional[ScopeLike]
    on_gap: Optional[Callable[[Gap], object]]


class Place(TypedDict, total=False):
    """Where a function is called, and how many events may wait for it."""

    on: On
    policy: Optional[Policy]
    limit: int
    limit_bytes: int


class Watching(Choice, Place, total=False):
    """Options of `observe`."""

    once: bool


class Fetching(Choice, total=False):
    """Options of `mailbox`."""

    policy: Policy
    limit: int


class Awaiting(Fetching, total=False):
    """Options of `events`."""

    once: bool
    limit_bytes: int


class Patience(TypedDict, total=False):
    """Options of `request`: how long it waits, who hears how far it is, and who asks with it."""

    timeout: Optional[float]
    share: bool
    progress: Optional[Callable[[Any], object]]


class Kind(Protocol[Asked, Answered]):
    """A request class: it knows itself and the class that answers it."""

    def __mainstem_pair__(self) -> Callable[[Asked, Answered], Tuple[Asked, Answered]]: ...


class Serving(Protocol[Asked, Answered]):
    """A decorator for a handler, which stays what it is."""

    @overload
    def __call__(self, handler: Callable[[Asked], Answered]) -> Callable[[Asked], Answered]: ...
    @overload
    def __call__(
        self, handler: Callable[[Asked], Coroutine[Any, Any, Answered]]
    ) -> Callable[[Asked], Coroutine[Any, Any, Answered]]: ...
    @overload
    def __call__(
        self, handler: Callable[[Asked], Union[Answered, Later]]
    ) -> Callable[[Asked], Union[Answered, Later]]: ...


class Handling(Protocol[Asked, Answered]):
    """A decorator for a method that is a handler, which stays what it is."""

    @overload
    def __call__(
        self, method: Callable[[Self_, Asked], Answered]
    ) -> Callable[[Self_, Asked], Answered]: ...
    @overload
    def __call__(
        self, method: Callable[[Self_, Asked], Coroutine[Any, Any, Answered]]
    ) -> Callable[[Self_, Asked], Coroutine[Any, Any, Answered]]: ...
    @overload
    def __call__(
        self, method: Callable[[Self_, Asked], Union[Answered, Later]]
    ) -> Callable[[Self_, Asked], Union[Answered, Later]]: ...


class Observed(Protocol[One]):
    """A decorator for an observer, which stays what it is."""

    def __call__(self, function: Callable[[One], Result]) -> Callable[[One], Result]: ...
