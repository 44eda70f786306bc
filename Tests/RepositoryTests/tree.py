# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The files of the repository, read as text."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILT = {".git", ".build", "build", "__pycache__", ".venv", ".swiftpm", "dist"}
BUILT |= {".ruff_cache", ".pytest_cache"}
# The headers in their order.
HEADERS = ["core", "types", "context", "scopes", "observing", "requests", "screens", "lists"]
HEADERS += ["blocks", "queries", "reactor", "recording", "journal", "replay", "routes"]
HEADERS += ["navigation", "stage", "loop", "languages"]


def files(*folders: str, suffixes: tuple[str, ...] = ()) -> list[Path]:
    """Every file below the folders (the whole tree without any), built ones left out, in order."""
    found = []
    for folder in folders or (".",):
        start = ROOT / folder
        for path in [start] if start.is_file() else sorted(start.rglob("*")):
            parts = path.relative_to(ROOT).parts
            if any(part in BUILT or part.startswith(".build-") for part in parts):
                continue
            if path.is_file() and (not suffixes or path.suffix in suffixes):
                found.append(path)
    return found


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def code(path: Path) -> str:
    """A Swift or C file without its comments and strings, line for line."""

    def blank(match: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", match.group())

    return re.sub(
        r'//[^\n]*|/\*.*?\*/|"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"', blank, text(path), flags=re.S
    )


def declared_functions() -> list[str]:
    """The functions that the headers mark MAINSTEM_API, in their order."""
    names = []
    for name in HEADERS:
        header = ROOT / "include" / "mainstem" / f"{name}.h"
        if header.exists():
            names += re.findall(r"^MAINSTEM_API [^;(]*?(mainstem_\w+)\(", text(header), flags=re.M)
    return names
