# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Every host that is used by lines: what it does where a terminal, a file or a user is unkind.

TODOSTREAM_LIBRARY, TWEETBOAT_LIBRARY, DASHBOARD_LIBRARY, DIARY_LIBRARY, SIGNIN_LIBRARY   the apps,
with their hosts in C beside them
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path
from typing import Iterator, List

import pytest

EXAMPLES = Path(__file__).resolve().parents[1]
#: Of each app its program in C, the one in Python, and a command that shows a text again.
APPS = {
    "todostream": ("todo", "todo.py", "add"),
    "tweetboat": ("boat", "boat.py", "name"),
    "dashboard": ("dashboard-host", "dashboard.py", "find"),
    "diary": ("diary", "diary_host.py", "signin"),
    "signin": ("signin", "signin.py", ""),
}
ENVIRONMENT = {name: value for name, value in os.environ.items() if "DISPLAY" not in name}


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The site of the dashboard, which ends with its input."""
    program = [sys.executable, str(EXAMPLES / "dashboard" / "site" / "users.py")]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout
        yield run.stdout.readline().strip()


class Host:
    def __init__(self, app: str, language: str, folder: Path, site: str) -> None:
        program, script, self.shows = APPS[app]
        library = Path(os.environ[f"{app.upper()}_LIBRARY"])
        python = (
            "/usr/bin/python3" if app in ("signin", "dashboard") else sys.executable
        )  # with GTK
        started = [python, str(EXAMPLES / app / "hosts" / script)]
        self.words = [str(library.parent / program)] if language == "C" else started
        if app in ("todostream", "diary"):
            self.words += ["--db", str(folder / "file.sqlite")]
        if (app, language) == ("todostream", "C"):
            self.words.append("--lines")
        if app in ("tweetboat", "dashboard"):
            self.words.append(site)
        if app == "signin":
            self.words.append("--script")
        #: Whether it asks for lines in a terminal: one has a screen instead, and in the other
        #: passwords are typed, which nothing may bring back.
        self.asks = app != "signin" and (app, language) != ("tweetboat", "C")

    def run(self, commands: bytes, way: str = "") -> "subprocess.CompletedProcess[bytes]":
        """Runs it to its end; `way` is where its files come from, in the words of the shell."""
        words = ["bash", "-c", f'exec "$@" {way}', "bash", *self.words]
        return subprocess.run(
            words, input=commands, capture_output=True, env=ENVIRONMENT, timeout=60
        )


@pytest.fixture(params=[f"{app} in {language}" for app in APPS for language in ("C", "Python")])
def host(request: pytest.FixtureRequest, tmp_path: Path, site: str) -> Host:
    app, _, language = request.param.split()
    return Host(app, language, tmp_path, site)


UNKIND = "a\x1b[2J\x7f\x85\u2028\u202eb\u2066\té\U0001f642"


def test_what_is_shown_does_nothing_to_the_terminal(host: Host) -> None:
    done = host.run(f"{host.shows} {UNKIND}\nshow 1".encode())
    said = done.stdout.decode()
    assert "a\\x1b[2J\\x7f\\x85\\u2028\\u202eb\\u2066\\té\U0001f642" in said
    assert not re.search("[\0-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", said)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_word_that_is_no_text_is_shown_as_its_bytes(host: Host) -> None:
    done = host.run(b"a\xff\x9b\xe2\x80\n")
    assert (done.returncode, done.stderr) == (0, b"")
    done.stdout.decode()
    assert b"unknown" not in done.stdout or b"a\\xff\\x9b\\xe2\\x80\n" in done.stdout


def test_lines_of_another_system_are_the_same_lines(host: Host) -> None:
    done = host.run(b"fly\r\n\r\n  fly\r\nquit\r\nfly")
    assert done.stdout == host.run(b"fly\n\n  fly\nquit\nfly").stdout


def test_an_input_that_is_closed_has_ended(host: Host) -> None:
    ended, closed = host.run(b""), host.run(b"", "<&-")
    assert (closed.returncode, closed.stdout, closed.stderr) == (0, ended.stdout, b"")


def one_line(done: "subprocess.CompletedProcess[bytes]") -> List[object]:
    """What it ended with, and its line."""
    assert done.stderr.count(b"\n") == 1, done.stderr.decode()
    return [done.returncode, done.stderr.decode().rstrip("\n")]


def test_an_output_that_is_closed_or_full_is_one_line(host: Host) -> None:
    unknown = b"fly\nshow\n" * 3
    assert one_line(host.run(unknown, ">&-")) == [1, "standard output is closed"]
    full = [1, "standard output: No space left on device"]
    assert one_line(host.run(unknown, ">/dev/full")) == full


def test_an_input_that_cannot_be_read_is_one_line(host: Host) -> None:
    assert one_line(host.run(b"", "0>/dev/null")) == [1, "standard input: Bad file descriptor"]


def test_a_session_that_cannot_be_recorded_does_not_begin(host: Host, tmp_path: Path) -> None:
    host.words += ["--record", str(tmp_path)]
    done = host.run(b"fly\nshow\n")
    code, said = one_line(done)
    assert (code, done.stdout, "is a directory" in str(said)) == (1, b"", True)


def test_who_interrupts_it_gets_no_other_words(host: Host) -> None:
    process = subprocess.Popen(
        host.words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )
    assert process.stdin and process.stdout
    process.stdin.write(b"fly\n")
    process.stdin.flush()
    assert process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode in (130, -signal.SIGINT), errors) == (True, b"")


def read_until(terminal: int, shown: str) -> None:
    """Reads what a terminal shows, until it ends with something."""
    seen = b""
    while not re.search(f"{shown}$", seen.decode(errors="replace"), re.DOTALL):
        seen += os.read(terminal, 4096)


def test_in_a_terminal_a_line_is_edited_and_comes_back(host: Host) -> None:
    if not host.asks:
        return
    keys, terminal = pty.openpty()
    process = subprocess.Popen(
        host.words, stdin=terminal, stdout=terminal, env={**ENVIRONMENT, "TERM": "vt100"}
    )
    os.close(terminal)
    read_until(keys, "> ")
    os.write(keys, b"lp\x01he\n")  # back to its beginning: help
    read_until(keys, "quit.*> ")
    os.write(keys, b"\x10\n")  # the line before
    read_until(keys, "quit.*> ")
    os.write(keys, b"quit\n")
    with suppress(OSError):  # it has ended: there is no terminal any more
        while os.read(keys, 4096):
            pass
    assert process.wait(60) == 0
    os.close(keys)


def test_who_interrupts_it_in_a_terminal_ends_it(host: Host) -> None:
    has_screen = host.shows == "name" and not host.asks  # there, Ctrl+C is a key
    if not host.asks and not has_screen:
        return
    keys, terminal = pty.openpty()

    def take_keys() -> None:
        """As from a login: Ctrl+C is for it."""
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    process = subprocess.Popen(
        host.words,
        stdin=terminal,
        stdout=terminal,
        preexec_fn=take_keys,
        env={**ENVIRONMENT, "TERM": "vt100"},
    )
    os.close(terminal)
    read_until(keys, "quit.*" if has_screen else "> ")
    os.write(keys, b"fly\x03")
    with suppress(OSError):  # it has ended: there is no terminal any more
        # Python's readline misses a signal between its last look for one and its wait for a key.
        while select.select([keys], [], [], 5)[0] or os.write(keys, b"\x03"):
            os.read(keys, 4096)
    assert process.wait(60) in ([0] if has_screen else [130, -signal.SIGINT])
    os.close(keys)


@pytest.mark.parametrize("site", ["tweetboat/site/tweets.py", "dashboard/site/users.py"])
def test_a_site_that_is_interrupted_says_nothing(site: str) -> None:
    """Ctrl-C in a terminal reaches it beside the host."""
    program = [sys.executable, str(EXAMPLES / site)]
    process = subprocess.Popen(
        program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout and process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert errors == b""


def test_a_speed_is_a_number_and_not_below_0(host: Host, tmp_path: Path) -> None:
    for wrong in ("fast", "-1", "nan", "inf"):
        host.words += ["--speed", wrong]
        assert host.run(b"").returncode == 2
        del host.words[-2:]


def test_positions_are_followed_or_refused(host: Host, tmp_path: Path) -> None:
    journal = str(tmp_path / "journal")

    def run(*words: str, positions: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
        host.words += words
        done = host.run(positions)
        del host.words[-len(words) :]
        return done

    assert run("--record", journal).returncode == 0
    followed = run("--replay", journal, "--follow", "0", positions=b"1\nx\n")
    code, said = one_line(followed)
    assert (code, followed.stdout.endswith(b"--- #1\n")) == (0, True)
    assert str(said).startswith('--follow: "x" is no position; send a number')
    wrong = {
        ("--follow", "0"): b"add --replay PATH",
        ("--replay", journal, "--follow", "0", "--speed", "1"): b"leave out --speed",
        ("--replay", journal, "--follow", "9"): b"9 is not open for reading",
        ("--replay", journal, "--follow", "1"): b"1 is not open for reading",
        ("--replay", journal, "--follow", "-1"): b"--follow",
    }
    for words, why in wrong.items():
        done = run(*words, positions=b"1\n")
        assert (done.returncode, done.stdout) == (2, b"")
        assert why in done.stderr and b"usage: " in done.stderr
