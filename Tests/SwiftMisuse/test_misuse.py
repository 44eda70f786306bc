# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What cannot be right in Swift does not compile, and the compiler says what to do.

Each file here is a mistake. A line that ends in a comment "says:" gets an error with that text, and
no other line gets one.

MAINSTEM_MODULES is the folder with the modules of the Swift package.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
HEADERS = HERE.parents[1] / "Sources" / "CMainstem" / "include"
SAYS = re.compile(r"// says: (.*)$")
ERROR = re.compile(r":(\d+):\d+: error: (.*)$", re.M)
MISTAKES = sorted(HERE.glob("*.swift"))


def errors(source):
    """The errors of the compiler, by line."""
    # As far as code that is sent to the machine: what a task may take along is checked late.
    result = subprocess.run(
        ["swiftc", "-swift-version", "6", "-emit-sil", "-o", os.devnull]
        + ["-I", os.environ["MAINSTEM_MODULES"], "-I", str(HEADERS), str(source)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
        check=False,
    )
    found = {}
    for line, message in ERROR.findall(result.stdout):
        found[int(line)] = found.get(int(line), "") + message
    return found


@pytest.mark.parametrize("source", MISTAKES, ids=lambda source: source.stem)
def test_a_mistake_does_not_compile_and_is_named(source):
    lines = source.read_text(encoding="utf-8").splitlines()
    said = {number: SAYS.search(line) for number, line in enumerate(lines, start=1)}
    wanted = {number: match.group(1) for number, match in said.items() if match}
    found = errors(source)

    assert wanted != {}
    assert sorted(found) == sorted(wanted)
    assert [found[line] for line in wanted if wanted[line] not in found[line]] == []


def test_there_are_mistakes():
    assert MISTAKES != []
