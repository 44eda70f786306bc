# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""How a command is carried out, at once or in steps."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Optional

from ._children import Child
from ._library import C
from .events._received import Event, Retained, error_of
from .failure import Failure, MainstemError, Status, check, hidden
from .family import signed
from .model import Row
from .mutating import Awaited
from .observers._calls import message_of
from .steps import Step

if TYPE_CHECKING:
    from .live import Live


class Carrying:
    """Carries out one command of a live view model."""

    __slots__ = ("_live", "_row")

    def __init__(self, live: "Live", row: Row) -> None:
        self._live = live
        self._row = row

    def begin(self, facts: Any, address: int) -> None:
        """Runs it for the library."""
        live, row = self._live, self._row
        event = Event(live.owner, address)
        raised: Optional[BaseException] = None
        outcome: Any = None
        try:
            assert row.arguments is not None
            if isinstance(row.member, Child):
                outcome = live.family.only(row.python)
            if outcome is None:
                given = row.arguments.decode(event.data)
                if live.mutating is None:
                    outcome = row.arguments.call(row.member.function, live.instance, given)
                else:
                    outcome = live.mutating.act(row, given, address)
        except BaseException as exception:
            raised = exception
        try:
            if raised is None and (type(outcome) is Awaited or inspect.iscoroutine(outcome)):
                _Going(self, event, outcome).begin()
            else:
                self.answer(event, address, outcome, raised)
        finally:
            # It holds this frame, and with this variable they would be a cycle.
            del raised
        event._address = 0

    def answer(
        self, event: Event, pointer: int, outcome: Any, raised: Optional[BaseException]
    ) -> None:
        """Answers a run. Raises what went wrong, unless that is a Failure: an answer, too."""
        try:
            if raised is None:
                raised = self._refused(pointer, outcome)
            if raised is None:
                return
            if event.secret and not isinstance(raised, Failure):
                raised = hidden(raised)
            if not isinstance(raised, Failure):
                told = Failure(message_of(raised, event))
                C.mainstem_respond_error_with(pointer, error_of(told))
                raise raised
            status = C.mainstem_respond_error_with(pointer, error_of(raised))
            if status != Status.STALE:
                check(status)
        finally:
            del raised

    def _refused(self, pointer: int, outcome: Any) -> Optional[BaseException]:
        """Answers with an outcome. Returns why that is no answer, or None."""
        try:
            self._answer(pointer, outcome)
        except MainstemError as error:
            return None if error.status == Status.STALE else error
        except Exception as error:
            return error
        return None

    def _answer(self, pointer: int, outcome: Any) -> None:
        row = self._row
        if isinstance(row.member, Child):
            outcome = signed(self._live.family.make(row.python, outcome))
        if row.answer is not None:
            data = row.answer.encode(outcome, f"what {row.path} returns")
        elif outcome is None:
            data = b""  # The library's own answer, too; but a run in steps needs this one.
        else:
            kind = type(outcome).__name__
            raise TypeError(f"{row.path} returned a {kind}, and says no type: declare `-> {kind}`")
        check(C.mainstem_respond(pointer, data, len(data)))


class _Going:
    """A run of an async command that has not come to its end."""

    __slots__ = ("_carrying", "_coroutine", "_event", "_kept", "_step")

    def __init__(self, carrying: Carrying, event: Event, coroutine: Any) -> None:
        self._carrying = carrying
        self._coroutine = coroutine
        self._event = event
        self._kept: Optional[Retained[Any]] = None
        self._step = Step(carrying._live, carrying._row.path, coroutine, self._done)

    def begin(self) -> None:
        """Takes the first step; if that is not the last, keeps the request."""
        self._step.go_on()
        if not self._step.is_over:
            self._kept = self._event.retain()
            if type(self._coroutine) is Awaited:
                self._coroutine.address = self._kept._pointer()
            self._event.on_settled(self._stop)

    def _stop(self) -> None:
        self._step.stop()
        if self._kept is not None:
            self._kept.release()

    def _done(self, outcome: Any, raised: Optional[BaseException]) -> None:
        kept = self._kept
        pointer = self._event._live() if kept is None else kept._pointer()
        try:
            self._carrying.answer(self._event, pointer, outcome, raised)
        finally:
            del raised
            if kept is not None:
                kept.release()
