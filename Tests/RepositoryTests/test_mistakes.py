# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The messages that the guides show are those that the tables of mistakes hold."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SECTION = re.compile(r"^## When something is wrong$(.*?)^## ", re.M | re.S)
TABLES = {
    "c": ["Tests/CTests/mistakes.c"],
    "python": ["Tests/PythonTests/test_mistakes.py"],
    "swift": sorted(
        str(path.relative_to(ROOT)) for path in ROOT.glob("Tests/MainstemTests/Mistakes/*.swift")
    ),
}


def shown(page):
    """The messages on a page."""
    (section,) = SECTION.findall((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"))
    return re.findall(r"^    (.+)$", section, re.M)


def held(page):
    """The texts of a page's tables, with what is written in several parts in one."""
    text = "".join((ROOT / table).read_text(encoding="utf-8") for table in TABLES[page])
    return re.sub(r'"\s*\n\s*"', "", text).replace('\\"', '"')


@pytest.mark.parametrize("page", TABLES)
def test_a_guide_shows_three_sentences_that_a_table_holds(page):
    assert len(shown(page)) == 3
    assert [message for message in shown(page) if message not in held(page)] == []
