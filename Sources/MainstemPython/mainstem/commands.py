# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Commands: what a view model can be told to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Generic, Literal, TypeVar, overload

from .hearing import heard_by

if TYPE_CHECKING:
    from typing import Coroutine, Union

    from typing_extensions import Concatenate, ParamSpec, Protocol

    from .run import Run

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
