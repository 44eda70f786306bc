# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A-60: the tables of docs/signals.md, which the tests of Swift's signals read, with reactivex."""

from __future__ import annotations

from typing import Any, Callable, Dict

import marbles
import pytest
import reactivex
from marbles import MarbleFailure, Row
from reactivex import operators as op


def number(text: str) -> str:
    if not text.isdigit():
        raise MarbleFailure
    return text


def twice(source: Any) -> Any:
    return source.pipe(op.merge(source.pipe(op.map(str.upper))))


def add(pair: Any) -> str:
    return pair[0] + pair[1]


#: The code of each line in reactivex.
CODE: Dict[str, Callable[[Any, Any], Any]] = {
    '.just("a")': lambda a, b: reactivex.of("a"),
    '.values(["a", "b", "c"])': lambda a, b: reactivex.of("a", "b", "c"),
    ".empty": lambda a, b: reactivex.empty(),
    ".failed(MarbleFailure())": lambda a, b: reactivex.throw(MarbleFailure()),
    ".never": lambda a, b: reactivex.never(),
    '.every(.milliseconds(20)).map { "\\($0)" }.take(3)': lambda a, b: reactivex.interval(
        0.02
    ).pipe(op.map(str), op.take(3)),
    "a.map { $0.uppercased() }": lambda a, b: a.pipe(op.map(str.upper)),
    'a.compactMap { Int($0).map { "\\($0 * 2)" } }': lambda a, b: a.pipe(
        op.filter(str.isdigit), op.map(lambda text: str(int(text) * 2))
    ),
    "a.tryMap { (text) throws(MarbleFailure) in try number(text) }": lambda a, b: a.pipe(
        op.map(number)
    ),
    'a.scan("") { $0 + $1 }': lambda a, b: a.pipe(op.scan(lambda all, text: all + text, "")),
    'a.filter { $0 != "b" }': lambda a, b: a.pipe(op.filter(lambda text: text != "b")),
    "a.distinct()": lambda a, b: a.pipe(op.distinct_until_changed()),
    "a.skip(2)": lambda a, b: a.pipe(op.skip(2)),
    "a.take(2)": lambda a, b: a.pipe(op.take(2)),
    "a.takeUntil(b)": lambda a, b: a.pipe(op.take_until(b)),
    'a.startWith("s")': lambda a, b: a.pipe(op.start_with("s")),
    "a.merge(b)": lambda a, b: a.pipe(op.merge(b)),
    "a.combineLatest(b) { $0 + $1 }": lambda a, b: a.pipe(op.combine_latest(b), op.map(add)),
    "a.zip(b) { $0 + $1 }": lambda a, b: a.pipe(op.zip(b), op.map(add)),
    "a.concat(b)": lambda a, b: a.pipe(op.concat(b)),
    "a.flatMap(.merge) { _ in b }": lambda a, b: a.pipe(op.flat_map(lambda _: b)),
    "a.flatMap(.latest) { _ in b }": lambda a, b: a.pipe(op.map(lambda _: b), op.switch_latest()),
    "a.flatMap(.concat) { _ in b }": lambda a, b: a.pipe(
        op.map(lambda _: b), op.merge(max_concurrent=1)
    ),
    "a.debounce(.milliseconds(20))": lambda a, b: a.pipe(op.debounce(0.02)),
    "a.throttle(.milliseconds(30), latest: false)": lambda a, b: a.pipe(op.throttle_first(0.03)),
    "a.delay(.milliseconds(20))": lambda a, b: a.pipe(op.delay(0.02)),
    "a.timeout(.milliseconds(30), MarbleFailure())": lambda a, b: a.pipe(
        op.timeout(0.03, reactivex.throw(MarbleFailure()))
    ),
    "a.catch { _ in b }": lambda a, b: a.pipe(op.catch(lambda *_: b)),
    "a.retry(1)": lambda a, b: a.pipe(op.retry(2)),
    "b.repeat(2)": lambda a, b: b.pipe(op.repeat(2)),
    "a.share().flatMap { value in .just(value) }": lambda a, b: a.pipe(
        op.share(), op.flat_map(reactivex.of)
    ),
    "twice(a.share())": lambda a, b: twice(a.pipe(op.share())),
}


#: What reactivex has no operator for: the nearest one, and what it sends instead.
OTHERS: Dict[str, Any] = {
    # It looks at fixed times.
    "a.throttle(.milliseconds(30))": (op.sample(0.03), "---c-----d--(e|)"),
    # Its time begins with the subscription and not with a value; what it sends may be empty.
    "a.buffer(time: .milliseconds(30), count: 3).map { $0.joined() }": (
        reactivex.compose(op.buffer_with_time_or_count(0.03, 3), op.map("".join)),
        "---a--b--c--{def}-({}|)",
    ),
}


def made(code: Callable[[Any, Any], Any], row: Row) -> str:
    a, b = (marbles.cold(row.inputs.get(name, "")) for name in ("a", "b"))
    return marbles.drawn(code(a, b))


ROWS = [row for row in marbles.rows() if row.expression not in OTHERS]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.expression)
def test_a_60_a_line_of_a_table_sends_what_it_shows(row: Row) -> None:
    assert made(CODE[row.expression], row) == row.expected


@pytest.mark.parametrize("expression", OTHERS)
def test_two_operators_of_reactivex_are_others(expression: str) -> None:
    operator, sent = OTHERS[expression]
    (row,) = (row for row in marbles.rows() if row.expression == expression)

    assert made(lambda a, _: a.pipe(operator), row) == sent != row.expected


def test_a_60_has_each_of_the_operators_that_its_row_names() -> None:
    named = ["debounce", "throttle", "merge", "combineLatest", "takeUntil", "retry", "scan"]
    named += ["distinct", "flatMap(.merge)", "flatMap(.latest)", "flatMap(.concat)"]
    assert [name for name in named if not any(f"a.{name}" in each for each in CODE)] == []


def test_each_line_of_code_is_in_a_table() -> None:
    assert {row.expression for row in marbles.rows()} == {*CODE, *OTHERS}


@pytest.mark.parametrize("text", ["", "-a-b|", "---#", "a(bc)-{ten}-(d|)", "-a-(b#)"])
def test_a_drawing_is_read_and_drawn_again(text: str) -> None:
    assert marbles.draw(marbles.marks(text)) == text
