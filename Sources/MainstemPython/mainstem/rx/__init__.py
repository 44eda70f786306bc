# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Signals in Python: what a context has as observables of the package `reactivex`.

    from mainstem import rx
    from reactivex import operators as op

    found = rx.events(context, Typed).pipe(
        op.debounce(0.3),
        op.switch_map(lambda typed: rx.request(context, RequestSearch(typed.text))),
        op.map(lambda answer: Found(answer.titles)),
    )
    run = rx.send(found, context)  # run.dispose() ends it

The extra `mainstem[rx]` installs reactivex. docs/signals.md has the rules.
"""

from __future__ import annotations

import contextlib
import ctypes
import heapq
import itertools
import threading
from collections import deque
from datetime import datetime, timedelta
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Deque,
    Iterator,
    List,
    Optional,
    Tuple,
    Type,
    TypeVar,
    Union,
    overload,
)

try:
    import reactivex as _reactivex  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "reactivex":
        raise
    raise ModuleNotFoundError(
        "mainstem.rx needs the package reactivex: install it with pip install 'mainstem[rx]'",
        name="reactivex",
    ) from None

from reactivex import Observable, abc
from reactivex.disposable import CompositeDisposable, Disposable, SingleAssignmentDisposable
from reactivex.scheduler.periodicscheduler import PeriodicScheduler

from .._library import C
from ..context._observing import shown_by
from ..context._scope import Scope, Timer
from ..events._catalogue import ScopeLike
from ..events._declaration import Request, Value
from ..events._payload import Data
from ..events._received import Event, event_of
from ..events._wire import meant
from ..failure import Failure, MainstemError, Status, check
from ..observers._subscription import Filter, Subscription
from ..viewmodels._view_model import ViewModel
from ..viewmodels._views import View

if TYPE_CHECKING:
    from ..servers._server import Answered, One


__all__ = ["ContextScheduler", "events", "request", "send", "set_value", "values"]


# What is due, and when ----------------------------------------------------------------------------

#: So many void items are left where they are.
_FEW = 64


class Item:
    """An action that waits for its time."""

    __slots__ = ("_action", "_state", "done", "due", "waits")

    def __init__(self, action: Any, state: Any) -> None:
        self._action = action
        self._state = state
        #: Disposes what the action has begun, or before that the action.
        self.done = SingleAssignmentDisposable()
        #: Microseconds.
        self.due = 0
        self.waits = False

    def invoke(self, scheduler: Any) -> None:
        """Runs the action, unless it was disposed."""
        if not self.done.is_disposed:
            self.done.disposable = scheduler.invoke_action(self._action, self._state)


class Agenda:
    """Items in the order in which they are due; at one time, in the order in which they came."""

    __slots__ = ("_items", "_left", "_numbers")

    def __init__(self) -> None:
        self._items: List[Tuple[int, int, Item]] = []
        self._numbers = itertools.count()
        #: How many are not void.
        self._left = 0

    @property
    def first(self) -> Optional[int]:
        """When the next item is due; None: there is none."""
        while self._items and not self._items[0][2].waits:
            heapq.heappop(self._items)
        return self._items[0][0] if self._items else None

    def add(self, item: Item) -> None:
        """Adds an item."""
        item.waits = True
        self._left += 1
        heapq.heappush(self._items, (item.due, next(self._numbers), item))

    def drop(self, item: Item) -> bool:
        """Makes an item void; whether it was the last."""
        if not item.waits:
            return False
        item.waits = False
        self._left -= 1
        # An alarm that goes off in vain costs less than to look for each item that is void.
        if len(self._items) > 2 * self._left + _FEW:
            self._items = [each for each in self._items if each[2].waits]
            heapq.heapify(self._items)
        return self._left == 0

    def due_by(self, time: int) -> Iterator[Item]:
        """Takes the items that are due by a time, in order; those that come meanwhile, too."""
        while True:
            due = self.first
            if due is None or due > time:
                return
            item = heapq.heappop(self._items)[2]
            item.waits = False
            self._left -= 1
            yield item


# A scheduler on a context's clock: its alarms are events, so a recorded session verifies ----------

#: The type of the alarms, which Swift's signals have, too. A value of 0: something has come.
ALARM = "SignalAlarm"
_MICROSECOND = timedelta(microseconds=1)


class ContextScheduler(PeriodicScheduler):
    """Runs actions by a context's time, virtual or not: `subscribe(…, scheduler=…)`.

    What is due at once runs at once, inside the callback that schedules it. What is due later runs
    inside a callback, too: that of an alarm, an event that is sent through a scope of this name. So
    what chains send there follows from events, and a recorded session verifies. Deadlines are
    rounded up to milliseconds; one that is handled late finds `now` as if it were on time.

    It belongs to the context's thread. A delay that is asked for outside callbacks begins in the
    next drain, as does what other threads schedule. What threads bring is not in a journal.
    """

    def __init__(self, scope: Scope, name: str = "Signals") -> None:
        if scope.context.any_thread:
            raise ValueError('rx: its context belongs to one thread: not threads="any"')
        super().__init__()
        self._context = scope.context
        self._thread = threading.get_ident()
        self._agenda = Agenda()
        #: What is due at once, after the item that runs; and how many callbacks it is inside.
        self._soon: Optional[Deque[Item]] = None
        self._depth = 0
        #: The time of the deadline that is being handled.
        self._present: Optional[int] = None
        #: The time of the last alarm. Timers do not go by the time that events carry, so that may
        #: be earlier.
        self._reached = 0
        #: The time and number of the alarm that is set.
        self._alarm: Optional[int] = None
        self._number = 0
        self._timer: Optional[Timer] = None
        #: Whether an alarm is being handled.
        self._is_heard = False
        #: The first exception of what runs.
        self._thrown: Optional[BaseException] = None
        #: What was scheduled outside callbacks, or by other threads; whether the context knows.
        self._came: Deque[Callable[[], None]] = deque()
        self._is_told = False
        alarms = self._context.add_type(ALARM, int)
        self._scope = scope.scope(name)
        which = Filter([alarms], 0, 0, 0, 0)
        which.of = self._scope
        Subscription(self._scope, self._hear, which, self._ended)

    def end(self) -> None:
        """Ends it: nothing is due any more. Once the context closes, no time passes either."""
        self._scope.end()

    # What reactivex asks

    @property
    def now(self) -> datetime:
        """The context's time; on its virtual clock, 1970 is the beginning."""
        return self.to_datetime(timedelta(microseconds=self._time()))

    def schedule(self, action: Any, state: Any = None) -> abc.DisposableBase:
        """Runs an action at once; if another is being run, after it."""
        item = Item(action, state)
        if not self._is_at_home():
            self._come(lambda: self._run(item))
        elif self._soon is not None and self._depth == self._context.thrown.depth():
            self._soon.append(item)
        else:
            # A callback ends with all that it has begun, or its outputs would come outside it.
            with self._running():
                self._run(item)
        return item.done

    def schedule_relative(self, duetime: Any, action: Any, state: Any = None) -> abc.DisposableBase:
        """Runs an action after a time, in seconds or as a timedelta."""
        delay = self.to_timedelta(duetime) // _MICROSECOND
        return self._at(lambda: self._time() + delay, Item(action, state))

    def schedule_absolute(self, duetime: Any, action: Any, state: Any = None) -> abc.DisposableBase:
        """Runs an action at a time, in seconds since 1970 or as a datetime with a timezone."""
        due = self.to_timedelta(duetime) // _MICROSECOND
        return self._at(lambda: due, Item(action, state))

    # Time

    def _is_at_home(self) -> bool:
        return threading.get_ident() == self._thread

    def _time(self) -> int:
        """The time in microseconds."""
        if self._present is not None:
            return self._present
        time = ctypes.c_int64()
        check(C.mainstem_context_now(self._context.handle, ctypes.byref(time)))
        return max(self._reached, time.value // 1000)

    def _at(self, due: Callable[[], int], item: Item) -> abc.DisposableBase:
        def wait() -> None:
            if not item.done.is_disposed:
                item.due = max(due(), self._time())
                self._agenda.add(item)
                self._set_alarm()

        # Outside callbacks a replay has another time than the session had. In the alarm's it is the
        # same, and there time begins to count.
        if self._is_at_home() and self._context.thrown.inside():
            wait()
        else:
            self._come(wait)
        return Disposable(lambda: self._drop(item))

    def _drop(self, item: Item) -> None:
        item.done.dispose()
        # Elsewhere, the alarm finds that the item is void.
        if self._is_at_home() and self._agenda.drop(item):
            self._set_alarm()

    def _set_alarm(self) -> None:
        """Sets the alarm. One that is earlier stays: it is set anew when it goes off."""
        if self._is_heard:
            return  # It is set at the end.
        due = self._agenda.first
        if due is not None and self._alarm is not None and self._alarm <= due:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._alarm = None, due
        if due is None:
            return
        self._number += 1
        with _while_open():
            milliseconds = -((self._time() - due) // 1000)
            self._timer = self._scope.send_after(max(0, milliseconds) / 1000, ALARM, self._number)

    # Alarms

    def _hear(self, event: Event) -> None:
        if event.value == self._number and self._alarm is not None:
            self._reached = max(self._reached, self._alarm)
            self._alarm = None
        elif event.value:
            return  # Another was set before it came.
        present = self._time()
        self._is_heard = True
        try:
            with self._running():
                self._take_in()
                for item in self._agenda.due_by(present):
                    self._present = item.due
                    self._run(item)
        finally:
            self._is_heard = False
            self._set_alarm()

    @contextlib.contextmanager
    def _running(self) -> Iterator[None]:
        """A turn: what is scheduled meanwhile, at this depth, runs within it. Raises the first
        exception at the end, since one that fails keeps no other from running.
        """
        before = (self._soon, self._depth, self._present, self._thrown)
        self._soon, self._depth = deque(), self._context.thrown.depth()
        self._present, self._thrown = None, None
        try:
            yield
            thrown = self._thrown
        finally:
            self._soon, self._depth, self._present, self._thrown = before
        if thrown is not None:
            try:
                raise thrown
            finally:
                del thrown

    def _run(self, item: Item) -> None:
        """Runs an item and all that it schedules at once."""
        soon = self._soon
        assert soon is not None
        soon.append(item)
        while soon:
            try:
                soon.popleft().invoke(self)
            except BaseException as exception:
                if self._thrown is None:
                    self._thrown = exception
                else:
                    self._context.thrown.report(exception, self)

    # Elsewhere

    def _come(self, begin: Callable[[], None]) -> None:
        self._came.append(begin)
        if not self._is_told:
            self._is_told = True
            with _while_open():
                self._scope.post(ALARM, 0)

    def _take_in(self) -> None:
        """Begins what was scheduled elsewhere, in the order in which it came."""
        self._is_told = False
        while self._came:
            self._came.popleft()()

    def _ended(self) -> None:
        self._agenda, self._alarm = Agenda(), None


@contextlib.contextmanager
def _while_open() -> Iterator[None]:
    try:
        yield
    except MainstemError as error:
        if error.status != Status.STALE:
            raise


# Where observables end: their values are sent as events, or set as a value ------------------------

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


# What a context has, as observables: events, values, requests -------------------------------------

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
    return shower, f"{model.name}.{stream}", lambda event: event._decoded(form.decode)


def _observable(subscribe: Any) -> Observable[Any]:
    """reactivex disposes what `subscribe` returns once: a function will do."""
    return Observable(subscribe)
