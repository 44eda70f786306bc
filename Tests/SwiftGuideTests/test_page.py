# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""docs/swift.md, docs/screens.md and docs/signals.md, as a reader follows them: copies each
file into an empty folder, and types what is printed.

MAINSTEM_SCRATCH is the folder that the Swift package of this tree was built in. The library is not
compiled again, if it is found by the same path: so the reader's copy has another name than on the
page, and is named in the way that the page says.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "swift.md").read_text(encoding="utf-8")
SCREENS = (ROOT / "docs" / "screens.md").read_text(encoding="utf-8")
SIGNALS = (ROOT / "docs" / "signals.md").read_text(encoding="utf-8")
FILE = re.compile(r"`(?P<name>[\w./]+)`[^`]*?:\n\n```swift\n(?P<text>.*?)^```$", re.M | re.S)
TYPED = re.compile(r"^```console\n(?P<typed>.*?)^```$", re.M | re.S)
SNIPPET = re.compile(r"^```(\w+)$", re.M)


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """The folder with the reader's package, beside the library's."""
    folder = tmp_path_factory.mktemp("reader") / "programs"
    folder.mkdir()
    beside, elsewhere = (
        '.package(path: "../mainstem")',
        f'.package(name: "mainstem", path: "{ROOT}")',
    )
    assert beside in PAGE
    for program in [each for page in (PAGE, SCREENS, SIGNALS) for each in FILE.finditer(page)]:
        path = folder / program["name"]
        path.parent.mkdir(parents=True, exist_ok=True)
        # The package of the one page has the programs of the others, too.
        text = program["text"].replace('"Again"]', '"Again", "Counter", "Feed", "Search"]')
        one = '[.product(name: "Mainstem", package: "mainstem")]'
        text = text.replace(beside, elsewhere)
        text = text.replace(
            one, one[:-1] + ', .product(name: "MainstemSignals", package: "mainstem")]'
        )
        path.write_text(text, encoding="utf-8")
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
    return folder


def run(command, package):
    path = f"{package.parent / 'bin'}:{os.environ['PATH']}"
    return subprocess.run(
        ["sh", "-c", command],
        cwd=str(package),
        env=dict(os.environ, PATH=path),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
        check=False,
    )


def test_each_program_does_what_the_page_shows(package):
    built = run("swift build --build-tests", package)
    assert built.returncode == 0, built.stdout
    consoles = [block["typed"] for block in TYPED.finditer(PAGE)]
    others = [block["typed"] for page in (SCREENS, SIGNALS) for block in TYPED.finditer(page)]
    consoles += [typed for typed in others if typed.startswith("$ swift ")]
    assert len(consoles) > 1
    shown = []
    for console in consoles:
        commands = re.findall(r"^\$ (.*)$", console, re.M)
        shown.append("".join(f"$ {one}\n{run(one, package).stdout}" for one in commands))

    assert shown == consoles


def test_the_tests_of_the_page_pass(package):
    tested = run("swift test", package)

    assert tested.returncode == 0, tested.stdout
    assert "Test run with 2 tests" in tested.stdout


def test_every_snippet_is_a_file_that_is_built():
    snippets = [language for language in SNIPPET.findall(PAGE) if language != "console"]

    assert len(snippets) == len(FILE.findall(PAGE))
