# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The programs of examples/loops in their real loops: all arrives, memory is flat, idle is idle."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOOPS = ROOT / "examples" / "loops"
BUILT = Path(os.environ["MAINSTEM_LOOPS"])
EVENTS = int(os.environ.get("MAINSTEM_LOOP_EVENTS", "100000"))
PROGRAMS = sorted(path.stem for path in LOOPS.glob("with_*.[cp]*"))

#: Threads that a loop has of its own when the sending one has ended: Tcl waits in one.
THREADS = {"with_tkinter": 2}

HOUR = 3_600_000


def command(program, *arguments):
    script = LOOPS / f"{program}.py"
    start = [sys.executable, script] if script.exists() else [BUILT / program]
    return [str(word) for word in [*start, *arguments]]


def output_of(program, *arguments):
    environment = {key: value for key, value in os.environ.items() if key != "DISPLAY"}
    result = subprocess.run(
        command(program, *arguments), env=environment, stdout=-1, stderr=-1, timeout=300
    )
    assert (result.returncode, result.stderr.decode()) == (0, "")
    return result.stdout.decode().splitlines()


class Idle:
    """A program that has taken in all its events, and whose next report is an hour away."""

    def __init__(self, program, events):
        self.threads = THREADS.get(program, 1)
        # A terminal, so that the program's lines come when it writes them.
        self.terminal, far = pty.openpty()
        self.process = subprocess.Popen(command(program, events, HOUR), stdout=far)
        os.close(far)
        self.tasks = Path("/proc") / str(self.process.pid) / "task"

    def __enter__(self):
        with open(self.terminal) as lines:
            assert lines.readline() == "all came\n"
        give_up = time.monotonic() + 60
        while not self._is_at_rest():
            assert time.monotonic() < give_up, "the program does not come to rest"
        return self

    def __exit__(self, *exception):
        self.process.kill()
        self.process.wait()

    def activity(self):
        """For each thread: how often it went to sleep, and how often it lost its processor."""
        switches = re.compile(r"ctxt_switches:\t(\d+)")
        return {task.name: switches.findall(self._status(task)) for task in self.tasks.iterdir()}

    def peak_kib(self):
        """The most memory it ever had."""
        first = self.tasks / str(self.process.pid)
        return int(re.search(r"VmHWM:\s+(\d+)", self._status(first)).group(1))

    def _is_at_rest(self):
        """The other thread has ended, and this one has gone back to its loop."""
        tasks = list(self.tasks.iterdir())
        return len(tasks) == self.threads and all("S (" in self._status(task) for task in tasks)

    @staticmethod
    def _status(task):
        try:
            return (task / "status").read_text()
        except (FileNotFoundError, ProcessLookupError):
            return "ended"


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_takes_its_readings_reports_and_ends(program):
    lines = output_of(program)

    assert lines[-1] == "5 readings"
    assert lines.count("all came") == 1


@pytest.mark.parametrize("program", PROGRAMS)
def test_all_events_of_another_thread_arrive_beside_a_timer(program):
    lines = output_of(program, EVENTS, 10)

    counts = [int(line.split()[0]) for line in lines if line != "all came"]
    assert counts[-1] == EVENTS
    assert counts == sorted(counts)


@pytest.mark.parametrize("program", PROGRAMS)
def test_memory_is_flat_and_an_idle_loop_is_never_woken(program):
    with Idle(program, 5000) as few:
        least = few.peak_kib()
    with Idle(program, EVENTS) as idle:
        before = idle.activity()
        time.sleep(0.3)
        assert idle.activity() == before
        growth = idle.peak_kib() - least
    print(f"\n{program}: {growth} KiB more for {EVENTS} events than for 5000")
    assert growth < 1024


def test_a_loop_inside_a_callback_is_not_kept_busy():
    result = subprocess.run([str(BUILT / "tests" / "nested_glib")], stdout=-1, stderr=-2)
    assert result.returncode == 0, result.stdout.decode()


def sections():
    """Of the page: each program that a heading links, and the code below it."""
    page = (LOOPS / "README.md").read_text(encoding="utf-8")
    found = re.findall(r"^## [^\n]*\]\((with_\w+\.\w+)\)\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    return [(file, re.findall(r"```\w+\n(.*?)```", text, re.S)) for file, text in found]


def test_the_page_shows_every_program_in_ten_lines():
    shown = [file for file, _ in sections()]
    assert sorted(Path(file).stem for file in shown) == PROGRAMS
    for file, blocks in sections():
        program = iter(line.strip() for line in (LOOPS / file).read_text().splitlines())
        quoted = [line.strip() for block in blocks for line in block.splitlines() if line.strip()]
        assert 0 < len(quoted) <= 10, file
        for line in quoted:
            assert line in program, f"{file} has no such line, or not there: {line}"
