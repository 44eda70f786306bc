# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What every file keeps: its head, its words, no trace of the machine it was written on."""

import re

import pytest
from tree import files, name, text

SOURCES = (".swift", ".c", ".h", ".py", ".cmake", ".toml")
HEAD = ["Copyright 2026 The Mainstem authors", "SPDX-License-Identifier: Apache-2.0"]
BINARY = (
    ".png",
    ".gif",
    ".db",
    ".sqlite",
    ".sqlite-wal",
    ".sqlite-shm",
    ".pyc",
    ".so",
    ".gz",
    ".o",
    ".journal",
)
INNER = re.compile(r"\b(station|tap)s?\b|\bthe (door|house)\b", flags=re.I)


def scripts():
    return [path for path in files() if not path.suffix and text(path).startswith("#!")]


def lines(paths):
    for path in (each for each in paths if each.suffix not in BINARY):
        for number, line in enumerate(text(path).splitlines(), start=1):
            yield f"{name(path)}:{number}", line


def test_every_source_begins_with_the_two_lines():
    without = []
    for path in files(suffixes=SOURCES) + files("CMakeLists.txt") + scripts():
        first = text(path).splitlines()[:3]
        first = [line for line in first if not re.match(r"#!|// swift-tools-version", line)][:2]
        if [line.lstrip("/# ") for line in first] != HEAD:
            without.append(name(path))
    assert without == []


def test_no_file_names_the_machine_it_was_written_on():
    path = re.compile(r"(^|[^A-Za-z0-9_.])/(w[o]rk|f[a]rm|opt/sw[i]ft|r[o]ot|h[o]me/\w+)/")
    assert [f"{place} {line}" for place, line in lines(readable()) if path.search(line)] == []


def readable():
    return [path for path in files() if path.suffix not in BINARY]


def test_nothing_is_left_for_later():
    later = re.compile(r"\b(TO[D]O|FIX[M]E|X[X]X|HA[C]K)\b")
    found = lines(files("Sources", "include", "examples", "Tests", "cmake"))
    assert [f"{place} {line}" for place, line in found if later.search(line)] == []


def test_no_text_ends_in_blanks_or_without_a_line_end():
    found = [place for place, line in lines(readable()) if line != line.rstrip() or "\t" in line]
    # A script of typed commands may end a line in a blank: there it is what it says.
    found = [place for place in found if "/commands.txt:" not in place]
    unended = [name(path) for path in readable() if text(path) and not text(path).endswith("\n")]
    assert found + unended == []


def test_what_users_read_first_has_no_word_of_the_code():
    found = [
        f"{place} {match.group()}"
        for place, line in lines(files("include", "README.md", "examples/README.md"))
        for match in INNER.finditer(line)
    ]
    assert found == []


def test_no_file_is_named_after_nothing():
    vague = re.compile(r"(util|helper|common|misc|manager)", flags=re.I)
    assert [name(path) for path in files() if vague.search(name(path))] == []


@pytest.mark.parametrize("folder", ["Sources/MainstemCore", "Sources/MainstemC"])
def test_names_of_files_are_names_of_things(folder):
    wrong = [
        name(path)
        for path in files(folder, suffixes=(".swift",))
        if not re.fullmatch(r"[A-Z][A-Za-z0-9]*(\+[A-Z][A-Za-z0-9]*)?\.swift", path.name)
    ]
    assert wrong == []


def test_the_longest_files_are_looked_at():
    """A list to read, and a bound that no source reaches.

    Headers have none: there is one for each station, and most of it is the manual. Nor has the
    module that is generated from them.
    """
    counted = files(
        "Sources", "include", "Tests", "examples", suffixes=(".swift", ".c", ".h", ".py")
    )
    lengths = sorted(((len(text(path).splitlines()), name(path)) for path in counted), reverse=True)
    print("\nThe longest files:")
    for length, path in lengths[:12]:
        print(f"{length:6} {path}")
    free = ("Tests/", "include/", "Sources/MainstemPython/mainstem/_library/_header.py")
    assert [row for row in lengths if row[0] > 600 and not row[1].startswith(free)] == []
