# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the command shows of the kept journals stays as it is, to the byte.

tool_kept.txt has a line for each command and journal: how long what it shows is, and its SHA-256. A
change that is meant is looked at, and then kept: `python Tests/PythonTests/test_tool_kept.py`
writes the file anew.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import os
import sys
import tempfile
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
JOURNALS = HERE.parent / "journals"
LIST = HERE / "tool_kept.txt"
COMMANDS = [
    ["info"],
    ["dump"],
    ["dump", "--json"],
    ["tree"],
    ["shown"],
    ["shown", "--json"],
    ["shown", "--at", "20"],
    ["screens"],
    ["screens", "--json"],
    ["screens", "--at", "20"],
    ["diagram", "-o", "-"],
    ["trace"],
    ["verify"],
]


def journals():
    """The kept ones, and the sessions of the apps, by name."""
    paths = [*JOURNALS.glob("*.journal"), *JOURNALS.glob("apps-*/*.journal.gz")]
    for path in sorted(paths):
        data = path.read_bytes()
        yield path.name.partition(".")[0], gzip.decompress(data) if path.suffix == ".gz" else data


def shown(folder):
    """What each command shows of each journal, which lies in a folder under its own name."""
    from mainstem.tool import main

    os.chdir(folder)
    for name, data in journals():
        Path(name).write_bytes(data)
        for words in COMMANDS:
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                main([words[0], name, *words[1:]])
            yield f"{name} {' '.join(words)}", out.getvalue()


def line(what, text):
    return f"{what}: {len(text.encode())} {hashlib.sha256(text.encode()).hexdigest()}"


def test_what_the_command_shows_stays_as_it_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TZ", "UTC")
    kept, differing = LIST.read_text().splitlines(), []
    found = []
    for what, text in shown(tmp_path):
        found.append(line(what, text))
        if found[-1] not in kept:
            differing.append(what)
            (tmp_path / f"{what}.txt").write_text(text)
    if differing:
        pytest.fail(f"changed: {differing}; see {tmp_path}", pytrace=False)
    assert found == kept


if __name__ == "__main__":
    os.environ["TZ"] = "UTC"
    with tempfile.TemporaryDirectory() as place:
        LIST.write_text("\n".join(line(*each) for each in shown(place)) + "\n")
    sys.exit()
