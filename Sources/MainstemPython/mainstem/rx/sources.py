# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a context has, as observables: events, values, requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Optional, Tuple, Type, TypeVar, Union, overload

from reactivex import Observable, abc

from ..context._observing import shown_by
from ..context._scope import Scope
from ..events._catalogue import ScopeLike
from ..events._declaration import Request, Value
from ..events._payload import Data
from ..events._received import Event, event_of
from ..events._wire import meant
from ..failure import Failure
from ..observers._subscription import Subscription
from ..viewmodels._view_model import ViewModel
from ..viewmodels._views import View

if TYPE_CHECKING:
    from ..servers._server import Answered, One

Step = TypeVar("Step", bound=Value)


@overload
def events(
    scope: Scope, what: Type[One], *, of: Optional[ScopeLike] = None, history: bool = True
) -> Observable[One]: ...
@overload
def events(
    scope: Scope, what: str, *, of: Optional[ScopeLike] = None, history: bool = True
) -> Observable[Event]: ...
def events(
    scope: Scope, what: Any, *, of: Optional[ScopeLike] = None, history: bool = True
) -> Observable[Any]:
    """The events of a class, or a type by name: each subscription observes it, see `observe`.

    It does not complete. If the type is a value, the present one comes first, then each change.
    """

    def subscribe(
        observer: abc.ObserverBase[Any], scheduler: Optional[abc.SchedulerBase] = None
    ) -> Callable[[], None]:
        return scope.observe(what, observer.on_next, of=of, history=history).cancel

    return _observable(subscribe)


def values(owner: Union[Scope, ViewModel], name: str) -> Observable[Any]:
    """A value of a scope, a view or an open view model: the present one first, then each change.

    The name is that of `bind`: "title" for the type "Todo.title" of a scope "Todo". Children of a
    view model are the numbers of their scopes.
    """

    def subscribe(
        observer: abc.ObserverBase[Any], scheduler: Optional[abc.SchedulerBase] = None
    ) -> Callable[[], None]:
        shower, kind, read = _shown(owner, name)

        def hear(event: Event) -> None:
            observer.on_next(read(event))

        subscription: Subscription = shower.context.observe(kind, hear, of=shower)
        return subscription.cancel

    return _observable(subscribe)


@overload
def request(
    scope: Scope,
    event: Request[Answered],
    *,
    progress: None = None,
    timeout: Optional[float] = None,
    share: bool = False,
) -> Observable[Answered]: ...
@overload
def request(
    scope: Scope,
    event: Request[Answered],
    *,
    progress: Type[Step],
    timeout: Optional[float] = None,
    share: bool = False,
) -> Observable[Union[Step, Answered]]: ...
@overload
def request(
    scope: Scope,
    event: str,
    data: Data = None,
    *,
    progress: Optional[str] = None,
    timeout: Optional[float] = None,
    share: bool = False,
) -> Observable[Event]: ...
def request(
    scope: Scope,
    event: Any,
    data: Data = None,
    *,
    progress: Any = None,
    timeout: Optional[float] = None,
    share: bool = False,
) -> Observable[Any]:
    """A request: each subscription asks. It sends the answer and completes, or fails.

    With the class of its `progress`, or its name, it sends each step of that before the answer. If
    the subscription is disposed before the answer, the request is cancelled. The other options are
    those of `Scope.request`.
    """

    def subscribe(
        observer: abc.ObserverBase[Any], scheduler: Optional[abc.SchedulerBase] = None
    ) -> Callable[[], object]:
        def then(answer: Any) -> None:
            if isinstance(answer, Event) and answer.error is not None:
                observer.on_error(answer.error)
                return
            observer.on_next(answer)
            observer.on_completed()

        def failed(failure: Failure) -> None:
            observer.on_error(failure)

        def step(told: Any) -> None:
            if event_of(told).name == wanted:
                observer.on_next(told)

        wanted = progress
        if progress is not None:
            catalogue = scope.context.catalogue
            wanted = catalogue.name_of(catalogue.number_of(progress))
        pending = scope.request(
            event,
            data,
            then=then,
            failed=failed,
            progress=None if progress is None else step,
            timeout=timeout,
            share=share,
        )
        return lambda: None if pending.answered else pending.cancel()

    return _observable(subscribe)


def _shown(owner: Any, name: str) -> Tuple[Any, str, Callable[[Event], Any]]:
    """The scope that shows a value, its type, and how to read it."""
    if isinstance(owner, View):
        model, shower = owner._held.model, owner._held._pointed()
    elif isinstance(owner, ViewModel):
        model, shower = owner._opened().model, owner._opened().owner
    else:
        return owner, f"{owner.name}.{name}", shown_by
    if name not in model.views:
        raise TypeError(f"{model.name} shows no {name!r}{meant(name, model.views)}")
    stream, form = model.views[name]
    return shower, f"{model.name}.{stream}", lambda event: form.decode(event.data)


def _observable(subscribe: Any) -> Observable[Any]:
    """reactivex disposes what `subscribe` returns once: a function will do."""
    return Observable(subscribe)
