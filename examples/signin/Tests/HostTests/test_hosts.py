# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Both hosts show the same, in a window and in lines; their sessions verify in both languages."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from itertools import product
from pathlib import Path

import pytest
from hosts import HOSTS, SWIFT, Host, command, environment, play
from sessions import follow
from world import BUILT, SIGNIN

HERE = Path(__file__).parent
HOUR = re.compile(r"at [0-2]\d:[0-5]\d")
CASES = list(product(HOSTS, (False, True)))


def verified(path: Path) -> str:
    """What verifiers in Python and in Swift say about a session, which is the same."""
    python = [sys.executable, str(SIGNIN / "hosts/verify_session.py")]
    said = [
        subprocess.run([*program, str(path)], capture_output=True, text=True)
        for program in (python, SWIFT)
    ]
    assert [(one.returncode, one.stderr) for one in said] == [(0, "")] * 2
    assert said[0].stdout == said[1].stdout
    return said[0].stdout


@pytest.mark.parametrize("host, is_window", CASES)
def test_every_host_shows_the_same_and_its_session_verifies(
    host: str, is_window: bool, tmp_path: Path
) -> None:
    path = tmp_path / "session.journal"
    played = play(host, is_window, HERE / "commands.txt", "--record", path, "--trace")
    assert HOUR.sub("at HH:MM", played.stdout) == (HERE / "expected.txt").read_text()
    assert "events, digest " in verified(path)
    for kept in (played.stderr.encode(), path.read_bytes()):
        assert b"SignIn.password" in kept
        assert b"kcaj" not in kept


def test_a_session_of_another_app_does_not_verify(tmp_path: Path) -> None:
    """The verifiers can fail: here an answer in the journal is another one."""
    path = tmp_path / "session.journal"
    play("c", False, HERE / "commands.txt", "--record", path)
    changed = tmp_path / "changed.journal"
    bytes = path.read_bytes()
    changed.write_bytes(re.sub(rb"\d\d:\d\d", b"24:00", bytes))
    assert changed.read_bytes() != bytes
    failed = subprocess.run(
        [sys.executable, str(SIGNIN / "hosts/verify_session.py"), str(changed)], capture_output=True
    )
    assert failed.returncode != 0


def test_what_is_tied_goes_both_ways_and_ends_on_either_side() -> None:
    tied = subprocess.run([BUILT / "ties"], capture_output=True, text=True)
    assert (tied.stdout, tied.stderr, tied.returncode) == ("tied\n", "", 0)


def copies(process: int, secret: bytes) -> int:
    """How often something is in the memory of a process that may be written."""
    found = 0
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", 0) as memory:
        for line in maps:
            span, rights, *_ = line.split()
            if rights.startswith("rw"):
                first, last = (int(end, 16) for end in span.split("-"))
                memory.seek(first)
                try:
                    found += memory.read(last - first).count(secret)
                except OSError:  # a page of a device
                    continue
    return found


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="looks into memory by /proc")
@pytest.mark.parametrize("is_window", [False, True])
def test_the_password_is_in_no_memory_after_signing_in(is_window: bool) -> None:
    name = "correct horse battery staple"
    secret = name[::-1].encode()
    host = Host("c", is_window)
    host.say(f"username {name}", "password wrong", "submit", "wait")
    process = child_of(host.process.pid) if is_window else host.process.pid
    assert copies(process, name.encode()) > 0  # What is searched for would be found.
    assert "signed in at " in host.say(f"password {secret.decode()}", "submit", "wait")
    assert copies(process, secret) == 0
    host.end()


def child_of(process: int) -> int:
    """The host that xvfb-run has started."""
    lines = subprocess.run(["ps", "-eo", "pid=,ppid=,comm="], capture_output=True, text=True).stdout
    rows = [line.split(None, 2) for line in lines.splitlines()]
    return next(
        int(pid) for pid, parent, name in rows if int(parent) == process and name == BUILT_NAME
    )


BUILT_NAME = (BUILT / "signin").name


@pytest.mark.parametrize("host, is_window", CASES)
def test_odd_lines(host: str, is_window: bool, tmp_path: Path) -> None:
    """No text, a zero byte, a word that is none, a secret that is too long, no end of the line."""
    lines = [b"username \xff", b"username jack\0x", b"password \xff", b"fly", b"show"]
    lines += [b"password " + b"secret show " * 30, b"password wrong", b"show"]
    (path := tmp_path / "commands.txt").write_bytes(b"\n".join(lines))
    played = play(host, is_window, path)
    shown = "name on, password on, [Submit] {}, idle{}"
    assert played.stdout.splitlines() == [
        "unknown: fly",
        shown.format("off", ": Please enter your password."),
        "the line is too long",
        shown.format("on", ""),
    ]


@pytest.mark.parametrize("host", HOSTS)
def test_it_says_when_it_was_by_the_clock_of_the_context(host: str) -> None:
    """In Kolkata it is half an hour later than anywhere else; the journal's times are those."""
    told = Host(host, False, "--delay", 1, TZ="Asia/Kolkata")
    before = datetime.now(timezone.utc)
    said = told.say("username jack", "password kcaj", "submit", "wait")
    after = datetime.now(timezone.utc)
    told.end()
    kolkata = timezone(timedelta(hours=5, minutes=30))
    hours = {f"{at.astimezone(kolkata):%H:%M}" for at in (before, after)}
    assert said.rsplit(" ", 1)[1] in hours


@pytest.mark.parametrize("host, is_window", CASES)
def test_a_session_is_shown_again(host: str, is_window: bool, tmp_path: Path) -> None:
    path, nothing = tmp_path / "session.journal", tmp_path / "nothing"
    nothing.touch()
    live = play("c", False, HERE / "commands.txt", "--record", path, "--delay", 1).stdout
    again = play(host, is_window, nothing, "--replay", path).stdout
    assert set(live.splitlines()) - set(again.splitlines()) == set()
    assert again == play("python", False, nothing, "--replay", path, "--speed", 1000).stdout


@pytest.mark.parametrize("host, is_window", CASES)
def test_a_session_is_stepped_by_another_process(
    host: str, is_window: bool, tmp_path: Path
) -> None:
    path = tmp_path / "session.journal"
    play("c", False, HERE / "commands.txt", "--record", path, "--delay", 1)
    follow(command(host, is_window), path, environment(is_window))
