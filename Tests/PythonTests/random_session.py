# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A program that does what its random numbers say, with all that may happen to it from outside.

Everything inside follows from `Context.random`: it does the same again when it is fed the same.
"""

from __future__ import annotations

import contextlib
import threading
from typing import Any, NamedTuple

from mainstem import LATER, Context, Failure, MainstemError, Status

NOTICES = ("A", "B", "C")
REQUESTS = ("RequestX", "RequestY", "RequestZ", "RequestW", "RequestNobody")


class Options(NamedTuple):
    """What kind of context it is, and what observes besides."""

    steps: int
    threads: str
    clock: str
    deliver: str
    host: bool
    serial: bool

    @classmethod
    def drawn(cls, random: Any) -> "Options":
        """Some options."""
        threads = random.choice(("one", "any"))
        return cls(
            steps=random.randrange(1, 40),
            threads=threads,
            clock=random.choice(("monotonic", "virtual")),
            deliver=random.choice(("immediate", "immediate", "host")),
            host=random.random() < 0.4,
            serial=threads == "any" and random.random() < 0.4,
        )

    def open(self) -> Context:
        """A context of that kind."""
        return Context(
            threads=self.threads,
            clock=self.clock,
            deliver=self.deliver,
            on_exception=lambda exception, event: None,
        )


def add_types(context: Context) -> None:
    """The types of the program."""
    for name in NOTICES:
        context.type_add(name, str)
    for name in REQUESTS:
        response = name.replace("Request", "Response")
        context.type_add(name, str, response=response)
        context.type_add(response, str)


def fuel_of(value: Any) -> int:
    """How many generations an event may have; a failed one has none."""
    first = value.event.data.split(b" ")[0]
    return int(first) if first.lstrip(b"-").isdigit() else 0


class Program:
    """The same program when it is recorded and when it is verified."""

    def __init__(self, context: Context, options: Options) -> None:
        self.context = context
        #: What the outside answers, and what an observer does.
        self.outside: list = []
        self.inside: list = []
        self.lines: list = []
        self._guests: list = []
        self._pendings: list = []
        self._scopes: dict = {}
        context.observe("A", self._on_a)
        context.observe("B", self._on_b)
        context.observe("C", self._on_c)
        context.observe(lambda event: self.lines.append(str(event)))
        context.server("X", {"RequestX": self._answer})
        context.server("Y", {"RequestY": self._leave_to_the_outside})
        context.server("Z", {"RequestZ": self._ask_first})
        context.server("W", {"RequestW": self._leave_inside})
        if options.host:
            context.observe("B", self._send_on, on="host")
        if options.serial:
            context.observe("C", self._send_on, on=context.serial("worker"))

    def end(self) -> None:
        """Closes the context; nobody answers any more."""
        self.context.close()
        for kept in self.outside + self.inside:
            kept.release()

    def draw(self, below: int) -> int:
        """The next number that is the same in every run."""
        return self.context.random() % below

    def _act(self, scope: Any, fuel: int) -> None:
        for _ in range(self.draw(3) if fuel > 0 else 0):
            what = self.draw(13)
            text = f"{fuel - 1} {self.draw(1000)} {self.context.now()}"
            if what < 4:
                scope.send(NOTICES[self.draw(3)], text)
            elif what < 8:
                self._ask(scope, fuel - 1, text)
            elif what == 8:
                scope.send_after(self.draw(5) / 1000, NOTICES[self.draw(3)], text)
            elif what == 9:
                scope.send("A", f"{fuel - 1} open {self.context.activity()}")
            elif what == 10:
                scope.post(NOTICES[self.draw(3)], text)
            else:
                scope.send_many([("A", text), ("C", text)])

    def _ask(self, scope: Any, fuel: int, text: str) -> None:
        timeout = (None, 0.003, 0.5)[self.draw(3)]
        asked = scope.request(
            REQUESTS[self.draw(5)], text, then=lambda _: self._act(scope, fuel), timeout=timeout
        )
        self._pendings.append(asked)

    def _on_a(self, event: Any) -> None:
        self._act(self.context, fuel_of(event))

    def _on_b(self, event: Any) -> None:
        what = self.draw(6)
        if what == 0 and len(self._guests) < 10:
            self._guests.append(self.context.observe("A", self._be_a_guest))
        elif what == 1 and self._guests:
            self._guests.pop(self.draw(len(self._guests))).cancel()
        elif what == 2:
            self._begin_or_end(f"s{self.draw(3)}")
        elif what == 3 and self._pendings:
            self._pendings[self.draw(len(self._pendings))].cancel()
        self._act(self.context, fuel_of(event))

    def _begin_or_end(self, name: str) -> None:
        if name in self._scopes:
            self._scopes.pop(name).end()
            return
        scope = self._scopes[name] = self.context.scope(name)
        scope.observe("C", lambda event: self._act(scope, fuel_of(event) - 1))

    def _be_a_guest(self, event: Any) -> None:
        if fuel_of(event) > 0:
            self.context.send("C", f"{fuel_of(event) - 2} {self.context.id()}")

    def _on_c(self, event: Any) -> None:
        while self.inside and self.draw(2):
            answer(self.inside.pop(0), f"0 inside {self.draw(1000)}")

    def _answer(self, event: Any) -> str:
        if self.draw(4) == 0:
            raise Failure("NO_X", user_text="none of it")
        return f"{fuel_of(event) - 1} x {self.draw(1000)}"

    def _leave_to_the_outside(self, event: Any) -> Any:
        if not self.context.replaying:
            self.outside.append(event.retain())
        return LATER

    def _leave_inside(self, event: Any) -> Any:
        self.inside.append(event.retain())
        return LATER

    def _ask_first(self, event: Any) -> Any:
        kept = event.retain()
        text = f"{fuel_of(event) - 1} z"
        self.context.request("RequestX", text, then=lambda _: answer(kept, f"{self.draw(1000)}"))
        return LATER

    def _send_on(self, event: Any) -> None:
        self.context.send("A", f"{fuel_of(event) - 2} scheduled")


def answer(kept: Any, with_what: Any) -> None:
    """Answers, unless that was done meanwhile."""
    with contextlib.suppress(MainstemError):
        kept.respond(with_what)
    kept.release()


def act_from_outside(program: Program, options: Options, random: Any) -> None:
    """What happens to a program: inputs of all kinds."""
    context = program.context
    for _ in range(options.steps):
        what = random.randrange(10)
        text = f"{random.randrange(1, 5)} main {random.randrange(1000)}"
        if what < 3:
            context.send(random.choice(NOTICES), text)
        elif what < 5:
            timeout = random.choice((None, 0.002))
            then = random.choice((ignore, send_on(context, "1 then")))
            asked = context.request(random.choice(REQUESTS), text, then=then, timeout=timeout)
            if random.randrange(4) == 0:
                asked.cancel()
        elif what == 5 and program.outside:
            kept = program.outside.pop(random.randrange(len(program.outside)))
            answer(kept, random.choice((Failure("LATE"), "2 late")))
        elif what == 6:
            context.send_many([(random.choice(NOTICES), text)] * random.randrange(1, 6))
        elif what == 7:
            post_from_another_thread(context, text)
        elif what == 8 and options.clock == "virtual":
            context.advance(random.randrange(6) / 1000)
        else:
            context.drain()
    if random.randrange(2):
        context.flush()
        context.drain()


def ignore(value: Any) -> None:
    """Who asked does nothing with the answer."""


def send_on(context: Context, text: str) -> Any:
    """Who asked goes on, and asks again: that is the outside's too."""

    def then(value: Any) -> None:
        try:
            context.send("B", text)
            context.request("RequestX", text, then=lambda _: context.send("C", text))
        except MainstemError as error:
            assert error.status == Status.STALE, error  # The context closes.

    return then


def post_from_another_thread(context: Context, text: str) -> None:
    """Three events, from a thread that is over then."""

    def post() -> None:
        for name in NOTICES:
            context.post(name, text)

    other = threading.Thread(target=post)
    other.start()
    other.join()
