# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Contexts and scopes: one stream, and the verbs that send, observe, ask and answer on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Type, Union, overload

from ._context import Context
from ._description import DescribedPart, DescribedScope, DescribedType, Description
from ._host import Limits
from ._observing import Binding, BindingRow, on_host, two_way
from ._scope import Scope, Timer

__all__ = [
    "AsyncContext",
    "AsyncScope",
    "Binding",
    "BindingRow",
    "Context",
    "DescribedPart",
    "DescribedScope",
    "DescribedType",
    "Description",
    "Limits",
    "Scope",
    "Timer",
    "on_host",
    "two_way",
]

# What `async with mainstem.Context()` gives: a context whose requests are awaited -----------------
#
# At run time it is the same Context, tied to the loop. These names are for annotations.

if TYPE_CHECKING:
    import asyncio
    from typing import Coroutine

    from typing_extensions import Unpack

    from ..events._declaration import Request
    from ..events._payload import Data
    from ..events._received import Event
    from ..failure import Failure
    from ..servers._requests import Pending
    from ..servers._server import Answered, Handler, Layers, NotAwaited, Patience, Place, Show

    class AsyncScope(Scope):
        """A scope of an AsyncContext."""

        # No Scope in the strict sense: what a request returns must be awaited.
        @overload  # type: ignore[override]
        def request(  # type: ignore[overload-overlap]
            self,
            event: Union[Request[Any], str],
            data: Data = None,
            *,
            timeout: Optional[float] = None,
            share: bool = False,
            then: Any = None,
            failed: Any = None,
            progress: Callable[[Any], Coroutine[Any, Any, Any]],
        ) -> NotAwaited: ...
        @overload
        def request(
            self, event: Request[Answered], **patience: Unpack[Patience]
        ) -> asyncio.Future[Answered]: ...
        @overload
        def request(
            self,
            event: Request[Answered],
            *,
            then: Callable[[Answered], object],
            failed: Optional[Callable[[Failure], object]] = None,
            **patience: Unpack[Patience],
        ) -> Pending: ...
        @overload
        def request(
            self, event: str, data: Data = None, **patience: Unpack[Patience]
        ) -> asyncio.Future[Event]: ...
        @overload
        def request(
            self,
            event: str,
            data: Data = None,
            *,
            then: Callable[[Event], object],
            failed: Optional[Callable[[Failure], object]] = None,
            **patience: Unpack[Patience],
        ) -> Pending: ...
        def request(  # pyright: ignore[reportIncompatibleMethodOverride]
            self, *event: Any, **options: Any
        ) -> Any: ...

        def server(
            self,
            name: str,
            handlers: Mapping[Union[Type[Request[Any]], str], Handler],
            *,
            own: Optional[Mapping[Union[Type[Any], str], Handler]] = None,
            show: Optional[Show] = None,
            several: bool = False,
            **place: Unpack[Place],
        ) -> AsyncScope: ...
        def install(
            self,
            instance: object,
            *,
            name: str = "",
            several: bool = False,
            **place: Unpack[Place],
        ) -> AsyncScope: ...
        def scope(
            self, name: str, *, sends: Layers = None, observes: Layers = None, observers: int = 0
        ) -> AsyncScope: ...
        def find_scope(self, number: int) -> Optional[AsyncScope]: ...

    class AsyncContext(  # pyright: ignore[reportIncompatibleMethodOverride]
        AsyncScope, Context
    ):
        """A context tied to the running loop: requests are awaited, handlers may be async."""

else:
    AsyncScope, AsyncContext = Scope, Context
