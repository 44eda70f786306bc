# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The full-screen host in a pseudo-terminal, whose screen is read with a terminal emulator."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import sqlite3
import struct
import subprocess
import termios
import time
from pathlib import Path
from typing import Callable, Iterator, List, Optional, Sequence

import pyte
from hosts import ENVIRONMENT, HOSTS, Run

#: The names of keys, and what a terminal sends for them (terminfo: xterm-256color).
KEYS = {
    "up": b"\033OA",
    "down": b"\033OB",
    "right": b"\033OC",
    "left": b"\033OD",
    "home": b"\033OH",
    "end": b"\033OF",
    "page up": b"\033[5~",
    "page down": b"\033[6~",
    "delete": b"\033[3~",
    "backspace": b"\x7f",
    "enter": b"\r",
    "escape": b"\033",
    "tab": b"\t",
    "back tab": b"\033[Z",
    "alt up": b"\033[1;3A",
    "alt down": b"\033[1;3B",
    "undo": b"\x1a",
    "interrupt": b"\x03",
    "F5": b"\033[15~",
}


def write(database: Path, *titles: str) -> None:
    """Adds todos, the first one at the top."""
    run = Run("C", database, "".join(f"add {title}\n" for title in reversed(titles)).encode())
    assert (run.code, run.errors) == (0, "")


def fill(database: Path, count: int) -> None:
    """Adds todos, whose numbers are their places."""
    write(database)
    with contextlib.closing(sqlite3.connect(str(database))) as file:
        rows = ((f"id {n}", -n, f"Todo {n}", -n) for n in range(1, count + 1))
        file.executemany(
            "INSERT INTO todo VALUES (?, 'home', ?, ?, '', NULL, 'normal', 0, ?, NULL)", rows
        )
        file.commit()


def kept(database: Path, columns: str = "title", deleted: int = 0) -> List[str]:
    """What is in the file, sorted."""
    with contextlib.closing(sqlite3.connect(str(database))) as file:
        found = file.execute(f"SELECT {columns} FROM todo WHERE deleted = {deleted}").fetchall()
    return sorted(" ".join(map(str, row)) for row in found)


@contextlib.contextmanager
def locked(database: Path) -> Iterator[None]:
    with contextlib.closing(sqlite3.connect(str(database), isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.execute("ROLLBACK")


#: How long a test waits before it fails.
SECONDS = 60


class Emulator(pyte.Screen):
    """pyte 0.8.2, which moves only lines that are in its buffer, and does not scroll on request."""

    def _fill(self) -> None:
        for line in range(self.lines):
            self.buffer[line]  # which adds it

    def delete_lines(self, count: Optional[int] = None) -> None:
        self._fill()
        super().delete_lines(count)

    def insert_lines(self, count: Optional[int] = None) -> None:
        self._fill()
        super().insert_lines(count)

    def index(self) -> None:
        self._fill()
        super().index()

    def reverse_index(self) -> None:
        self._fill()
        super().reverse_index()

    def scroll_up(self, count: Optional[int] = None) -> None:
        self._scroll(self.delete_lines, count)

    def scroll_down(self, count: Optional[int] = None) -> None:
        self._scroll(self.insert_lines, count)

    def _scroll(self, move: Callable[[Optional[int]], None], count: Optional[int]) -> None:
        place = self.cursor.x, self.cursor.y
        self.cursor.y = self.margins.top if self.margins else 0
        move(count)
        self.cursor.x, self.cursor.y = place


class Stream(pyte.ByteStream):
    csi = {**pyte.ByteStream.csi, "S": "scroll_up", "T": "scroll_down"}
    events = pyte.ByteStream.events | {"scroll_up", "scroll_down"}


class Window:
    """A terminal that shows a host."""

    def __init__(
        self,
        database: Path,
        *options: str,
        columns: int = 80,
        lines: int = 24,
        is_leader: bool = True,
        until: str = "to do",
        passed: Sequence[int] = (),
        **environment: str,
    ) -> None:
        self.emulator = Emulator(columns, lines)
        #: What is shown before a test begins; keys that come before the list find no row.
        self._until = until
        self._stream = Stream(self.emulator)
        #: All that the host has written.
        self.written = b""
        self.keys, self.terminal = pty.openpty()
        self._set_size(columns, lines)
        self.modes = termios.tcgetattr(self.terminal)
        words = [*HOSTS["C"], "--db", str(database), *options]
        settings = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **environment}
        inherited = {
            name: value
            for name, value in ENVIRONMENT.items()
            if name not in ("NO_COLOR", "LINES", "COLUMNS")
        }
        self.process = subprocess.Popen(
            words,
            stdin=self.terminal,
            stdout=self.terminal,
            stderr=subprocess.PIPE,
            pass_fds=passed,
            env={**inherited, **settings},
            # The leader of a session, as from a login; otherwise a job, which a shell can stop.
            start_new_session=is_leader,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0) if is_leader else os.setpgrp(),
        )

    def _set_size(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("4H", lines, columns, 0, 0))

    def resize(self, columns: int, lines: int) -> None:
        self.emulator.resize(lines, columns)
        self._set_size(columns, lines)  # which sends SIGWINCH

    def press(self, *keys: str) -> None:
        """Types keys by their names, or else text, each as if alone."""
        for key in keys:
            os.write(self.keys, KEYS.get(key) or key.encode())

    def _read(self, seconds: float) -> bool:
        if not select.select([self.keys], [], [], seconds)[0]:
            return False
        try:
            read = os.read(self.keys, 65536)
        except OSError:  # the host has ended
            return False
        self.written += read
        self._stream.feed(read)
        return bool(read)

    def wait(self, is_there: Callable[[List[str]], bool], what: object = "") -> List[str]:
        """The lines of the screen, as soon as they are as is wanted."""
        deadline = time.monotonic() + SECONDS
        while not is_there(self.lines):
            if not self._read(max(0.0, deadline - time.monotonic())):
                raise AssertionError(f"{what} is not shown:\n" + "\n".join(self.lines))
        return self.lines

    def see(self, *texts: str) -> List[str]:
        return self.wait(lambda lines: all(any(t in line for line in lines) for t in texts), texts)

    def miss(self, text: str) -> List[str]:
        return self.wait(lambda lines: not any(text in line for line in lines), f"without {text}:")

    def rows(self, *rows: str) -> List[str]:
        """Waits until these are the rows that are seen, each with its sign."""
        return self.wait(lambda lines: self.seen(lines) == list(rows), rows)

    def show(self, count: int) -> None:
        """Waits until so many rows are seen."""
        self.wait(lambda lines: len(self.seen(lines)) == count, f"{count} rows")

    def change(self, key: str) -> None:
        """Types a key, and waits until the line at the top is another one."""
        before = self.lines[0]
        self.press(key)
        self.wait(lambda lines: lines[0] != before, f"a change by {key}")

    @staticmethod
    def seen(lines: List[str]) -> List[str]:
        found = (re.match(r"(\[[x ]\] .*?)(?:  +Priority: \w+)?$", line) for line in lines)
        return [match[1] for match in found if match]

    @property
    def lines(self) -> List[str]:
        return [line.rstrip() for line in self.emulator.display]

    @property
    def selected(self) -> Optional[str]:
        """The row that is shown in reverse."""
        for number, line in enumerate(self.lines):
            if self.emulator.buffer[number][0].reverse:
                return Window.seen([line])[0]
        return None

    def select(self, row: str) -> None:
        self.wait(lambda _: self.selected == row, f"the selection of {row}")

    def end(self) -> int:
        """What the process ended with, once all that it wrote is read."""
        os.close(self.terminal)
        self.terminal = -1
        while self._read(60):
            pass
        return self.process.wait(60)

    def __enter__(self) -> Window:
        if self._until:
            self.see(self._until)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()
        os.close(self.keys)
        if self.terminal >= 0:
            os.close(self.terminal)
