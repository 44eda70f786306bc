# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The test kit: a context with a transcript, a virtual clock, stubs and seeds.

    def test_a_greeting():
        with TestContext() as test:
            test.install(Greeter())
            test.send(RequestGreet(name="Ada"))
            test.expect(RequestGreet(name="Ada"))
            test.expect(ResponseGreeting(text="Hello, Ada!"))

When the block ends, an AssertionError reports any event that was not expected, anything still in
flight and anything still subscribed, with the events that led to it.
"""

from __future__ import annotations

import functools
import inspect
import os
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    List,
    NoReturn,
    Optional,
    Tuple,
    Type,
    Union,
    overload,
)

from ..context._scope import Scope
from ..events._declaration import Value
from ..events._payload import Data
from ..failure import Failure, discreet, refuse_async
from ._time import Timing
from ._transcript import (
    NEVER,
    After,
    Known,
    Models,
    Navigation,
    RecordingStage,
    Stub,
    difference,
    expect_routes,
    is_it,
    payload_of,
    shown,
    stub_reactor,
    tree_text,
)

if TYPE_CHECKING:
    from ..events._received import Event
    from ..servers._server import One

__all__ = [
    "NEVER",
    "After",
    "RecordingStage",
    "Stub",
    "TestContext",
    "expect_routes",
    "for_seeds",
    "stub_reactor",
    "tree_text",
]


class TestContext(Models, Navigation, Timing):
    """A context for a test: time stands still until `advance`; every event must be expected.

    An exception in a callback is raised by the call that ran it. The `seed` decides the random
    numbers, and the order in which schedulers run. The other options are those of `Context`.
    """

    __test__ = False  # Not a test class for pytest, despite its name.

    __slots__ = (
        "_has_failed",
        "_kept_subscriptions",
        "_kept_timers",
        "_servers",
        "_stubs",
        "_views",
        "seed",
    )

    def __init__(self, *, seed: int = 1, **options: Any) -> None:
        super().__init__(clock="virtual", seed=seed, raises=True, **options)
        self.seed = seed
        self._stubs: List[Stub] = []
        #: What was installed, and how many subscriptions that has; None is never ended.
        self._servers: List[Tuple[Optional[Scope], int]] = []
        self._views: List[Any] = []
        self.view_models: Dict[int, Any] = Known()
        self._kept_subscriptions = self._kept_timers = 0
        self._has_failed = False
        self.observe(self._note)

    # What must have happened

    @overload
    def expect(self, event: One) -> One: ...
    @overload
    def expect(self, event: Failure) -> Event: ...
    @overload
    def expect(self, event: str, data: Data = None) -> Event: ...
    @discreet
    def expect(self, event: Union[Value, Failure, str], data: Data = None) -> Any:
        """Expects this event next, or a failed response with this Failure. Returns it.

        `event` is an object of an event class, a Failure, or the name of a type with its data.
        """
        __tracebackhide__ = True
        expected: Any = event
        if isinstance(event, str):
            number = next((one.type for one in self._transcript.events if one.name == event), 0)
            expected = (event, self.catalogue.encode_plain(number, data, event))
        elif isinstance(event, Value):
            self.catalogue.refuse_second(type(event))
        found = self._take(self._shown(expected, None), event)
        if not is_it(expected, found):
            self._differ(self._shown(expected, found), found, difference(expected, found))
        return payload_of(found, type(event)) if isinstance(event, Value) else found

    @overload
    def next(self, what: Type[One]) -> One: ...
    @overload
    def next(self, what: str) -> Event: ...
    @discreet
    def next(self, what: Any) -> Any:
        """Expects an event of this class or name next, not a failed response. Returns it."""
        __tracebackhide__ = True
        name = what if isinstance(what, str) else self.catalogue.refuse_second(what).name
        found = self._take(name, name)
        if found.name != name or found.failed:
            self._differ(name, found, [])
        return found if isinstance(what, str) else payload_of(found, what)

    def expect_nothing(self) -> None:
        """Expects nothing more: everything that has happened must have been expected by now."""
        __tracebackhide__ = True
        rest = self._transcript.take_rest()
        if rest:
            self._has_failed = True
            lines = [f"  but it did {self._transcript.told(event)}" for event in rest]
            raise AssertionError("\n".join(["nothing was expected to happen", *lines]))

    def skip(self) -> None:
        """Skips all events not expected so far: for what a test is not about."""
        self._transcript.take_rest()

    def _shown(self, expected: Any, found: Any) -> str:
        """The text of an expectation; for a secret, without its payload or its error's message."""
        if isinstance(expected, tuple) and self.catalogue.is_secret(
            self.catalogue.number_of(expected[0])
        ):
            return f"{expected[0]} <secret>"
        if isinstance(expected, Failure) and found is not None and found.secret:
            return f"{expected.code} <secret>"
        return shown(expected)

    def _take(self, expected: str, name: Any) -> Any:
        __tracebackhide__ = True
        found = self._transcript.take(name if isinstance(name, str) else "")
        if found is None:
            self._has_failed = True
            events = self._transcript.events
            last = f"\n  last was   {events[-1]}" if events else ""
            if self._loop is not None and self._virtual().is_busy():
                last += "\n  an async function has not ended: test.advance() lets it go on"
            raise AssertionError(f"nothing more has happened\n  expected   {expected}{last}")
        return found

    def _differ(self, expected: str, found: Any, details: List[str]) -> None:
        __tracebackhide__ = True
        self._has_failed = True
        lines = ["another event has happened", f"  expected   {expected}"]
        lines += [f"  but it was {self._transcript.told(found)}", *details]
        raise AssertionError("\n".join(lines))

    # Servers and stubs

    def _installed(self, install: Callable[[], Any]) -> Any:
        """Notes a server, or what is declared: these may still be there at the end of the test."""
        before, inner = self.stats().subscriptions, len(self._servers)
        made = install()
        count = self.stats().subscriptions - before
        count -= sum(count for _, count in self._servers[inner:])
        self._servers.append((made, count))
        return made

    def stub(self, what: Any, answers: Any) -> Stub:
        """Adds a server that answers requests of a class, or type, with these answers, in order.

        An answer is a value, a Failure, bytes or text, `After(seconds, answer)`, or NEVER. It is an
        error at the end if there were more requests than answers, or fewer. `answers` may also be a
        function, which is called for each request, any number of times.
        """
        kind = self.catalogue.name_of(self.catalogue.number_of(what))
        stub = Stub(kind, answers, self._answer_later)
        self.server("Stub", {what: stub.answer})
        self._stubs.append(stub)
        return stub

    def keep(self) -> None:
        """Allows all current subscriptions and armed timers to remain at the end.

        Call it after setting up a test. Its servers and stubs do not need it.
        """
        stats = self.stats()
        self._kept_subscriptions = (
            stats.subscriptions - 1 - sum(count for _, count in self._servers) - self._lasting()
        )
        self._kept_timers = stats.timers

    # The end

    def close(self) -> None:
        """Closes it. AssertionError if anything is unexpected, in flight or still subscribed.

        After an expectation that has failed, it says nothing more: the rest follows from that.
        """
        __tracebackhide__ = True
        if self.closed:
            return
        left = [] if self._has_failed else self._left()
        self._let_go()
        if left:
            lines = ["something is left at the end of the test", *(f"  {line}" for line in left)]
            raise AssertionError("\n".join(lines))

    def __exit__(self, kind: Any = None, *exception: object) -> None:
        __tracebackhide__ = True
        if kind is None:
            self.close()
        else:
            self._let_go()

    async def __aenter__(self) -> NoReturn:
        raise TypeError(
            "the time of a test context is virtual: use `with`, also for async handlers, and"
            " `advance` or `request`, which run them"
        )

    def _let_go(self) -> None:
        for delayed in self._delayed:
            delayed.request._handle = None  # The close finds it open, and ends it.
        if not self.closed and self._loop is not None:
            self._virtual().finish()
        super().close()

    def _left(self) -> List[str]:
        told = self._transcript.told
        left = [f"nobody expected {told(event)}" for event in self._transcript.take_rest()]
        self._end_components()
        left += [f"not answered: {told(event)}" for event in self._transcript.open_requests()]
        left += self._in_flight()
        for stub in self._stubs:
            left += stub.left()
        return left + self._subscribed()

    def _in_flight(self) -> List[str]:
        stats = self.stats()
        left = [f"{stats.waiting} posted and not drained"] if stats.waiting else []
        timers = stats.timers - self._kept_timers
        if timers > 0:
            sleeping = self._sleeping()[:timers]
            left += sleeping
            if timers > len(sleeping):
                left.append(f"{timers - len(sleeping)} still to come from timers")
        if not stats.waiting and self.next_timeout() == 0:
            left.append("something waits to be drained: advance()")
        if self._loop is not None:
            told = self._transcript.told
            left += [f"its handler has not ended: {told(one)}" for one in self._virtual().unended()]
        return left

    def _subscribed(self) -> List[str]:
        """Ends the test's servers, which may be there, and lists who is still subscribed."""
        lasting = self._lasting()
        for server, count in self._servers:
            if server is None:
                lasting += count
            else:
                server.end()
        self._end_models()
        count = self.stats().subscriptions - 1 - self._kept_subscriptions - lasting
        return [f"{count} still subscribed (call keep() after the setup)"] if count > 0 else []


def for_seeds(count: int, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """Runs a test with the seeds 1 to `count`. Each run gets its own TestContext.

    Host and serial schedulers run event by event, in an order that the seed decides. So the same
    program runs in `count` interleavings. A failure's text names the seed; with the environment
    variable MAINSTEM_TEST_SEED set to it, only that seed is run. Options are those of TestContext.
    """
    if count < 1:
        raise ValueError("for_seeds: at least 1")

    def decorate(function: Callable[..., Any]) -> Callable[..., None]:
        refuse_async(function, "a test for seeds")

        @functools.wraps(function)
        def run(*arguments: Any, **named: Any) -> None:
            only = os.environ.get("MAINSTEM_TEST_SEED")
            for seed in [int(only)] if only else range(1, count + 1):
                try:
                    with TestContext(seed=seed, **options) as test:
                        function(test, *arguments, **named)
                except Exception as exception:
                    said = f"with seed {seed} (MAINSTEM_TEST_SEED={seed} runs it alone): "
                    said += f"{type(exception).__name__}: {exception}"
                    raise AssertionError(said) from exception

        # The test runner supplies the other parameters: pytest's fixtures.
        signature = inspect.signature(function)
        run.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=list(signature.parameters.values())[1:]
        )
        return run

    return decorate
