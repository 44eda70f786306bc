# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""An entry that is written costs the same in a list of none and of 1,000: counted, not timed."""

from __future__ import annotations

import contextlib
import re
import shutil
import sqlite3
import subprocess
from pathlib import Path
from typing import Callable, List

import pytest
from diaries import HOSTS, PROGRAMS, run

SIGN_IN = "agree\nsignin Ada\nunderstood\n"
WRITE = "new\nedit Rain. I read all day.\nsave\nlist\n"
ENTRIES = 5

#: Runs a host, and returns what it has cost: with a file, and what is typed.
Measure = Callable[[str, str], int]


def make_file(path: Path, rows: int) -> str:
    """A diary with so many entries. New ones have numbers with as many digits."""
    assert run(*HOSTS["Python"], "--db", str(path), commands=SIGN_IN)[0] == 0
    with contextlib.closing(sqlite3.connect(str(path), isolation_level=None)) as opened:
        entries = [(5000 - number, "Ada", "2026-11-23", "Sun.") for number in range(rows)]
        opened.execute("INSERT INTO sqlite_sequence VALUES ('entry', 5000)")
        opened.executemany("INSERT INTO entry VALUES (?, ?, ?, ?)", entries)
    return str(path)


def cost_of_entries(measure: Measure, rows: int, folder: Path) -> int:
    """What it costs to write some entries when so many are shown."""
    shown = "more\n" * (rows // 10)
    file = make_file(folder / f"{rows}.sqlite", rows)
    return -measure(file, shown) + measure(file, shown + WRITE * ENTRIES)


def assert_same(measure: Measure, folder: Path) -> None:
    few, many = (cost_of_entries(measure, rows, folder) for rows in (0, 1000))
    assert 0 < many < 1.1 * few, (few, many)


@pytest.mark.parametrize("host", HOSTS)
def test_a_journal_grows_by_the_same_bytes_with_each_entry(host: str, tmp_path: Path) -> None:
    def measure(file: str, commands: str) -> int:
        journal = tmp_path / "session.journal"
        words = ("--db", file, "--day", "2026-11-23", "--record", str(journal))
        assert run(*HOSTS[host], *words, commands=commands)[0] == 0
        size = journal.stat().st_size
        journal.unlink()
        return size

    assert_same(measure, tmp_path)


@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind counts the instructions")
def test_the_host_in_c_runs_the_same_instructions_with_each_entry(tmp_path: Path) -> None:
    # Valgrind does not read what the Swift compiler writes for debuggers.
    host = str(tmp_path / "diary")
    subprocess.run(["strip", "-g", "-o", host, str(PROGRAMS / "diary")], check=True)
    counter = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", host]

    def measure(file: str, commands: str) -> int:
        done: List[str] = [*counter, "--db", file, "--day", "2026-11-23"]
        ended = subprocess.run(
            done, input=commands.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        found = re.search(r"Collected : (\d+)", ended.stderr.decode())
        assert ended.returncode == 0 and found, ended.stderr
        return int(found[1])

    assert_same(measure, tmp_path)
