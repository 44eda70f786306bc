# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the pictures of the studio again, from a session of the diary.

pictures.py [FOLDER]  studio.png, studio-proof.png, studio-map.png and studio.gif; in docs/images

DIARY_LIBRARY is the diary, as for its tests.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import List, Tuple

from selenium.webdriver.common.keys import Keys
from studio import ROOT, Page, Studio
from studio_proof import RECORDS, VERIFIES, program, session

DIARY = ROOT / "examples" / "diary"
#: Between commands, in seconds: as fast as a person.
PACE = 0.25
#: The text that the app of the tests says.
HOSTILE = "<b>\\u202e"


def recorded(folder: Path) -> Path:
    """A session of the diary, whose user is no faster than a person."""
    path = folder / "diary.journal"
    words = ["--db", str(folder / "diary.sqlite"), "--day", "2026-11-23", "--record", str(path)]
    host = subprocess.Popen(
        [sys.executable, str(DIARY / "hosts" / "diary_host.py"), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    assert host.stdin
    for line in (DIARY / "commands.txt").read_text(encoding="utf-8").splitlines():
        time.sleep(PACE)
        host.stdin.write(f"{line}\n")
        host.stdin.flush()
    host.stdin.close()
    assert host.wait() == 0
    return path


class Film:
    """Pictures of the page, one after the other."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page, self.folder = page, folder
        self.frames: List[Tuple[Path, float]] = []

    def show(self, seconds: float) -> None:
        path = self.folder / f"{len(self.frames):03}.png"
        self.page.picture(path)
        self.frames.append((path, seconds))

    def save(self, path: Path) -> None:
        colors, files = self.folder / "colors.png", [frame for frame, _ in self.frames]
        few = ["+dither", "-colors", "128"]
        convert(*files, "-sample", "25%", "-append", *few, "-unique-colors", colors)
        words: List[object] = []
        for frame, seconds in self.frames:
            words += ["-delay", round(seconds * 100), frame]
        shrunk = ["-resize", "1000x", "+dither", "-remap", colors, "-layers", "Optimize"]
        convert(*words, "-loop", "0", *shrunk, path)


def convert(*words: object) -> None:
    subprocess.run(["/usr/bin/convert", *map(str, words)], check=True)


def settled(page: Page) -> None:
    page.run("return new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")


def entry_saved(page: Page) -> None:
    """Goes to what an entry set when it was saved, in the middle of the session."""
    page.find("#search input").send_keys("value:DiaryList.title")
    page.click(page.find("#found .result", "4 entries"))
    page.find("#event summary", "4 entries")
    page.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    settled(page)


def film(page: Page, folder: Path, target: Path) -> None:
    """The way from the end of a session to the cause of a value, and through time."""
    made = Film(page, folder)
    made.show(2)
    page.find("#search input").send_keys("value:DiaryList.title")
    page.find("#found .result", "4 entries")
    made.show(2)
    page.find("#search input").clear()
    entry_saved(page)
    made.show(3)
    for key in (Keys.ARROW_LEFT,) * 4 + (Keys.ARROW_RIGHT,) * 4:
        page.press(key)
        settled(page)
        time.sleep(0.2)
        made.show(0.6)
    for _ in range(6):
        page.press_shift(Keys.ARROW_RIGHT)
        settled(page)
        time.sleep(0.3)
        made.show(0.8)
    page.press("m")
    page.find("#map .box")
    settled(page)
    made.show(3)
    made.save(target)


def main(target: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, page = Path(name), Page()
        journal = recorded(folder)
        with Studio(journal, "--verify", str(DIARY / "hosts" / "diary_verify.py")) as studio:
            page.open(studio)
            page.find("#proof.proved")
            entry_saved(page)
            page.picture(target / "studio.png")
            page.press("m")
            page.find("#map .box")
            settled(page)
            page.picture(target / "studio-map.png")
        with Studio(journal, "--verify", str(DIARY / "hosts" / "diary_verify.py")) as studio:
            page.open(studio)
            page.find("#proof.proved")
            film(page, folder, target / "studio.gif")
        records, verifies = (text.replace(HOSTILE, "The sum is ") for text in (RECORDS, VERIFIES))
        proves = program(folder, "less", verifies)
        with Studio(session(folder, records), "--verify", proves) as studio:
            page.open(studio)
            page.click(page.find("#proof [name=go]"))
            page.find("#difference h2")
            settled(page)
            page.look(1280, 600)
            settled(page)
            page.picture(target / "studio-proof.png")
        page.driver.quit()
    for path in sorted(target.glob("studio*.png")):
        convert(path, "-alpha", "off", "-strip", "+dither", "-colors", "256", f"PNG8:{path}")


if __name__ == "__main__":
    os.environ.setdefault(
        "DIARY_LIBRARY", str(ROOT / "build" / "package" / "debug" / "libDiaryCore.so")
    )
    subprocess.run([str(ROOT / ".ci" / "machine"), "imagemagick", "fonts-noto-core"], check=True)
    main(Path(sys.argv[1]) if sys.argv[1:] else ROOT / "docs" / "images")
