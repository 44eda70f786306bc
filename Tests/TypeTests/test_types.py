# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The package and our Python programs pass `mypy --strict` and `pyright`; usual mistakes do not."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from refused import ACCEPTED, BEGIN, REFUSED

ROOT = Path(__file__).resolve().parents[2]
MODULE = ROOT / "Sources" / "MainstemPython"
EXAMPLES = sorted((ROOT / "examples").rglob("*.py"))


def checked(command, folder):
    """What a checker says of the files of a folder."""
    environment = dict(os.environ, MYPYPATH=f"{MODULE}{os.pathsep}{folder}")
    done = subprocess.run(
        [sys.executable, *command],
        cwd=str(folder),
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
    )
    assert done.returncode in (0, 1), done.stdout
    return done.stdout


def mypy(folder, *names):
    silent = ["--follow-imports=silent", "--cache-dir", str(folder / "cache"), "--no-error-summary"]
    return checked(["-m", "mypy", "--strict", "--python-version=3.11", *silent, *names], folder)


def pyright(folder, *names):
    (folder / "pyrightconfig.json").write_text(f'{{"extraPaths": ["{MODULE}"]}}')
    return checked(["-m", "pyright", *names], folder)


def page(folder):
    """The programs of docs/python.md and docs/navigation.md."""
    for name, least in (("python.md", 5), ("navigation.md", 3)):
        text = (ROOT / "docs" / name).read_text(encoding="utf-8")
        programs = re.findall(r"`(\w+\.py)`[^`]*?:\n\n```python\n(.*?)```", text, re.S)
        assert len(programs) >= least
        for file, program in programs:
            (folder / file).write_text(program, encoding="utf-8")


def readme(folder):
    """The programs of README.md, as files; the later ones import the first, "greet"."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    programs = re.findall(r"```python\n(.*?)```", text, re.S)
    assert programs
    for number, program in enumerate(programs):
        name = f"program{number}.py" if number else "greet.py"
        (folder / name).write_text(program, encoding="utf-8")


@pytest.fixture(name="programs", scope="module")
def fixture_programs(tmp_path_factory):
    """The programs of the README, the page and the examples, in one folder."""
    folder = tmp_path_factory.mktemp("programs")
    readme(folder)
    page(folder)
    for path in EXAMPLES:
        if "HostTests" not in path.parts:
            (folder / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "accepted.py").write_text(BEGIN + ACCEPTED)
    return folder


@pytest.mark.parametrize("check", [mypy, pyright])
def test_every_program_passes(check, programs):
    names = sorted(path.name for path in programs.glob("*.py"))
    assert len(names) > 9

    said = check(programs, *names)

    assert said in ("", "0 errors, 0 warnings, 0 informations\n")


@pytest.fixture(name="said", scope="module")
def fixture_said(tmp_path_factory):
    """What both checkers say of all refused programs."""
    folder = tmp_path_factory.mktemp("refused")
    for number, each in enumerate(REFUSED):
        (folder / f"refused{number}.py").write_text(BEGIN + each.program + "\n")
    names = [f"refused{number}.py" for number in range(len(REFUSED))]
    return {check: check(folder, *names).splitlines() for check in (mypy, pyright)}


@pytest.mark.parametrize("number", range(len(REFUSED)), ids=[each.mistake for each in REFUSED])
def test_a_mistake_is_refused_where_it_is_made(said, number):
    each = REFUSED[number]
    last = len((BEGIN + each.program).splitlines())
    place = re.compile(rf"\brefused{number}\.py:{last}:")

    mypys = [line for line in said[mypy] if place.search(line) and " error: " in line]
    pyrights = [line for line in said[pyright] if place.search(line) and " error: " in line]
    assert [line for line in mypys if each.message in line] != [], mypys
    assert pyrights != []


@pytest.mark.parametrize("version", ["3.10", "3.13"])
def test_the_package_passes_mypy(version, tmp_path):
    cache = f"--cache-dir={tmp_path}"

    said = checked(
        ["-m", "mypy", "--strict", f"--python-version={version}", cache, "mainstem"], MODULE
    )

    assert said.startswith("Success: no issues found"), said


@pytest.mark.parametrize("version", ["3.8", "3.13"])
def test_the_package_passes_pyright(version):
    said = checked(["-m", "pyright", f"--pythonversion={version}", "mainstem"], MODULE)

    assert said == "0 errors, 0 warnings, 0 informations\n"


def test_the_package_needs_nothing_newer_than_the_oldest_python():
    """Where a line asks for the version itself, it says so: novermin."""
    command = ["-c", "import vermin; vermin.main()", "--no-tips", "--violations", "--target=3.8-"]

    said = checked([*command, "mainstem"], MODULE)

    assert "Minimum required versions: 3.8\n" in said, said


def test_a_wheel_says_that_it_has_types():
    assert (MODULE / "mainstem" / "py.typed").exists()
