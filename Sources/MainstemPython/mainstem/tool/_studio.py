# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`studio`: a page in the browser that shows a journal, also while it is being written."""

from __future__ import annotations

import argparse
import fcntl
import html
import os
import shlex
import shutil
import signal
import struct
import subprocess
import tempfile
import threading
import webbrowser
from contextlib import closing, contextmanager, nullcontext, suppress
from typing import Any, Iterator, List

from ..failure import MainstemError
from ..journal_file import FILE_HEADER_SIZE
from ._answers import Answers
from ._host import Host
from ._live import Live
from ._proof import Proof
from ._reading import CLEAN, UNREADABLE, plain, say
from ._server import Server

__all__ = ["add_studio"]

#: How often it looks whether a program has begun its journal, in seconds.
_PERIOD = 0.05
#: F_OFD_SETLK, which Python 3.8 does not name: the lock that the library takes.
_SETLK = 37


def add_studio(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "studio",
        help="a page in the browser: what happened, what followed, what was shown, and why",
        usage="%(prog)s [-h] [--at N] [--verify PROGRAM] [--play HOST] [--no-browser] PATH\n"
        "       %(prog)s [--record PATH] [the same options] -- COMMAND …",
        description="Opens a page in the browser that shows a journal, and follows it while it is "
        "being written; or runs a command whose first context is recorded, and shows that. It "
        "serves this machine only, and ends with Ctrl-C.",
    )
    own.add_argument(
        "path", metavar="PATH", nargs="*", help="the journal; or, behind --, a command"
    )
    own.add_argument("--at", metavar="N", type=int, default=None, help="opens it at position N")
    own.add_argument(
        "--record", metavar="PATH", help="the journal of COMMAND; else a new one, which it names"
    )
    own.add_argument(
        "--verify",
        metavar="PROGRAM",
        type=_command,
        default=[],
        help="a program, with its words, that verifies the journal whose path it is given last",
    )
    own.add_argument(
        "--play",
        metavar="HOST",
        type=_command,
        default=[],
        help="a program, with its words, that shows a session with --replay PATH --follow FD",
    )
    own.add_argument(
        "--no-browser", action="store_true", help="only prints the address, and opens nothing"
    )
    own.set_defaults(run=run_studio, fail=own.error)


def _command(text: str) -> List[str]:
    """The words of a command; raises ValueError if there is no such program."""
    words = shlex.split(text)
    if not words or shutil.which(words[0]) is None:
        raise argparse.ArgumentTypeError(f"there is no program {text!r} that can be run")
    return words


def run_studio(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    words: List[str] = chosen.path
    if "--" in chosen.words:
        command: List[str] = chosen.words[chosen.words.index("--") + 1 :]
        if len(words) != len(command) or not command:
            chosen.fail("a journal and a command: give one of them")
        return _run_command(chosen, command)
    if len(words) != 1 or chosen.record:
        chosen.fail("give the PATH of a journal, or -- and a COMMAND")
    return _show(chosen, words[0], True)


def _run_command(chosen: argparse.Namespace, command: List[str]) -> int:
    """Runs a program that is recorded, and shows its journal as soon as that has begun."""
    if chosen.record and _is_written(chosen.record):
        say(f"{plain(chosen.record)} is being written by another program: name another journal")
        return UNREADABLE
    made = None if chosen.record else tempfile.mkdtemp(prefix="mainstem-")
    path = chosen.record or os.path.join(str(made), "session.journal")
    before = _size(path)
    try:
        with subprocess.Popen(command, env=dict(os.environ, MAINSTEM_RECORD=path)) as program:
            if _begins(path, before, program):
                status = _show(chosen, path, False)
                say(f"the journal is {plain(path)}")
                return status
            ended = program.returncode
    finally:
        if made is not None and not os.listdir(made):
            os.rmdir(made)
    say(f"the command ended with status {ended}, and has created no context that is recorded")
    return UNREADABLE


def _is_written(path: str) -> bool:
    """Whether a program has the lock of a journal."""
    with suppress(FileNotFoundError), open(path, "r+b") as file:
        try:
            fcntl.fcntl(file, _SETLK, struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))
        except BlockingIOError:
            return True
    return False


def _size(path: str) -> int:
    with suppress(OSError):
        return os.path.getsize(path)
    return 0


def _begins(path: str, before: int, program: "subprocess.Popen[bytes]") -> bool:
    """Waits until a journal has grown; False: the program has ended before."""
    while True:
        has_ended = program.poll() is not None
        if _size(path) >= max(FILE_HEADER_SIZE, before + 1):
            return True
        if has_ended:
            return False
        with suppress(subprocess.TimeoutExpired):
            program.wait(_PERIOD)


def _show(chosen: argparse.Namespace, path: str, proves: bool) -> int:
    try:
        live = Live(path)
    except MainstemError as error:
        say(plain(str(error)))
        return UNREADABLE
    proof, host = Proof(path, chosen.verify), Host(path, chosen.play)
    server = Server(live, Answers(live, chosen.at, proof, host))
    with suppress(KeyboardInterrupt), closing(proof), closing(host), live, server:
        # However it is ended, it leaves nothing behind.
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, signal.default_int_handler)
        print(server.address, flush=True)
        if proves:
            proof.begin()
        with nullcontext() if chosen.no_browser else _redirected(server.address):
            server.serve_forever()
    return CLEAN


@contextmanager
def _redirected(address: str) -> Iterator[None]:
    """Opens the page by a file that only its owner can read: everybody sees a command's words."""
    with tempfile.NamedTemporaryFile("w", prefix="mainstem-", suffix=".html") as file:
        address = html.escape(address)
        file.write(f'<!doctype html><meta http-equiv="refresh" content="0; url={address}">\n')
        file.flush()
        # Some browsers let whoever opens them wait until they are closed.
        threading.Thread(target=_open, args=(f"file://{file.name}",), daemon=True).start()
        yield


def _open(address: str) -> None:
    if not webbrowser.open(address):
        say("no browser was found: open the address above in one")
