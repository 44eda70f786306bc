# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the class of a view model declares: fields, commands, pulses, children, what it observes."""

from __future__ import annotations

import inspect
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Generic,
    List,
    Literal,
    NoReturn,
    Optional,
    Sequence,
    Tuple,
    Type,
    TypeVar,
    Union,
    cast,
    overload,
)

from ..events._codec import Form, changes_in_place, form_of, tagged_form
from ..events._lists import KeyOf
from ..events._payload import Record, record_bits
from ..failure import refuse_async

if TYPE_CHECKING:
    from ._view_model import ViewModel

__all__ = [
    "POLICIES",
    "Action",
    "Child",
    "Children",
    "Command",
    "Field",
    "Mutations",
    "Policy",
    "Pulse",
    "Shown",
    "child",
    "child_ended",
    "children",
    "command",
    "heard_by",
    "observes",
    "on_write",
    "pulse",
    "shown",
    "writable",
]


# What a view model shows: fields, and methods that say a value ------------------------------------

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

    __slots__ = ("default", "is_written", "key", "name", "record", "secret")

    def __init__(
        self,
        default: Any,
        name: str,
        is_written: bool,
        secret: bool = False,
        record: Record = "full",
        key: Optional[KeyOf] = None,
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
        #: Of a list: what identifies a row.
        self.key = key


class Shown(property):
    """A value that a method says. Each is asked after each event that the view model has got."""

    #: Its name on the stream, if it is pinned; and what it is made of, if that is said.
    name: str = ""
    by: Tuple[str, ...] = ()
    #: What a journal keeps of it.
    record: Record = "full"
    #: Of a list: what identifies a row.
    key: Optional[KeyOf] = None


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
    *,
    by: Union[str, Sequence[str]] = (),
    name: str = "",
    record: Record = "full",
    key: Optional[KeyOf] = None,
) -> Callable[[Callable[[Any], Kind]], Said[Kind]]: ...
@overload
def shown(
    default: Kind, /, *, name: str = "", record: Record = "full", key: Optional[KeyOf] = None
) -> Kind: ...
def shown(
    default: Any = ...,
    *,
    by: Union[str, Sequence[str]] = (),
    name: str = "",
    record: Record = "full",
    key: Optional[KeyOf] = None,
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

    With `key`, the value is a list: views get `Rows`, which say what has changed, and only the
    rows that are other objects than before are encoded. `key` says what identifies a row: a field,
    or a function that gets the row. A key is text, an int or a UUID.

        todos: Tuple[Todo, ...] = mainstem.shown((), key="id")
    """
    record_bits(record, secret=False)
    if default is not ... and not _is_method(default):
        return Field(default, name, False, record=record, key=key)

    def declare(function: Callable[[Any], Any]) -> Shown:
        refuse_async(function, f"{function.__name__}, which is shown,")
        said = Shown(function, doc=function.__doc__)
        said.by = (by,) if isinstance(by, str) else tuple(by)
        said.name = name
        said.record = record
        said.key = key
        return said

    return declare if default is ... else declare(default)


def _is_method(what: Any) -> bool:
    return callable(what) and not isinstance(what, type)


# What a view model hears: what views write, what services and children show, who has ended --------

Function = TypeVar("Function", bound=Callable[..., Any])

#: What a method hears: ("write", name), ("of", whom, value) or ("ended", child).
Heard = Tuple[Any, ...]


def heard_by(function: Any) -> List[Heard]:
    """Returns what a method is marked to hear."""
    heard: List[Heard] = getattr(function, "__mainstem_hears__", [])
    return heard


def _hears(what: str, *heard: Any) -> Callable[[Function], Function]:
    def mark(function: Function) -> Function:
        refuse_async(function, f"{function.__name__}, which observes {' '.join(map(str, heard))},")
        function.__mainstem_hears__ = [*heard_by(function), (what, *heard)]  # type: ignore[attr-defined]
        return function

    return mark


def on_write(name: str) -> Callable[[Function], Function]:
    """Marks the method that is called when a view has written a field: it gets what was written.

    @mainstem.on_write("celsius")
    def from_celsius(self, celsius: float) -> None:
        self.fahrenheit = celsius * 1.8 + 32
    """
    return _hears("write", name)


def observes(whom: Union[type, str], value: str) -> Callable[[Function], Function]:
    """Marks the method that hears a value of others: what is there, then each change.

    `whom` is the class of a view model: the method gets the value. Or it is the name of this one's
    children, as `child` or `children` declares them: the method gets the child and the value.
    """
    return _hears("of", whom, value)


def child_ended(child: str) -> Callable[[Function], Function]:
    """Marks the method that is called when a child has ended; it gets the child."""
    return _hears("ended", child)


# Commands: what a view model can be told to do ----------------------------------------------------

if TYPE_CHECKING:
    from typing import Coroutine, Union

    from typing_extensions import Concatenate, ParamSpec, Protocol

    from ._views import Run

    Given = ParamSpec("Given")

Answer = TypeVar("Answer")
#: What happens to a run while another is going on.
Policy = Literal["refuse", "queue", "latest", "concurrent"]
POLICIES = ("refuse", "queue", "latest", "concurrent")


if TYPE_CHECKING:

    class Doing(Generic[Given, Answer]):
        """A command of one view model, or of a view: call it."""

        @property
        def enabled(self) -> bool: ...
        @property
        def executing(self) -> bool: ...
        @property
        def error(self) -> str: ...
        def __call__(self, *given: Given.args, **named: Given.kwargs) -> Run[Answer]: ...

    class Command(Generic[Given, Answer]):
        """A command, as a class has it."""

        enabled: str
        function: Callable[..., Any]
        name: str
        policy: str
        python: str

        secret: bool
        cancelled_by: str

        def __init__(
            self,
            function: Callable[..., Any],
            enabled: str,
            policy: str,
            name: str,
            secret: bool = False,
            cancelled_by: str = "",
        ) -> None: ...
        @overload
        def __get__(self, instance: None, owner: type) -> Command[Given, Answer]: ...
        @overload
        def __get__(self, instance: object, owner: type) -> Doing[Given, Answer]: ...
        def __get__(self, instance: object, owner: type) -> object: ...

    class Action(Command[Given, Answer]):
        """A command of a reactor, as a class has it."""

    class Commanding(Protocol):
        """The decorator that makes a method a command."""

        @overload
        def __call__(
            self, function: Callable[Concatenate[Any, Given], Coroutine[Any, Any, Answer]], /
        ) -> Command[Given, Answer]: ...
        @overload
        def __call__(
            self, function: Callable[Concatenate[Any, Given], Answer], /
        ) -> Command[Given, Answer]: ...

else:

    class Doing:
        """A command of one view model: what is called."""

        __slots__ = ("_command", "_instance")

        def __init__(self, command: "Command", instance: Any) -> None:
            self._command = command
            self._instance = instance

        def __call__(self, *given: Any, **named: Any) -> Any:
            live = self._instance._live
            if live is None or live.depth:
                return self._command.function(self._instance, *given, **named)
            return live.run(self._command.python, given, named)

        def __getattr__(self, name: str) -> Any:
            live = self._instance._live
            row = f"{self._command.python}.{name}"
            if live is None or row not in live.model.views:
                raise AttributeError(f"a command has no {name!r} here")
            return live.read(row)

    class Command:
        """A command, as a class has it."""

        __slots__ = ("enabled", "function", "name", "policy", "python", "secret", "cancelled_by")

        def __init__(
            self,
            function: Callable[..., Any],
            enabled: str,
            policy: str,
            name: str,
            secret: bool = False,
            cancelled_by: str = "",
        ) -> None:
            if policy not in POLICIES:
                raise TypeError(
                    f"policy is one of {', '.join(map(repr, POLICIES))}, not {policy!r}"
                )
            if heard_by(function):
                raise TypeError(
                    f"{function.__name__} hears something and is a command: make it two"
                )
            self.function = function
            self.enabled = enabled
            self.policy = policy
            self.name = name
            self.secret = secret
            self.cancelled_by = cancelled_by
            self.python = function.__name__

        def __get__(self, instance: Any, owner: type) -> Any:
            return self if instance is None else Doing(self, instance)

    class Action(Command):
        """A command of a reactor: what it returns are mutations, and no answer."""

        __slots__ = ()


@overload
def command(
    function: Callable[Concatenate[Any, Given], Coroutine[Any, Any, Answer]], /
) -> Command[Given, Answer]: ...
@overload
def command(function: Callable[Concatenate[Any, Given], Answer], /) -> Command[Given, Answer]: ...
@overload
def command(
    *,
    enabled: str = "",
    policy: Policy = "refuse",
    cancelled_by: str = "",
    name: str = "",
    secret: bool = False,
) -> Commanding: ...
def command(
    function: Union[Callable[..., Any], None] = None,
    /,
    *,
    enabled: str = "",
    policy: Policy = "refuse",
    cancelled_by: str = "",
    name: str = "",
    secret: bool = False,
) -> Any:
    """Declares a command: a method that views can run.

        @mainstem.command(enabled="is_username_valid")
        async def go(self) -> None:
            self.tweets = (await self.request(RequestTimeline(self.username))).tweets

    `enabled` names a bool that the view model shows: while it is false, a run is refused with
    DISABLED. `policy` says what happens to a run while another is going on: "refuse" (EXECUTING),
    "queue", "latest" (the older one is cancelled) or "concurrent". `cancelled_by` names another
    command: when that begins, the runs of this one are cancelled. An `async def` awaits what it
    asked through `self.request`, other view models' commands, and `self.sleep`; nothing else.

    In the view model itself, calling it is a plain call. What a command returns is its answer; a
    Failure that it raises is, too. Views also see `go.enabled`, `go.executing` and `go.error`.
    With `secret`, what it is given is a secret: a journal has only that it was run.
    """

    def declare(function: Callable[..., Any]) -> Any:
        return Command(function, enabled, policy, name, secret, cancelled_by)

    return declare if function is None else declare(function)


# Pulses: notices of a view model that are seen once, and not kept ---------------------------------

Told = TypeVar("Told")


class Pulse(Generic[Told]):
    """A pulse: the view model calls it to tell its views, after the values have changed."""

    __slots__ = ("form", "kind", "name", "python")

    def __init__(self, kind: Any, name: str) -> None:
        self.kind = kind
        self.name = name
        self.python = ""
        self.form = form_of(kind)

    def __set_name__(self, owner: type, name: str) -> None:
        self.python = name

    if TYPE_CHECKING:

        def __call__(self, told: Told) -> None: ...

    else:

        def __get__(self, instance: Any, owner: type) -> Any:
            return self if instance is None else _teller(self, instance)


class Mutations(Pulse[Any]):
    """What a reactor's mutations are on the stream."""

    __slots__ = ("reduce",)

    def __init__(self, reduce: Callable[..., Any]) -> None:
        super().__init__(None, "")
        self.python = "mutation"
        self.reduce = reduce

    def form_in(self, hints: Dict[str, Any], path: str) -> Form:
        """Returns how mutations travel, by the types of `reduce`."""
        name = list(inspect.signature(self.reduce).parameters)[-1]
        if name not in hints:
            raise TypeError(f"{path}({name}) has no type: say what a mutation is")
        return tagged_form(hints[name])

    if not TYPE_CHECKING:

        def __get__(self, instance: Any, owner: type) -> Any:
            return self


class Plain(Pulse[None]):
    """A pulse that says nothing but that it comes."""

    if TYPE_CHECKING:

        def __call__(self) -> None: ...  # type: ignore[override]


def _teller(pulse: Any, instance: "ViewModel") -> Callable[..., None]:
    def tell(*told: Any) -> None:
        path = f"{type(instance).__name__}.{pulse.python}"
        if len(told) != (pulse.kind is not None):
            wanted = "nothing" if pulse.kind is None else f"one {pulse.kind.__name__}"
            raise TypeError(f"{path} tells {wanted}, not {len(told)} values")
        data = pulse.form.encode(told[0] if told else None, path)
        if instance._live is not None:
            instance._live.tell(pulse.python, data)

    return tell


@overload
def pulse(*, name: str = "") -> Plain: ...
@overload
def pulse(kind: Type[Told], *, name: str = "") -> Pulse[Told]: ...
def pulse(kind: Any = None, *, name: str = "") -> Any:
    """Declares a pulse: `alert = mainstem.pulse(str)`.

    `self.alert("No network")` tells it once to whoever is bound: after the values, before answers.
    """
    return (Plain if kind is None else Pulse)(kind, name)


# Children: view models that a view model makes, and that end with it ------------------------------

Made = TypeVar("Made")
Update = Union[str, Callable[[Any, Any], object], None]

if TYPE_CHECKING:

    class Each(Generic[Made]):
        """A list of children, for type checkers."""

        @overload
        def __get__(self, instance: None, owner: type) -> Each[Made]: ...
        @overload
        def __get__(self, instance: object, owner: type) -> Tuple[Made, ...]: ...
        def __get__(self, instance: object, owner: type) -> object: ...


class Child:
    """A child that is made when it is asked for. The method itself stays callable."""

    __slots__ = ("enabled", "function", "name", "policy", "python")

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        refuse_async(function, f"{function.__name__}, which makes a child,")
        self.function = function
        self.name = name
        self.python = function.__name__
        self.enabled = ""
        self.policy = "concurrent"

    def __get__(self, instance: Any, owner: type) -> Any:
        return self if instance is None else self.function.__get__(instance, owner)


class Children:
    """A list of children, one for each element of a field."""

    __slots__ = ("form", "function", "key", "name", "python", "source", "update")

    def __init__(
        self, function: Callable[..., Any], source: str, update: Update, key: str, name: str
    ) -> None:
        refuse_async(function, f"{function.__name__}, which makes a child,")
        refuse_async(update, "update=")
        self.function = function
        self.source = source
        self.update = update
        self.key = key
        self.name = name
        self.python = function.__name__

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        live = instance._live
        return () if live is None else live.family.children_of(self.python)


@overload
def child(function: Function, /) -> Function: ...
@overload
def child(*, name: str = "") -> Callable[[Function], Function]: ...
def child(function: Any = None, /, *, name: str = "") -> Any:
    """Declares a child: the method makes the view model, when `open_child` asks for it.

        @mainstem.child
        def profile(self) -> Profile:
            return Profile(self.user)

    A method without arguments has one child, the same while it lives; with arguments, each call
    makes another. A child ends with this view model, or by `mainstem.end(child)`.
    """

    def declare(function: Callable[..., Any]) -> Any:
        return Child(function, name)

    return declare if function is None else declare(function)


def children(
    source: str, *, update: Update = None, key: str = "id", name: str = ""
) -> Callable[[Callable[[Any, Any], Made]], "Each[Made]"]:
    """Declares a list of children: the method makes one for each element of a field.

        @mainstem.children("tweets", update="tweet")
        def cells(self, tweet: Tweet) -> TweetCell:
            return TweetCell(tweet)

    Elements are told apart by their `id`, or by the attribute that `key` names: text, an int or a
    UUID. Children come and go with them, after each event that the view model has got. Where an
    element has changed under its id, `update` names the child's field that it is assigned to, or is
    called with both; without it, the child is made anew. Views get `Rows` of the children.
    """

    def declare(function: Callable[..., Any]) -> Any:
        return Children(function, source, update, key, name)

    return declare
