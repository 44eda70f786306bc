# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The guides, as a reader follows them: each program in an empty folder, and what is typed there.

MAINSTEM_PREFIX is the installed library.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PREFIX = Path(os.environ["MAINSTEM_PREFIX"])
FILE = re.compile(r"`(?P<name>[\w./]+)`[^`]*?:\n\n```(?!swift)\w+\n(?P<text>.*?)^```$", re.M | re.S)
TYPED = re.compile(r"^```console\n(?P<typed>.*?)^```$", re.M | re.S)
SNIPPET = re.compile(r"^```(\w+)$", re.M)
PAGES = ["c", "python", "screens", "navigation", "lists", "blocks", "queries"]
#: What is no program, or one that Tests/SwiftGuideTests starts.
ELSEWHERE = ["console", "swift"]


def read(page):
    return (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")


def as_installed():
    """What install.md says: where the library is, for the compiler and for the program."""
    packages = str(PREFIX / "lib" / "python3" / "dist-packages")
    return dict(
        os.environ,
        PKG_CONFIG_PATH=str(PREFIX / "lib" / "pkgconfig"),
        LD_LIBRARY_PATH=str(PREFIX / "lib"),
        PYTHONPATH=packages,
        PYTHONDONTWRITEBYTECODE="1",
        PYTHONIOENCODING="utf-8",
    )


def type_in(console, folder):
    """What the terminal shows after the commands of a block: commands and what they print."""
    shown = []
    for command in re.findall(r"^\$ (.*)$", console, re.M):
        result = subprocess.run(
            ["sh", "-c", command],
            cwd=str(folder),
            env=as_installed(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=300,
            check=False,
        )
        shown.append(f"$ {command}\n{result.stdout.decode('utf-8')}")
    return "".join(shown)


@pytest.mark.parametrize("page", PAGES)
def test_each_program_does_what_its_page_shows(page, tmp_path):
    for program in FILE.finditer(read(page)):
        (tmp_path / program["name"]).write_text(program["text"], encoding="utf-8")
    consoles = [block["typed"] for block in TYPED.finditer(read(page))]
    consoles = [typed for typed in consoles if not typed.startswith("$ swift ")]
    assert consoles, f"docs/{page}.md has nothing to type"

    assert [type_in(console, tmp_path) for console in consoles] == consoles


def test_the_program_that_core_h_begins_with_does_what_it_shows(tmp_path):
    head = (ROOT / "include" / "mainstem" / "core.h").read_text(encoding="utf-8").split("*/")[0]
    lines = [line[7:] if line.startswith(" *     ") else "" for line in head.split("\n")]
    begin = next(number for number, line in enumerate(lines) if line.startswith("#include"))
    end = next(number for number, line in enumerate(lines) if line.startswith("$ "))
    typed = "".join(f"{line}\n" for line in lines[end:] if line)
    (tmp_path / "greet.c").write_text("\n".join(lines[begin:end]), encoding="utf-8")

    assert type_in(typed, tmp_path) == typed


@pytest.mark.parametrize("page", PAGES)
def test_every_snippet_of_a_page_is_a_program_that_is_started(page):
    typed = "".join(block["typed"] for block in TYPED.finditer(read(page)))
    programs = [program["name"] for program in FILE.finditer(read(page))]
    snippets = [language for language in SNIPPET.findall(read(page)) if language not in ELSEWHERE]

    assert [name for name in programs if Path(name).stem not in typed] == []
    assert len(snippets) == len(programs)
