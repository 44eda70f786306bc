# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Random rows and random queries over them, and the same rows in SQLite."""

from __future__ import annotations

import json
import random
import sqlite3
from typing import Any, Dict, List, Tuple

from mainstem import Query

BIG = (2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, -(2**63), 2**62 + 1)
NUMBERS = (0, 1, -1, 2, 10, -0.0, 0.1, 0.5, -2.5, 1e15, 1e300, -1e-300, 5e-324, 2.0**53, 2.0**63)
TEXTS = (
    *("", "a", "A", "b", "ab", "Ab", "aB", "1", "0", "'", "''", '"', "`", "\\", "a\\nb", "a\nb"),
    *(
        "\0",
        "a\0b",
        "é",
        "É",
        "日本",
        "\U0001f600a",
        "\uffff",
        "null",
        "true",
        "1e3",
        " a",
        "%",
        "_",
    ),
)
VALUES = (None, True, False, *BIG, *NUMBERS, *TEXTS)
#: How a field is written in a condition, and where it is in a row.
FIELDS: Tuple[Tuple[str, Tuple[str, ...]], ...] = (
    ("a", ("a",)),
    ("b_2", ("b_2",)),
    ('"in"', ("in",)),
    ('"odd ""n`ame"', ('odd "n`ame',)),
    ("n.x", ("n", "x")),
    ('n."ü.ö"', ("n", "ü.ö")),
)


def random_value(at: random.Random) -> Any:
    """A value; few of them, so that many are equal."""
    part = VALUES if at.random() < 0.5 else (None, True, 1, 2.0, "a", "A", "ab", "")
    return at.choice(part)


def random_row(at: random.Random, position: int) -> Dict[str, Any]:
    row: Dict[str, Any] = {"pos": position, "other": {"a": [1, {"x": "}"}]}}
    for _, path in FIELDS:
        if at.random() < 0.2:
            continue
        inside = row
        for name in path[:-1]:
            inside = inside.setdefault(name, {})
            if not isinstance(inside, dict):
                break
        else:
            inside[path[-1]] = random_value(at)
    if "n" not in row and at.random() < 0.3:
        row["n"] = random_value(at)
    items = list(row.items())
    at.shuffle(items)
    return dict(items)


class Maker:
    """Makes one random query."""

    def __init__(self, at: random.Random) -> None:
        self.at = at
        self.values: Dict[str, Any] = {}

    def value(self) -> str:
        value = random_value(self.at)
        if self.at.random() < 0.2:
            name = f"v{len(self.values)}"
            self.values[name] = value
            return f"${name}"
        if isinstance(value, str):
            return "'" + value.replace("'", "''") + "'"
        return json.dumps(value)

    def field(self) -> str:
        return self.at.choice(FIELDS)[0]

    def operand(self) -> str:
        inner = self.field() if self.at.random() < 0.6 else self.value()
        return f"lower({inner})" if self.at.random() < 0.25 else inner

    def comparison(self) -> str:
        kind = self.at.random()
        if kind < 0.1:
            return self.at.choice((self.field(), "true", "0", "0.5", "false"))
        left = self.operand() if kind < 0.6 else self.field()
        if kind < 0.25:
            values = ", ".join(self.value() for _ in range(self.at.randint(1, 4)))
            return f"{left} in ({values})"
        sign = self.at.choice(("=", "!=", "<", "<=", ">", ">=", "contains", "begins"))
        return f"{left} {sign} {self.operand()}"

    def condition(self, depth: int) -> str:
        kind = self.at.random()
        if depth == 0 or kind < 0.3:
            return self.comparison()
        if kind < 0.5:
            return f"not {self.condition(depth - 1)}"
        if kind < 0.65:
            return f"({self.condition(depth - 1)})"
        word = self.at.choice((" and ", " or "))
        return word.join(self.condition(depth - 1) for _ in range(self.at.randint(2, 3)))

    def sort(self) -> List[str]:
        return [
            self.at.choice(("", "-", " - "))
            + (f"lower({self.field()})" if self.at.random() < 0.3 else self.field())
            for _ in range(self.at.randint(0, 3))
        ]


def random_query(at: random.Random) -> Dict[str, Any]:
    """The arguments of a query."""
    maker = Maker(at)
    made: Dict[str, Any] = {"sort": maker.sort()}
    if at.random() < 0.95:
        made["where"] = maker.condition(4)
    if at.random() < 0.3:
        made["offset"] = at.randint(0, 12)
    if at.random() < 0.3:
        made["limit"] = at.randint(0, 12)
    made["values"] = maker.values
    return made


class Table:
    """The rows in SQLite: columns without a type."""

    def __init__(self, rows: List[Dict[str, Any]]) -> None:
        self.database = sqlite3.connect(":memory:")
        names = ["pos", *(".".join(path) for _, path in FIELDS)]
        columns = ", ".join("`" + name.replace("`", "``") + "`" for name in names)
        self.database.execute(f"CREATE TABLE rows ({columns})")
        marks = ", ".join("?" * len(names))
        for row in rows:
            values = [row["pos"], *(found(row, path) for _, path in FIELDS)]
            self.database.execute(f"INSERT INTO rows VALUES ({marks})", values)

    def select(self, query: Query) -> List[int]:
        return [row[0] for row in self.database.execute(f"SELECT pos FROM rows {query.sql()}")]


def found(row: Any, path: Tuple[str, ...]) -> Any:
    for name in path:
        row = row.get(name) if isinstance(row, dict) else None
    return row


def differences(seed: int, queries: int, rows: int = 24, each: int = 20) -> int:
    """Compares what queries select with what SQLite does; returns how many rows they selected."""
    at = random.Random(seed)
    selected = 0
    for number in range(queries):
        if number % each == 0:
            items = [random_row(at, position) for position in range(at.randint(0, rows))]
            table = Table(items)
        made = random_query(at)
        got = Query(**made).select(items)
        # SQLite has no order of its own, so it gets the last one.
        ordered = Query(**{**made, "sort": [*made["sort"], "pos"]})
        whole = Query(**{**made, "offset": 0, "limit": None})
        here, there = [row["pos"] for row in got.rows], table.select(ordered)
        assert here == there, (made, ordered.sql(), items, here, there)
        total = len(table.select(whole))
        assert got.total == total, (made, got, total)
        assert got.offset == min(made.get("offset", 0), total), (made, got)
        selected += len(here)
    return selected
