# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Where observables end: their values are sent as events, or set as a value."""

from __future__ import annotations

from typing import Any, Callable, Optional

from reactivex import Observable, abc
from reactivex.disposable import CompositeDisposable, Disposable, SingleAssignmentDisposable

from ..context._scope import Scope
from ..failure import Failure, Status
from .scheduler import ContextScheduler

Failed = Callable[[Exception], object]


def send(
    source: Observable[Any],
    scope: Scope,
    what: Optional[str] = None,
    *,
    failed: Optional[Failed] = None,
    scheduler: Optional[abc.SchedulerBase] = None,
) -> abc.DisposableBase:
    """Subscribes, and sends each value through a context or scope, until the result is disposed.

    The values are events; or with `what`, the name of a type, the data of such events. The chain
    runs on a `ContextScheduler` of its own, unless another is given. A refused send ends it.
    `failed` gets the error that ends it; without it, that is raised, which a callback reports.
    """
    give = scope.send if what is None else lambda value: scope.send(what, value)
    return _run(source, give, scope, failed, scheduler)


def set_value(
    source: Observable[Any],
    owner: Scope,
    name: Optional[str] = None,
    *,
    failed: Optional[Failed] = None,
    scheduler: Optional[abc.SchedulerBase] = None,
) -> abc.DisposableBase:
    """Subscribes, and sets each value as one of a scope: what is there already is not sent.

    The name is that of `bind`: "title" for the type "Todo.title" of a scope "Todo". Without it, the
    values are objects of event classes whose role is "value". The rest is as for `send`.
    """
    give: Callable[[Any], None] = owner.set
    if name is not None:
        kind = f"{owner.name}.{name}"
        give = lambda value: owner.set(kind, value)  # noqa: E731
    return _run(source, give, owner, failed, scheduler)


def _run(
    source: Observable[Any],
    give: Callable[[Any], None],
    scope: Scope,
    failed: Optional[Failed],
    scheduler: Optional[abc.SchedulerBase],
) -> abc.DisposableBase:
    clock = ContextScheduler(scope.context) if scheduler is None else None
    source_run = SingleAssignmentDisposable()
    run = CompositeDisposable(source_run)
    if clock is not None:
        run.add(Disposable(clock.end))

    def lost(error: Exception) -> None:
        run.dispose()
        if failed is not None:
            failed(error)
        # A request that was given up is nobody's mistake.
        elif not (isinstance(error, Failure) and error.status == Status.CANCELLED):
            try:
                raise error
            finally:
                del error

    def pass_on(value: Any) -> None:
        try:
            give(value)
        except Exception as error:
            lost(error)

    source_run.disposable = source.subscribe(
        pass_on, lost, run.dispose, scheduler=clock if scheduler is None else scheduler
    )
    return run
