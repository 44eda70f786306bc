# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Goes through time on the page of `python3 -m mainstem studio`, and looks at its maps.

studio_time.py FOLDER [WORD …]  as studio.py does
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Sources" / "MainstemPython"), str(ROOT / "Tests" / "PythonTests")]

from counter_session import FIRST, Session  # noqa: E402
from journal_writer import MS, TEXT, JournalWriter  # noqa: E402
from navigator_writer import NavigatorWriter  # noqa: E402
from studio import SEEN, Page, Studio, counter, diary, hostile, look_at, main, many  # noqa: E402
from test_studio_contrast import Page as Late  # noqa: E402

SECOND = 1000 * MS
#: Where a moment is on the band, in pixels; it is given as a part of the whole.
PLACE = """const {left, right} = document.querySelector(".ticks svg").getBoundingClientRect();
return left + (right - left) * arguments[0]"""
NOW = "return Number(getComputedStyle(band).getPropertyValue('--now'))"
VIEW = "return document.querySelector('#map svg').getAttribute('viewBox')"


def press_alt(page: Page, key: str) -> None:
    ActionChains(page.driver).key_down(Keys.ALT).send_keys(key).key_up(Keys.ALT).perform()


def mouse(page: Page, kind: str, x: float, y: float, **fields: Any) -> None:
    buttons = 0 if kind == "mouseReleased" else 1
    held = {"button": "left", "buttons": buttons, "clickCount": 1, **fields}
    page.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, **held)


def drag(page: Page, begin: "tuple[float, float]", *ends: "tuple[float, float]") -> None:
    mouse(page, "mousePressed", *begin)
    for end in ends:
        mouse(page, "mouseMoved", *end)
    mouse(page, "mouseReleased", *(ends or (begin,))[-1])


def value(page: Page, text: str) -> None:
    """Waits until the slider says where it is."""
    page.until("return band.ariaValueText.startsWith(arguments[0])", text)


# The band ---------------------------------------------------------------------------------------


def the_band_shows_what_was_on_the_screen(page: Page, folder: Path) -> None:
    with Studio(diary(folder)) as studio:
        page.open(studio)
        value(page, "#244, 17.6 s, pressed unlock")
        page.find(".lane", "about")
        assert page.run("return band.role") == "slider"
        lanes = "return [...document.querySelectorAll('.lane .name')].map((each) => each.innerText)"
        names = page.run(lanes)
        assert names[:4] == ["diary", "drawer embed", "diary/3", "confirm dialog"], names
        # More than eight scroll; the tracks are as wide as the row of marks.
        assert page.run("const e = document.querySelector('.lanes'); return e.scrollHeight") > 170
        assert page.run("return document.querySelector('.lanes').clientHeight") < 160
        wide = page.run("""return [...document.querySelectorAll(".track, .ticks svg")].map(
          (each) => each.getBoundingClientRect().width)""")
        assert max(wide) - min(wide) < 1, wide
        # The head is where the event is: 17.6 of 23.5 s.
        assert abs(page.run(NOW) - 17.6 / 23.5) < 0.001
        page.run("document.querySelector('.lanes').scrollTop = 1000")
        page.until("return document.querySelector('.ticks .failed').getAttribute('d').length > 8")
        page.check_nothing_wrong()


def the_band_is_a_slider(page: Page, folder: Path) -> None:
    with Studio(diary(folder)) as studio:
        page.open(studio)
        page.find(".lane", "confirm")
        # A bar leads to the event that opened it.
        page.click(page.run("return document.querySelectorAll('.lane .dialog')[1]"))
        page.at(102)
        page.chosen("delete")
        # A mark leads to its gesture.
        y = page.run("return document.querySelector('.ticks').getBoundingClientRect().y + 13")
        drag(page, (page.run(PLACE, 2.4 / 23.5), y))
        page.find("#rows [aria-selected=true][aria-posinset='4']")
        # Everything else leads to the last event before: #236 came within a second of unlock.
        drag(page, (page.run(PLACE, 16.95 / 23.5), y))
        page.at(236)
        # Dragging goes there, too; the head is where the pointer is, then where the event is.
        places = [(page.run(PLACE, part / 10), y) for part in range(3, 10)]
        drag(page, *places, (page.run(PLACE, 1.2), y))
        page.at(340)
        assert page.run(NOW) == 1
        page.check_nothing_wrong()


def keys_go_through_time(page: Page, folder: Path) -> None:
    with Studio(diary(folder)) as studio:
        page.open(studio)
        page.find(".lane", "confirm")
        page.run("band.focus()")
        page.press(Keys.PAGE_DOWN)
        page.at(260)
        page.press(Keys.PAGE_DOWN)
        page.at(266)
        page.press(Keys.PAGE_UP, Keys.PAGE_UP)
        page.at(241)
        page.press(Keys.ARROW_RIGHT)
        value(page, "#242, ")
        page.press_shift(Keys.ARROW_RIGHT)
        page.find("#rows [aria-selected=true][aria-posinset='23']")
        page.press(Keys.HOME)
        page.find("#rows [aria-selected=true][aria-posinset='1']")
        page.press(Keys.END)
        page.find("#rows [aria-selected=true][aria-posinset='31']")
        page.check_nothing_wrong()


def every_event_can_be_reached(page: Page, folder: Path) -> None:
    with Studio(many(folder)) as studio:
        page.open(studio)
        page.until("return document.querySelector('.ticks .usual').getAttribute('d').length > 8000")
        page.until("return reading.hidden")
        page.until("return document.querySelectorAll('#rows .row:not([hidden]) .name').length > 5")
        box = page.run("const {x, y, height} = band.getBoundingClientRect(); return [x, y, height]")
        drag(page, (page.run(PLACE, 0.5), box[1] + box[2] / 2))
        page.until("""const row = document.querySelector("#rows [aria-selected=true]");
          return row && Math.abs(row.ariaPosInSet - 50_000) < 1_000""")
        page.until("return Math.abs(Number(band.ariaValueNow) - 50_000) < 1_000")
        first = int(page.run("return band.ariaValueNow"))
        for step in range(1, 4):
            page.press(Keys.ARROW_RIGHT)
            page.at(first + step)
        page.check_nothing_wrong()


def without_times_positions_are_places(page: Page, folder: Path) -> None:
    made = JournalWriter()
    made.time = 0
    for number in range(101):
        made.event(f"RequestA{number}", after=0)
    with Studio(made.save(folder / "timeless.journal")) as studio:
        page.open(studio)
        value(page, "#101, asked RequestA100")
        y = page.run("return document.querySelector('.ticks').getBoundingClientRect().y + 13")
        drag(page, (page.run(PLACE, 0.2), y), (page.run(PLACE, 0.25), y))
        page.at(26)
        value(page, "#26, asked RequestA25")
        assert abs(page.run(NOW) - 0.25) < 0.001
        # There was no navigator: there are marks only.
        assert page.run("return document.querySelector('.lanes').checkVisibility()") is False
        page.check_nothing_wrong()


def the_band_grows(page: Page, folder: Path) -> None:
    made = NavigatorWriter()
    made.opens(31, "a", after=SECOND)
    path = made.save(folder / "grows.journal")
    with Studio(path) as studio:
        page.open(studio)
        page.find(".lane", "a")
        assert page.run("return document.querySelectorAll('.lane .open').length") == 1
        before = len(made.bytes)
        made.opens(32, "b", after=SECOND)
        made.tree(made.move("a", after=SECOND), closed=[31])
        with open(path, "ab") as file:
            file.write(made.bytes[before:])
        page.find(".lane", "b")
        page.until("return document.querySelectorAll('.lane .open').length === 1")
        page.check_nothing_wrong()


def goes_back_to_where_one_was(page: Page, folder: Path) -> None:
    with Studio(counter(folder)) as studio:
        page.open(studio)
        page.at(28)
        assert page.run("return [earlier.disabled, later.disabled]") == [True, True]
        length = page.run("return history.length")
        page.click(page.find("#rows .row", "up"))
        page.at(14)
        page.press(Keys.ARROW_LEFT)
        page.at(13)
        page.click(page.find("#rows .row", "eggs"))
        page.at(17)
        press_alt(page, Keys.ARROW_LEFT)
        page.at(13)
        page.chosen("up")
        page.click(page.find("#earlier"))
        page.at(28)
        assert page.run("return earlier.disabled")
        press_alt(page, Keys.ARROW_RIGHT)
        page.at(13)
        page.click(page.find("#later"))
        page.at(17)
        assert page.run("return [history.length, location.href]") == [length, studio.address]
        page.check_nothing_wrong()


# Playing ----------------------------------------------------------------------------------------


def plays_to_the_end(page: Page, folder: Path) -> None:
    made = Session()
    made.open(FIRST)
    for hours in range(8):
        made.run("up", after=hours * 3600 * SECOND)
    with Studio(made.end().save(folder / "played.journal")) as studio:
        page.open(studio)
        page.press(Keys.HOME)
        page.find("#rows [aria-selected=true][aria-posinset='1']")
        page.run("""window.seen = [];
          new MutationObserver(() => seen.push(Number(band.ariaValueNow))).observe(
            band, { attributeFilter: ["aria-valuetext"] });
          speed.value = "16";""")
        # A pause of hours takes an eighth of a second; it stops at the end.
        page.press(Keys.SPACE)
        page.find("#play", "Pause")
        page.find("#rows [aria-selected=true][aria-posinset='9']")
        page.find("#play", "Play")
        page.until("return band.ariaValueNow === band.ariaValueMax")
        seen = page.run("return seen")
        assert seen == sorted(seen) and len(seen) > 3, seen
        # From the end it begins anew; what the user does stops it.
        page.click(page.find("#play"))
        page.find("#play", "Pause")
        page.until("return Number(band.ariaValueNow) < 20")
        page.press_shift(Keys.ARROW_LEFT)
        page.find("#play", "Play")
        page.check_nothing_wrong()


# The maps ---------------------------------------------------------------------------------------


def the_map_opens_and_closes(page: Page, folder: Path) -> None:
    inside = "return map.contains(document.activeElement)"
    with Studio(diary(folder)) as studio:
        page.open(studio)
        page.run("arguments[0].focus()", page.find("#open-map"))
        page.press(Keys.ENTER)
        page.find("#map .box.request")
        assert page.run("return document.querySelector('#of-parts').ariaSelected") == "true"
        for _ in range(100):
            page.press(Keys.TAB)
            # Beyond the last one is the browser's own.
            assert page.run(f"{inside} || document.activeElement === document.body"), "left"
        page.run("arguments[0].focus()", page.find("#of-parts"))
        page.press(Keys.ARROW_RIGHT)
        page.find("#map .box.dialog", "confirm")
        assert page.run("return document.activeElement.id") == "of-screens"
        page.press(Keys.ESCAPE)
        page.until("return !map.open && document.activeElement.id === 'open-map'")
        page.run("rows.focus()")
        page.press("m")
        page.find("#map .box.dialog", "confirm")
        page.press("m")
        page.until("return !map.open && document.activeElement.id === 'rows'")
        page.check_nothing_wrong()


def the_map_moves(page: Page, folder: Path) -> None:
    with Studio(diary(folder)) as studio:
        page.open(studio)
        page.press("m")
        page.find("#map .box.request")
        x, y, width, height = map(float, page.run(VIEW).split())

        def view(script: str) -> None:
            text = f"const [x, y, width, height] = ({VIEW[7:]}).split(' ').map(Number);"
            page.until(f"{text} return {script}")

        page.press("+")
        view(f"Math.abs(width * 1.25 - {width}) < 1 && x > {x} && y > {y}")
        page.press("-", "-")
        view(f"width > {width * 1.2} && x < {x}")
        page.press("0")
        view(f"x === {x} && y === {y} && width === {width} && height === {height}")
        page.press(Keys.ARROW_DOWN)
        page.run("chart.focus()")
        page.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
        view(f"y > {y + 100} && x === {x}")
        page.press(Keys.ARROW_UP * 3)
        drag(page, (640, 700), (600, 650), (540, 500))
        view(f"y > {y + 100} && x > {x + 50}")
        assert page.run("return map.open"), "a drag is no click"
        page.click(page.find("#map [name=fit]"))
        view(f"y === {y} && width === {width}")
        wheel = {"type": "mouseWheel", "x": 640, "y": 400, "deltaX": 0, "deltaY": -1}
        page.command("Input.dispatchMouseEvent", **wheel)
        view(f"width < {width} && x > {x}")
        # What has the focus is brought into view.
        page.click(page.find("#map [name=fit]"))
        page.run("chart.focus()")
        page.press(Keys.TAB * 60)
        view(f"y > {y + 500}")
        page.check_nothing_wrong()


def a_box_of_the_map_lists_its_events(page: Page, folder: Path) -> None:
    with Studio(diary(folder)) as studio:
        page.open(studio)
        page.press("m")
        page.click(page.find("#map .box.notice", "MainstemTree"))
        page.until("return !map.open && document.activeElement.matches('#search input')")
        page.find(".result", "MainstemTree")
        page.press(Keys.ENTER)
        page.find("#chain [aria-selected=true]", "MainstemTree")
        # With the keyboard; and an arrow.
        page.press("m")
        page.find("#map .box")
        page.run("arguments[0].focus()", page.find("#map .box.part", "DiaryList"))
        page.press(Keys.ENTER)
        page.find(".result", "DiaryList")
        page.press(Keys.ESCAPE, Keys.ESCAPE, "m")
        page.click(page.find("#of-screens"))
        page.find("#map .arrow.screen")
        place = page.run("""const wire = document.querySelector("#map .arrow.embed .wire");
          const {x, y} = wire.getPointAtLength(wire.getTotalLength() / 2);
          const {a, d, e, f} = wire.getScreenCTM();
          return [x * a + e, y * d + f];""")
        drag(page, tuple(place))
        page.until("return !map.open && document.querySelector('#search input').value !== ''")
        page.find(".result", "drawer")
        page.check_nothing_wrong()


def the_map_says_that_it_is_read(page: Page, folder: Path) -> None:
    with Studio(many(folder)) as studio:
        page.open(studio)
        page.press("m")
        page.find("#map .tools p", "reading …")
        # What else is asked for does not wait for it.
        page.press(Keys.ESCAPE)
        page.run("rows.focus()")
        page.press(Keys.HOME)
        page.find("#rows [aria-selected=true][aria-posinset='1']")
        page.press("m")
        page.find("#map .box", "Counter.save")
        page.check_nothing_wrong()


def hostile_texts_stay_texts_on_the_map(page: Page, folder: Path) -> None:
    with Studio(hostile(folder)) as studio:
        page.open(studio)
        page.press("m")
        page.find("#map .box", "<img")
        page.click(page.find("#of-screens"))
        page.find("#map .tools p", "No screens were shown.")
        page.check_nothing_wrong()


# Costs, and how it looks ------------------------------------------------------------------------


def crowded(folder: Path) -> Path:
    """Thirteen lanes with a thousand bars, and two thousand gestures."""
    made = NavigatorWriter()
    for number in range(1000):
        made.opens(100 + number, f"place{number % 20}", after=SECOND, kind="screen")
        move = made.move(verb="pop", after=SECOND)
        made.tree(move, closed=[100 + number])
    return made.save(folder / "crowded.journal")


def the_band_costs_little(page: Page, folder: Path) -> None:
    def spent() -> float:
        metrics = page.command("Performance.getMetrics")["metrics"]
        return next(each["value"] for each in metrics if each["name"] == "ScriptDuration")

    path = crowded(folder)
    with Studio(path) as studio:
        page.open(studio)
        page.until("return document.querySelectorAll('.lane').length === 13")
        assert page.run("return document.querySelectorAll('.track i').length") == 1000
        y = page.run("return document.querySelector('.ticks').getBoundingClientRect().y + 13")
        page.run("""window.drawn = 0;
          new MutationObserver(() => { drawn += 1; }).observe(
            band, { attributeFilter: ["style"] });""")
        places = [(page.run(PLACE, part / 100), y) for part in range(100)]
        begin = spent()
        drag(page, *places)
        frames = page.run("return drawn")
        assert frames > 40, frames
        cost = (spent() - begin) * 1000 / frames
        print(f"script a frame while dragging through time: {cost:.2f} ms")
        assert cost <= 4
        page.check_nothing_wrong()


def the_map_looks_well(page: Page, folder: Path) -> None:
    with Studio(diary(folder)) as studio:
        page.open(studio)
        page.press("m")
        for which in ("parts", "screens"):
            page.click(page.find(f"#of-{which}"))
            page.find("#map .box")
            for size in ((1280, 800, "light"), (1920, 1080, "dark"), (700, 900, "light")):
                look_at(page, folder / f"map-{which}-{size[0]}.png", *size)
            page.run("document.documentElement.style.fontSize = '200%'")
            look_at(page, folder / f"map-{which}-large.png", 1280, 800, "light")
            page.run("document.documentElement.style.fontSize = ''")
            page.look()
            assert page.run(SEEN) == []
        page.check_nothing_wrong()


def what_comes_late_is_the_last_that_happened(page: Page, folder: Path) -> None:
    made = Late(TEXT)
    older = made.press("older", sets="before")
    made.press("newer", sets="new")
    made.set(older, "late")
    with Studio(Path(made.save(folder / "late.journal"))) as studio:
        page.open(studio)
        page.at(5)
        page.chosen("older")
        assert page.value("shown") == ['"new"', '"late"']
        page.find("#say", "2 events of other gestures came in between, from #3 to #4.")
        page.press(Keys.HOME)
        page.press_shift(Keys.ARROW_RIGHT)
        page.at(4)
        page.press(Keys.END)
        page.at(5)
        page.check_nothing_wrong()


CHECKS = [
    the_band_shows_what_was_on_the_screen,
    the_band_is_a_slider,
    keys_go_through_time,
    every_event_can_be_reached,
    without_times_positions_are_places,
    the_band_grows,
    goes_back_to_where_one_was,
    plays_to_the_end,
    the_map_opens_and_closes,
    the_map_moves,
    a_box_of_the_map_lists_its_events,
    the_map_says_that_it_is_read,
    hostile_texts_stay_texts_on_the_map,
    the_band_costs_little,
    the_map_looks_well,
    what_comes_late_is_the_last_that_happened,
]

if __name__ == "__main__":
    main(CHECKS, *sys.argv[1:])
