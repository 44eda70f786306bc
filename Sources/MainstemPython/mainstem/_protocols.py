# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A scope and its context, as their parts see them.

Scope and Context know every part. So a part does not know them: it knows what is listed here.
"""

from __future__ import annotations

import threading
from typing import Any, Callable, ClassVar, Dict, Optional, Protocol

from .catalogue import Catalogue


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
