# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Programs with one mistake each, and what a type checker must say of its line."""

from __future__ import annotations

from typing import NamedTuple

#: Every program begins with this.
BEGIN = """\
from __future__ import annotations
from typing import Any
import mainstem
from mainstem import Failure, Notice, Request, Response, rx
from reactivex import Observable

@mainstem.event
class ResponseGreeting(Response):
    text: str

@mainstem.event
class RequestGreet(Request[ResponseGreeting]):
    name: str

@mainstem.event
class Said(Notice):
    words: str
    position: float = 0

@mainstem.event
class Ended(Notice):
    pass

class Door(mainstem.ViewModel):
    name: str = mainstem.writable("")
    alert = mainstem.pulse(str)
    @mainstem.shown
    def is_named(self) -> bool: return bool(self.name)
    @mainstem.command(enabled="is_named")
    async def turn(self, times: int) -> float:
        self.alert("turning")
        await self.sleep(0.1)
        return times / 2
    @mainstem.command
    def shut(self) -> None: ...

context = mainstem.Context()
door = context.open(Door())
def use(value: Any) -> None: ...
"""


class Refused(NamedTuple):
    """A program whose last line is refused."""

    mistake: str
    program: str
    #: Part of mypy's message.
    message: str


REFUSED = [
    Refused("no such field", "Said(word='a')", "Unexpected keyword argument"),
    Refused("a field is missing", "RequestGreet()", "Missing positional argument"),
    Refused("a field of another type", "Said(words=3)", "incompatible type"),
    Refused("a field is set", "Said('a').words = 'b'", "read-only"),
    Refused("a field is misspelt", "Said('a').word", "no attribute"),
    Refused(
        "the answer has another class",
        "x: Said = context.request(RequestGreet('a'))",
        "expression has type",
    ),
    Refused(
        "the answer has no such field",
        "context.request(RequestGreet('a')).greeting",
        "no attribute",
    ),
    Refused("what is asked is no request", "context.request(Said('a'))", "overload"),
    Refused("an observable of no request", "rx.request(context, Said('a'))", "overload"),
    Refused(
        "an observable has events of another class",
        "x: Observable[Ended] = rx.events(context, Said)",
        "incompatible type",
    ),
    Refused(
        "an observable has another answer",
        "y: Observable[Said] = rx.request(context, RequestGreet('a'))",
        "incompatible type",
    ),
    Refused(
        "a handler returns another answer",
        "def greet(request: RequestGreet) -> Said: return Said('a')\n"
        "context.serve(RequestGreet, greet)",
        "overload",
    ),
    Refused(
        "a handler returns nothing",
        "def greet(request: RequestGreet) -> None: ...\ncontext.serve(RequestGreet)(greet)",
        'expected "Callable[[RequestGreet], ResponseGreeting]"',
    ),
    Refused(
        "a handler of another request",
        "def greet(request: Said) -> ResponseGreeting: return ResponseGreeting('a')\n"
        "context.serve(RequestGreet)(greet)",
        'expected "Callable[[RequestGreet], ResponseGreeting]"',
    ),
    Refused(
        "a method handles another request",
        "class Greeter:\n"
        "    def greet(self, request: Said) -> ResponseGreeting: return ResponseGreeting('a')\n"
        "    mainstem.handles(RequestGreet)(greet)",
        'expected "Callable[[Greeter, RequestGreet], ResponseGreeting]"',
    ),
    Refused(
        "an observer of another class",
        "def look(event: Ended) -> None: ...\ncontext.observe(Said, look)",
        'expected "Callable[[Said], object]"',
    ),
    Refused(
        "an observer of another class, as a decorator",
        "def look(event: Ended) -> None: ...\ncontext.observe(Said)(look)",
        "incompatible type",
    ),
    Refused(
        "an observer of everything gets Events",
        "def look(event: Said) -> None: ...\ncontext.observe(look)",
        'expected "Callable[[Event], object]"',
    ),
    Refused(
        "failed responses are Events",
        "def look(event: ResponseGreeting) -> None: ...\n"
        "context.observe(ResponseGreeting, look, failed=True)",
        "overload",
    ),
    Refused(
        "what hears of gaps gets a Gap",
        "def lost(event: Said) -> None: ...\ncontext.observe(Said, use, on_gap=lost)",
        'expected "Callable[[Gap], object] | None"',
    ),
    Refused("no such option", "context.observe(Said, use, colour=1)", "overload"),
    Refused("no such policy", "context.mailbox(Said, policy='lose')", "overload"),
    Refused("no such place", "context.observe(Said, use, on='hots')", "overload"),
    Refused(
        "then gets the answer, not its error",
        "def then(answer: Failure) -> None: ...\ncontext.request(RequestGreet('a'), then=then)",
        'expected "Callable[[ResponseGreeting], object]"',
    ),
    Refused(
        "failed gets the error",
        "def failed(answer: ResponseGreeting) -> None: ...\n"
        "context.request(RequestGreet('a'), then=use, failed=failed)",
        'expected "Callable[[Failure], object] | None"',
    ),
    Refused(
        "progress is awaited by nobody",
        "async def step(event: Said) -> None: ...\n"
        "use(context.request(RequestGreet('a'), progress=step).text)",
        '"NotAwaited" has no attribute "text"',
    ),
    Refused(
        "progress is awaited by nobody, in a loop",
        "async def step(event: Said) -> None: ...\n"
        "async def main() -> None:\n"
        "    async with mainstem.Context() as loop:\n"
        "        await loop.request(RequestGreet('a'), progress=step)",
        '"NotAwaited"',
    ),
    Refused(
        "a late answer of another class",
        "def greet(request: RequestGreet) -> None: request.respond(Said('a'))",
        "incompatible type",
    ),
    Refused(
        "a forgotten await",
        "async def main() -> None:\n"
        "    async with mainstem.Context() as loop:\n"
        "        use(loop.request(RequestGreet('a')).text)",
        "no attribute",
    ),
    Refused(
        "an await without a loop",
        "async def main() -> None: await context.request(RequestGreet('a'))",
        "Incompatible types in",
    ),
    Refused(
        "events of another class",
        "async def main() -> None:\n"
        "    async with mainstem.Context() as loop:\n"
        "        async for event in loop.events(Said): use(event.text.missing.word)\n"
        "        x: Ended = await loop.events(Said).__anext__()",
        "expression has type",
    ),
    Refused(
        "`with` gives the context itself",
        "with mainstem.Context() as inner: inner.sent(Said('a'))",
        "no attribute",
    ),
    Refused("old names are gone", "context.type_add('x')", "no attribute"),
    Refused("a view writes what is shown", "door.bind().is_named = True", "Incompatible types"),
    Refused("a view writes another type", "door.bind().name = 3", "expression has type"),
    Refused("a view model has no such value", "door.bind().nam", "no attribute"),
    Refused("a command gets another type", "door.bind().turn('twice')", "incompatible type"),
    Refused("a command gets too little", "door.bind().turn()", "Missing positional argument"),
    Refused(
        "a command answers another type",
        "x: str = door.bind().turn(2).result()",
        "expression has type",
    ),
    Refused(
        "a pulse tells another type",
        "class Gate(Door):\n    def tell(self) -> None: self.alert(3)",
        "incompatible type",
    ),
    Refused("what is opened is a view model", "context.open(Said('a'))", "cannot be"),
    Refused("no such policy of a command", "mainstem.command(policy='newest')", "overload"),
]

#: A program that has no mistake.
ACCEPTED = """\
from mainstem.testing import TestContext
with TestContext() as test:
    words: str = test.next(Said).words
    expected: Said = test.expect(Said("a"))
    error: Failure | None = test.expect(Failure("NO_NAME")).error

timed_out: bool = Failure("A").status is mainstem.Status.TIMEOUT
status_name: str = Failure("A").status.name

import dataclasses
from typing import Iterator

@dataclasses.dataclass(frozen=True)
class Count:
    count: int = 0

class Counter(mainstem.Reactor):
    state = Count()
    @mainstem.action
    def up(self, by: int) -> Iterator[int]: yield by
    @staticmethod
    def reduce(state: Count, by: int) -> Count: return Count(state.count + by)

counter = context.open(Counter()).bind(count=print)
shown_count: int = counter.count
counter.up(1).result()
class Vat:
    liters: int
mainstem.json_form(Vat, encode=lambda vat: vat.liters, decode=lambda liters: Vat())

def look(event: Said) -> None: use(event.words.upper())
def both(event: Said | Ended) -> None: ...
def log(event: mainstem.Event) -> None: use(event.position + 1)
async def later(event: Said) -> None: ...
async def answer(request: RequestGreet) -> ResponseGreeting: return ResponseGreeting('a')

with context.observe(Said, look) as subscription: use(subscription.stats().delivered + 1)
context.observe(print)
context.observe(Said, later)
context.observe(Said, Ended, both, on="host", policy="latest", on_gap=print)
context.observe(log)
context.observe("Said", log)
context.observe(Said, look, of=context.scope("Cell"))
context.server("Cell", {}, own={Said: look, "RequestGreet": log}).send(Said("a"))
context.observe(ResponseGreeting, log, failed=True)

def rows_shown(rows: mainstem.Rows[Said]) -> None:
    for kind, index, count, to in rows.changes: use(f"{kind} {index + count + to}")
    change: mainstem.RowChange = rows.changes[0]
    use(change.kind + "s")
    first: Said = rows[0]
    some: tuple[Said, ...] = rows[1:change.index + change.count]
    span: mainstem.RowSpan = rows.span
    place: int | None = rows.find(7)
    use(rows.keys[0] + first.words + some[0].words)
    rest: int = span.at + span.removed + span.added + len(rows) + (place or 0)
number: int = context.add_list("Cell.rows", Said, key="words", layer="model")
context.scope("Cell").set_list("Cell.rows", [Said("a")])
context.scope("Cell").set_list(number, (Said("a"),))

@context.observe(Said, once=True)
def once(event: Said) -> int: return 1
one: int = once(Said("a"))

@context.observe(role="notice")
def notices(event: mainstem.Event) -> None: ...

@context.serve(RequestGreet)
def greet(request: RequestGreet) -> ResponseGreeting:
    if not request.name:
        raise Failure("NO_NAME")
    request.progress(Said("half"))
    return ResponseGreeting(request.name)
greeting: ResponseGreeting = greet(RequestGreet("a"))

@context.serve(RequestGreet)
def late(request: RequestGreet) -> ResponseGreeting | mainstem.Later:
    kept = request.retain()
    name: str = kept.value.name
    request.scope.request(request, then=kept.respond, failed=kept.respond)
    return mainstem.LATER

class Greeter:
    @mainstem.handles(RequestGreet)
    def greet(self, request: RequestGreet) -> ResponseGreeting: return ResponseGreeting("a")
context.install(Greeter())
text: str = context.request(RequestGreet("a")).text
steps: list[Said] = []
text = context.request(RequestGreet("a"), progress=steps.append).text
text = context.request(RequestGreet("a"), progress=lambda step: use(step.words)).text
event: mainstem.Event = context.request("RequestGreet", "{}")
place: float = Said("a").position

for said in context.mailbox(Said).events(): use(said.words.upper())

asked: Observable[ResponseGreeting] = rx.request(context, RequestGreet("a"), share=True)
steps_of_it = rx.request(context, RequestGreet("a"), progress=Said)
told: Observable[Said | ResponseGreeting] = steps_of_it
named: Observable[mainstem.Event] = rx.events(context, "Said", of=context.scope("Cell"))
clock = rx.ContextScheduler(context)
rx.events(context, Said).subscribe(lambda said: use(said.words.upper()), scheduler=clock).dispose()
rx.send(rx.events(context, Said), context, scheduler=clock).dispose()
rx.set_value(rx.values(door, "name"), context.scope("Cell"), "name", failed=print).dispose()

class Greetings(mainstem.ViewModel):
    name: str = mainstem.writable("")
    texts: tuple[str, ...] = mainstem.shown(())
    ready = mainstem.pulse()
    @mainstem.shown(by=("texts",))
    def summary(self) -> str: return ", ".join(self.texts)
    @mainstem.command
    async def greet(self, twice: bool = False) -> int:
        self.texts += ((await self.request(RequestGreet(self.name), timeout=1)).text,)
        self.ready()
        return len(self.texts)
    told: tuple[Said, ...] = mainstem.shown((), key="words", name="saidSoFar")
    @mainstem.shown(key=lambda said: said.words)
    def said(self) -> tuple[Said, ...]: return self.told
    @mainstem.children("texts", key="__hash__")
    def doors(self, text: str) -> Door: return Door()
    @mainstem.observes("doors", "name")
    def named(self, door: Door, name: str) -> None: ...
    @mainstem.child
    def front(self) -> Door: return Door()

greetings = context.open(Greetings())
greetings_view: Greetings = greetings.bind(texts=print, ready=print)
greetings_view.name = "Ada"
count: int = greetings_view.greet(twice=True).result()
enabled: bool = greetings_view.greet.enabled
doors: tuple[Door, ...] = greetings_view.doors
summary: str = greetings_view.summary
door_view = mainstem.view(context, Door, name=print)
mainstem.retarget(door_view, doors[0])
with door_view as viewed: half: float = viewed.turn(1).result()
with TestContext() as test: test.shows(test.open(Door()).bind(), is_named=False)

async def main() -> None:
    async with mainstem.Context() as loop:
        count: int = await loop.open(Greetings()).bind().greet()
        loop.serve(RequestGreet, answer)
        with loop.scope("view") as view:
            text: str = (await view.request(RequestGreet("a"), timeout=1)).text
        async with loop.events(Said) as said:
            async for event in said: use(event.words.upper())
"""
