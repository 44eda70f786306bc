# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A session that is shown again: at a speed, or where another process wants it. A file to copy.

    options = playing.parsed(parser)  # with --replay PATH, --speed FACTOR and --follow FD
    for context, fed in playing.contexts(options):  # another one each time that it goes back
        view = View(context)
        for stays in fed:  # after each event that is fed, and where it stays
            view.draw() if stays else context.drain()

With --follow, another process writes positions of the session to a pipe: decimal numbers, one a
line. The last one counts. The end of the pipe is the end. Windows read it with `Positions`, and so
does the bar that mainstem_bars.py has for them. playing.h is the same in C.
"""

from __future__ import annotations

import argparse
import fcntl
import math
import os
import select
import sys
import time
from typing import Iterator, Optional, Tuple

import mainstem

#: So many digits are a number of 64 bits.
LONGEST = 19


class Positions:
    """Positions that another process writes to a descriptor that this one has inherited."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        #: Where the session is to be shown; None: it is to stay where it is.
        self.position: Optional[int] = None
        self.has_ended = False
        self._line = b""  # what has come of one

    def read(self) -> None:
        """Reads what has come, and does not wait. It leaves the descriptor as others use it."""
        poll = select.poll()
        poll.register(self.descriptor, select.POLLIN)
        while not self.has_ended and poll.poll(0):
            try:
                self._take(os.read(self.descriptor, 4096))
            except OSError as error:
                print(f"--follow: it cannot be read: {error.strerror}", file=sys.stderr)
                self.has_ended = True

    def wait(self) -> bool:
        """Waits for a position; False: no more will come."""
        poll = select.poll()
        poll.register(self.descriptor, select.POLLIN)
        while self.position is None and not self.has_ended:
            poll.poll()
            self.read()
        return self.position is not None

    def _take(self, data: bytes) -> None:
        self.has_ended = not data
        *lines, self._line = (self._line + data).split(b"\n")
        for line in lines:
            if line.isdigit() and len(line) <= LONGEST:
                self.position = int(line)
            else:
                self._refuse(line)
        if self._line and self.has_ended:
            self._refuse(self._line)
        self._line = self._line[: LONGEST + 1]  # too long stays too long

    def _refuse(self, line: bytes) -> None:
        shown = "".join(chr(byte) if 32 <= byte < 127 else "?" for byte in line[: LONGEST + 1])
        print(
            f'--follow: "{shown}" is no position; send a number of at most {LONGEST} digits, and '
            "the end of its line",
            file=sys.stderr,
        )


def parsed(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """Adds the options that show a session again, and parses all."""
    parser.add_argument("--replay", metavar="PATH", help="show a recorded session again")
    parser.add_argument(
        "--speed",
        type=_speed,
        metavar="FACTOR",
        help="of the replay: 1 is as it was, 0 at once (in lines, the default)",
    )
    parser.add_argument(
        "--follow",
        type=_descriptor,
        metavar="FD",
        help="show what was shown after the events whose positions are read from there",
    )
    options = parser.parse_args()
    if options.follow is not None and not options.replay:
        parser.error("--follow FD goes through a session: add --replay PATH")
    if options.follow is not None and options.speed is not None:
        parser.error("with --follow FD, another process says where to go: leave out --speed")
    return options


def _speed(text: str) -> float:
    speed = float(text)
    if not 0 <= speed < math.inf:
        raise ValueError(text)
    return speed


def _descriptor(text: str) -> int:
    """One that was inherited: what a program opens itself is closed in the programs it starts."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
    try:
        is_inherited = not fcntl.fcntl(number, fcntl.F_GETFD) & fcntl.FD_CLOEXEC
        is_read = fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE != os.O_WRONLY
    except (OSError, ValueError):
        is_inherited = is_read = False
    if number in (1, 2) or not is_inherited or not is_read:
        raise argparse.ArgumentTypeError(
            f"{text} is not open for reading; pass a pipe on, as 0 or as 3 or more"
        )
    return number


def contexts(
    options: argparse.Namespace, verify: bool = False
) -> Iterator[Tuple[mainstem.Context, Iterator[bool]]]:
    """A context for the session, and what feeds it: False after an event, True where it stays.

    A replay only goes forward, so there is another context each time that it goes back. One that
    follows is muted; otherwise `verify` decides.
    """
    positions = None if options.follow is None else Positions(options.follow)
    while True:
        with mainstem.Context() as context:
            replay = context.replay(options.replay, verify=verify and not positions)
            yield (
                context,
                _followed(replay, positions) if positions else _played(replay, options.speed or 0),
            )
        if not positions or positions.position is None:
            return


def _played(replay: mainstem.Replay, speed: float) -> Iterator[bool]:
    """Each event when it is due."""
    began = first = 0.0
    while replay.step():
        if speed:
            at = replay.info.time / 1e9
            began, first = began or time.monotonic(), first or at
            time.sleep(max(0, began + (at - first) / speed - time.monotonic()))
        yield False
    yield True


def _followed(replay: mainstem.Replay, positions: Positions) -> Iterator[bool]:
    """Where the other process wants it, until that is behind. A line says where it is then."""
    while positions.wait():
        wanted = positions.position or 0
        if is_behind(replay, wanted):
            print("--- again from the beginning", flush=True)
            return
        while replay.info.position < wanted and replay.step():
            yield False
        yield True
        positions.position = None
        print(f"--- #{replay.info.position if replay.info.fed else 0}", flush=True)


def seek(replay: mainstem.Replay, position: int) -> None:
    """Feeds all up to a position that is not behind; if there are fewer, to the end."""
    position = min(position, replay.info.last)
    if position > replay.info.position:
        replay.seek(position)


def is_behind(replay: mainstem.Replay, position: int) -> bool:
    """Whether a replay has passed a position: it begins again, in another context."""
    return replay.info.fed > 0 and position < replay.info.position
