# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Uses the page of `python3 -m mainstem studio --verify … --play …` in a real browser.

studio_proof.py FOLDER [WORD …]  as studio.py does
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

from selenium.webdriver.common.keys import Keys
from studio import PACKAGE, Page, Studio, look_at, main
from test_studio_host import HOST
from test_studio_proof import RECORDS, VERIFIES

SIDES = """return [...document.querySelectorAll('#difference .side')].map((side) =>
  [...side.querySelectorAll('.differs')].map((each) => each.innerText).join())"""


def program(folder: Path, how: str, verifies: str = VERIFIES) -> str:
    """The command that verifies a session of the app, which does it so."""
    path = folder / "verifies.py"
    text = verifies.replace("sys.argv[1]", repr(how)).replace("sys.argv[2]", "sys.argv[1]")
    path.write_text(text)
    return shlex.join([sys.executable, str(path)])


def session(folder: Path, records: str = RECORDS) -> Path:
    path = folder / "proof.journal"
    path.unlink(missing_ok=True)
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    subprocess.run([sys.executable, "-c", records, str(path)], check=True, env=environment)
    return path


def the_first_difference_is_shown_in_its_place(page: Page, folder: Path) -> None:
    with Studio(session(folder), "--verify", program(folder, "less")) as studio:
        page.open(studio)
        page.click(page.find("#proof [name=go]", "✗ #9"))
        page.at(9)
        page.find("#difference h2", "The program does something else now: another payload")
        recorded, actual = page.run(SIDES)
        assert '{"total":6,' in recorded.replace("\n", ""), recorded
        assert '{"total":5,' in actual.replace("\n", ""), actual
        assert page.run("return difference.querySelector('b') === null"), "a payload became HTML"
        for size in ((1280, 800, "light"), (1920, 1080, "dark"), (600, 900, "light")):
            look_at(page, folder / f"proof-{size[0]}.png", *size)
        page.look()
        page.click(page.find("#back"))
        page.at(8)
        page.until("return difference.hidden")
        program(folder, "as it was")
        page.click(page.find("#proof [name=prove]"))
        page.find("#proof.proved", "✓ proved")
        page.until("return !document.querySelector('#proof [name=go]').checkVisibility()")
        page.check_nothing_wrong()


def what_prevents_a_proof_is_told(page: Page, folder: Path) -> None:
    with Studio(session(folder), "--verify", "sh -c 'echo no such user; exit 3'") as studio:
        page.open(studio)
        page.find("#unproved", "no such user")
        page.find("#proof.failed", "not proved")
        page.check_nothing_wrong()


def without_a_program_there_is_no_proof(page: Page, folder: Path) -> None:
    with Studio(session(folder)) as studio:
        page.open(studio)
        assert page.run("return proof.hidden")
        refused = "return fetch('prove', {method: 'POST'}).then((answer) => answer.json())"
        assert page.run(refused) == {"done": False}
        assert page.run("return fetch('prove').then((answer) => answer.status)") == 404
        page.run("wrong.length = 0")


def the_window_follows_the_page(page: Page, folder: Path) -> None:
    told = folder / "told"
    told.unlink(missing_ok=True)
    os.mkfifo(told)
    host = shlex.join([sys.executable, "-c", HOST, "good", str(told)])
    with Studio(session(folder), "--play", host) as studio:
        page.open(studio)
        page.press(Keys.HOME)
        page.at(3)
        page.click(page.find("#window", "Window"))
        with told.open() as said:
            assert said.readline() == f"{folder / 'proof.journal'} -\n"
            assert said.readline() == "at 3\n"
            page.find("#window[aria-pressed=true]")
            for key, at in ((Keys.ARROW_RIGHT, 4), (Keys.END, 12), (Keys.ARROW_LEFT, 11)):
                page.press(key)
                page.at(at)
                # What was chosen while the window began may be told twice.
                while (line := said.readline()) != f"at {at}\n":
                    assert line == "at 3\n", line
            page.click(page.find("#window"))
            assert said.read() == "ends\n"
            page.find("#window[aria-pressed=false]")
        page.check_nothing_wrong()


CHECKS = [
    the_first_difference_is_shown_in_its_place,
    what_prevents_a_proof_is_told,
    without_a_program_there_is_no_proof,
    the_window_follows_the_page,
]

if __name__ == "__main__":
    main(CHECKS, *sys.argv[1:])
