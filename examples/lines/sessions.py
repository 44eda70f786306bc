# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Sessions in the tests of each app: a host that is killed, and a journal that verifies."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
from pathlib import Path
from typing import List, Mapping, Optional, Sequence

import mainstem
import verifier


def killed(
    words: Sequence[str], commands: str, count: int, environment: Optional[Mapping[str, str]] = None
) -> List[str]:
    """Types commands, kills the host once it has printed so many lines, and returns its lines.

    All that it has started is killed with it. If there are fewer lines, it ends by itself.
    """
    pipe = subprocess.PIPE
    with subprocess.Popen(
        words, stdin=pipe, stdout=pipe, env=environment, start_new_session=True
    ) as process:
        assert process.stdin and process.stdout
        process.stdin.write(commands.encode())
        process.stdin.close()
        said = b"".join(process.stdout.readline() for _ in range(count))
        os.killpg(process.pid, signal.SIGKILL)
        # What it had printed by then was seen, too; the last line may be a part of one.
        said += process.stdout.read()
    return said[: said.rfind(b"\n") + 1].decode().splitlines()


def verify(journal: Path, prove: verifier.Prove, program: Sequence[str]) -> None:
    """All sessions of a journal verify here, and in the program in Swift, which says the same."""
    if not journal.exists():  # a host was killed before it made one
        return
    with mainstem.Journal(str(journal)) as events:
        count = len(events.sessions())
    said = [verifier.said(prove(str(journal), number)) for number in range(1, count + 1)]
    done = subprocess.run([*program, "--all", str(journal)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert [line.rpartition(": ")[2] for line in done.stdout.splitlines()] == said


class Followed:
    """A host that goes where this process says: in lines, or in a window that prints its events."""

    def __init__(
        self,
        words: Sequence[str],
        journal: Path,
        environment: Optional[Mapping[str, str]] = None,
        errors: int = subprocess.PIPE,
    ) -> None:
        read, self.positions = os.pipe()
        self.process = subprocess.Popen(
            [*words, "--replay", str(journal), "--follow", str(read)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            pass_fds=[read],
            env=environment,
            text=True,
        )
        os.close(read)
        self.watch = threading.Timer(60, self.process.kill)  # then a sign has not come
        self.watch.daemon = True
        self.watch.start()

    def go(self, position: int, shown: Optional[int] = None) -> List[str]:
        """Goes to a position, and returns the lines on the way; `shown`: where it comes to."""
        shown = position if shown is None else shown
        return self.go_until(position, f"--- #{shown}$")[:-1]

    def go_until(self, position: int, sign: str) -> List[str]:
        """Goes to a position, and returns the lines to one that begins so, a regular expression."""
        os.write(self.positions, b"%d\n" % position)
        assert self.process.stdout
        lines: List[str] = []
        while not lines or not re.match(sign, lines[-1]):
            line = self.process.stdout.readline()
            assert line, (lines, self.process.communicate()[1])
            lines.append(line.rstrip("\n"))
        return lines

    def __enter__(self) -> Followed:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        os.close(self.positions)
        said, errors = self.process.communicate()
        self.watch.cancel()
        assert kind or (self.process.returncode, said, errors or "") == (0, "", "")


def thirds(journal: Path) -> List[int]:
    """The positions of some events of it: the first, two on the way, the last."""
    with mainstem.Journal(str(journal)) as events:
        positions = [event.position for event in events]
    return [positions[max(0, len(positions) * part // 3 - 1)] for part in range(4)]


def follow(
    words: Sequence[str], journal: Path, environment: Optional[Mapping[str, str]] = None
) -> None:
    """Forward, back and to the end, a host shows what it shows that goes there at once."""
    again = "--- again from the beginning"

    def at_once(position: int, shown: Optional[int] = None) -> List[str]:
        with Followed(words, journal, environment) as host:
            return host.go(position, shown)

    _, some, later, last = thirds(journal)
    with Followed(words, journal, environment) as host:
        seen = host.go(some)
        assert seen == at_once(some)
        seen += host.go(later)
        rest = iter(seen)  # where it stays, what is seen is shown once more
        assert all(line in rest for line in at_once(later)), seen
        assert host.go(some) == [again, *at_once(some)]
        assert host.go(0, shown=0) == [again, *at_once(0, shown=0)]
        assert host.go(last + 1, shown=last) == at_once(last)
        assert host.go(later) == [again, *at_once(later)]
    command = [*words, "--replay", str(journal), "--speed", "0"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout.splitlines()) == (0, at_once(last))


def follow_in_window(words: Sequence[str], journal: Path, environment: Mapping[str, str]) -> None:
    """Forward, back and to the end, a window is fed the events up to there, and no other."""
    first, some, later, last = thirds(journal)
    with Followed([*words, "--trace"], journal, environment, subprocess.STDOUT) as window:
        before = 0
        for position in (some, later, some, last, first, last):
            lines = window.go_until(position, rf" *#{position} ")
            assert all(re.match(" *#", line) for line in lines), lines  # no warning
            fed = [int(line.split("#")[1].split(" ")[0]) for line in lines]
            if position < before:  # it begins again
                fed = fed[fed.index(first) :]
                before = first - 1
            assert fed == list(range(before + 1, position + 1))
            before = position
