# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The two hosts: they show the same, and each session is proven in both languages."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from pathlib import Path

import pyte
import pytest
from boats import HERE, HOSTS, VERIFIERS, mainstem, run, serve
from sessions import follow

BOTH = pytest.mark.parametrize("host", HOSTS)


@BOTH
def test_a_host_shows_what_is_expected(host: str, tmp_path: Path) -> None:
    journal = str(tmp_path / "session.journal")
    with serve() as site:
        commands = (HERE / "commands.txt").read_text()
        ended = run(*HOSTS[host], "--record", journal, site.url(""), commands=commands)
    assert ended == (0, (HERE / "expected.txt").read_text("utf-8"))
    words = {run(*verifier, journal) for verifier in VERIFIERS.values()}
    assert len(words) == 1, words
    assert words.pop()[0] == 0


@BOTH
def test_what_fails_is_shown_and_tried_again(host: str) -> None:
    with serve() as site:
        site.fail(503)
        commands = "name jack\ngo\ngo\n"
        code, said = run(*HOSTS[host], site.url(""), commands=commands)
    screens = said.split("[jack]")
    assert code == 0
    assert "The site is out of order." in screens[2]
    assert "The site is out of order." not in screens[3]
    assert "> [picture 48 × 48] Jack Tar: Fog" in screens[3]


@BOTH
def test_a_page_that_fails_is_asked_again_at_the_end(host: str) -> None:
    with serve() as site:
        site.pages["/timeline/mary"], kept = lambda query: fail(query), site.pages["/timeline/mary"]
        tries = []

        def fail(query: dict) -> object:
            tries.append(query["page"])
            return kept(query) if len(tries) != 2 else int("no page")

        commands = "name mary\ngo\ndown 30\ndown\n"
        code, said = run(*HOSTS[host], site.url(""), commands=commands)
    screens = said.split("[mary]")
    assert (code, tries) == (0, ["1", "2", "2"])
    assert screens[3].endswith("The site is out of order. Try again later.\n")
    assert "The site" not in screens[4] and "Loading" not in screens[4]


@BOTH
def test_a_site_that_hangs_or_is_not_there(host: str) -> None:
    with serve() as site:
        site.hang()
        words = (*HOSTS[host], "--patience", "50", site.url(""))
        assert (
            "The site does not answer. Try again.\n" in run(*words, commands="name jack\ngo\n")[1]
        )
    said = run(*words, commands="name jack\ngo\n")[1]
    assert "The site cannot be reached. Check the network, then try again.\n" in said


@BOTH
def test_odd_lines(host: str) -> None:
    """No text, a zero byte, nothing, a word that is none, a number too large, and no end."""
    commands = "name \udcff\nname ja\0x\n\nfly\ndown " + "9" * 5000 + "\nname jack"
    with serve() as site:
        code, said = run(*HOSTS[host], site.url(""), commands=commands)
    lines = ["[] Go off 0.5", *["[ja] Go off 0.5"] * 3, "[jack] Go on 1.0"]
    assert (code, [line for line in said.splitlines() if "Go" in line]) == (0, lines)


@BOTH
@pytest.mark.parametrize("word", ["--no-option", "http://another.site"])
def test_a_word_that_means_nothing_is_refused(host: str, word: str) -> None:
    code, said = run(*HOSTS[host], word, "http://localhost:1", commands="quit\n")
    assert (code, said.startswith("usage: boat ")) == (2, True)


@BOTH
@pytest.mark.parametrize("size", ["-1", "many", ""])
def test_a_size_that_is_none_is_refused(host: str, size: str) -> None:
    code, said = run(*HOSTS[host], "--cache", size, "http://localhost:1", commands="quit\n")
    assert code in (1, 2) and "--cache" in said and "Traceback" not in said


@BOTH
def test_a_journal_that_cannot_be_recorded_is_one_line(host: str, tmp_path: Path) -> None:
    code, said = run(*HOSTS[host], "--record", str(tmp_path / "no/a"), "http://localhost:1")
    assert (code, said.count("\n")) == (1, 1) and "does not exist" in said


@pytest.mark.parametrize("verifier", VERIFIERS)
def test_what_is_no_session_is_one_line(verifier: str, tmp_path: Path) -> None:
    (journal := tmp_path / "text").write_text("no journal")
    for path, message in ((tmp_path / "none", "No such file"), (journal, "is not a journal")):
        code, said = run(*VERIFIERS[verifier], str(path))
        assert (code, said.count("\n")) == (1, 1) and message in said
    assert run(*VERIFIERS[verifier])[0] == 2


@BOTH
def test_a_session_is_shown_again_by_either_host(host: str, tmp_path: Path) -> None:
    """What there was to see each time somebody did something, and last; nobody is asked again."""
    journal = str(tmp_path / "session.journal")
    with serve() as site:
        words = ["--record", journal, site.url("")]
        commands = "name jack\ngo\nprofile\nclose\nname nobody\ngo\n"
        code, live = run(*HOSTS[host], *words, commands=commands)
        asked = len(site.asked)
        again = {run(*HOSTS[other], "--replay", journal, "--speed", "1000") for other in HOSTS}
        assert len(site.asked) == asked
    assert (code, len(again)) == (0, 1), again
    code, said = again.pop()
    assert code == 0
    # Of pictures, a journal has the keys, and no bytes.
    last = re.sub(r"\[picture [0-9]+ × [0-9]+\]", "[picture]", live[live.rindex("[nobody]") :])
    assert "[picture] Jack Tar @jack: Rows" in said
    assert said.endswith(last)


@BOTH
def test_a_session_without_a_look_up_is_shown_again(host: str, tmp_path: Path) -> None:
    """Of what it has never done, such as opening a profile, its journal has no type."""
    journal = str(tmp_path / "session.journal")
    with serve() as site:
        words = ["--record", journal, site.url("")]
        code, live = run(*HOSTS["C"], *words, commands="name ja\n")
    assert code == 0
    assert {run(*HOSTS[host], "--replay", journal)} == {(0, f"[] Go off 0.5\n{live}")}


@BOTH
def test_a_session_is_stepped_by_another_process(host: str, tmp_path: Path) -> None:
    journal = tmp_path / "session.journal"
    with serve() as site:
        commands = "name jack\ngo\ndown 7\nprofile\nclose\nname mary\ngo\n"
        run(*HOSTS["C"], "--record", str(journal), site.url(""), commands=commands)
    follow(HOSTS[host], journal)


def test_a_session_in_a_terminal_is_stepped_by_another_process(tmp_path: Path) -> None:
    journal = tmp_path / "session.journal"
    with serve() as site:
        words = ["--record", str(journal), site.url("")]
        run(*HOSTS["C"], *words, commands="name jack\ngo\nprofile\nclose\nname mary\ngo\n")
    with mainstem.Journal(str(journal)) as events:
        names = {event.position: event.name for event in events}
    named = [position for position, name in names.items() if name == "Lookup.username"]
    keys, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
    read, write = os.pipe()
    screen = pyte.Screen(80, 24)
    stream = pyte.ByteStream(screen)
    process = subprocess.Popen(
        [*HOSTS["C"], "--replay", str(journal), "--follow", str(read)],
        stdin=terminal,
        stdout=terminal,
        pass_fds=[read],
        env={**os.environ, "TERM": "vt100", "LC_ALL": "C.UTF-8"},
    )
    os.close(read)
    os.close(terminal)  # then it ends with the process

    def until(sign: str, line: int) -> None:
        while sign not in screen.display[line]:
            stream.feed(os.read(keys, 4096))

    until("where another process wants it", -1)
    for position, sign in [(named[-1] - 1, "Jack Tar"), (max(names), "Mary Wolf")] * 2:
        os.write(write, b"%d\n" % position)
        until(sign, 2)
    os.close(write)
    assert process.wait(60) == 0
    os.close(keys)


def test_after_a_failed_look_up_the_next_name_is_typed(tmp_path: Path) -> None:
    """In the terminal: the keys are the field's again."""
    keys, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
    with serve() as site:
        process = subprocess.Popen(
            [*HOSTS["C"], site.url("")],
            stdin=terminal,
            stdout=terminal,
            env={**os.environ, "TERM": "vt100", "LC_ALL": "C.UTF-8"},
        )
        os.close(terminal)
        seen, again = b"", b"\b" * 6 + b"jack\n"
        typed = {b"": b"type a name", b"nobody\n": b"Check how it is spelled.", again: b"Jack Tar"}
        for keystrokes, sign in typed.items():
            os.write(keys, keystrokes)
            while sign not in seen:
                seen += os.read(keys, 4096)
        process.kill()
        process.wait()
    os.close(keys)
