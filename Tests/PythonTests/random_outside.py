# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What happens to a random program from outside: inputs of all kinds."""

from __future__ import annotations

import contextlib
from typing import Any, Callable

from mainstem import Context, Failure, MainstemError
from mainstem._library import C
from mainstem.observers._subscription import Subscription
from random_options import Options
from random_session import NOTICES, REFUSED, REQUESTS, Program
from sessions import answer, on_another_thread, on_some_thread


def act_from_outside(
    program: Program, options: Options, random: Any, look: Callable[[], None] = lambda: None
) -> bool:
    """What happens to a program: inputs of all kinds. Whether nothing is left of it.

    Before each, `look` may let lookers come and go.
    """
    context = program.context
    context.add_type("Signal", str)
    signal = context.catalogue.number_of("Signal")
    for _ in range(options.steps):
        what = random.randrange(17)
        text = f"{random.randrange(1, 5)} main {random.randrange(1000)}"
        look()
        try:
            if what == 10:
                C.mainstem_post_from_interrupt(context.handle, signal, b"s", 1)
            elif what == 11:
                take_from(program.queues, random)
            elif what == 13:
                open_from_outside(program, random, text)
            elif what == 14 and program.owners:
                random.choice(program.owners).end()
            elif what == 16:
                use_rooms(program.rooms, random)
            else:
                act_once(program, options, random, what, text)
        except MainstemError as error:
            assert error.status in REFUSED, error
    # It may close with all that is left.
    if random.randrange(2):
        settle(context)
        return True
    return False


def settle(context: Context) -> None:
    """Delivers all that waits, but for ever new ticks where a machine is slower than they are."""
    before, rounds = -1, 0
    while before != context.stats().events and rounds < 100:
        before, rounds = context.stats().events, rounds + 1
        context.flush()
        context.drain()


def use_rooms(rooms: list, random: Any) -> None:
    """A room is furnished, cleared or ended; what is posted may come after its end."""
    room = random.choice(rooms)
    room.set("Value", random.choice("01"))
    if random.randrange(2):
        room.post("Value", random.choice("01"))
    if random.randrange(2):
        room.scope("corner").set("Flag", random.random() < 0.5)
    if random.randrange(2):
        room.end()


def take_from(queues: list, random: Any) -> None:
    """Fetches what is in a mailbox, or asks for more."""
    for queue in queues:
        if isinstance(queue, Subscription):
            queue.demand(random.randrange(1, 4))
        else:
            list(queue.events())


def open_from_outside(program: Program, random: Any, text: str) -> None:
    """An owner for a view, of which a replay knows nothing but its events."""
    view = program.context.scope("View")
    view.open_instance("Owner", text, then=ignore)
    if random.randrange(2):
        view.end()


def act_once(program: Program, options: Options, random: Any, what: int, text: str) -> None:
    """One input, or what lets inputs come."""
    context = program.context
    if what < 3:
        random.choice((context, *program.cells)).send(random.choice(NOTICES), text)
    elif what < 5:
        context = random.choice((context, *program.cells))
        timeout = random.choice((None, 0.002))
        then = random.choice((ignore, send_on(context, "1 then")))
        name, share = random.choice(REQUESTS), random.randrange(3) == 0
        text = f"{random.randrange(1, 3)} shared" if share else text
        asked = context.request(name, text, then=then, timeout=timeout, share=share)
        if random.randrange(4) == 0:
            asked.cancel()
    elif what == 5 and program.outside:
        answer_late(program, options, random)
    elif what == 6:
        context.send_many([(random.choice(NOTICES), text)] * random.randrange(1, 6))
    elif what == 7 and not options.blocks():
        post_from_another_thread(context, text)
    elif what == 12 and program.scopes:
        random.choice(list(program.scopes.values())).send(random.choice(NOTICES), text)
    elif what == 15:
        scopes = (context, *program.cells, *program.scopes.values())
        random.choice(scopes).set("Value", random.choice("01"))
        random.choice(scopes).post("Value", random.choice("01"))
        random.choice(scopes).set("Flag", random.random() < 0.5)
    elif what == 8 and options.clock == "virtual":
        context.advance(random.randrange(6) / 1000)
    else:
        context.drain()


def answer_late(program: Program, options: Options, random: Any) -> None:
    """Answers what was kept, after steps of progress, on the thread of the context or not."""
    kept = program.outside.pop(random.randrange(len(program.outside)))
    with_what = random.choice((Failure("LATE"), "2 late"))
    forgets = random.randrange(6) == 0
    steps = random.randrange(3)
    others = random.choices(program.outside, k=2) if program.outside else []

    def act() -> None:
        for one in (*others, *[kept] * steps):
            with contextlib.suppress(MainstemError):
                one.progress("Step", "1 outside")
        if forgets:
            kept.release()
        else:
            answer(kept, with_what)

    if options.blocks():
        act()
    else:
        on_some_thread(random, act)


def ignore(value: Any) -> None:
    """Who asked does nothing with the answer."""


def send_on(context: Context, text: str) -> Any:
    """Who asked goes on, and asks again: that is the outside's too."""

    def then(value: Any) -> None:
        try:
            context.send("B", text)
            context.request("RequestX", text, then=lambda _: context.send("C", text))
        except MainstemError as error:
            assert error.status in REFUSED, error

    return then


def post_from_another_thread(context: Context, text: str) -> None:
    """Three events, from a thread that is over then."""

    def post() -> None:
        for name in NOTICES:
            with contextlib.suppress(MainstemError):
                context.post(name, text)

    on_another_thread(post)
