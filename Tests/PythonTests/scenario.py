# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The scenarios of Tests/scenarios as lines and words: see docs/testing.md."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Iterator, List, NamedTuple, Optional, Tuple

FOLDER = Path(__file__).resolve().parents[1] / "scenarios"
WORD = re.compile(r'"[^"]*"|\S+')


class Line(NamedTuple):
    """A line, and the lines below it that are further in."""

    text: str
    below: List[Any]

    def steps(self) -> List["Line"]:
        return [line for line in self.below if not line.text.startswith("|")]

    def shown(self) -> List[str]:
        return [line.text[2:] for line in self.below if line.text.startswith("|")]

    def shown_beside(self) -> int:
        """How many callbacks on a scheduler's own thread it shows: lines that end in `on W`."""
        return sum(bool(re.search(r" on \S+$", text)) for text in self.shown())


class Case(NamedTuple):
    law: int
    message: str
    options: "Words"
    lines: List[Line]

    @property
    def id(self) -> str:
        return f"law_{self.law}_{self.message.replace(' ', '_')}"


class Words:
    """One step: `send Notice "hello" in Scope -> FULL`."""

    def __init__(self, text: str) -> None:
        text, _, wanted = text.partition(" -> ")
        self.words = WORD.findall(text)
        self.wanted = wanted or "OK"

    def __getitem__(self, index: int) -> str:
        return self.words[index]

    def after(self, word: str) -> Optional[str]:
        """The word behind this one."""
        return self.words[self.words.index(word) + 1] if word in self.words[1:] else None

    def number(self, word: str) -> int:
        return int(self.after(word) or 0)

    @property
    def payloads(self) -> List[str]:
        return [word[1:-1] for word in self.words if word.startswith('"')]

    @property
    def payload(self) -> str:
        return next(iter(self.payloads), "")


def tree(rows: List[Tuple[int, str]], indent: int) -> List[Line]:
    """Takes the lines from `rows` that are this far in, each with what is below it."""
    lines = []
    while rows and rows[0][0] == indent:
        text = rows.pop(0)[1]
        lines.append(Line(text, tree(rows, indent + 2)))
    return lines


def cases(path: Path) -> Iterator[Case]:
    text = re.sub(r"^ *#.*$", "", path.read_text(encoding="utf-8"), flags=re.M)
    for part in re.split(r"^case ", text, flags=re.M)[1:]:
        message, *rest = [row for row in part.splitlines() if row.strip()]
        options = Words(rest.pop(0) if rest[0].startswith("with ") else "with")
        rows = [(len(row) - len(row.lstrip()), row.strip()) for row in rest]
        lines = tree(rows, 0)
        assert not rows, f"{path}: {rows[0][1]}: two spaces further in, or as far as a line above"
        yield Case(int(path.stem.split("_")[1]), message, options, lines)
