# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The full screen in terminals of all kinds: sizes, texts, signals; and sessions of it."""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import sqlite3
import subprocess
import termios
from pathlib import Path

import pytest
from hosts import ENVIRONMENT, VERIFIERS, Run, mainstem
from screens import KEYS, Window, fill, kept, locked, write


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "todo.sqlite"


SIZES = [(20, 5), (40, 12), (80, 24), (400, 120)]


def verify(journal: Path) -> None:
    for verifier in VERIFIERS.values():
        done = subprocess.run([*verifier, journal], capture_output=True, env=ENVIRONMENT)
        assert done.returncode == 0, (done.stdout + done.stderr).decode()


# Sizes


@pytest.mark.parametrize("columns,lines", SIZES)
def test_the_screen_fits(database: Path, columns: int, lines: int) -> None:
    fill(database, 200)
    with Window(database, columns=columns, lines=lines) as window:
        rows = window.seen(window.see(f"Todo {lines - 2}"))
        assert rows == [f"[ ] Todo {n}" for n in range(1, lines - 1)]
        assert "200 of 200" in window.lines[0]
        window.press("enter", "?")
        window.see("Title     Todo 1?", "Priority  normal")
        window.press("escape", "G", "?")
        window.see("Up, k")
        window.press("q", "p")
        window.see("Only what is delete")
        window.press("q")
        assert window.end() == 0


def test_an_error_covers_the_lines_that_it_needs(database: Path) -> None:
    fill(database, 9)
    with Window(database, columns=20, lines=7) as window:
        with locked(database):
            window.press(" ")
            window.see("e try again.")
        assert window.lines[1:] == [
            "[ ] Todo 1",
            "[ ] Todo 2",
            "[ ] Todo 3",
            "Another program is u",
            "sing the list. Pleas",
            "e try again.",
        ]


@pytest.mark.parametrize("columns,lines", [(1, 1), (3, 2), (19, 4)])
def test_a_smaller_screen_does_no_harm(database: Path, columns: int, lines: int) -> None:
    write(database, "日本")
    with Window(database) as window:
        window.resize(columns, lines)
        window.press("e", "x", "enter")
        window.resize(80, 24)
        window.see("日本x")
        window.resize(columns, lines)
        window.press("l", "ho", "me", "enter", "?", "q", "d", "tab", "q")
        assert window.end() == 0
    assert kept(database, deleted=1) == ["日本x"]


def test_the_size_may_change_at_any_time(database: Path) -> None:
    fill(database, 200)
    with Window(database) as window:
        window.press(*["down"] * 15)
        window.select("[ ] Todo 16")
        for columns, lines in [(20, 5), (400, 120), (40, 8)]:
            window.resize(columns, lines)
            window.show(lines - 2)
            window.select("[ ] Todo 16")
        window.press("e", " more")
        window.see("Title     Todo 16 more")
        window.resize(22, 5)
        window.see("odo 16 more", "Enter saves")
        window.resize(80, 24)
        window.see("Title     Todo 16 more", "Enter saves, Esc cancels")
        window.press("enter")
        window.see("[ ] Todo 16 more")


def test_a_change_of_10000_rows_draws_what_is_visible(database: Path) -> None:
    fill(database, 10_000)
    with Window(database) as window:
        window.see("10000 of 10000 to do", "1/10000")
        for key, row in [("G", "10000"), ("page up", "9979"), ("g", "1"), ("down", "2")]:
            window.written = b""
            window.press(key)
            window.select(f"[ ] Todo {row}")
            assert len(window.written) < 4000
        window.written = b""
        window.press("d")
        window.see("9999 of 9999 to do")
        window.select("[ ] Todo 3")
        assert len(window.written) < 4000


def processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_of_10000_rows_only_the_visible_ones_are_read(database: Path) -> None:
    fill(database, 10_000)
    with Window(database) as window:
        began = processor_seconds(window.process.pid)
        for row in range(2, 102):
            window.press("j")
            window.select(f"[ ] Todo {row}")
        # Reading all of them takes ten times as long.
        assert processor_seconds(window.process.pid) - began < 0.3


# Texts


@pytest.mark.parametrize("columns", [20, 60])
def test_wide_texts_are_shown_as_they_are_stored(database: Path, columns: int) -> None:
    texts = ["日本語のテキスト", "🙂🙃 ok", "e\u0301te\u0301", "שלום עולם", "가나다", "नमस्ते"]
    write(database, *texts)
    with Window(database, columns=columns, lines=10) as window:
        # The emulator has é as one character, and none for marks that it does not know.
        texts[2] = "été"
        window.see(*texts[:5])
        assert window.written.decode().count("e\u0301te\u0301") == 1
        if columns == 60:
            cells = window.emulator.buffer
            window.wait(
                lambda _: all(cells[line][44].data == "P" for line in range(1, 7)),
                "the priority of each row at column 44",
            )


@pytest.mark.parametrize("columns", range(20, 26))
def test_a_text_is_cut_between_its_characters(database: Path, columns: int) -> None:
    write(database, "日本" * 10, "x" * 30)
    with Window(database, columns=columns, lines=6) as window:
        room = columns - 5
        window.rows("[ ] " + ("日本" * 10)[: room // 2] + "…", "[ ] " + "x" * room + "…")


UNKIND = "a\x1b[2J\x1b]0;evil\x07\x7f\x85\u2028\u202eb\u2066\té"


def test_control_characters_do_not_reach_the_terminal(database: Path) -> None:
    write(database, UNKIND)
    shown = "a\\x1b[2J\\x1b]0;evil\\x07\\x7f\\x85\\u2028\\u202eb\\u2066\\té"
    with Window(database, columns=100) as window:
        window.see(f"[ ] {shown}")
        window.press("enter")
        window.see(f"Title     {shown}")
        window.press("escape", "l", "x\u202e", "enter")
        window.see("x\\u202e")
        said = window.written.decode()
        assert not re.search("\x1b\\]|\x07|\x7f|[\x80-\x9f\u2028\u202e\u2066]", said)


def test_a_zero_character_is_shown_and_sent_back(database: Path) -> None:
    write(database, "Milk")
    with Window(database) as window:
        window.rows("[ ] Milk")
        with contextlib.closing(sqlite3.connect(str(database))) as other:
            other.execute("UPDATE todo SET subtitle = 'a' || char(0) || 'b'")
            other.commit()
        window.press("R")
        window.press("e", "!", "enter")
        window.rows("[ ] Milk!")


# Colors


def test_colors_are_those_of_the_terminal(database: Path) -> None:
    write(database, "Milk")
    for terminal, settings, is_colored in [
        ("xterm-256color", {}, True),
        ("linux", {}, True),
        ("vt100", {}, False),
        ("xterm-256color", {"NO_COLOR": "1"}, False),
        ("xterm-256color", {"NO_COLOR": ""}, True),
    ]:
        with Window(database, TERM=terminal, **settings) as window:
            window.rows("[ ] Milk")
            window.press("u")
            window.see("There is nothing to undo.")
            colors = re.findall(rb"\x1b\[(?:[0-9;]*;)?3[0-7](?:;[0-9;]*)?m", window.written)
            assert bool(colors) == is_colored, terminal


def test_a_terminal_that_places_no_text_gets_lines(database: Path) -> None:
    write(database, "Milk")
    for terminal in ("dumb", "no-such-terminal"):
        with Window(database, TERM=terminal, until="") as window:
            window.see("todo>")
            window.press("list", "enter")
            window.see("1. [ ] Milk")
    with Window(database, "--lines", until="") as window:
        window.see("todo>")


# Ends


def is_given_back(window: Window) -> bool:
    """The terminal is as it was: its modes, the cursor, the screen before."""
    ended = window.written[window.written.rfind(b"\x1b[?1049h") :]
    signs = (b"\x1b[?1049l", b"\x1b[?25h" if b"\x1b[?25l" in ended else b"", b"\x1b[?2004l")
    modes = termios.tcgetattr(window.terminal)
    return modes == window.modes and all(sign in ended for sign in signs)


def end(window: Window) -> int:
    """What the process ended with, read before its terminal goes."""
    code = window.process.wait(60)
    while window._read(0):
        pass
    return code


def test_quit_gives_the_terminal_back(database: Path) -> None:
    with Window(database) as window:
        window.see("Nothing to do.")
        window.press("q")
        assert end(window) == 0
        assert is_given_back(window)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_gives_the_terminal_back_once_everything_is_saved(
    database: Path, number: signal.Signals
) -> None:
    write(database, "Milk")
    with Window(database, "--patience", "60000") as window:
        window.rows("[ ] Milk")
        with locked(database):
            window.press(" ")
            window.see("Saving …")
            window.process.send_signal(number)
            window.see("Quits when everything is saved")
        assert end(window) == -number
        assert is_given_back(window)
    assert kept(database, "title, completed_at IS NULL") == ["Milk 0"]


def test_control_c_is_the_signal(database: Path) -> None:
    with Window(database) as window:
        window.see("Nothing to do.")
        window.press("n", "Milk", "interrupt")
        assert end(window) == -signal.SIGINT
        assert is_given_back(window)


@pytest.mark.parametrize(
    "number",
    [signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGQUIT],
)
def test_a_crash_gives_the_terminal_back(database: Path, number: signal.Signals) -> None:
    with Window(database) as window:
        window.see("Nothing to do.")
        window.process.send_signal(number)
        assert end(window) == -number
        assert is_given_back(window)


def test_a_second_signal_does_not_wait(database: Path) -> None:
    write(database, "Milk")
    with Window(database, "--patience", "60000") as window:
        window.rows("[ ] Milk")
        with locked(database):
            window.press(" ")
            window.see("Saving …")
            window.process.terminate()
            window.see("Quits when everything is saved")
            window.process.terminate()
            assert end(window) == -signal.SIGTERM
        assert is_given_back(window)


def test_a_terminal_that_is_gone_is_the_end(database: Path) -> None:
    write(database, "Milk")
    with Window(database) as window:
        window.rows("[ ] Milk")
        window.press(" ")
        window.rows("[x] Milk")
        os.close(window.terminal)
        os.close(window.keys)
        window.terminal, window.keys = -1, os.open(os.devnull, os.O_RDWR)
        assert window.process.wait(60) == -signal.SIGHUP


def test_a_stop_gives_the_terminal_back_until_it_goes_on(database: Path) -> None:
    with Window(database, is_leader=False) as window:
        window.see("Nothing to do.")
        window.process.send_signal(signal.SIGTSTP)
        _, status = os.waitpid(window.process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        while window._read(0):
            pass
        assert is_given_back(window)
        window.emulator.reset()
        window.process.send_signal(signal.SIGCONT)
        window.see("Nothing to do.")
        window.press("n")
        window.see("Title")


def test_what_was_shown_as_saved_is_there_after_a_kill(database: Path) -> None:
    with Window(database, "--patience", "60000") as window:
        window.see("Nothing to do.")
        window.press("n", "Milk", "enter")
        window.rows("[ ] Milk")
        with locked(database):
            window.press("n", "Bread", "enter")
            window.see("Saving …")
            window.process.kill()
            assert end(window) == -signal.SIGKILL
        assert window.seen(window.lines) == ["[ ] Milk"]
    assert kept(database) == ["Milk"]


# Sessions


def test_a_recorded_session_is_proven_and_shown_again(database: Path, tmp_path: Path) -> None:
    journal = tmp_path / "session.journal"
    with Window(database, "--record", str(journal)) as window:
        window.see("● rec")
        window.press("n", "Milk", "enter")
        window.rows("[ ] Milk")
        window.press("e", "\x15", "enter")
        window.see("Please add a title.")
        window.press("escape", "n", "Bread", "enter")
        window.rows("[ ] Bread", "[ ] Milk")
        window.press("J")
        window.rows("[ ] Milk", "[ ] Bread")
        window.press("d")
        window.rows("[ ] Milk")
        window.press("u")
        window.rows("[ ] Milk", "[ ] Bread")
        window.press(" ")
        window.rows("[ ] Milk", "[x] Bread")
        window.press("q")
        assert window.end() == 0
    verify(journal)
    again = tmp_path / "no"
    with Window(again, "--replay", str(journal), "--speed", "1000", until="") as window:
        window.see("ended")
        window.rows("[ ] Milk", "[x] Bread")
        window.press("n")
        window.see("A recorded session takes no input.")
        window.press("j")
        window.select("[x] Bread")
        window.press("q")
        assert window.end() == 0
    assert not again.exists()


def test_a_session_is_paused_stepped_and_paced(database: Path, tmp_path: Path) -> None:
    journal = tmp_path / "session.journal"
    run = Run("C", database, b"add Milk\ntoggle 1\n", "--record", str(journal))
    assert run.code == 0
    slow = ("--replay", str(journal), "--speed", "0.000001")
    with Window(database, *slow, until="of 26") as window:
        window.press(" ")
        window.see("paused")
        while not window.seen(window.lines):
            window.change("s")
        assert window.seen(window.lines) == ["[ ] Milk"]
        window.press("-", "tab", "tab", " ")
        window.see("1/1e+06×")
        window.press(*"+" * 32)
        window.see("ended", "[x] Milk")
    with Window(database, "--replay", str(journal), "--speed", "0", until="") as window:
        window.see("ended", "[x] Milk")


def test_a_session_is_stepped_by_another_process(database: Path, tmp_path: Path) -> None:
    journal = tmp_path / "session.journal"
    run = Run("C", database, b"add Milk\nadd Bread\ntoggle 1\n", "--record", str(journal))
    assert run.code == 0
    with mainstem.Journal(str(journal)) as events:
        names = {event.position: event.name for event in events}
    milk, bread = (at for at, name in names.items() if name == "RequestNewTodoDetailViewModel")
    last = max(names)
    shown = {
        milk: [],
        bread: ["[ ] Milk"],
        last: ["[x] Bread", "[ ] Milk"],
    }
    read, write = os.pipe()
    words = ("--replay", str(journal), "--follow", str(read))
    with Window(tmp_path / "no", *words, until="#0 of", passed=[read]) as window:
        os.close(read)
        for position in (bread, last, milk, last, bread):
            os.write(write, b"%d\n" % position)
            window.see(f"#{position} of {last} ")
            window.rows(*shown[position])
        window.press("s")  # its own keys
        window.see(f"#{bread + 1} of {last} paused")
        os.write(write, b"0\n")
        window.see(f"#0 of {last} ")
        window.press("j")
        os.close(write)
        assert end(window) == 0
        assert is_given_back(window)
        assert window.process.stderr.read() == b""


def test_a_session_is_left_in_its_middle(database: Path, tmp_path: Path) -> None:
    journal = tmp_path / "session.journal"
    Run("C", database, b"add Milk\n", "--record", str(journal))
    slow = ("--replay", str(journal), "--speed", "0.000001")
    for key, code in (("q", 0), ("interrupt", -signal.SIGINT)):
        with Window(database, *slow, until="#") as window:
            window.press(" ")
            window.see("paused")
            window.change("s")
            window.press(key)
            assert end(window) == code
            assert is_given_back(window)
            assert window.process.stderr.read() == b""


@pytest.mark.parametrize("seed", range(3))
def test_random_keys_do_no_harm(database: Path, tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    journal = tmp_path / "session.journal"
    write(database, "one", "two", "three")
    keys = [*(name for name in KEYS if name != "interrupt"), *"  nnedduuKJDrrpyylRjk?x日é"]
    with Window(database, "--record", str(journal)) as window:
        for _ in range(300):
            if draw.random() < 0.05:
                window.resize(draw.randint(1, 100), draw.randint(1, 40))
            window.press(draw.choice(keys))
            window._read(0)
        window.resize(80, 24)
        window.press("escape", "escape")  # out of a prompt and an edit, of which there may be more
        window.process.send_signal(signal.SIGTERM)
        assert end(window) == -signal.SIGTERM
        assert is_given_back(window)
    verify(journal)
