# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What Python pays for an event or a request, beside plain calls with the same JSON: asked.py JSON.

Nanoseconds each, of processor time; medians of interleaved rounds of one process. The peers call a
function that they have in a dict; with "json", what is passed is dumped and loaded as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from statistics import median
from typing import Callable, Dict, List

import mainstem
from mainstem import Notice, Request, Response

ROUNDS, EVENTS = 15, 2000
PAYLOAD = bytes(64)
Run = Callable[[], None]


@mainstem.event
class Measured(Notice):
    name: str
    number: int
    ratio: float


@mainstem.event
class ResponseGreeting(Response):
    text: str


@mainstem.event
class RequestGreet(Request[ResponseGreeting]):
    name: str


count = 0


def look(event: mainstem.Event) -> None:
    global count
    count += len(event.data)


def look_at(event: Measured) -> None:
    global count
    count += event.number


def send_bytes() -> Run:
    context = mainstem.Context()
    context.add_type("Bytes", bytes)
    context.observe("Bytes", look)
    send = context.send

    def run() -> None:
        for _ in range(EVENTS):
            send("Bytes", PAYLOAD)

    return run


def send_class() -> Run:
    context = mainstem.Context()
    context.observe(Measured, look_at)
    send = context.send

    def run() -> None:
        for number in range(EVENTS):
            send(Measured("temperature", number, 21.5))

    return run


def request() -> Run:
    context = mainstem.Context()

    @context.serve(RequestGreet)
    def greet(asked: RequestGreet) -> ResponseGreeting:
        return ResponseGreeting("Hello, " + asked.name)

    def run() -> None:
        global count
        for _ in range(EVENTS):
            count += len(context.request(RequestGreet("Ada")).text)

    return run


def async_for() -> Run:
    async def main() -> None:
        async with mainstem.Context() as context:
            context.add_type("Bytes", bytes)
            events = context.events("Bytes", count=EVENTS, limit=EVENTS)
            context.send_many("Bytes", [PAYLOAD] * EVENTS)
            async for event in events:
                look(event)

    return lambda: asyncio.run(main())


def records() -> Run:
    context = mainstem.Context()
    context.add_type("Bytes", bytes)
    mailbox = context.mailbox("Bytes")

    def run() -> None:
        global count
        context.send_many("Bytes", [PAYLOAD] * EVENTS)
        for _, data in mailbox.records():
            count += len(data)

    return run


class Plain:
    """What is passed by the peers."""

    def __init__(self, name: str, number: int, ratio: float) -> None:
        self.name, self.number, self.ratio = name, number, ratio


def call_with_json() -> Run:
    table = {"Measured": [look_at]}

    def run() -> None:
        for number in range(EVENTS):
            text = json.dumps(Plain("temperature", number, 21.5).__dict__)
            for function in table["Measured"]:
                function(Plain(**json.loads(text)))  # type: ignore[arg-type]

    return run


def call() -> Run:
    seen: List[bytes] = []
    table = {"Bytes": [seen.append]}

    def run() -> None:
        for _ in range(EVENTS):
            for function in table["Bytes"]:
                function(PAYLOAD)
        seen.clear()

    return run


def queue() -> Run:
    async def main() -> None:
        global count
        waiting: asyncio.Queue[bytes] = asyncio.Queue()
        for _ in range(EVENTS):
            waiting.put_nowait(PAYLOAD)
        for _ in range(EVENTS):
            count += len(await waiting.get())

    return lambda: asyncio.run(main())


#: Each figure with the peer it is a ratio to.
CONTESTANTS = {
    "bytes": (send_bytes, call),
    "event class": (send_class, call_with_json),
    "request": (request, call_with_json),
    "async for": (async_for, queue),
    "send_many, records": (records, call),
}


def timed(run: Run) -> float:
    began = time.process_time_ns()
    run()
    return (time.process_time_ns() - began) / EVENTS


def main(json_path: str) -> None:
    made = {maker: maker() for pair in CONTESTANTS.values() for maker in pair}
    samples: Dict[str, List[float]] = {maker.__name__: [] for maker in made}
    for _ in range(ROUNDS):
        for maker, run in made.items():
            samples[maker.__name__].append(timed(run))
    print(f"\nPython {sys.version.split()[0]}: sent and received.")
    for name, (maker, peer) in CONTESTANTS.items():
        ours, theirs = samples[maker.__name__], samples[peer.__name__]
        ratio = median(a / b for a, b in zip(ours, theirs))
        beside = f"{ratio:.3g} x {peer.__name__} ({median(theirs):,.0f} ns)"
        print(f"  {name:<20}{median(ours):>8,.0f} ns   least {min(ours):>7,.0f}   {beside}")
    Path(json_path).write_text(json.dumps({"rounds": ROUNDS, "samples": samples}, indent=2) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
