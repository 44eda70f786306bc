# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a view model shows: fields, and methods that say a value."""

from __future__ import annotations

from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Generic,
    NoReturn,
    Sequence,
    Tuple,
    TypeVar,
    Union,
    cast,
    overload,
)

from .events._codec import changes_in_place
from .events._payload import Record, record_bits
from .failure import refuse_async

Kind = TypeVar("Kind")

if TYPE_CHECKING:

    class Said(Generic[Kind]):
        """A value that a method says, for type checkers."""

        @overload
        def __get__(self, instance: None, owner: type) -> Said[Kind]: ...
        @overload
        def __get__(self, instance: object, owner: type) -> Kind: ...
        def __get__(self, instance: object, owner: type) -> object: ...
        def __set__(self, instance: object, value: NoReturn) -> None: ...


class Field:
    """A field of a view model that is a value. The class keeps only its default."""

    __slots__ = ("default", "is_written", "name", "record", "secret")

    def __init__(
        self,
        default: Any,
        name: str,
        is_written: bool,
        secret: bool = False,
        record: Record = "full",
    ) -> None:
        if changes_in_place(default):
            kind = type(default).__name__
            raise TypeError(
                f"a {kind} as a default would be shared by all view models: give a tuple or another"
                " value that does not change, or set the field in __init__"
            )
        self.default = default
        self.name = name
        self.is_written = is_written
        self.secret = secret
        #: What a journal keeps of it.
        self.record = record


class Shown(property):
    """A value that a method says. Each is asked after each event that the view model has got."""

    #: Its name on the stream, if it is pinned; and what it is made of, if that is said.
    name: str = ""
    by: Tuple[str, ...] = ()
    #: What a journal keeps of it.
    record: Record = "full"


def writable(default: Kind, *, name: str = "", secret: bool = False) -> Kind:
    """Declares a field that views may write: `username: str = mainstem.writable("")`.

    On the stream, `user_name` is spelled `userName`; `name` pins another name.
    A `secret`, such as a password, is written and never shown.
    """
    return cast("Kind", Field(default, name, True, secret))


@overload
def shown(function: Callable[[Any], Kind], /) -> Said[Kind]: ...
@overload
def shown(
    *, by: Union[str, Sequence[str]] = (), name: str = "", record: Record = "full"
) -> Callable[[Callable[[Any], Kind]], Said[Kind]]: ...
@overload
def shown(default: Kind, /, *, name: str = "", record: Record = "full") -> Kind: ...
def shown(
    default: Any = ...,
    *,
    by: Union[str, Sequence[str]] = (),
    name: str = "",
    record: Record = "full",
) -> Any:
    """Declares a value that views see: a field with its default, or a method that says it.

        tweets: Tuple[Tweet, ...] = mainstem.shown(())

        @mainstem.shown
        def is_username_valid(self) -> bool: ...

    A method is read like a field. It is called after each event that the view model has got, and
    what differs is sent. `by` is for big values: the names of the fields it is made of; it is
    called only where one of them has another value. `name` is as for `written`. With
    `record="inputs"`, a journal has a digest of each value that the program makes anew from what
    it gets: for big values.
    """
    record_bits(record, secret=False)
    if default is not ... and not _is_method(default):
        return Field(default, name, False, record=record)

    def declare(function: Callable[[Any], Any]) -> Shown:
        refuse_async(function, f"{function.__name__}, which is shown,")
        said = Shown(function, doc=function.__doc__)
        said.by = (by,) if isinstance(by, str) else tuple(by)
        said.name = name
        said.record = record
        return said

    return declare if default is ... else declare(default)


def _is_method(what: Any) -> bool:
    return callable(what) and not isinstance(what, type)
