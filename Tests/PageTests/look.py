# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Looks at the pages of `python3 -m mainstem diagram` in a real browser.

look.py FOLDER     writes pages and pictures there; fails where a page is not as it must be
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Sources" / "MainstemPython"), str(ROOT / "Tests" / "PythonTests")]

from counter_session import counter_session  # noqa: E402
from diary_session import diary_session  # noqa: E402
from journal_writer import MS, OUTSIDE, JournalWriter  # noqa: E402
from mainstem.tool import main  # noqa: E402
from mainstem.tool._navigation import KINDS  # noqa: E402
from navigator_writer import HOME, NavigatorWriter  # noqa: E402
from todo_session import todo_session  # noqa: E402

CHECK = (Path(__file__).parent / "check.js").read_text(encoding="utf-8")
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
DARK = "--blink-settings=preferredColorScheme=0"
NIGHT, DAY = "rgb(18, 22, 28)", "rgb(246, 247, 249)"


def browser(page: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """One run of the browser on a page, with a profile of its own."""
    with tempfile.TemporaryDirectory() as profile:
        return subprocess.run(
            [
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                "--enable-logging=stderr",
                f"--user-data-dir={profile}",
                *arguments,
                page.as_uri(),
            ],
            stdout=-1,
            stderr=-1,
            timeout=120,
            encoding="utf-8",
        )


def complaints(result: "subprocess.CompletedProcess[str]") -> "list[str]":
    """What the page wrote to the browser's console."""
    return [line for line in result.stderr.splitlines() if "CONSOLE" in line]


def checked(page: Path, *arguments: str) -> dict:
    """What check.js found."""
    text, policies = POLICY.subn("", page.read_text(encoding="utf-8"))
    assert policies == 1, "the page has no policy against scripts"
    copy = page.with_name("checked.html")
    copy.write_text(text.replace("</body>", f"<script>{CHECK}</script></body>"), encoding="utf-8")
    result = browser(copy, "--dump-dom", *arguments)
    assert complaints(result) == []
    found = re.search(r'id="checked">(.*?)</script>', result.stdout, re.S)
    assert found, "the check did not come to its end"
    return json.loads(found.group(1))


def crowd() -> JournalWriter:
    """Ten thousand events of many types and parts, with the longest names."""
    made = JournalWriter()
    for number in range(5000):
        kind = number % 83
        wide = "Wide" * (kind % 12)
        asked = made.event(f"Request{wide}{kind}", origin=f"View number {number % 14}")
        server = f"Server{number % 3}{'m' * 200 if number % 3 == 2 else ''}"
        made.event(f"Response{wide}{kind}", cause=asked, answers=asked, origin=server)
        if number % 7 == 0:
            made.fail("Told", "no", cause=asked, origin="View number 1", after=9 * MS)
    return made.end()


def alone() -> JournalWriter:
    """One event, sent by nobody in particular."""
    made = JournalWriter()
    made.event("Noted", "once")
    return made


class Diary:
    """A session with screens, which the library records."""

    @staticmethod
    def save(path: Path) -> Path:
        path.unlink(missing_ok=True)
        return Path(diary_session(str(path)))


def maze() -> NavigatorWriter:
    """Ways from anywhere to anywhere, of screens with the longest names."""
    made = NavigatorWriter()
    for number in range(400):
        place, before = number * 7 % 60, (number - 1) * 7 % 60
        route = f"{'Wide' * (place % 9)}/<int:m{place}>/{'m' * 200 if place % 5 == 0 else ''}"
        component, below = 1000 + number, 1000 + number - 1 - number % 3
        made.name_origin(2 + number, f"Component {number}", below, HOME)
        said = made.event(f"Said{'W' * (place % 50)}{before}", b"", flags=OUTSIDE)
        move = made.move(route, cause=said, origin=f"Component {number}")
        kind = KINDS[place % len(KINDS)]
        made.tree(move, component=component, url=route, route=route, kind=kind, parent=below)
        if number % 4 == 0:
            made.tree(made.gone(component), [component])
    return made.end()


SAMPLES = {
    "todo": (todo_session, {"boxes": 10, "parts": 6, "rows": 10}),
    "counter": (counter_session, {"boxes": 11, "parts": 12, "rows": 11}),
    "crowd": (crowd, {"boxes": 60, "parts": 20}),
    "diary": (Diary, {"cards": 9, "boxes": 43}),
    "maze": (maze, {"cards": 40}),
    "alone": (alone, {"boxes": 1, "parts": 2, "rows": 1, "bars": 1}),
}


def look(folder: Path, name: str) -> None:
    """One sample, in a wide and in a narrow window, by day and by night."""
    make, expected = SAMPLES[name]
    journal = make().save(folder / f"{name}.journal")
    page = folder / f"{name}.html"
    assert main(["diagram", str(journal), "-o", str(page)]) == 0
    for width, scheme, color in ((1240, [], DAY), (1240, [DARK], NIGHT), (520, [], DAY)):
        result = checked(page, f"--window-size={width},1400", *scheme)
        assert result["found"] == [], "\n".join([f"{name}, {width} wide:", *result["found"]])
        assert result["dark"] == color, result
        assert {key: result[key] for key in expected} == expected
    for kind, scheme in (("day", []), ("night", [DARK])):
        picture = folder / f"{name}-{kind}.png"
        picture.unlink(missing_ok=True)
        size = "--window-size=1240,1480"
        result = browser(page, f"--screenshot={picture}", size, *scheme)
        assert complaints(result) == []
        assert picture.stat().st_size > 10_000, picture
    print(f"{name}: as it must be")


if __name__ == "__main__":
    target = Path(sys.argv[1]).resolve()
    target.mkdir(parents=True, exist_ok=True)
    for sample in SAMPLES:
        look(target, sample)
