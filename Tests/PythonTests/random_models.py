# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""View models that do what random numbers say, and views that write, run, come and go.

What the view models do follows from `Context.random`; what views do follows from outside.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, List, Tuple

import mainstem
from applied_rows import Applied
from mainstem import Context, Failure, MainstemError, Status
from random_options import Options
from random_reactors import Adder, run_one
from sessions import add_requests, answer, on_some_thread

REQUESTS = ("RequestNow", "RequestLater", "RequestNobody")
#: What an outside call may be refused with.
REFUSED = (
    Status.FULL,
    Status.LIMIT,
    Status.STALE,
    Status.BUSY,
    Status.DISABLED,
    Status.EXECUTING,
)


@dataclasses.dataclass(frozen=True)
class Item:
    """What a child is made of."""

    id: int
    word: str


class Node(mainstem.ViewModel):
    """A view model with children like itself, down to a depth."""

    text: str = mainstem.writable("")
    level: int = mainstem.writable(0)
    items: Tuple[Item, ...] = mainstem.shown(())
    rows: Tuple[Item, ...] = mainstem.shown((), key="id")
    sum: int = mainstem.shown(0)
    log: Tuple[str, ...] = mainstem.shown(())
    alert = mainstem.pulse(str)

    def __init__(self, depth: int, word: str = "") -> None:
        self.depth = depth
        self.word = word

    @mainstem.shown
    def is_ready(self) -> bool:
        return len(self.text) % 3 != 0

    @mainstem.shown(by=("items", "sum"))
    def summary(self) -> str:
        return f"{len(self.items)} {self.sum} {self.word}"

    def draw(self, below: int) -> int:
        return self.context.random() % below

    @mainstem.on_write("text")
    def normalize(self, text: str) -> None:
        if self.draw(3) == 0:
            self.text = text.upper()
        self.change()

    def change(self) -> None:
        """Something of what a view model may do at once."""
        what = self.draw(8)
        if what == 0 and self.depth > 0:
            words = ("a", "b", "c", "d")
            ids = sorted({self.draw(5) for _ in range(self.draw(4))})
            self.items = tuple(Item(one, words[self.draw(4)]) for one in ids)
        elif what == 1:
            self.alert(f"alert {self.draw(100)}")
        elif what == 2:
            name = REQUESTS[self.draw(3)]
            self.request(name, "then", then=self.went, failed=self.lost, timeout=0.01)
        elif what == 3 and self.depth > 0:
            mainstem.open_child(self, "child")
        elif what == 4:
            self.level += 1
        elif what == 5 and self.draw(3) == 0:
            raise ValueError(f"change {self.draw(100)}")
        elif what > 5:
            self.rows = self.rearranged()

    def rearranged(self) -> Tuple[Item, ...]:
        """The rows, of which some are others; rarely two have one key, which is refused."""
        rows = list(self.rows)
        for _ in range(self.draw(4)):
            at, what = self.draw(len(rows) + 1), self.draw(12)
            if what < 4 and (what == 0 or at not in (each.id for each in rows)):
                rows.insert(self.draw(len(rows) + 1), Item(at, "new"))
            elif what < 6:
                del rows[at : at + 1]
            elif what < 9 and at < len(rows):
                row = rows.pop(at)
                rows.insert(self.draw(len(rows) + 1), row)
            elif at < len(rows):
                rows[at] = Item(rows[at].id, f"word {self.draw(3)}")
        return tuple(rows)

    def went(self, event: Any) -> None:
        self.note(event.text)

    def lost(self, failure: Failure) -> None:
        self.note(str(failure.status))

    def note(self, line: str) -> None:
        self.log = (*self.log[-2:], line)

    async def work(self, kind: str) -> str:
        """What an async command does: some steps."""
        self.note(f"{kind}(")
        try:
            for _ in range(self.draw(4)):
                await self.step()
                self.change()
        finally:
            self.note(f"{kind})")
        if self.draw(5) == 0:
            raise Failure(f"{kind} {self.draw(100)}")
        return f"{kind} {self.draw(100)}"

    async def step(self) -> None:
        what = self.draw(5)
        if what == 0:
            await self.sleep(self.draw(4) / 1000)
        elif what == 1:
            self.level += 1
        else:
            timeout = (None, 0.002)[self.draw(2)]
            name = REQUESTS[self.draw(3)]
            try:
                self.note((await self.request(name, "asked", timeout=timeout)).text)
            except Failure as failure:
                self.note(str(failure.status))

    @mainstem.command(enabled="is_ready")
    async def refuse(self) -> str:
        return await self.work("refuse")

    @mainstem.command(policy="queue")
    async def queue(self, times: int = 1) -> str:
        return await self.work(f"queue{times}")

    @mainstem.command(policy="latest")
    async def latest(self) -> str:
        return await self.work("latest")

    @mainstem.command(policy="concurrent")
    async def both(self) -> str:
        return await self.work("both")

    @mainstem.command
    def touch(self) -> int:
        self.change()
        self.level += 1
        return self.level

    @mainstem.command
    async def ask_child(self) -> int:
        cells = self.cells
        if not cells:
            raise Failure("NO_CHILD")
        return await cells[self.draw(len(cells))].touch()

    @mainstem.children("items", update="word")
    def cells(self, item: Item) -> Node:
        return Node(self.depth - 1, item.word)

    @mainstem.observes("cells", "level")
    def raised(self, cell: Node, level: int) -> None:
        self.sum = sum(each.level for each in self.cells)

    @mainstem.observes("cells", "rows")
    def arranged(self, cell: Node, rows: mainstem.Rows[Item]) -> None:
        self.note(f"{len(rows)} rows by {len(rows.changes)}")

    @mainstem.child
    def child(self) -> Node:
        return Node(self.depth - 1, "child")

    @mainstem.child_ended("child")
    def child_ended(self, child: Node) -> None:
        self.note(f"ended at {child.level}")


class Opened(Node):
    """One that does something when it is opened."""

    async def opened(self) -> None:
        self.note("opened")
        await self.step()
        self.level += 10


class Program:
    """The same program when it is recorded and when it is verified."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.lines: List[str] = []
        #: What the outside answers.
        self.outside: List[Any] = []
        add_requests(context, REQUESTS)
        #: The rows of each list, by the changes of its events; what was shown last of each name (in
        #: a muted replay, scopes of one name are one); and what did not fit.
        self.lists: Dict[Any, Applied] = {}
        self.last: Dict[str, List[Any]] = {}
        self.misfits: List[AssertionError] = []
        context.observe(self.see)
        context.serve("RequestNow", lambda event: f"now {context.random() % 100}", name="Now")
        context.serve("RequestLater", self.keep, name="Later")
        context.factory(Opened, lambda request: Opened(1, request.text), str)
        self.roots = [context.open(Node(2)), context.open(Opened(1, "root"))]
        self.adder = context.open(Adder())

    def see(self, event: Any) -> None:
        self.lines.append(str(event))
        if isinstance(event.value, mainstem.Rows):
            self.last[f"{event.origin} {event.type}"] = list(event.value)
            try:
                self.lists.setdefault((event._facts[9], event.type), Applied())(event.value)
            except AssertionError as error:
                self.misfits.append(error)

    def shown(self) -> List[List[Any]]:
        """The lists as they were shown last, in the order in which they were first shown."""
        return list(self.last.values())

    def keep(self, event: Any) -> Any:
        self.outside.append(event.retain())
        return mainstem.LATER

    def end(self) -> None:
        """Closes the context; nobody answers any more."""
        self.context.close()
        for kept in self.outside:
            kept.release()
        assert not self.misfits, self.misfits


def act_from_outside(program: Program, options: Options, random: Any) -> None:
    """What users do."""
    context = program.context
    views: List[Any] = [root.bind(sum=None) for root in program.roots]
    runs: List[Any] = []
    for number in range(2 * options.steps):
        try:
            act_once(program, views, runs, random, f"{number}" * random.randrange(4))
        except MainstemError as error:
            assert error.status in REFUSED, error
        except (AttributeError, Failure):
            continue
        if options.clock == "virtual" and random.randrange(3) == 0:
            context.advance(random.randrange(4) / 1000)
    if random.randrange(2):
        context.drain()


def act_once(program: Program, views: List[Any], runs: List[Any], random: Any, text: str) -> None:
    """One thing that a user does."""
    context = program.context
    what, view = random.randrange(15), random.choice(views)
    if what < 3:
        view.text = text
    elif what == 3:
        view.level = random.randrange(5)
    elif what < 7:
        runs.append(random.choice((view.refuse, view.queue, view.latest, view.both))())
    elif what == 7:
        runs.append(random.choice((view.touch, view.ask_child))())
    elif what == 8 and runs:
        random.choice(runs).cancel()
    elif what == 9:
        owners = [one for one in context.view_models.values() if isinstance(one, Node)]
        mainstem.retarget(view, random.choice(owners))
    elif what == 10 and program.outside:
        kept = program.outside.pop(random.randrange(len(program.outside)))
        with_what = random.choice((Failure("LATE"), "late"))
        on_some_thread(random, lambda: answer(kept, with_what))
    elif what == 11:
        open_or_end(context, view, random)
    elif what > 12:
        runs.append(run_one(program.adder.bind(), random))
    else:
        context.drain()


def has_shown(model: Node) -> bool:
    """Whether a view model has a value."""
    return model._live.owner.get("Opened.level") is not None


def open_or_end(context: Context, view: Any, random: Any) -> None:
    """Asks for a child or an owner, or ends one."""
    what = random.randrange(4)
    # A replay hears of the end of what was opened by an event, and of what has shown something.
    models = context.view_models.values()
    ends = [one for one in models if one.word == "child" or (one.word == "root" and has_shown(one))]
    if what == 0:
        mainstem.open_child(view, "child")
    elif what == 1 and ends:
        mainstem.end(random.choice(ends))
    else:
        desk = context.scope("Desk")
        desk.open_instance("Opened", "desk", then=lambda number: None)
        if what == 2:
            desk.end()
