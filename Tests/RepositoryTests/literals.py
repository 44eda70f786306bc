# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The texts that stand in the sources, and the list of them: Tests/journals/texts.txt.

    python Tests/RepositoryTests/literals.py

prints the sections of the list as they would be now.
"""

from __future__ import annotations

import ast
import re
import zlib
from typing import Dict, Iterator, List, Set

from tree import ROOT, files, text

LIST = ROOT / "Tests" / "journals" / "texts.txt"
#: A place in a text where a program puts something.
HOLE = "{}"

# Swift --------------------------------------------------------------------------------------------

_SWIFT = re.compile(r'//[^\n]*|/\*.*?\*/|"""\n|"', re.DOTALL)
#: What names a C function, not a text.
_NAMES = re.compile(r'@_cdecl\("\w+"\)')


def swift_literals(code: str) -> Iterator[str]:
    """The string literals of a Swift source, with holes for what is interpolated."""
    code = _NAMES.sub("", code)
    at = 0
    while found := _SWIFT.search(code, at):
        at = found.end()
        quote = found.group()
        if quote[0] != '"':
            continue
        parts: List[str] = []
        end = '"' if quote == '"' else '"""'
        while not code.startswith(end, at):
            if code.startswith("\\(", at):
                inside = at + 2
                at = _closing(code, inside)
                yield from swift_literals(code[inside : at - 1])
                parts.append(HOLE)
            else:
                size = 2 if code[at] == "\\" else 1
                parts.append(code[at : at + size])
                at += size
        at += len(end)
        whole = "".join(parts)
        if end == '"""':
            whole = re.sub(r"\s*\\\n\s*", " ", whole)
            whole = " ".join(line.strip() for line in whole.split("\n")).strip()
        yield whole


def _closing(code: str, at: int) -> int:
    """Where an interpolation ends, behind its parenthesis."""
    depth = 1
    while depth:
        if code[at] == '"':
            at += 1
            while code[at] != '"':
                if code.startswith("\\(", at):
                    at = _closing(code, at + 2)
                else:
                    at += 2 if code[at] == "\\" else 1
        depth += {"(": 1, ")": -1}.get(code[at], 0)
        at += 1
    return at


# C ------------------------------------------------------------------------------------------------


def c_literals(code: str) -> Iterator[str]:
    """The string literals of a C source; adjacent ones are one."""
    code = re.sub(r"/\*.*?\*/|^ *#include[^\n]*|^ *//[^\n]*", "", code, flags=re.M | re.S)
    for found in re.findall(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', code):
        yield "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', found))


# Python -------------------------------------------------------------------------------------------


def python_literals(code: str) -> Iterator[str]:
    """The string literals of a Python source that are no docstrings."""
    tree = ast.parse(code)
    skipped: Set[int] = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            skipped |= {id(each.value) for each in body if isinstance(each, ast.Expr)}
        if isinstance(node, ast.JoinedStr):
            skipped |= {id(value) for value in node.values}
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.JoinedStr):
            yield "".join(
                value.value if isinstance(value, ast.Constant) else HOLE for value in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


# The list -----------------------------------------------------------------------------------------

#: Parts of the Python package that write no events: tools, readers, and words for programmers.
_SILENT = re.compile(r"^(tool/|journal_file/|nats/|_library/_spoken)")


def _of(folder: str, suffix: str, literals: object) -> Set[str]:
    found: Set[str] = set()
    for path in files(folder, suffixes=(suffix,)):
        if not _SILENT.match(str(path.relative_to(ROOT / folder))):
            found.update(literals(text(path)))  # type: ignore[operator]
    return found


def _is_text(literal: str) -> bool:
    """Whether a literal says something: it has a blank between words."""
    return bool(re.search(r"\S .*[a-z]{2}|[a-z]{2}.* \S", literal))


def sections() -> Dict[str, List[str]]:
    """The sections of the list as the sources are now."""
    core = _of("Sources/MainstemCore", ".swift", swift_literals)
    core |= _of("Sources/MainstemC", ".swift", swift_literals)
    shim = _of("Sources/CMainstem", ".c", c_literals)
    bridge = _of("Sources/MainstemNATS", ".c", c_literals)
    python = _of("Sources/MainstemPython/mainstem", ".py", python_literals)
    swift = _of("Sources/Mainstem", ".swift", swift_literals)
    named = {each for each in core if re.fullmatch(r"mainstem_\w+", each)}
    texts = {each for each in core | shim if _is_text(each)}
    found = {
        "texts of the core": texts,
        "words of the core": core - texts - named - {"", HOLE},
        "functions of the core": named,
        "texts of the Python package": {each for each in python if _is_text(each)},
        "texts of the Swift package": {each for each in swift if _is_text(each)},
        "texts of the bridge": {each for each in bridge if _is_text(each)},
    }
    for name, words in (("Swift package", swift), ("bridge", bridge)):
        found[f"words of the {name}"] = {each for each in words if not _is_text(each)} - {"", HOLE}
    return {name: sorted(map(_shown, lines)) for name, lines in found.items()}


def _shown(literal: str) -> str:
    """A literal on one line, in quotes, because some end in a blank."""
    return '"' + literal.replace("\n", "\\n").replace("\t", "\\t") + '"'


def signed(line: str) -> str:
    """A line of the list: a checksum in front, so that no script renames its words unseen."""
    return f"{zlib.crc32(line.encode()) & 0xFFFF:04x} {line}"


def listed() -> Dict[str, List[str]]:
    """The sections of the list, with the checksums."""
    found: Dict[str, List[str]] = {}
    for line in text(LIST).split("\n"):
        if line.startswith("["):
            found[line[1:-1]] = []
        elif found and line:
            found[list(found)[-1]].append(line)
    return found


if __name__ == "__main__":
    for name, lines in sections().items():
        print(f"\n[{name}]")
        print("\n".join(map(signed, lines)))
