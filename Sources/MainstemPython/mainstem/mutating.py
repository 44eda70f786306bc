# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""How a live reactor takes mutations: each is sent, then reduced."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any, AsyncGenerator, Callable, Generator, Optional

from ._library import C
from .events._codec import form_of
from .failure import Status, check

if TYPE_CHECKING:
    from .live import Live


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
