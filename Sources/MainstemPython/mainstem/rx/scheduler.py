# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A scheduler on a context's clock: its alarms are events, so a recorded session verifies."""

from __future__ import annotations

import contextlib
import ctypes
import threading
from collections import deque
from datetime import datetime, timedelta
from typing import Any, Callable, Deque, Iterator, Optional

from reactivex import abc
from reactivex.disposable import Disposable
from reactivex.scheduler.periodicscheduler import PeriodicScheduler

from .._library import C
from ..context._scope import Scope, Timer
from ..events._received import Event
from ..failure import MainstemError, Status, check
from ..observers._subscription import Filter, Subscription
from .agenda import Agenda, Item

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
