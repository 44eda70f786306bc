# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Uses the page of `python3 -m mainstem studio` in a real browser, by gestures.

studio.py FOLDER [WORD …]  writes journals and pictures there; runs the checks whose names have a
                           word, or all; fails where the page is not as it must be
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Optional

from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "Sources" / "MainstemPython"
sys.path[:0] = [str(PACKAGE), str(ROOT / "Tests" / "PythonTests")]

from counter_session import FIRST, Session, counter_session  # noqa: E402
from diary_session import diary_session  # noqa: E402
from journal_writer import MS, JournalWriter  # noqa: E402
from todo_session import todo_session  # noqa: E402

COMMAND = [sys.executable, "-m", "mainstem", "studio"]
SEEN = (Path(__file__).parent / "seen.js").read_text(encoding="utf-8")
#: Runs before the page's own script: what must stay empty.
WATCH = """
window.wrong = [];
for (const kind of ["securitypolicyviolation", "error", "unhandledrejection"])
  addEventListener(kind, (event) => wrong.push(
    `${kind} ${event.violatedDirective ?? event.message ?? event.reason}`));
"""
#: Elements that the page never makes; a hostile text must not, either.
FOREIGN = "img, iframe, object, embed, video, style, body script, a"
ROW = "document.querySelector('#rows .row:not([hidden])')"
EVIL = '<img src=x onerror="wrong.push(1)"></script><script>wrong.push(2)</script><b>bold'
TEXTS = (
    EVIL,
    "\u202egnirts\u202c \u05e9\u05dc\u05d5\u05dd \u2067abc",
    "x" * 10000,
    "",
    "🎉 日本語",
)


class Studio:
    """`mainstem studio` on a journal, until the block ends."""

    def __init__(self, journal: Path, *options: str):
        paths = [str(PACKAGE), os.environ.get("PYTHONPATH", "")]
        self.process = subprocess.Popen(
            [*COMMAND, str(journal), "--no-browser", *options],
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        )
        assert self.process.stdout
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith("http://127.0.0.1:"), f"no address: {self.address}"

    def __enter__(self) -> Studio:
        return self

    def __exit__(self, *exception: object) -> None:
        self.end()

    def end(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=30)


class Page:
    """The page in a browser."""

    def __init__(self) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or ""
        for word in ("headless", "no-sandbox", "disable-gpu", "hide-scrollbars"):
            options.add_argument(f"--{word}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(
            options=options, service=Service(shutil.which("chromedriver"))
        )
        self.command("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        self.command("Performance.enable")
        self.address = ""

    def command(self, name: str, **fields: Any) -> Any:
        return self.driver.execute_cdp_cmd(name, fields)

    def look(self, width: int = 1280, height: int = 800, scheme: str = "light") -> None:
        """The size of the window, and whether it is day or night."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.command("Emulation.setDeviceMetricsOverride", **size)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.command("Emulation.setEmulatedMedia", features=features)

    def open(self, studio: Studio) -> None:
        self.address = studio.address
        self.look()
        # What the page before said when its studio had ended.
        for log in ("browser", "performance"):
            self.driver.get_log(log)
        self.driver.get(studio.address)
        self.until("return moment.textContent !== '' && document.querySelector('#why li')")

    def run(self, script: str, *values: Any) -> Any:
        return self.driver.execute_script(script, *values)

    def until(self, script: str, *values: Any) -> Any:
        """What a script returns, as soon as it is true; `moment` and so on are elements."""
        wait = WebDriverWait(self.driver, 20, poll_frequency=0.03)
        try:
            return wait.until(lambda _: self.run(script, *values))
        except TimeoutException:
            shown = self.run("return document.body.innerText")
            raise AssertionError(f"never true: {script} {values}\n{shown[:3000]}") from None

    def click(self, element: Any) -> None:
        ActionChains(self.driver).move_to_element(element).click().perform()

    def press(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()

    def press_shift(self, key: str) -> None:
        ActionChains(self.driver).key_down(Keys.SHIFT).send_keys(key).key_up(Keys.SHIFT).perform()

    def find(self, which: str, text: str = "") -> Any:
        """The first element seen with a text, as soon as it is there."""
        script = """return [...document.querySelectorAll(arguments[0])].find((each) =>
          each.checkVisibility() && each.textContent.includes(arguments[1]))"""
        return self.until(script, which, text)

    def at(self, position: int) -> None:
        """Waits until everything shows an event."""
        self.until(
            """const at = `#${arguments[0]}`;
            return moment.textContent === at
              && document.querySelector("#shown-title").textContent.startsWith(`Shown after ${at}`)
              && document.querySelector("#why [aria-current]")?.textContent.endsWith(at)
              && document.querySelector("#event summary").textContent.startsWith(at)
              && document.querySelector("#chain [aria-selected=true] .at")?.textContent === at""",
            position,
        )

    def chosen(self, text: str) -> None:
        """Waits until a row with a text is chosen."""
        self.find("#rows [aria-selected=true]", text)

    def value(self, name: str) -> Any:
        """What is shown of a value: the old one, or None, and the present one."""
        return self.run(
            """for (const row of document.querySelectorAll(".shows")) {
              if (row.querySelector("dt").textContent !== arguments[0]) continue;
              const [old, now] = [row.querySelector("del"), row.querySelector("ins, dd > bdi")];
              return [old && old.textContent, now.textContent];
            }""",
            name,
        )

    def picture(self, path: Path, is_whole: bool = False) -> None:
        taken = self.command("Page.captureScreenshot", captureBeyondViewport=is_whole)
        path.write_bytes(base64.b64decode(taken["data"]))

    def check_nothing_wrong(self) -> None:
        """No error, no violation of the policy, no request to another place, no foreign element."""
        assert self.run("return wrong") == []
        assert self.driver.get_log("browser") == []
        sent = [
            json.loads(each["message"])["message"] for each in self.driver.get_log("performance")
        ]
        requests = [each for each in sent if each["method"] == "Network.requestWillBeSent"]
        urls = [each["params"]["request"]["url"] for each in requests]
        assert urls and all(url.startswith(self.address) for url in urls), urls
        assert self.run("return document.querySelectorAll(arguments[0]).length", FOREIGN) == 0


# The journals -----------------------------------------------------------------------------------


def diary(folder: Path) -> Path:
    path = folder / "diary.journal"
    path.unlink(missing_ok=True)
    return Path(diary_session(str(path)))


def counter(folder: Path) -> Path:
    """A session of a counter, which then fails to save, in #28, and counts on."""
    made = counter_session()
    made.refuse("save", made.run("save"), 1000, "The disk is full.")
    made.run("up")
    return made.save(folder / "counter.journal")


def todo(folder: Path) -> Path:
    return todo_session().save(folder / "todo.journal")


def hostile(folder: Path) -> Path:
    """A journal whose names and payloads want to be more than text."""
    made = JournalWriter()
    for number, text in enumerate(TEXTS):
        name = f"{text[:1000]}.{number}"
        asked = made.event(f"Request{name}", text, origin=text[:2000] or "empty")
        made.fail(f"Response{name}", text, cause=asked, answers=asked, origin=text[:2000])
    return made.end().save(folder / f"{EVIL[:4]}it's hostile.journal")


def many(folder: Path) -> Path:
    """A hundred thousand gestures."""
    made = Session()
    made.open(FIRST)
    for number in range(100_000):
        made.run("up" if number % 2 else "save", after=MS)
    return made.save(folder / "many.journal")


# What a person does -----------------------------------------------------------------------------


def opens_at_the_last_failure(page: Page, folder: Path) -> None:
    with Studio(counter(folder)) as studio:
        page.open(studio)
        page.at(28)
        page.chosen("failed")
        page.find("#chain .failed", "The disk is full.")
        page.check_nothing_wrong()


def opens_at_the_last_row(page: Page, folder: Path) -> None:
    made = Session()
    made.open(FIRST)
    for _ in range(60):
        made.run("up")
        made.run("save")
    with Studio(made.end().save(folder / "fine.journal")) as studio:
        page.open(studio)
        page.at(11 + 120)
        page.chosen("save")
        page.check_nothing_wrong()


def opens_where_the_command_line_says(page: Page, folder: Path) -> None:
    with Studio(counter(folder), "--at", "14") as studio:
        page.open(studio)
        page.at(14)
        page.chosen("up")
        page.check_nothing_wrong()


def shows_what_followed_a_gesture(page: Page, folder: Path) -> None:
    with Studio(counter(folder)) as studio:
        page.open(studio)
        page.click(page.find("#rows .row", "up"))
        page.at(14)
        assert "up" in page.find("#say").text
        for text in ("#12", "#13", "#14", "#15", "#16"):
            page.find("#chain .event", text)
        assert page.value("count") == ["0", "1"]
        # A value's position goes to the event that set it.
        page.click(page.find(".shows button", "#13"))
        page.at(13)
        assert page.value("count") == ["0", "1"]
        assert page.value("isDirty") == [None, "false"]
        page.find("#why li", "#12")
        page.find("#why .question", "Counter.count")
        # And back: the value is the old one.
        page.press(Keys.ARROW_LEFT)
        page.at(12)
        assert page.value("count") == [None, "0"]
        page.press(Keys.ARROW_RIGHT)
        page.at(13)
        # Why: each step is a button.
        page.click(page.find("#why li button", "#12"))
        page.at(12)
        page.check_nothing_wrong()


def steps_leave_the_row(page: Page, folder: Path) -> None:
    with Studio(counter(folder)) as studio:
        page.open(studio)
        page.click(page.find("#rows .row", "up"))
        for at in (14, 15, 16):
            page.at(at)
            page.press(Keys.ARROW_RIGHT)
        page.at(17)
        page.chosen("eggs")
        page.press_shift(Keys.ARROW_LEFT)
        page.chosen("up")
        page.at(14)
        page.press(Keys.HOME)
        page.find("#rows [aria-selected=true][aria-posinset='1']")
        page.press(Keys.END)
        page.until("""const row = document.querySelector("#rows [aria-selected=true]");
          return row && row.ariaPosInSet === row.ariaSetSize""")
        page.check_nothing_wrong()


def filters_what_followed(page: Page, folder: Path) -> None:
    with Studio(counter(folder)) as studio:
        page.open(studio)
        page.click(page.find("#rows .row", "up"))
        page.at(14)
        page.click(page.find("#filter"))
        page.press("isdirty")
        page.until("return document.querySelectorAll('#chain .event:not([hidden])').length === 1")
        page.press(Keys.BACKSPACE * 7)
        page.click(page.find("#chain .event", "#13"))
        page.at(13)
        page.click(page.find("#only", "Counter.count"))
        seen = "return [...document.querySelectorAll('#chain .event:not([hidden]) .at')]"
        page.until(f"{seen}.map((each) => each.textContent).sort().join() === '#12,#13'")
        page.click(page.find("#only"))
        page.until("return document.querySelectorAll('#chain .event:not([hidden])').length === 5")
        page.check_nothing_wrong()


def search_goes_to_an_event(page: Page, folder: Path) -> None:
    with Studio(counter(folder)) as studio:
        page.open(studio)
        page.press("/")
        page.press("eggs")
        page.find(".result[aria-selected=true]", "#17")
        page.press(Keys.ENTER)
        page.at(17)
        page.chosen("eggs")
        assert not page.find("#search").find_element("id", "results").is_displayed()
        # The history of a value.
        page.click(page.find("#search input"))
        page.press(Keys.BACKSPACE * 4, "value:Counter.count")
        page.until("return document.querySelectorAll('.result').length === 2")
        page.press(Keys.ARROW_DOWN)
        page.find(".result[aria-selected=true]", "0 → 1")
        page.press(Keys.ENTER)
        page.at(13)
        page.press("/", "failed")
        page.find(".result", "#28")
        page.press(Keys.ESCAPE)
        page.until("return results.hidden")
        page.press("/", "nothing has this text")
        page.find("#searched", "Nothing is found")
        page.press(Keys.ESCAPE)
        page.check_nothing_wrong()


def live_rows_arrive(page: Page, folder: Path) -> None:
    made = Session()
    made.open(FIRST)
    made.run("up")
    path = made.save(folder / "live.journal")
    count = f"return {ROW}.ariaSetSize === String(arguments[0])"

    def go_on(rows: int) -> None:
        before = len(made.bytes)
        for number in range(rows):
            made.run("save" if number % 2 else "up")
        with open(path, "ab") as file:
            file.write(made.bytes[before:])

    with Studio(path) as studio:
        page.open(studio)
        page.until(count, 2)
        go_on(60)
        page.until(count, 62)
        page.find("#live")
        # It stays at the end, and goes with the last row until something is chosen.
        page.find("#rows [aria-selected=true][aria-posinset='62']")
        page.click(page.find("#rows .row", "up"))
        go_on(10)
        page.until(count, 72)
        page.find("#rows .row[aria-posinset='72']")
        # Held: rows arrive, and what is shown stays.
        page.click(page.find("#hold"))
        go_on(100)
        page.find("#hold", "100 new")
        page.until(count, 172)
        page.find("#rows .row[aria-posinset='72']")
        assert page.run("return document.querySelector('[aria-posinset=\"172\"]')") is None
        page.click(page.find("#hold"))
        page.find("#rows [aria-selected=true][aria-posinset='172']")
        page.check_nothing_wrong()


def keyboard_reaches_everything(page: Page, folder: Path) -> None:
    focus = """const it = document.activeElement, style = getComputedStyle(it);
      return [[...document.querySelectorAll("*")].indexOf(it), it.id || it.closest("[id]")?.id,
        it.tagName, style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2]"""
    with Studio(counter(folder)) as studio:
        page.open(studio)
        page.click(page.find("#rows .row", "up"))
        page.at(14)
        reached: "list[tuple[str, str]]" = []
        numbers: "list[int]" = []
        while len(numbers) < 300 and (len(numbers) < 2 or numbers[-1] != numbers[0]):
            page.press(Keys.TAB)
            number, where, tag, is_marked = page.run(focus)
            if tag == "BODY":
                continue
            assert is_marked, f"the focus on {where} {tag} is not seen"
            reached.append((where, tag))
            numbers.append(number)
        wanted = {
            ("search", "INPUT"),
            ("back", "BUTTON"),
            ("forward", "BUTTON"),
            ("hold", "BUTTON"),
        }
        wanted |= {("rows", "DIV"), ("filter", "INPUT"), ("only", "INPUT"), ("chain", "DIV")}
        wanted |= {("event", "SUMMARY"), ("owners", "SUMMARY"), ("owners", "BUTTON")}
        wanted |= {("why", "BUTTON"), ("copy", "BUTTON")}
        assert wanted <= set(reached), wanted - set(reached)
        # In a list, arrows choose.
        page.run("rows.focus()")
        page.press(Keys.ARROW_DOWN)
        page.chosen("eggs")
        page.press(Keys.ARROW_UP)
        page.chosen("up")
        page.at(14)
        page.run("chain.focus()")
        page.press(Keys.HOME)
        page.at(12)
        page.press(Keys.ARROW_DOWN)
        page.at(13)
        # The button of a value keeps the focus when the values are shown anew.
        page.run("arguments[0].focus()", page.find(".shows .at", "#13"))
        page.press(Keys.ENTER)
        page.at(13)
        assert page.run("return document.activeElement.textContent") == "#13"
        page.check_nothing_wrong()


def copies_the_moment(page: Page, folder: Path) -> None:
    with Studio(hostile(folder)) as studio:
        page.open(studio)
        page.click(page.find("#copy"))
        copied = page.find("#copied", "--at ").text
        assert "'\\''" in copied and "mainstem studio '" in copied, copied
        page.check_nothing_wrong()


def hostile_texts_stay_texts(page: Page, folder: Path) -> None:
    with Studio(hostile(folder)) as studio:
        page.open(studio)
        rows = page.run(
            "return Number(document.querySelector('#rows .row:not([hidden])').ariaSetSize)"
        )
        page.run("rows.focus()")
        page.press(Keys.HOME)
        for number in range(1, rows + 1):
            page.find(f"#rows [aria-selected=true][aria-posinset='{number}']")
            page.until("return say.textContent && document.querySelector('#chain .event')")
            assert page.run(SEEN) == []
            page.press(Keys.ARROW_DOWN)
        page.press("/", "img")
        page.find(".result", "<img")
        page.press(Keys.ENTER)
        page.check_nothing_wrong()


def scrolls_a_hundred_thousand_rows(page: Page, folder: Path) -> None:
    with Studio(many(folder)) as studio:
        page.open(studio)
        page.until(f"return Number({ROW}.ariaSetSize) > 100_000")
        page.press(Keys.HOME)
        page.find("#rows [aria-selected=true][aria-posinset='1']")
        best = min(script_a_frame(page) for _ in range(3))
        print(f"script a frame while scrolling: {best:.2f} ms")
        assert best <= 4
        elements = page.run("return document.querySelectorAll('#rows *').length")
        assert elements < 1000, elements
        # The bar reaches the middle.
        bar = page.find("#rows > .bar")
        ActionChains(page.driver).move_to_element(bar).click().perform()
        page.until("""const row = document.querySelector('#rows .row:not(.dim) .name, #rows .name');
          return [...document.querySelectorAll("#rows .row")].some((row) =>
            Math.abs(row.ariaPosInSet - 50_000) < 500 && row.querySelector(".name, .verb"))""")
        page.check_nothing_wrong()


def script_a_frame(page: Page) -> float:
    """The time of script for each frame that scrolls the list of rows, in ms."""

    def spent() -> float:
        metrics = page.command("Performance.getMetrics")["metrics"]
        return next(each["value"] for each in metrics if each["name"] == "ScriptDuration")

    page.run(
        """window.drawn = 0;
        new MutationObserver(() => { drawn += 1; }).observe(
          document.querySelector("#rows .strip"), { attributes: true });"""
    )
    begin = spent()
    wheel = {"type": "mouseWheel", "x": 100, "y": 400, "deltaX": 0}
    for number in range(150):
        page.command("Input.dispatchMouseEvent", deltaY=130 if number % 10 else 20000, **wheel)
    frames = page.run("return drawn")
    assert frames > 50, frames
    return (spent() - begin) * 1000 / frames


def says_when_it_has_ended(page: Page, folder: Path) -> None:
    with Studio(counter(folder)) as studio:
        page.open(studio)
        page.at(28)
        studio.end()
        page.find("#ended", "mainstem studio has ended")
        # It does not ask again and again; and what is shown stays.
        asked = "return performance.getEntriesByType('resource').length"
        count = page.run(asked)
        page.press(Keys.ARROW_UP)
        page.run(
            "return new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"
        )
        assert page.run(asked) - count <= 3
        page.driver.get_log("browser")
        assert page.run("return wrong") == []


def looks_well(page: Page, folder: Path) -> None:
    for make in (counter, todo, diary):
        path = make(folder)
        with Studio(path) as studio:
            page.open(studio)
            page.until("return document.querySelector('.owner, #owners .nothing')")
            for scheme in ("light", "dark"):
                for width, height in ((1280, 800), (1920, 1080), (700, 900)):
                    look_at(
                        page, folder / f"{path.stem}-{width}-{scheme}.png", width, height, scheme
                    )
            page.run("document.documentElement.style.fontSize = '200%'")
            look_at(page, folder / f"{path.stem}-large.png", 1280, 800, "light")
            page.check_nothing_wrong()


def look_at(page: Page, picture: Path, width: int, height: int, scheme: str) -> None:
    page.look(width, height, scheme)
    page.run("return new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
    found = page.run(SEEN)
    page.picture(picture, is_whole=width < 900 or "large" in picture.name)
    assert picture.stat().st_size > 10_000, picture
    assert found == [], "\n".join([f"{picture.name}:", *found])


CHECKS: "list[Callable[[Page, Path], None]]" = [
    opens_at_the_last_failure,
    opens_at_the_last_row,
    opens_where_the_command_line_says,
    shows_what_followed_a_gesture,
    steps_leave_the_row,
    filters_what_followed,
    search_goes_to_an_event,
    live_rows_arrive,
    keyboard_reaches_everything,
    copies_the_moment,
    hostile_texts_stay_texts,
    scrolls_a_hundred_thousand_rows,
    says_when_it_has_ended,
    looks_well,
]


def main(checks: "list[Callable[[Page, Path], None]]", target: str, *words: str) -> None:
    folder = Path(target).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    page: Optional[Page] = None
    for check in checks:
        if words and not any(word in check.__name__ for word in words):
            continue
        page = page or Page()
        try:
            check(page, folder)
        except BaseException:
            page.picture(folder / "failed.png")
            page.driver.quit()
            raise
        print(f"studio {check.__name__.replace('_', ' ')}: as it must be", flush=True)
    if page:
        page.driver.quit()


if __name__ == "__main__":
    main(CHECKS, *sys.argv[1:])
