# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What an event costs that Python gets with its bytes, beside pyee and reactivex: received.py JSON.

Nanoseconds an event; medians of interleaved rounds of one process. The peers cross no border of
languages.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from statistics import median
from typing import Callable

import mainstem
import pyee.base
import reactivex

ROUNDS, EVENTS = 9, 20000
PAYLOAD = bytes(64)
total = 0


def look(event: mainstem.Event) -> None:
    global total
    total += len(event.data)


def look_at_bytes(data: bytes) -> None:
    global total
    total += len(data)


def opened() -> mainstem.Context:
    context = mainstem.Context()
    context.add_type("Bytes", bytes)
    return context


def one_at_a_time() -> Callable[[], None]:
    context = opened()
    context.observe("Bytes", look)
    many = [PAYLOAD] * EVENTS
    return lambda: context.send_many("Bytes", many)


def records() -> Callable[[], None]:
    context = opened()
    mailbox = context.mailbox("Bytes")
    many = [PAYLOAD] * EVENTS

    def run() -> None:
        context.send_many("Bytes", many)
        for _, data in mailbox.records():
            look_at_bytes(data)

    return run


def emitter() -> Callable[[], None]:
    made = pyee.base.EventEmitter()
    made.on("bytes", look_at_bytes)
    emit = made.emit

    def run() -> None:
        for _ in range(EVENTS):
            emit("bytes", bytes(PAYLOAD))

    return run


def subject() -> Callable[[], None]:
    made: reactivex.Subject = reactivex.Subject()
    made.subscribe(look_at_bytes)
    send = made.on_next

    def run() -> None:
        for _ in range(EVENTS):
            send(bytes(PAYLOAD))

    return run


def timed(run: Callable[[], None]) -> float:
    before, began = total, time.perf_counter_ns()
    run()
    taken = time.perf_counter_ns() - began
    if total - before != EVENTS * len(PAYLOAD):
        sys.exit("not all of it arrived")
    return taken / EVENTS


def main(json_path: str) -> None:
    contestants = {
        "mainstem callback": one_at_a_time(),
        "mainstem records": records(),
        "pyee": emitter(),
        "reactivex": subject(),
    }
    samples: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(ROUNDS):
        for name, run in contestants.items():
            samples[name].append(timed(run))
    print(f"\nPython {sys.version.split()[0]}: an event with its bytes, sent and received.")
    for name, times in samples.items():
        ratios = [
            f"{median(a / b for a, b in zip(times, samples[peer])):.3g} x {peer}"
            for peer in ("pyee", "reactivex")
            if name.startswith("mainstem")
        ]
        print(f"  {name:<24}{median(times):>8,.0f} ns   {'   '.join(ratios)}".rstrip())
    Path(json_path).write_text(json.dumps({"rounds": ROUNDS, "samples": samples}, indent=2) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
