# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""docs/architecture.md names places in the code: each is there."""

import re

from tree import ROOT, code, text

PAGE = ROOT / "docs" / "architecture.md"
SOURCES = ROOT / "Sources"
PYTHON = SOURCES / "MainstemPython" / "mainstem"
PLACE = re.compile(r"`([\w/+]+\.(?:swift|py))`(?:\s+`(\w+)`)?")


def source(path):
    """The file of a place: those of the core and of the Python package are named from there."""
    if path.endswith(".py"):
        return ROOT / path if path.startswith("Tests/") else PYTHON / path
    return SOURCES / ("" if path.startswith("MainstemC/") else "MainstemCore") / path


def test_every_place_is_there():
    missing = []
    places = PLACE.findall(text(PAGE))
    for path, function in places:
        found = source(path)
        declaration = rf"\b(?:func|var|struct|enum|def|class) +{function}\b"
        if not found.is_file() or (function and not re.search(declaration, code(found))):
            missing.append(f"{path} {function}")
    assert missing == []
    assert len(places) > 50


def test_every_name_is_declared_somewhere():
    folders = {path.stem for path in PYTHON.iterdir()} | {"include", "mainstem"}
    names = set(re.findall(r"`([a-z]\w*)`", text(PAGE))) - folders
    kinds = "func|var|let|struct|enum|case|def|class"
    sources = [path for kind in ("swift", "py", "c", "h") for path in SOURCES.rglob(f"*.{kind}")]
    sources += (ROOT / "include").rglob("*.h")
    found = set()
    for path in sources:
        found |= set(re.findall(rf"\b(?:{kinds}) +(\w+)|\b(\w+)\(|\b(\w+) =", code(path)))
    assert sorted(names - {name for each in found for name in each}) == []
    assert len(names) > 200


def test_the_files_of_the_bridge_are_those_that_are_named():
    bridge = text(PAGE).split("### A journal is mirrored")[1].split("\n## ")[0]
    there = {path.name for path in (SOURCES / "MainstemNATS").glob("*/*.c")}
    assert set(re.findall(r"`(\w+\.c)`", bridge)) == there != set()


def test_every_room_is_in_the_picture():
    core = SOURCES / "MainstemCore"
    folders = [path for path in core.glob("**/") if path != core]
    assert [path.name for path in folders if path.name not in text(PAGE)] == []
