# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Positions from another process: several sessions, a later beginning, lines that are wrong.

MAINSTEM_LIBRARY says what runs. Run with --replay, this file is the host that the tests start.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Iterator, List

EXAMPLES = Path(__file__).resolve().parents[1]
sys.path += [str(EXAMPLES.parent / "Sources" / "MainstemPython"), str(EXAMPLES / "lines")]
import mainstem  # noqa: E402
import playing  # noqa: E402


@mainstem.event(layer="model", payload=str)
class Said(mainstem.Notice):
    text: str


def host() -> None:
    for context, fed in playing.contexts(playing.parsed(argparse.ArgumentParser())):
        show(context, fed)


def show(context: mainstem.Context, fed: Iterator[bool]) -> None:
    seen: List[str] = []
    context.observe(Said, lambda event: seen.append(event.text), on="host")
    for stays in fed:
        context.drain()
        if stays:
            print(*seen, flush=True)


def record(path: Path, *texts: str, **options: Any) -> Path:
    with mainstem.Context() as context:
        context.record(path, **options)
        for text in texts:
            context.send(Said(text))
    return path


def run(*words: object, input: str = "", **options: Any) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, __file__, *map(str, words)]
    return subprocess.run(
        command, input=input, capture_output=True, text=True, timeout=60, **options
    )


def test_it_goes_where_it_is_told_and_ends_with_the_positions(tmp_path: Path) -> None:
    from sessions import Followed

    journal = record(record(tmp_path / "journal", "a", "b"), "c", "d")  # two sessions
    with Followed([sys.executable, __file__], journal) as followed:
        assert followed.go(2) == ["a b"]
        assert followed.go(3) == ["a b c"]
        assert followed.go(3) == ["a b c"]
        assert followed.go(1) == ["--- again from the beginning", "a"]
        assert followed.go(9, shown=4) == ["a b c d"]
        assert followed.go(0) == ["--- again from the beginning", ""]
    assert run("--replay", journal).stdout == "a b c d\n"


def test_a_journal_may_begin_later(tmp_path: Path) -> None:
    from sessions import Followed

    journal = tmp_path / "journal"
    record(journal, *map(str, range(1, 3001)), segment_size=1 << 16, keep=1)
    with mainstem.Context() as context:
        first = context.replay(journal).info.first
    assert first > 10
    with Followed([sys.executable, __file__], journal) as followed:
        assert followed.go(first - 1, shown=0) == [""]
        assert followed.go(first + 1) == [f"{first} {first + 1}"]
        assert followed.go(5, shown=0) == ["--- again from the beginning", ""]
        assert followed.go(first) == [f"{first}"]


def test_of_several_positions_the_last_one_counts(tmp_path: Path) -> None:
    journal = record(tmp_path / "journal", "a", "b", "c")
    done = run("--replay", journal, "--follow", 0, input="1\n3\n2\n")
    assert (done.stdout, done.stderr, done.returncode) == ("a b\n--- #2\n", "", 0)


def test_a_line_that_is_no_position_is_said_and_passed_over(tmp_path: Path) -> None:
    journal = record(tmp_path / "journal", "a", "b", "c")
    for line in ("-1", "x", "", " 2", "2.", "\x1b2", "1" * 20, "1" * 9000):
        done = run("--replay", journal, "--follow", 0, input=f"2\n{line}\n")
        assert (done.stdout, done.returncode) == ("a b\n--- #2\n", 0)
        shown = line.replace("\x1b", "?")[:20]
        assert done.stderr == (
            f'--follow: "{shown}" is no position; send a number of at most 19 digits, and the end '
            "of its line\n"
        )
    done = run("--replay", journal, "--follow", 0, input="2\n3")  # who was cut off
    assert (done.stdout, done.returncode) == ("a b\n--- #2\n", 0)
    assert '"3" is no position' in done.stderr


def test_an_input_that_ends_at_once_ends_it(tmp_path: Path) -> None:
    journal = record(tmp_path / "journal", "a")
    done = run("--replay", journal, "--follow", 0)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def refused(*words: object, **options: Any) -> str:
    done = run(*words, **options)
    assert (done.returncode, done.stdout) == (2, ""), done.stdout
    assert done.stderr.startswith("usage: ")
    return done.stderr.splitlines()[-1].partition("error: ")[2]


def test_what_cannot_be_followed_is_refused(tmp_path: Path) -> None:
    journal = record(tmp_path / "journal", "a")
    for wrong in ("1", "2", "77", "-1", "x", "9" * 30):
        why = refused("--replay", journal, f"--follow={wrong}")
        assert why.startswith(f"argument --follow: {wrong} is not open for reading; pass")
    read, write = os.pipe()
    assert refused("--replay", journal, "--follow", write, pass_fds=[write])
    with_a_file = open(journal, "rb")  # noqa: SIM115
    assert refused("--replay", journal, "--follow", with_a_file.fileno(), close_fds=False)
    with_a_file.close()
    assert "add --replay PATH" in refused("--follow", 0)
    assert "leave out --speed" in refused("--replay", journal, "--follow", 0, "--speed", 1)
    for descriptor in (read, write):
        os.close(descriptor)


if __name__ == "__main__":
    host()
