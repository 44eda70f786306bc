# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`python3 -m mainstem diagram`: the page as text. Tests/steps/pages looks at it in a browser."""

from __future__ import annotations

import re
import time
from html.parser import HTMLParser

from counter_session import counter_session
from journal_writer import INTEGER, OUTSIDE, VALUE, WRITTEN, JournalWriter
from mainstem.tool import main
from mainstem.tool._diagram import STYLE
from todo_session import todo_session


def page_of(made, tmp_path, name="a.journal"):
    path = made.save(tmp_path / name)
    to = tmp_path / "page.html"
    assert main(["diagram", str(path), "-o", str(to)]) == 0
    return to.read_text(encoding="utf-8")


class Tags(HTMLParser):
    """Every tag that is opened is closed, and what each has."""

    VOID = ("meta", "rect", "path", "circle", "br")

    def __init__(self, text):
        super().__init__()
        self.open, self.tags = [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def of(self, name):
        return [attributes for tag, attributes in self.tags if tag == name]


def test_each_type_is_a_box_with_its_senders_and_takers_in_words(tmp_path):
    tags = Tags(page_of(todo_session(), tmp_path))
    boxes = [a["aria-label"] for a in tags.of("a")]

    assert boxes[0] == (
        "RequestTodoList, a request: 2 times, answered after 3 ms, 1 unanswered; sent by View; "
        "answered by ViewModelServer"
    )
    assert boxes[2] == (
        "ResponseTodos, a response: once; sent by ModelServer; asked for by ViewModelServer"
    )
    assert boxes[7] == "TodoChanged, a notice: once; sent by ModelServer; taken by ViewModelServer"
    assert len(boxes) == 10
    assert [row["id"] for row in tags.of("tr") if "id" in row] == [
        box["href"][1:] for box in tags.of("a")
    ]


def test_an_owner_s_values_are_one_box_and_views_are_a_part(tmp_path):
    text = page_of(counter_session(), tmp_path)
    tags = Tags(text)
    boxes = {a["aria-label"].split(",")[0]: a["aria-label"] for a in tags.of("a")}

    assert list(boxes) == [
        "RequestOpen.Counter",
        "Counter shows",
        "ResponseOpen.Counter",
        "Counter.up",
        "Counter.up.done",
        "written to Counter",
        "Counter.save",
        "RequestSave",
        "KeyPressed",
        "Counter.save.done",
        "ResponseSaved",
    ]
    assert boxes["Counter shows"] == (
        "Counter shows, values: count, label, isDirty, up.enabled and 5 more, 14 times; "
        "sent by Counter"
    )
    assert boxes["written to Counter"] == (
        "written to Counter, values: label, once; sent by views; taken by Counter"
    )
    assert boxes["Counter.save"] == (
        "Counter.save, a command: 2 times, answered after 33 ms; sent by views; answered by Counter"
    )
    assert boxes["Counter.save.done"] == (
        "Counter.save.done, a response: 2 times, 1 refused; sent by Counter; "
        "asked for by views; taken by Counter"
    )
    assert "count 2, label 1, isDirty 2, up.enabled 1, up.executing 1" in text
    assert "26 events · 18 types · sent by 6 parts of the program" in text
    assert 'class="bad">' not in text.partition("</header>")[0]
    assert '<li class="command">' in text
    assert '<li class="command">' not in page_of(todo_session(), tmp_path)


def test_many_values_of_long_names_are_a_box_of_bounded_width(tmp_path):
    made = JournalWriter()
    for number in range(300):
        name = f"Wide.{'m' * 200}{number}"
        made.type(name, INTEGER | VALUE)
        made.event(name, bytes(8), origin="Wide")
        made.event(name, bytes(8), origin="views", flags=OUTSIDE | WRITTEN)
    tags = Tags(page_of(made, tmp_path))

    assert len(tags.of("a")) == 2
    assert max(float(box["width"]) for box in tags.of("rect") if box.get("class") == "box") < 500
    assert [part["aria-label"].split(": ")[0] for part in tags.of("a")] == [
        "Wide shows, values",
        "written to views, values",
    ]


def test_the_page_needs_no_network_and_has_no_script(tmp_path):
    text = page_of(todo_session(), tmp_path)
    tags = Tags(text)

    assert not re.search(r"https?:|url\(|@import|<script|\bon\w+=", text.replace("url(#head)", ""))
    assert {"http-equiv", "content"} <= set(tags.of("meta")[3])
    for frame in (a for a in tags.of("div") if a.get("class") == "frame"):
        assert frame["tabindex"] == "0"


def test_names_are_text_and_never_markup(tmp_path):
    made = JournalWriter()
    evil = '</style></title><script>alert(1)</script><img src=x onerror="x">&lt;\''
    made.event(evil, evil, origin=evil)
    made.event("Next\x00\x1b[2J\u202e\u2066", cause=1, origin=evil + "\u200f\u2028")
    text = page_of(made, tmp_path)
    tags = Tags(text)

    assert "<script" not in text
    assert tags.of("img") == tags.of("script") == []
    for letter in "\x1b\x00\u202e\u2066\u200f\u2028":
        assert letter not in text


def test_ten_thousand_events_are_a_page_of_bounded_size(tmp_path):
    made = JournalWriter()
    for number in range(5000):
        name = f"Request{number % 90}"
        asked = made.event(name, origin=f"View{number % 14}")
        made.event(f"Response{number % 90}", cause=asked, answers=asked, origin="Server")
    began = time.monotonic()
    text = page_of(made, tmp_path)
    tags = Tags(text)

    assert time.monotonic() - began < 20
    assert len(text) < 700_000
    assert len(tags.of("a")) == 60
    assert len([row for row in tags.of("tr") if "id" in row]) == 180
    assert "The 60 most frequent types are drawn; the table has them all." in text
    assert "Of 15 parts, the 10 that send most have a column." in text


def test_journals_without_events_times_or_names_have_a_page(tmp_path):
    Tags(page_of(JournalWriter(), tmp_path))
    made = JournalWriter()
    made.event("One", time=0)
    Tags(page_of(made, tmp_path))
    made = JournalWriter()
    made.event("One", time=-(1 << 63), type=77)
    made.event("Two", time=(1 << 63) - 1, answers=1, flags=OUTSIDE)
    Tags(page_of(made, tmp_path))


ROLES = ("request", "response", "notice", "value", "command")


def luminance(color):
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    light = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]


def test_every_text_can_be_read_on_its_ground_by_day_and_by_night():
    """The contrast that WCAG 2 asks for of text: 4.5."""
    day, night = (
        dict(re.findall(r"--([\w-]+): (#\w{6})", part)) for part in STYLE.split("@media")[:2]
    )
    grounds = {f"{role}-fill": ("ink", "faint", "bad", role) for role in ROLES}
    grounds.update(card=("ink", "faint", "bad"), page=("ink", "faint", "bad"), ink=("card",))
    for colors in (day, night):
        for ground, texts in grounds.items():
            for text in texts:
                pair = sorted((luminance(colors[ground]), luminance(colors[text])))
                assert (pair[1] + 0.05) / (pair[0] + 0.05) >= 4.5, (text, ground, colors[ground])
