# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""docs/swift-core.md, as a reader follows it: copies each file into an empty folder, and types
what is printed.

MAINSTEM_SCRATCH is the folder that the Swift package of this tree was built in: see test_page.py.
"""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "swift-core.md").read_text(encoding="utf-8")
FILE = re.compile(r"`(?P<name>[\w./]+)`:\n\n```(c|swift|python)\n(?P<text>.*?)^```$", re.M | re.S)
TYPED = re.compile(r"^```console\n(?P<typed>.*?)^```$", re.M | re.S)
SNIPPET = re.compile(r"^```(\w+)$", re.M)


def write(folder):
    """Writes the files of the page, beside the library."""
    beside = '.package(path: "../mainstem")'
    assert beside in PAGE
    for file in FILE.finditer(PAGE):
        path = folder / file["name"]
        path.parent.mkdir(parents=True, exist_ok=True)
        text = file["text"].replace(beside, f'.package(name: "mainstem", path: "{ROOT}")')
        path.write_text(text, encoding="utf-8")
    (folder.parent / "mainstem").symlink_to(ROOT)
    # The reader's swift, with the flags of the other packages built there.
    tool = folder.parent / "bin" / "swift"
    tool.parent.mkdir()
    swift, scratch = shutil.which("swift"), os.environ["MAINSTEM_SCRATCH"]
    tool.write_text(
        f'#!/bin/sh\ncommand=$1\nshift\nexec "{swift}" "$command" --scratch-path "{scratch}" '
        '-Xswiftc -warnings-as-errors "$@"\n',
        encoding="utf-8",
    )
    tool.chmod(0o755)


def typed(console, folder):
    """What is on the console when the commands of one block are typed."""
    commands = re.findall(r"^\$ (.*)$", console, re.M)
    script = "\n".join(f"echo {shlex.quote('$ ' + one)}\n{one}" for one in commands)
    path = f"{folder.parent / 'bin'}:{os.environ['PATH']}"
    return subprocess.run(
        ["sh", "-c", script],
        cwd=str(folder),
        env=dict(os.environ, PATH=path, PYTHONDONTWRITEBYTECODE="1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
        check=False,
    ).stdout


def test_hosts_in_c_and_python_do_what_the_page_shows(tmp_path):
    folder = tmp_path / "counter"
    folder.mkdir()
    write(folder)
    consoles = [block["typed"] for block in TYPED.finditer(PAGE)]

    assert [typed(console, folder) for console in consoles] == consoles
    assert len(consoles) == 2


def test_every_snippet_is_a_file_that_is_built():
    snippets = [language for language in SNIPPET.findall(PAGE) if language != "console"]

    assert len(snippets) == len(FILE.findall(PAGE))
