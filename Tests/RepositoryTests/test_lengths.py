# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The core: files and functions that can be read at once; who takes a lock gives it back."""

import re

from tree import code, files, name, text

CORE = "Sources/MainstemCore"
LONGEST_FILE = 600
LONGEST_FUNCTION = 40
FUNCTION = re.compile(
    r"^ *(?:@\w+(?:\([^)]*\))? )*(?:\w+ )*"
    r"(?:func +(?P<name>[^\s(<]+)|(?P<init>init|deinit|subscript)\b)"
)
TYPE = re.compile(r"^ *(?:\w+ )*(?:struct|class|enum|actor|protocol) \w+[^}]*\{$")


def sources():
    return files(CORE, suffixes=(".swift",))


def end(lines, first):
    """The index of the line that closes what a line opens."""
    depth, opened = 0, False
    for index in range(first, len(lines)):
        depth += lines[index].count("{") - lines[index].count("}")
        opened = opened or "{" in lines[index]
        if opened and depth <= 0:
            return index
    raise AssertionError(f"nothing closes: {lines[first]}")


def functions(source):
    """Each function of a Swift source: its name, the line it begins in, and how many it has.

    The lines of a type within a function are not its own.
    """
    lines = source.splitlines()
    for first, line in enumerate(lines):
        declared = FUNCTION.match(line)
        if not declared:
            continue
        last = end(lines, first)
        inner, index = 0, first + 1
        while index < last:
            length = end(lines, index) - index + 1 if TYPE.match(lines[index]) else 0
            inner += length
            index += length or 1
        yield declared["name"] or declared["init"], first + 1, last - first + 1 - inner


def test_a_function_is_measured_without_the_types_within():
    source = "\n".join(
        [
            "struct Outer {",
            "  private static func first(",
            "    _ a: Int",
            "  ) -> Int {",
            "    struct Inner {",
            "      init() {}",
            "    }",
            "    return a",
            "  }",
            "  @inline(__always) deinit { end() }",
            "}",
        ]
    )
    assert list(functions(source)) == [("first", 2, 5), ("init", 6, 1), ("deinit", 10, 1)]


def test_no_file_of_the_core_is_long():
    found = [
        f"{name(path)}: {len(text(path).splitlines())} lines"
        for path in sources()
        if len(text(path).splitlines()) > LONGEST_FILE
    ]
    assert sources() != []
    assert found == []


def test_no_function_of_the_core_is_long():
    measured = [
        (length, f"{name(path)}:{line} {function}")
        for path in sources()
        for function, line, length in functions(code(path))
    ]
    print("\nThe longest functions:")
    for length, place in sorted(measured, reverse=True)[:12]:
        print(f"{length:6} {place}")
    assert len(measured) > 1000
    assert [row for row in measured if row[0] > LONGEST_FUNCTION] == []


def test_no_function_releases_the_lock_of_its_caller():
    """It returns what is to be done; the one who took the lock releases it, then acts."""
    found = [
        f"{name(path)}:{line} {function}"
        for path in files(CORE, "Sources/MainstemC", suffixes=(".swift",))
        for function, line, _ in functions(code(path))
        if function.endswith("AndUnlock")
    ]
    assert found == []
