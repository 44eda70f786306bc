# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Async commands, step by step, what they await, and the mutations of reactors."""

from __future__ import annotations

import functools
import types
import weakref
from typing import (
    TYPE_CHECKING,
    Any,
    AsyncGenerator,
    Callable,
    Coroutine,
    Dict,
    Generator,
    Generic,
    List,
    Optional,
    Tuple,
    TypeVar,
)

from .._library import C
from ..context._scope import Timer
from ..events._catalogue import ContextLike
from ..events._codec import form_of
from ..failure import Cancelled, Failure, Status, again, check, refuse_async
from ..servers._requests import Pending
from ._declared import Child
from ._model import Row

if TYPE_CHECKING:
    from ._live import Live

__all__ = [
    "Awaited",
    "Mutating",
    "PendingAnswer",
    "Step",
    "Steps",
    "answer_reader",
    "ask_another",
    "ask_own",
    "found_by",
]


# The steps: each runs inside the callback that brings what it awaited -----------------------------

Answer = TypeVar("Answer")


class PendingAnswer(Generic[Answer]):
    """What a view model asked for. An async command awaits it."""

    __slots__ = (
        "__weakref__",
        "_failure",
        "_is_seen",
        "_live",
        "_resume",
        "_stop",
        "_value",
        "is_over",
    )

    #: Whether the answer has come.
    is_over: bool

    def __init__(self, live: "Live") -> None:
        self._live = live
        self._value: Any = None
        self._failure: Optional[BaseException] = None
        self._is_seen = True
        self._resume: List[Callable[[], None]] = []
        self._stop: Optional[Callable[[], object]] = None
        self.is_over = False

    def __await__(self) -> Generator[Any, None, Answer]:
        if not self.is_over:
            yield self
        self._is_seen = True
        if self._failure is not None:
            raise again(self._failure)
        answer: Answer = self._value
        return answer

    def stop_with(self, stop: Callable[[], object]) -> None:
        """Says how it is given up. That holds what settles it: without an answer, a cycle."""
        if not self.is_over:
            self._stop = stop

    def cancel(self) -> None:
        """Gives it up. Does nothing if the answer has come."""
        if not self.is_over and self._stop is not None:
            self._stop()

    def await_no_more(self, go_on: Callable[[], None]) -> None:
        """Forgets who awaits it. If nobody else does, it is given up."""
        if go_on in self._resume:
            self._resume.remove(go_on)
        if not self._resume:
            self.cancel()

    def settle(self, value: Any, failure: Optional[BaseException] = None) -> None:
        """Notes the answer, and goes on with the command that awaits it."""
        if self.is_over:
            return
        self._value, self._failure = value, failure
        self._is_seen = failure is None
        self.is_over = True
        self._stop = None
        resume, self._resume = self._resume, []
        for go_on in resume:
            go_on()
        if not self._is_seen:
            self._live.steps.has_failed(self)

    def tell(self) -> None:
        """Reports its failure, if nobody has got it. That it was given up is no failure."""
        failure, is_seen, self._is_seen = self._failure, self._is_seen, True
        if failure is None or is_seen:
            return
        if not isinstance(failure, Failure) or failure.status != Status.CANCELLED:
            self._live.context.thrown.report(failure, self._live.owner)

    # No error is silent. Nothing on the way of a request makes a cycle, so this comes at once.
    __del__ = tell


class Steps:
    """The async commands of a view model that are going on."""

    __slots__ = (
        "_answered",
        "_answers",
        "_count",
        "_failed",
        "_live",
        "_sleepers",
        "_type",
        "running",
    )

    def __init__(self, live: "Live") -> None:
        self._live = live
        self._count = 0
        #: What sleeps, and for how many seconds.
        self._sleepers: Dict[int, Tuple[PendingAnswer[None], float]] = {}
        self._type = 0
        self.running: List["Step"] = []
        #: What has failed, and may still be awaited.
        self._failed: List["weakref.ref[PendingAnswer[Any]]"] = []
        #: What other view models have answered, by the number that `Owner.request.answered` has.
        self._answers: Dict[int, Tuple[PendingAnswer[Any], Any, Optional[BaseException]]] = {}
        self._answered = 0

    def sleep(self, seconds: float) -> PendingAnswer[None]:
        """Arms a timer that goes on with who awaits it."""
        live = self._live
        if not self._type:
            self._type = live.own_notice("sleep", int)
            live.observe(self._type, self._wake, live.owner)
        self._count += 1
        asked: PendingAnswer[None] = PendingAnswer(live)
        data = self._count.to_bytes(8, "little")
        timer = Timer(live.owner, self._type, data, seconds, False)
        asked.stop_with(functools.partial(self._wake_never, self._count, timer))
        self._sleepers[self._count] = (asked, seconds)
        return asked

    def sleeps(self) -> List[float]:
        """For how many seconds each of its sleeps is."""
        return [seconds for _, seconds in self._sleepers.values()]

    def _wake_never(self, number: int, timer: Timer) -> None:
        sleeper = self._sleepers.pop(number, None)
        timer.cancel()
        if sleeper is not None:
            self._live.within(sleeper[0].settle, None, Cancelled("the sleep was cancelled"))

    def _wake(self, event: Any) -> None:
        sleeper = self._sleepers.pop(int.from_bytes(event.data, "little"), None)
        if sleeper is not None:
            self._live.within(sleeper[0].settle, None)

    def hear_answers(self) -> None:
        """Hears its own events for the answers of other view models."""
        if not self._answered:
            live = self._live
            self._answered = live.own_notice("request.answered", int)
            live.observe(self._answered, self._hear, live.owner)

    def settle(
        self, asked: PendingAnswer[Any], value: Any, failure: Optional[BaseException]
    ) -> None:
        """Settles what another view model has answered, with an event of this one."""
        self._count += 1
        data = self._count.to_bytes(8, "little")
        self._answers[self._count] = (asked, value, failure)
        if C.mainstem_send(self._live.owner.handle, self._answered, data, len(data)):
            # There is no room: it goes on at once, and shows after its next event.
            self._settle(self._count)

    def _hear(self, event: Any) -> None:
        self._settle(int.from_bytes(event.data, "little"))

    def _settle(self, number: int) -> None:
        asked, value, failure = self._answers.pop(number, (None, None, None))
        if asked is not None:
            self._live.within(asked.settle, value, failure)

    def has_failed(self, asked: PendingAnswer[Any]) -> None:
        """Reports a failure that nobody awaits: at once, unless an async command still may."""
        if not self.running:
            asked.tell()
        else:
            self._failed = [one for one in self._failed if one() is not None]
            self._failed.append(weakref.ref(asked))

    def is_over(self, step: "Step") -> None:
        """Notes that an async command has ended."""
        if step in self.running:
            self.running.remove(step)
        if not self.running and self._failed:
            failed, self._failed = self._failed, []
            for reference in failed:
                asked = reference()
                if asked is not None:
                    asked.tell()

    def end(self) -> None:
        """Ends all that is going on: the view model has ended."""
        for step in list(self.running):
            try:
                step.close()
            except Exception as exception:
                self._live.context.thrown.report(exception, self._live.owner)


class Step:
    """One async command that is going on: it takes its next step when what it awaits is there."""

    __slots__ = ("_awaits", "_coroutine", "_done", "_live", "_path", "is_over")

    def __init__(
        self,
        live: "Live",
        path: str,
        coroutine: Coroutine[Any, Any, Any],
        done: Callable[[Any, Optional[BaseException]], None],
    ) -> None:
        self._live = live
        self._path = path
        self._coroutine = coroutine
        self._done = done
        self._awaits: Optional[PendingAnswer[Any]] = None
        self.is_over = False
        live.steps.running.append(self)

    def go_on(self) -> None:
        """Runs it to where it awaits something, or to its end."""
        if self.is_over:
            return
        self._awaits = None
        wrong: List[BaseException] = []
        while True:
            try:
                if not wrong:
                    awaits = self._coroutine.send(None)
                else:
                    awaits = self._coroutine.throw(wrong.pop())
            except StopIteration as stop:
                self._end(stop.value, None)
                return
            except BaseException as exception:
                self._end(None, exception)
                return
            if isinstance(awaits, PendingAnswer) and awaits._live.context is self._live.context:
                self._awaits = awaits
                awaits._resume.append(self.go_on)
                return
            wrong.append(
                RuntimeError(
                    f"{self._path} awaits {_kind(awaits)}: a command awaits only what it asked"
                    " through self.request, a command of another view model, and self.sleep; what"
                    " the world answers belongs into a server"
                )
            )

    def stop(self) -> None:
        """Stops it where it is: nobody waits for it any more."""
        if self.is_over:
            return
        awaits, self._awaits = self._awaits, None
        if awaits is not None:
            awaits.await_no_more(self.go_on)
        self._live.within(self.close)

    def close(self) -> None:
        """Ends the coroutine: its `finally` runs."""
        self._is_ending()
        self._coroutine.close()

    def _is_ending(self) -> Callable[[Any, Optional[BaseException]], None]:
        """Lets go of everything. Returns what is to be told of the end."""
        self.is_over = True
        self._awaits = None
        # What gets the outcome holds this step.
        done, self._done = self._done, _nothing
        self._live.steps.is_over(self)
        return done

    def _end(self, value: Any, failure: Optional[BaseException]) -> None:
        try:
            self._is_ending()(value, failure)
        finally:
            del failure


def _nothing(*_: Any) -> None: ...


def _kind(awaits: Any) -> str:
    """What something that is awaited is called."""
    if awaits is None:
        return "the loop"
    if isinstance(awaits, PendingAnswer):
        return "what was asked in another context"
    return f"a {type(awaits).__name__}"


# What a view model asks in its own methods --------------------------------------------------------


def ask_own(
    live: "Live",
    event: Any,
    data: Any,
    *,
    read: Optional[Callable[[Any], Any]] = None,
    then: Optional[Callable[[Any], object]] = None,
    failed: Optional[Callable[["Failure"], object]] = None,
    timeout: Optional[float] = None,
    share: bool = False,
    progress: Optional[Callable[[Any], object]] = None,
) -> PendingAnswer[Any]:
    """Asks a server as a view model. `read` makes of an answer what it gets."""
    for function in (then, failed, progress):
        refuse_async(function, "a function of request")
    asked: PendingAnswer[Any] = PendingAnswer(live)

    def answered(answer: Any) -> None:
        value = answer if read is None else read(answer)
        if then is not None:
            live.within(then, value)
        live.within(asked.settle, value)

    def lost(failure: "Failure") -> None:
        if failed is not None:
            live.within(failed, failure)
        live.within(asked.settle, None, None if failed is not None else failure)

    number, payload = live.context.catalogue.outgoing(event, data)
    step = None if progress is None else lambda told: live.within(progress, told)
    pending = Pending(live.owner, answered, step, lost, isinstance(event, str))
    pending.ask(number, payload, timeout, share)
    asked.stop_with(pending.cancel)
    return asked


# A command of one view model that another one runs ------------------------------------------------

Read = Callable[[bytes], Any]


def answer_reader(row: Row, context: ContextLike) -> Read:
    """Returns the function that reads the answer of a command; of a child, its view model."""
    if isinstance(row.member, Child):
        return lambda data: found_by(context, int.from_bytes(data, "little"))
    return _no_answer if row.answer is None else row.answer.decode


def found_by(context: ContextLike, number: int) -> Any:
    """Returns the view model whose scope has a number; one that is not Python's is the number."""
    return context.view_models.get(number, number)


def _no_answer(_: Any) -> None: ...


def ask_another(
    asker: Optional["Live"], callee: "Live", kind: int, data: bytes, read: Read
) -> PendingAnswer[Any]:
    """Runs a command inside a callback: an output of it."""
    asked: PendingAnswer[Any] = PendingAnswer(asker or callee)
    if asker is not None:
        asker.steps.hear_answers()

    # The request goes through the owner, and its answer comes there. What follows is the asker's.
    def settle(value: Any, failure: Optional[BaseException]) -> None:
        if asker is None:
            asked.settle(value, failure)
        else:
            asker.steps.settle(asked, value, failure)

    pending = Pending(
        callee.owner,
        lambda event: settle(read(event.data), None),
        failed=lambda failure: settle(None, failure),
        named=True,
    )
    pending.ask(kind, data)
    asked.stop_with(pending.cancel)
    return asked


# How a live reactor takes mutations: each is sent, then reduced -----------------------------------


class Mutating:
    """Takes the mutations of a live reactor."""

    __slots__ = (
        "_before",
        "_encode",
        "_live",
        "_mutated",
        "_path",
        "_transform",
        "_type",
        "is_stub",
    )

    def __init__(self, live: "Live", kind: int, row: Any) -> None:
        reactor: Any = live.instance
        self._live = live
        self._type = kind
        self._encode = row.form.encode
        self._path = f"a mutation of {live.model.name}"
        self._mutated = getattr(reactor, "mutated", None)
        self._before = getattr(reactor, "transform_action", None)
        self._transform = getattr(reactor, "transform_mutation", None)
        #: A test says what it shows.
        self.is_stub = False

    def take(self, mutation: Any, action: Optional[int] = None) -> bool:
        """Takes a mutation of an action, or of none; False: that action has its answer."""
        if self.is_stub:
            return True
        if self._transform is not None:
            mutation = self._transform(mutation)
            if mutation is None:
                return True
        data = self._encode(mutation, self._path)
        if action is None:
            status = C.mainstem_send(self._live.owner.handle, self._type, data, len(data))
        else:
            status = C.mainstem_respond_progress(action, self._type, data, len(data))
            if status == Status.STALE:
                return False
        if status:
            check(status)
        self.reduce(mutation)
        return True

    def reduce(self, mutation: Any) -> None:
        """Reduces a mutation that was sent."""
        self._live.instance._reduce(mutation)  # type: ignore[attr-defined]
        if self._mutated is not None:
            self._mutated(mutation)

    def stub(self, state: Any) -> None:
        """Does nothing from now on, and shows the states that a test gives."""
        live = self._live
        reactor: Any = live.instance
        kind_of_state: Any = type(reactor.state)
        form = form_of(kind_of_state)
        kind = live.own_notice("state", form.payload)
        if not self.is_stub:

            def force(event: Any) -> None:
                live.within(live.instance.__dict__.__setitem__, "state", form.decode(event.data))

            live.observe(kind, force, live.owner)
            self.is_stub = True
        if state is not None:
            data = form.encode(state, f"a state of {live.model.name}")
            live.context.thrown.returned(C.mainstem_send(live.owner.handle, kind, data, len(data)))

    def act(self, row: Any, given: Any, address: int) -> Any:
        """Carries an action out; returns what is left to be awaited, if there is something."""
        if self.is_stub:
            return None
        if self._before is not None:
            given = self._before(row.python, tuple(given))
            if given is None:
                return None
        outcome = row.arguments.call(row.member.function, self._live.instance, given)
        kind = type(outcome)
        if kind is types.GeneratorType:
            self._drain(outcome, address)
            return None
        return Awaited(self, outcome, address) if kind is types.AsyncGeneratorType else outcome

    def _drain(self, action: Generator[Any, None, None], address: int) -> None:
        """Takes all that an action yields. What goes wrong is raised where it has yielded."""
        mutation = next(action, action)
        while mutation is not action:
            try:
                is_over = not self.take(mutation, address)
            except Exception as exception:
                try:
                    mutation = action.throw(exception)
                except StopIteration:
                    return
            else:
                if is_over:
                    action.close()
                    return
                mutation = next(action, action)


class Awaited:
    """An action that yields and awaits, in the form of a coroutine: only what it awaits is seen."""

    __slots__ = ("_action", "_mutating", "_next", "address")

    def __init__(self, mutating: Mutating, action: AsyncGenerator[Any, None], address: int) -> None:
        self._mutating = mutating
        self._action = action
        #: The address of the action's event, or of that event kept.
        self.address = address
        self._next: Any = action.asend(None)

    def send(self, value: Any) -> Any:
        """Runs it to what it awaits next."""
        return self._go_on(lambda: self._next.send(value))

    def throw(self, exception: BaseException) -> Any:
        """Raises an exception where it awaits."""
        return self._go_on(lambda: self._next.throw(exception))

    def close(self) -> None:
        """Ends it where it awaits: its `finally` runs."""
        try:
            self._next.throw(GeneratorExit())
        except (GeneratorExit, StopAsyncIteration):
            return
        except StopIteration:
            pass
        raise RuntimeError("an action yields while it ends")

    def _go_on(self, step: Callable[[], Any]) -> Any:
        while True:
            try:
                return step()
            except StopAsyncIteration:
                raise StopIteration(None) from None
            except StopIteration as yielded:
                mutation = yielded.value
            try:
                is_over = not self._mutating.take(mutation, self.address)
            except Exception as exception:
                self._next = self._action.athrow(exception)
            else:
                self._next = self._action.asend(None)
                if is_over:
                    self.close()
                    raise StopIteration(None)
            step = self._step

    def _step(self) -> Any:
        return self._next.send(None)
