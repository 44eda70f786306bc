# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What Swift files keep: documents for the public, a reason beside what nobody checks."""

import re
from collections import Counter

from tree import code, files, name, text

UNSAFE = re.compile(
    r"@unchecked Sendable|nonisolated\(unsafe\)|\bUnmanaged\b|\bunsafeBitCast\b|\bunsafeDowncast\b"
)
TRAPS = re.compile(r"\btry!|\bas!|\bfatalError\(|\bprecondition(?:Failure)?\(|\bassert\(")
PUBLIC = re.compile(
    r"^\s*(?:@[\w.]+(?:\([^)]*\))?\s+)*(?:public|open)\s+(?!import\b|extension\b)"
    r"(?:[\w()]+\s+)*?(?:func|var|let|init|struct|class|enum|protocol|actor|typealias|subscript|"
    r"associatedtype|macro|static)\b"
)
MEMBER = re.compile(
    r"^\s*(?:static |mutating |indirect )*(?:func|var|init|subscript|associatedtype|case)\b"
)
FACES = [
    "Sources/Mainstem",
    "Sources/MainstemSignals",
    "Sources/MainstemTesting",
    "Sources/MainstemNATS",
    "Sources/MainstemCore",
]


def documented(lines, index):
    """Whether a declaration has a doc comment above it, attributes between them aside."""
    index -= 1
    while index >= 0 and re.match(r"\s*(@[\w.]+(\([^)]*\))?|\))\s*$", lines[index]):
        # An attribute on several lines ends in a parenthesis.
        if lines[index].strip() == ")":
            while index >= 0 and not lines[index].lstrip().startswith("@"):
                index -= 1
        index -= 1
    return index >= 0 and re.match(r"\s*(///|\*/)", lines[index]) is not None


def public_declarations(path):
    """The lines that declare something public, by word or as a member of a protocol or enum."""
    inside, depth = None, 0
    for index, line in enumerate(code(path).splitlines()):
        if PUBLIC.match(line):
            yield index
            if inside is None and re.search(r"\b(protocol|enum) \w+[^}]*$", line):
                inside = depth
        elif inside is not None and depth == inside + 1 and MEMBER.match(line):
            yield index
        depth += line.count("{") - line.count("}")
        if inside is not None and depth <= inside and "}" in line:
            inside = None


def test_every_public_declaration_is_documented():
    without, count = [], 0
    for path in files(*FACES, suffixes=(".swift",)):
        lines = text(path).splitlines()
        for index in public_declarations(path):
            count += 1
            if not documented(lines, index):
                without.append(f"{name(path)}:{index + 1} {lines[index].strip()}")
    print(f"{count} public declarations")
    assert without == []
    assert count > 0


def test_each_unsafe_word_has_its_reason_beside_it():
    found, without = Counter(), []
    for path in files("Sources", suffixes=(".swift",)):
        lines = text(path).splitlines()
        for index, line in enumerate(code(path).splitlines()):
            for match in UNSAFE.finditer(line):
                found[match.group()] += 1
                if not any("//" in near for near in lines[max(0, index - 3) : index + 1]):
                    without.append(f"{name(path)}:{index + 1} {match.group()}")
    for word, count in sorted(found.items()):
        print(f"{count:4} {word}")
    assert without == []


def test_nothing_that_c_can_reach_traps():
    found = [
        f"{name(path)}:{number} {match.group()}"
        for path in files("Sources/MainstemCore", "Sources/MainstemC", suffixes=(".swift",))
        for number, line in enumerate(code(path).splitlines(), start=1)
        for match in TRAPS.finditer(line)
    ]
    assert found == []


def test_nothing_is_forced_in_the_faces():
    found = [
        f"{name(path)}:{number}"
        for path in files("Sources", suffixes=(".swift",))
        for number, line in enumerate(code(path).splitlines(), start=1)
        if re.search(r"\btry!|\bas!", line)
    ]
    assert found == []


def test_no_test_has_a_limit_of_time():
    """All tests run side by side: on a slow machine a quick one may end minutes after it began."""
    paths = files("Tests", "examples", suffixes=(".swift",))
    assert [name(path) for path in paths if ".timeLimit(" in text(path)] == []
