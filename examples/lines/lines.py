# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Lines, for hosts that are used by lines: a file to copy. lines.h is the same in C.

    def main() -> None:
        for command, argument in lines.commands("list> "):
            lines.say(f"{command} does nothing with {argument}")

    lines.run(main)

What is said cannot do anything to the terminal. What goes wrong is one line on standard error. In
a terminal, a line can be edited, and those before it come back; they are kept nowhere.
"""

from __future__ import annotations

import io
import os
import re
import signal
import sys
from contextlib import suppress
from typing import IO, Callable, Iterator, Match, Tuple

import mainstem

#: Control characters, ends of lines, what turns the direction of text, and bytes that are no text.
CONTROLS = re.compile("[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """A text with its control characters as \\n, \\x1b or \\u202e, so that it is one line."""
    return CONTROLS.sub(_escaped, text)


def _escaped(found: Match[str]) -> str:
    byte = ord(found[0]) - 0xDC00  # if it stands for a byte that is no text
    return f"\\x{byte:02x}" if 0x80 <= byte <= 0xFF else ascii(found[0])[1:-1]


def say(text: str, end: str = "\n") -> None:
    """Prints a line. Where it cannot be printed, nobody reads on: the program ends."""
    try:
        print(printable(text), end=end, flush=True)
    except OSError as error:
        sys.exit(f"standard output: {error.strerror}")


def read(input: IO[bytes]) -> bytes:
    """A line of the standard input; nothing: it has ended."""
    try:
        return input.readline()
    except OSError as error:
        sys.exit(f"standard input: {error.strerror}")


def commands(prompt: str) -> Iterator[Tuple[str, str]]:
    """The commands of the standard input, to its end or to "quit"; empty lines are passed over."""
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if is_terminal:
        sys.stdin.reconfigure(errors="surrogateescape")  # type: ignore[union-attr]
        with suppress(ImportError):  # without it, lines cannot be edited
            import readline  # noqa: F401
    while True:
        line = edited(prompt) if is_terminal else asked(prompt)
        command, argument = command_of(line)
        if not line or command == "quit":
            return
        if command:
            yield command, argument


def asked(prompt: str) -> bytes:
    """A line from a pipe or a file, or typed for a program whose output goes elsewhere."""
    say(prompt if sys.stdin.isatty() else "", end="")
    return read(sys.stdin.buffer)


def edited(prompt: str) -> bytes:
    """A line that is typed; nothing: the input has ended."""
    try:
        return f"{input(prompt)}\n".encode(errors="surrogateescape")
    except EOFError:
        say("")
        return b""
    except OSError as error:
        sys.exit(f"standard input: {error.strerror}")


def command_of(line: bytes) -> Tuple[str, str]:
    """The first word of a line, and the rest of it, which ends at a zero byte, as it does in C.

    What is no text stays as it is: whoever sends it is refused with a UnicodeError.
    """
    text = line.rstrip(b"\r\n").split(b"\0")[0].lstrip(b" ").decode(errors="surrogateescape")
    command, _, argument = text.partition(" ")
    return command, argument


def number(text: str) -> Tuple[int, str]:
    """The number at the beginning of a text, and what follows the space behind it; 0: there is
    none."""
    digits, rest = re.findall("^([0-9]*) ?(.*)", text, re.DOTALL)[0]
    return int(digits.lstrip("0")[:19] or 0), rest


def run(main: Callable[[], None]) -> None:
    """Runs a program from its beginning to its end."""
    if not HAS_OUTPUT:
        sys.exit("standard output is closed")
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # closed by its reader: it ends, as any filter
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115
    # Without a buffer, so that nothing is left to fail when the program has ended.
    output = io.FileIO(1, "w", closefd=False)
    sys.stdout = io.TextIOWrapper(output, "utf-8", newline="\n", write_through=True)
    try:
        main()
    except (mainstem.MainstemError, OSError) as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)


def _opened() -> bool:
    """Has 0 to 2 open, and returns whether 1 was: the first file that is opened gets a free one."""
    try:
        os.fstat(1)
        is_open = True
    except OSError:
        is_open = False
    while (file := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(file, True)
    os.close(file)
    return is_open


HAS_OUTPUT = _opened()  # before another module opens a file
