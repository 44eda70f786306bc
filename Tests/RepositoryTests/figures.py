# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Counts how much there is to read, and exits with 1 if a figure that has a bound is over it.

Words are what `wc -w` counts, comments and code. The headers are mainstem.h and those that it
includes: not the bridge to NATS, not the test kit. A public function is one that these headers
declare with MAINSTEM_API. Files are those that git has; lines, those of its text files without
journals.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def files(*folders: str) -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", *folders], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def headers() -> list[Path]:
    main = ROOT / "include" / "mainstem.h"
    included = re.findall(r'#include "(mainstem/\w+\.h)"', text(main))
    return [main, *(main.parent / name for name in included)]


def words(paths: list[Path]) -> int:
    return sum(len(text(path).split()) for path in paths)


def functions() -> int:
    code = (re.sub(r"/\*.*?\*/", "", text(path), flags=re.S) for path in headers())
    return sum(len(re.findall(r"MAINSTEM_API\s[^;(]*\bmainstem_\w+\(", each)) for each in code)


def lines(*folders: str) -> int:
    count = 0
    for path in files(*folders):
        data = path.read_bytes()
        if b"\0" not in data and path.suffix not in (".journal", ".gz"):
            count += data.count(b"\n")
    return count


def of_kind(suffix: str, *folders: str) -> int:
    return sum(path.suffix == suffix for path in files(*folders))


def members_of_stream() -> int:
    """Functions and variables in extensions of Stream, in the core."""
    count = 0
    for path in files("Sources/MainstemCore"):
        for body in re.findall(r"^extension Stream \{\n(.*?)^\}", text(path), re.M | re.S):
            count += len(re.findall(r"^  (?:@\S+ )*(?:\w+ )*(?:func|var|init)\b", body, re.M))
    return count


def main() -> int:
    #: What, how many, how many at most; None: none yet, but a goal.
    figures: list[tuple[str, int, int | None, str]] = [
        ("words of core.h", words([ROOT / "include" / "mainstem" / "core.h"]), 4_000, ""),
        ("words of all headers", words(headers()), 29_550, ""),
        ("public functions", functions(), 177, ""),
        ("files of the core", of_kind(".swift", "Sources/MainstemCore"), 163, ""),
        ("files of the Swift face", of_kind(".swift", "Sources/Mainstem"), 100, ""),
        ("files of the Python package", of_kind(".py", "Sources/MainstemPython"), 92, ""),
        ("members that extend Stream", members_of_stream(), 605, ""),
        ("lines of the repository", lines(), None, "230,000"),
        ("lines of the tests", lines("Tests"), None, "105,000"),
    ]
    for name, count, bound, goal in figures:
        most = f"at most {bound:,}" if bound else f"goal {goal}"
        over = "  OVER" if bound and count > bound else ""
        print(f"{count:8,}  {name:<30}{most}{over}")
    return int(any(bound and count > bound for _, count, bound, _ in figures))


if __name__ == "__main__":
    sys.exit(main())
