# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""docs/mission.md says where each requirement lives: each row once, each place there."""

import re

from tree import ROOT, text

PAGE = ROOT / "docs" / "mission.md"
ROW = re.compile(r"^- \*\*(.+?)\*\*", re.M)
PLACE = re.compile(r"`([^`]+)`")
#: The rows that the page answers: their letters, first and last.
ROWS = (
    *((f"E-{n:03}") for n in range(1, 123)),
    *((f"XE-{n:02}") for n in (*range(1, 18), *range(30, 38), *range(40, 49))),
    *((f"C-{n:03}") for n in range(1, 13)),
    *((f"R-{n:03}") for n in range(1, 61)),
    *((f"V-{n:03}") for n in range(1, 50)),
    *((f"S-{n:03}") for n in range(1, 35)),
    *((f"C-{n:03}") for n in range(13, 48)),
    *((f"XC-{n:02}") for n in range(1, 11)),
    *((f"XR-{n:02}") for n in range(1, 16)),
    *((f"XS-{n:02}") for n in range(1, 7)),
    *((f"XU-{n:02}") for n in range(1, 13)),
    *((f"XF-{n:02}") for n in range(1, 11)),
    *(
        (f"A-{n:02}")
        for n in (3, 5, 15, *range(21, 24), 25, 27, 28, *range(41, 49), 52, *range(68, 71))
    ),
    *((f"U-{n}") for n in (*range(14, 27), 31)),
    *((f"F-{n}") for n in (22, 28, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 47)),
)


def named():
    """The rows that begin an entry, with those between the ends of a span."""
    for entry in ROW.findall(text(PAGE)):
        for span in entry.split(", "):
            first, _, last = span.partition("…")
            letters, number = first.split("-")
            until = int((last or first).split("-")[1])
            for each in range(int(number), until + 1):
                yield f"{letters}-{each:0{len(number)}}"


def test_every_row_is_answered():
    assert set(ROWS) - set(named()) == set()


def test_every_place_is_there():
    missing, found = [], ""
    for place in PLACE.findall(text(PAGE).partition("\n## ")[2].replace("\n", " ")):
        place = re.sub(" +", " ", place)
        path = ROOT / place
        if path.is_file():
            found = text(path)
        elif "/" in place or place not in found:
            missing.append(place)
    assert missing == []
