# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A program that does what its random numbers say, with all that may happen to it from outside.

Everything inside follows from `Context.random`: it does the same again when it is fed the same.
"""

from __future__ import annotations

import contextlib
from typing import Any, Callable, Optional

from mainstem import LATER, Context, Failure, MainstemError, Status
from mainstem._library import _header as d
from mainstem.observers._calls import POLICIES, Queue
from mainstem.observers._subscription import Subscription
from random_options import Options
from sessions import add_requests, answer, on_another_thread

NOTICES = ("A", "B", "C")
#: Not kept at all, kept as a mark, withheld: only callbacks send these.
QUIET = ("None", "Mark", "Secret")
#: What a callback may be refused, and then goes on.
REFUSED = (
    Status.FULL,
    Status.LIMIT,
    Status.DENIED,
    Status.STALE,
    Status.CANCELLED,
    Status.INVALID,
    Status.NO_SPACE,
)
REQUESTS = ("RequestX", "RequestY", "RequestZ", "RequestW", "RequestNobody")


def add_types(context: Context) -> None:
    """The types of the program."""
    for name in NOTICES:
        context.add_type(name, str)
    context.add_type("None", str, record="none")
    context.add_type("Mark", str, record="mark")
    context.add_type("Secret", str, secret=True)
    context.add_type("Step", str)
    context.add_type("Value", str, role="value")
    context.add_type("Flag", bool, role="value")
    context.add_type("Shown", str)
    add_requests(context, REQUESTS)


def fuel_of(value: Any) -> int:
    """How many generations an event may have; a failed one has none."""
    first = value.event.data.split(b" ")[0]
    return int(first) if first.lstrip(b"-").isdigit() else 0


class Program:
    """The same program when it is recorded and when it is verified."""

    def __init__(self, context: Context, options: Options) -> None:
        self.context = context
        # A post has its place in a queue that blocks until somebody drains: in a context of any
        # thread a sender would wait for that.
        self._posts = options.threads == "one" or not options.blocks()
        self._meets_threads = not options.blocks()
        #: What the outside answers, and what an observer does.
        self.outside: list = []
        self.inside: list = []
        self.lines: list = []
        self.queues: list = []
        self._guests: list = []
        self._pendings: list = []
        self._timers: list = []
        self.scopes: dict = {}
        #: How often servers were called, if they show that.
        self._counts: dict = {}
        self._shows = options.shows
        self.shows_without_room = 0
        #: The scopes of all that factories made, ended or not.
        self.owners: list = []
        context.factory("Owner", self._fill, str)
        #: What was refused last: a callback may tell it.
        self._refused = "nothing"
        if options.history:
            context.keep_history("A", 5, options.history)
        context.observe("A", self._on_a)
        context.observe("B", self._on_b)
        context.observe("C", self._on_c)
        context.observe(*QUIET, self._on_quiet)
        context.observe("Value", "Flag", self._on_value)
        context.observe(lambda event: self.lines.append(str(event)))
        x = self._server("X", {"RequestX": self._answer})
        x.observe("B", lambda event: self._count("X"))
        self._server("Y", {"RequestY": self._leave_to_the_outside})
        self.asker = self._server("Z", {"RequestZ": self._ask_first})
        self._server("W", {"RequestW": self._leave_inside})
        #: Two of the same name: only the numbers of their scopes tell them apart.
        self.cells = [self._cell(number) for number in range(2)]
        #: Scopes that have values, until the outside ends them, perhaps while events wait for them.
        self.rooms = [context.scope("room") for _ in range(3)]
        #: What another thread delivers at that moment, a room hears or not.
        self._enters = not options.has_thread
        for room in self.rooms if self._enters else ():
            self._live_in(room)
        if options.activity:
            context.report_activity()
        self._add_queues(context, options)

    def _server(
        self, name: str, handlers: dict, own: Optional[dict] = None, parent: Any = None
    ) -> Any:
        """A server that shows how often it was called, and what was refused last."""

        def counted(handler: Callable[[Any], Any]) -> Callable[[Any], Any]:
            def call(event: Any) -> Any:
                self._count(name)
                return handler(event)

            return call

        def show(server: Any) -> None:
            try:
                server.send("Shown", f"0 {name} {self._counts.get(name, 0)} {self._refused}")
            except MainstemError as error:
                self.shows_without_room += error.status == Status.NO_SPACE
                raise

        tables = [
            {kind: counted(handler) for kind, handler in table.items()}
            for table in (handlers, own or {})
        ]
        shown = show if self._shows else None
        return (parent or self.context).server(name, tables[0], own=tables[1], show=shown)

    def _count(self, name: str) -> None:
        self._counts[name] = self._counts.get(name, 0) + 1

    def _cell(self, number: int) -> Any:
        def answer_for_itself(event: Any) -> str:
            return f"{fuel_of(event) - 1} cell {number} {self.draw(1000)}"

        def send_on(event: Any) -> None:
            if fuel_of(event) > 0:
                text = f"{fuel_of(event) - 1} in {number} {self.draw(1000)}"
                self._try(self.cells[self.draw(2)].send, NOTICES[self.draw(3)], text)

        cell = self._server("cell", {}, {"RequestNobody": answer_for_itself})
        self.context.observe("A", "B", send_on, of=cell)
        return cell

    def _live_in(self, room: Any) -> None:
        """A room asks, sends, answers for itself, and is told of its own end."""
        room.observe("A", lambda event: self._act(room, fuel_of(event)))
        room.observe("MainstemEnded", lambda event: self._try(self.context.send, "C", "0 ended"))
        self._server("guest", {}, {"RequestNobody": lambda event: "0 guest"}, room)

    def _add_queues(self, context: Context, options: Options) -> None:
        room = options.room
        if options.host:
            lossy: Any = {"limit": room, "on_gap": lambda gap: None}
            context.observe("B", self._send_on, on="host", policy=options.host, **lossy)
        if options.serial:
            worker = context.serial("worker")
            lossy = {"limit": room, "on_gap": lambda gap: None}
            context.observe("C", self._send_on, on=worker, policy=options.serial, **lossy)
        if options.mailbox:
            lossy = {"limit": room, "on_gap": lambda gap: None}
            self.queues.append(context.mailbox("A", policy=options.mailbox, **lossy))
        if options.on_demand:
            which = context._filter(["C"], None, None, None)
            which.on_gap = lambda gap: None
            which.queue = Queue(d.SCHEDULER_HOST, POLICIES[options.on_demand], room, 0, True)
            self.queues.append(Subscription(context, self._send_on, which))

    def end(self) -> None:
        """Closes the context; nobody answers any more."""
        self.context.close()
        for kept in self.outside + self.inside:
            kept.release()

    def present(self) -> Optional[list]:
        """The present values of all scopes; nothing where observers are too many."""
        told: list = []
        with contextlib.suppress(MainstemError):
            keep = lambda event: told.append(str(event)) if event.late else None  # noqa: E731
            self.context.observe("Value", "Flag", keep)
            self.context.drain()
            return told
        return None

    def draw(self, below: int) -> int:
        """The next number that is the same in every run."""
        return self.context.random() % below

    def _try(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """Does what may be refused: why is told by the next text."""
        try:
            return call(*arguments)
        except MainstemError as error:
            assert error.status in REFUSED, error
            self._refused = str(error)
            return None

    def _act(self, scope: Any, fuel: int) -> None:
        for _ in range(self.draw(3) if fuel > 0 else 0):
            self._try(self._act_once, scope, fuel)

    def _act_once(self, scope: Any, fuel: int) -> None:
        what = self.draw(28)
        text = f"{fuel - 1} {self.draw(1000)} {self.context.now()!r} {self._refused}"
        if what >= 13:
            self._act_more(scope, fuel, text, what - 13)
        elif what < 4:
            scope.send(NOTICES[self.draw(3)], text)
        elif what < 8:
            self._ask(scope, fuel - 1, text)
        elif what == 8:
            delay = self.draw(5) / 1000
            self._timers.append(scope.send_after(delay, NOTICES[self.draw(3)], text))
        elif what == 9:
            scope.send("A", f"{fuel - 1} open {self.context.request_count()}")
        elif what == 10 and self._posts:
            scope.post(NOTICES[self.draw(3)], text)
        else:
            scope.send_many([("A", text), ("C", text)])

    def _act_more(self, scope: Any, fuel: int, text: str, what: int) -> None:
        if what == 0:
            scope.send(QUIET[self.draw(3)], text)
        elif what == 1:
            scope.send("B", f"{fuel - 1} events {self.context.stats().events}")
        elif what == 2 and self._timers:
            self._timers.pop(self.draw(len(self._timers))).cancel()
        elif what == 3:
            self._timers.append(scope.send_every(0.002, "B", "0 tick"))
        elif what == 4:
            scope.scope("mute", sends=[], observers=1).send("A", text)
        elif what == 5:
            for _ in range(self.draw(20)):
                self._try(scope.send, "A", f"0 burst {self._refused}")
        elif what == 6:
            raise ValueError(text)
        elif what == 7 and self.owners:
            self.owners[self.draw(len(self.owners))].end()
        elif what < 10:
            asked = scope.open_instance(
                "Owner", text, then=lambda number: self._act(scope, fuel - 1)
            )
            self._pendings.append(asked)
        else:
            self._act_on_values(scope, fuel, what - 10)

    def _fill(self, scope: Any, request: Any) -> None:
        fuel, number = fuel_of(request), len(self.owners)
        self.owners.append(scope)
        own = {"RequestNobody": lambda event: f"0 owner {number} {self.draw(1000)}"}
        self._try(lambda: scope.server("part", {}, own=own))
        # There is one that handles it: this is refused, in a replay as well.
        self._try(lambda: scope.server("rival", {"RequestY": self._leave_inside}, own={}))
        self._act(scope, fuel)
        self._try(lambda: scope.observe("B", lambda event: self._act(scope, fuel_of(event) - 1)))
        if self.draw(6) == 0:
            raise Failure("NO_OWNER")
        if self.draw(12) == 0:
            scope.end()

    def _act_on_values(self, scope: Any, fuel: int, what: int) -> None:
        """Sets what may be there already, and tells what is there."""
        if self._enters and self.draw(3) == 0:
            scope = self.rooms[self.draw(3)]
        if what < 2:
            for _ in range(self.draw(4)):
                self._try(scope.set, "Value", f"{self.draw(2)}")
        elif what == 2:
            scope.set("Flag", bool(self.draw(2)))
        elif what == 3:
            present = scope.get("Value")
            there = None if present is None else (present.position, present.text)
            scope.send("C", f"{fuel - 1} there {there}")
        elif len(self._guests) < 10:
            of = (None, scope)[self.draw(2)]
            guest = self._try(lambda: self.context.observe("Value", self._on_value, of=of))
            if guest is not None:
                self._guests.append(guest)

    def _on_value(self, event: Any) -> None:
        told = f"{event.name} {event.position} {event.late} {event.origin} {event.data!r}"
        self._try(self.context.send, "C", f"0 {told} {self.draw(1000)}")

    def _ask(self, scope: Any, fuel: int, text: str) -> None:
        timeout = (None, 0.003, 0.5)[self.draw(3)]
        share = self.draw(3) == 0
        asked = scope.request(
            REQUESTS[self.draw(5)],
            f"{min(fuel, 2)} shared" if share else text,
            share=share,
            then=lambda _: self._act(scope, fuel),
            timeout=timeout,
            progress=lambda _: self._act(scope, 1),
        )
        self._pendings.append(asked)

    def _on_a(self, event: Any) -> None:
        self._act(self.context, fuel_of(event))

    def _on_b(self, event: Any) -> None:
        what = self.draw(6)
        if what == 0 and len(self._guests) < 10:
            guest = self._try(self.context.observe, "A", self._be_a_guest)
            if guest is not None:
                self._guests.append(guest)
        elif what == 1 and self._guests:
            self._guests.pop(self.draw(len(self._guests))).cancel()
        elif what == 2:
            self._try(self._begin_or_end, f"s{self.draw(3)}")
        elif what == 3 and self._pendings:
            self._try(self._pendings[self.draw(len(self._pendings))].cancel)
        self._act(self.context, fuel_of(event))

    def _begin_or_end(self, name: str) -> None:
        if name in self.scopes:
            self.scopes.pop(name).end()
            return
        own = {"RequestNobody": lambda event: f"0 {name} {self.draw(1000)}"}
        # All of one name: only their numbers tell them apart.
        scope = self.scopes[name] = self._server("s", {}, own)
        assert self.context.find_scope(scope.number).handle == scope.handle
        scope.observe("C", lambda event: self._act(scope, fuel_of(event) - 1))
        self._try(lambda: self.context.observe("C", self._be_a_guest, of=scope))

    def _be_a_guest(self, event: Any) -> None:
        if fuel_of(event) > 0:
            self._try(self.context.send, "C", f"{fuel_of(event) - 2} {self.context.id()}")

    def _on_quiet(self, event: Any) -> None:
        self._try(self.context.send, "C", f"0 quiet {self.context.now()!r} {self.draw(100)}")

    def _answer_elsewhere(self) -> None:
        """Another thread answers while a callback runs; in a replay, the journal does."""
        if self.outside and self._meets_threads and not self.context.replaying:
            kept = self.outside.pop(0)
            on_another_thread(lambda: answer(kept, "0 elsewhere"))

    def _on_c(self, event: Any) -> None:
        if self.draw(3) == 0:
            self._answer_elsewhere()
        if self._pendings and self.draw(2):
            self._try(self._pendings[self.draw(len(self._pendings))].cancel)
        while self.inside and self.draw(2):
            kept = self.inside.pop(0)
            if self.draw(6):
                answer(kept, f"0 inside {self.draw(1000)}")
            else:
                self._let_go(kept)

    def _answer(self, event: Any) -> str:
        if self.draw(4) == 0:
            raise Failure("NO_X", user_message="none of it")
        for _ in range(self.draw(4)):
            self._try(event.progress, "Step", f"0 step {self._refused}")
        return f"{fuel_of(event) - 1} x {self.draw(1000)}"

    def _leave_to_the_outside(self, event: Any) -> Any:
        if self.draw(10) and not self.context.replaying:
            self.outside.append(event.retain())
        return LATER

    def _leave_inside(self, event: Any) -> Any:
        if self.draw(10):
            for _ in range(1 + self.draw(3) // 2):
                self.inside.append(event.retain())
        return LATER

    def _let_go(self, kept: Any) -> None:
        """Gives up a request, maybe on another thread, and goes on with what may be over."""
        if self.draw(2) and self._meets_threads:
            on_another_thread(kept.release)
        else:
            kept.release()
        if self._pendings and self.draw(2):
            self._try(self._pendings[self.draw(len(self._pendings))].cancel)
        self._try(self.context.send, "C", f"0 let go {len(self.inside)}")

    def _ask_first(self, event: Any) -> Any:
        kept = event.retain()
        text = f"{fuel_of(event) - 1} z"
        self._try(
            lambda: (self.asker if self._shows else self.context).request(
                "RequestX", text, then=lambda _: answer(kept, f"{self.draw(1000)}")
            )
        )
        return LATER

    def _send_on(self, event: Any) -> None:
        with contextlib.suppress(MainstemError):
            self.context.send("A", f"{fuel_of(event) - 2} scheduled")
