# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Workflows, which request the steps of a table in order, and undo logs."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Callable, List, Optional, Sequence, Union

from .._library import C, _callbacks, milliseconds_of
from .._library import _header as d
from ..events._catalogue import ScopeLike
from ..events._received import Event, error_of, event_of, value_of
from ..failure import Failure, check, encoded, refuse_async
from ..observers._calls import message_of
from ._server import Answered, Asked

if TYPE_CHECKING:
    from ._server import Kind

__all__ = ["SKIP", "Skip", "Step", "UndoLog", "Workflow", "WorkflowRun"]


class Skip:
    """The type of SKIP."""

    def __repr__(self) -> str:
        return "mainstem.SKIP"


#: A function of a step returns this to leave the step, or its undo, out.
SKIP = Skip()


class WorkflowRun:
    """What a function of a workflow gets: the request, and the answers so far."""

    __slots__ = ("_numbers", "_workflow", "answers", "request")

    #: The request that the workflow handles; of an undo log, the command.
    request: Any
    #: The answers, one for each step; None: that step is not done.
    answers: List[Any]

    def __init__(self, workflow: Workflow, struct: d.WorkflowRunStruct) -> None:
        scope, declared = workflow.scope, workflow.scope.context.catalogue.declared
        self._workflow = workflow
        self._numbers = workflow.numbers_of(struct)
        self.request = value_of(Event(scope, struct.request), declared)
        self.answers = [
            value_of(Event(scope, address), declared) if address else None
            for address in struct.answers[: struct.count]
        ]

    def answer_to(self, request: Kind[Asked, Answered]) -> Answered:
        """Returns the answer to a request class or type; LookupError if no step has one yet.

        If several steps request the same, it is the last answer in the order of the steps.
        """
        number = self._workflow.scope.context.catalogue.number_of(request)
        for step, answer in zip(self._numbers[::-1], self.answers[::-1]):
            if step == number and answer is not None:
                found: Answered = answer
                return found
        name = self._workflow.scope.context.catalogue.name_of(number)
        raise LookupError(f"{name} has no answer (yet): its step is not done, or was left out")

    def _over(self) -> None:
        """The library's events are gone."""
        for value in [self.request, *self.answers]:
            if value is not None:
                event_of(value)._address = 0


#: Makes an event from what is done so far.
Make = Callable[[WorkflowRun], Any]


class Step:
    """A step of a workflow: see `Scope.workflow`.

    `make` returns the request, or SKIP; without it, the step has the payload of the workflow's
    request. `undo` is the request that undoes the step, and `make_undo` returns it; without
    `make_undo`, it has the payload of the step's own request. Each attempt has `timeout` seconds. A
    step that fails is requested again, up to `retries` times; `backoff` is how many seconds the
    first retry waits, which doubles each time. A `parallel` step begins together with the step
    before it, and the next one that is not waits for both.
    """

    __slots__ = (
        "backoff",
        "make",
        "make_undo",
        "parallel",
        "request",
        "retries",
        "timeout",
        "undo",
    )

    def __init__(
        self,
        request: Union[type, str],
        make: Optional[Make] = None,
        *,
        undo: Union[type, str, None] = None,
        make_undo: Optional[Make] = None,
        timeout: Optional[float] = None,
        retries: int = 0,
        backoff: float = 0.0,
        parallel: bool = False,
    ) -> None:
        if retries < 0:
            raise ValueError(f"Step: retries is {retries}: it is at least 0")
        refuse_async(make, "make=")
        refuse_async(make_undo, "make_undo=")
        self.request = request
        self.make = make
        self.undo = undo
        self.make_undo = make_undo
        self.timeout = timeout
        self.retries = retries
        self.backoff = backoff
        self.parallel = parallel

    def __repr__(self) -> str:
        name = self.request if isinstance(self.request, str) else self.request.__name__
        return f"Step({name})"


class Workflow:
    """The steps of a workflow, and what makes its answer."""

    __slots__ = ("_asked", "_finish", "_steps", "numbers", "scope")

    def __init__(
        self, parent: ScopeLike, request: Any, steps: Sequence[Step], finish: Optional[Make]
    ) -> None:
        refuse_async(finish, "finish=")
        for step in steps:
            if not isinstance(step, Step):
                raise TypeError(f"workflow: {step!r} is not a mainstem.Step")
        self.scope = parent
        self._steps = list(steps)
        self._finish = finish
        self._asked = self._number_of(request)
        #: The request types of the steps.
        self.numbers = [self._number_of(step.request) for step in steps]

    def add(self, name: str, limit: int, child: Callable[[int, str], ScopeLike]) -> ScopeLike:
        """Adds it to its parent, and returns its scope."""
        rows = (d.WorkflowRow * len(self._steps))(*map(self._row_of, self._steps))
        options = d.WorkflowOptions(size=ctypes.sizeof(d.WorkflowOptions), limit=limit)
        if self._finish is not None:
            options.finish = _callbacks.on_workflow
        workflow = ctypes.c_void_p()
        number = _callbacks.keep(self.make)
        status = C.mainstem_workflow_add(
            self.scope.handle,
            encoded(name, "name"),
            self._name_of(self._asked),
            rows,
            ctypes.sizeof(d.WorkflowRow),
            len(rows),
            ctypes.byref(options),
            number,
            _callbacks.on_release,
            ctypes.byref(workflow),
        )
        if status:
            _callbacks.forget(number)
            check(status)
        self.scope = child(workflow.value or 0, name)
        return self.scope

    def numbers_of(self, struct: d.WorkflowRunStruct) -> List[int]:
        """Returns the request types that the answers of a run answer."""
        return self.numbers

    def make(self, address: int) -> None:
        """Makes a payload for the library."""
        struct = d.WorkflowRunStruct.from_address(address)
        thrown = self.scope.context.thrown
        depth = thrown.depth()
        run = WorkflowRun(self, struct)
        failure: Optional[Failure] = None
        try:
            thrown.enter(depth)
            failure = self._failure_of(run, struct)
            if failure is not None:
                C.mainstem_workflow_fail(ctypes.byref(struct), ctypes.byref(error_of(failure)))
        finally:
            # It holds the frames that called the function: with this variable, a cycle.
            del failure
            thrown.leave(depth)
            run._over()

    def _failure_of(self, run: WorkflowRun, struct: d.WorkflowRunStruct) -> Optional[Failure]:
        """Calls the function and passes on what it made, or returns why it could not."""
        try:
            made = self._made(run, struct)
            if made is SKIP:
                check(C.mainstem_workflow_skip(ctypes.byref(struct)))
            else:
                check(C.mainstem_workflow_pass(ctypes.byref(struct), made, len(made)))
        except Failure as failure:
            return failure
        except BaseException as exception:
            self.scope.context.thrown.report(exception, run.request)
            return Failure(message_of(exception, run.request))
        return None

    def _made(self, run: WorkflowRun, struct: d.WorkflowRunStruct) -> Any:
        catalogue = self.scope.context.catalogue
        if struct.row == struct.count and self._finish is not None:
            answer = self._finish(run)
            _demand(answer, "finish", "the answer")
            return answer if answer is SKIP else catalogue.encode_answer(self._asked, answer)
        step = self._steps[struct.row]
        function = step.make_undo if struct.undoes else step.make
        number = self._number_of(step.undo) if struct.undoes else self.numbers[struct.row]
        made = None if function is None else function(run)
        _demand(made, f"the function of {catalogue.name_of(number)}", "it, or mainstem.SKIP")
        return made if made is SKIP else catalogue.encode(number, made)

    def _row_of(self, step: Step) -> d.WorkflowRow:
        row = d.WorkflowRow(self._name_of(self._number_of(step.request)))
        if step.make is not None:
            row.fn = _callbacks.on_workflow
        if step.undo is not None:
            row.undo = self._name_of(self._number_of(step.undo))
        if step.make_undo is not None:
            row.undo_fn = _callbacks.on_workflow
        # 0 s is a time, too, but below 0 is a mistake, which the library names.
        row.timeout_ms = 0 if step.timeout is None else milliseconds_of(step.timeout) or 1
        row.retries = step.retries
        row.backoff_ms = milliseconds_of(step.backoff)
        row.flags = d.WORKFLOW_PARALLEL if step.parallel else 0
        return row

    def _number_of(self, what: Any) -> int:
        return self.scope.context.catalogue.number_of(what)

    def _name_of(self, number: int) -> bytes:
        return encoded(self.scope.context.catalogue.name_of(number), "request")


class UndoLog(Workflow):
    """The commands of an undo log, and what makes their inverses."""

    __slots__ = ()

    def __init__(self, parent: ScopeLike, commands: Sequence[Step]) -> None:
        for step in commands:
            if not isinstance(step, Step):
                raise TypeError(f"undo_log: {step!r} is not a mainstem.Step")
            if step.undo is None:
                raise TypeError(f"undo_log: {step!r} has no undo=")
            others = (step.make, step.timeout, step.retries, step.backoff, step.parallel)
            if others != (None, None, 0, 0.0, False):
                raise TypeError(f"undo_log: {step!r} has more than undo= and make_undo=")
        super().__init__(parent, commands[0].request if commands else 0, commands, None)

    def add_log(
        self,
        name: str,
        undo: Any,
        redo: Any,
        shown: Any,
        limit: int,
        child: Callable[[int, str], ScopeLike],
    ) -> ScopeLike:
        """Adds it to its parent, and returns its scope."""
        rows = (d.UndoLogRow * len(self._steps))()
        for row, step in zip(rows, map(self._row_of, self._steps)):
            row.request, row.undo, row.fn = step.request, step.undo, step.undo_fn
        names = (self._name_of(self._number_of(what)) for what in (undo, redo, shown))
        options = d.UndoLogOptions(ctypes.sizeof(d.UndoLogOptions), 0, *names, limit)
        log = ctypes.c_void_p()
        number = _callbacks.keep(self.make)
        status = C.mainstem_undo_log_add(
            self.scope.handle,
            encoded(name, "name"),
            rows,
            ctypes.sizeof(d.UndoLogRow),
            len(rows),
            ctypes.byref(options),
            number,
            _callbacks.on_release,
            ctypes.byref(log),
        )
        if status:
            _callbacks.forget(number)
            check(status)
        self.scope = child(log.value or 0, name)
        return self.scope

    def numbers_of(self, struct: d.WorkflowRunStruct) -> List[int]:
        """Returns the type of the command."""
        return [self.numbers[struct.row]]


def _demand(made: Any, function: str, wanted: str) -> None:
    if made is None:
        raise TypeError(f"{function} returned None: return {wanted}")
