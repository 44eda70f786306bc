# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Measures `mainstem studio` on a journal of many events, and on one that is being written.

studio.py EVENTS [FOLDER]         until the first rows, until all is read, for a step; memory
studio.py --live RATE [SECONDS]   how far behind it is, and what that costs

Of four events, one is a gesture, one sets a value, two follow. The figures are in docs/tools.md.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any, Dict, List

import mainstem

STUDIO = [sys.executable, "-m", "mainstem", "studio", "--no-browser"]


class Counter(mainstem.ViewModel):
    count: int = 0


@mainstem.event
class Pressed(mainstem.Notice):
    number: int


@mainstem.event
class Counted(mainstem.Notice):
    number: int


def install(context: mainstem.Context) -> mainstem.Scope:
    """A gesture is followed by three events, one of which sets a value."""
    context.add_type("Total", payload=int, role="value")
    scope = context.scope("Counter")

    @scope.observe(Pressed)
    def press(pressed: Pressed) -> None:
        scope.set("Total", pressed.number)
        scope.send(Counted(number=pressed.number))
        scope.send(Counted(number=-pressed.number))

    return scope


def write(path: Path, events: int) -> None:
    with mainstem.Context() as context:
        context.record(str(path), durability="buffered")
        install(context)
        for number in range(events // 4):
            context.send(Pressed(number=number))


class Studio:
    """The server, and what it costs."""

    def __init__(self, path: Path) -> None:
        self.program = subprocess.Popen([*STUDIO, str(path)], stdout=subprocess.PIPE, text=True)
        assert self.program.stdout
        self.address = self.program.stdout.readline().strip()

    def ask(self, question: str) -> Dict[str, Any]:
        with urllib.request.urlopen(self.address + question) as answer:
            said: Dict[str, Any] = json.load(answer)
            return said

    def seconds(self) -> float:
        """Of a processor, so far."""
        fields = Path(f"/proc/{self.program.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def memory(self) -> str:
        status = Path(f"/proc/{self.program.pid}/status").read_text()
        return next(line for line in status.splitlines() if line.startswith("VmHWM"))

    def end(self) -> None:
        self.program.terminate()
        self.program.wait()


def took(studio: Studio, *questions: str) -> float:
    """How long it takes to ask, in milliseconds."""
    began = time.perf_counter()
    for question in questions:
        studio.ask(question)
    return (time.perf_counter() - began) * 1000


def measure(events: int, folder: Path) -> None:
    path = folder / f"{events}.journal"
    if not path.exists():
        part = path.with_suffix(".part")
        part.unlink(missing_ok=True)
        write(part, events)
        part.rename(path)
    began = time.perf_counter()
    studio = Studio(path)
    while not studio.ask("rows?from=0&count=1")["rows"]:
        pass
    print(f"first rows after {time.perf_counter() - began:.2f} s")
    while (status := studio.ask("status"))["reading"]:
        time.sleep(0.2)
    print(f"{status['events']} events read after {time.perf_counter() - began:.1f} s, ", end="")
    print(f"{studio.seconds():.1f} s of a processor, {studio.memory()}")
    chance, rows, last = random.Random(1), status["rows"], int(status["last"])
    steps: Dict[str, List[float]] = {name: [] for name in ("rows", "step", "shown", "search")}
    for _ in range(50):
        row, at = chance.randrange(rows), chance.randrange(1, last)
        there = studio.ask(f"why?at={at}")["row"]
        asked = [f"chain?row={there}", f"event?at={at}", f"why?at={at}", f"moment?at={at}"]
        steps["rows"].append(took(studio, f"rows?from={row}&count=200"))
        steps["shown"].append(took(studio, f"shown?at={at}&row={there}"))
        steps["step"].append(took(studio, *asked))
        steps["search"].append(took(studio, "search?q=Counted"))
    for name, all in steps.items():
        print(f"{name}: {statistics.median(all):.1f} ms, at most {max(all):.1f} ms")
    print(studio.memory())
    studio.end()


def follow(rate: int, seconds: float) -> None:
    with tempfile.TemporaryDirectory() as folder, mainstem.Context() as context:
        path = Path(folder) / "live.journal"
        context.record(str(path))
        install(context)
        context.send(Pressed(number=0))
        studio = Studio(path)
        began, number, behind = time.perf_counter(), 0, []
        cost = studio.seconds()
        while (now := time.perf_counter() - began) < seconds:
            for _ in range(max(0, int(now * rate / 4) - number)):
                number += 1
                context.send(Pressed(number=number))
            behind.append(4 * number + 4 - int(studio.ask("status")["events"]))
            time.sleep(0.05)
        print(
            f"{4 * number / seconds:,.0f} events a second, {studio.seconds() - cost:.2f} s of a ",
            end="",
        )
        late = [each / rate for each in behind]
        print(f"processor in {seconds:.0f} s; behind: {statistics.median(late):.2f} s, ", end="")
        print(f"at most {max(late):.2f} s; {studio.memory()}")
        studio.end()


if __name__ == "__main__":
    if sys.argv[1] == "--live":
        follow(int(sys.argv[2]), float(sys.argv[3]) if sys.argv[3:] else 10)
    elif sys.argv[2:]:
        measure(int(sys.argv[1]), Path(sys.argv[2]))
    else:
        with tempfile.TemporaryDirectory() as name:
            measure(int(sys.argv[1]), Path(name))
