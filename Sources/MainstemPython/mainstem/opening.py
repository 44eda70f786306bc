# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The part of a scope that opens owners."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Callable, Optional, Type, TypeVar, Union, cast, overload

from .events._catalogue import ViewModelLike
from .events._payload import Data, Payload
from .failure import Failure, MainstemError, Status, refuse_async
from .servers._requests import Factory, number_in, request_of

if TYPE_CHECKING:
    from .context import Context
    from .scope import Scope

Opened = TypeVar("Opened", bound=ViewModelLike)


class Opening:
    """The part of a scope that opens owners."""

    __slots__ = ()

    context: "Context"
    handle: int

    def open(self, instance: Opened, /) -> Opened:
        """Opens a view model, and returns it: `lookup = context.open(Lookup())`.

        For a program's beginning and for tests: while a session is recorded, this is refused after
        the first event, since a replay could not know of it. What comes later is opened by a
        `factory`, or is a child that another view model has. It ends with this scope.
        """
        context, scope = self.context, cast("Scope", self)
        if not context.thrown.inside() and context.is_under_way:
            kind = type(instance).__name__
            raise MainstemError(
                Status.BUSY,
                f"open: {kind}: this session is recorded and has begun: open view models before the"
                f" first event, or say context.factory({kind}) there",
            )
        name = type(instance).__mainstem_model__.name
        context._installed(lambda: instance.__mainstem_open__(scope, name, False).owner)
        context.thrown.raise_caught()
        return instance

    @overload
    def factory(
        self,
        name: str,
        make: Callable[[Any, Any], object],
        payload: Payload = None,
        *,
        layer: Optional[str] = None,
    ) -> None: ...
    @overload
    def factory(
        self,
        name: Type[ViewModelLike],
        make: Optional[Callable[[Any], ViewModelLike]] = None,
        payload: Payload = None,
        *,
        layer: Optional[str] = None,
    ) -> None: ...
    def factory(
        self,
        name: Union[str, Type[ViewModelLike]],
        make: Optional[Callable[..., object]] = None,
        payload: Payload = None,
        *,
        layer: Optional[str] = None,
    ) -> None:
        """Adds a factory: what makes the owners of a name, each when `open_instance` asks for it.

        `make(scope, request)` fills the new scope: with servers, observers and what else the owner
        is made of. A Failure that it raises is the answer, and all that was added ends. Factories
        are added before the first event: a replay calls them again. The scope has the rights of
        this one, whoever asks.

        `context.factory(Lookup)` makes view models of a class: with `make`, which gets the request
        and returns one, or else without arguments.
        """
        if isinstance(name, str):
            if make is None:
                raise TypeError(f"factory: {name!r} has no function that makes it")
            Factory(self, name, make, self._child).add(payload, layer)
            return
        refuse_async(make, "make")
        kind, made = name, make

        def fill(scope: "Scope", request: Any) -> None:
            instance: Any = kind() if made is None else made(request)
            instance.__mainstem_open__(scope, kind.__mainstem_model__.name, True)

        Factory(self, kind.__mainstem_model__.name, fill, self._child).add(payload, layer)

    def open_instance(
        self,
        name: str,
        data: Data = None,
        *,
        then: Optional[Callable[[int], object]] = None,
        failed: Optional[Callable[[Failure], object]] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Asks the factory of a name for an owner, and returns its number, for `find_scope`.

        The owner ends when its scope is ended, or when this scope is. Either is an event,
        MainstemEnded, that has the number; what the owner had opened ends with it.

        It waits as `request` does. In an async context the result is awaitable. With `then`, it
        returns a Pending; the function gets the number, `failed` the error.
        """
        request, scope = request_of(name), cast("Scope", self)
        if then is None:
            if failed is not None:
                raise TypeError(
                    "open_instance: failed= is for then=; else a failed answer is raised"
                )
            return self._numbered(scope.request(request, data, timeout=timeout))
        refuse_async(then, "then=")
        done, lost = then, failed

        def answered(answer: Any) -> None:
            if not answer.failed:
                done(number_in(answer))
            elif lost is not None:
                lost(answer.error)

        return scope.request(request, data, then=answered, timeout=timeout)

    def _numbered(self, answer: Any) -> Any:
        if not inspect.isawaitable(answer):
            return number_in(answer)

        # Taken out: a failure holds the frame that awaits it, and its future holds the failure.
        waiting = [answer]

        async def number() -> int:
            return number_in(await waiting.pop())

        return number()

    def _child(self, handle: int, name: str) -> "Scope":
        raise NotImplementedError
