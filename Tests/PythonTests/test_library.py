# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Finding the library, and the messages when it is not found."""

from __future__ import annotations

import ctypes.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import mainstem
import pytest
from conftest import ROOT

PACKAGE = ROOT / "Sources" / "MainstemPython"
VERSIONS = Path.home() / ".pyenv" / "versions"


def run(code, python=sys.executable, path=PACKAGE, library=None):
    """Runs a line of Python with the module on its path."""
    environment = {name: value for name, value in os.environ.items() if name != "MAINSTEM_LIBRARY"}
    environment.update(PYTHONPATH=str(path), PYTHONDONTWRITEBYTECODE="1")
    if library is not None:
        environment["MAINSTEM_LIBRARY"] = str(library)
    return subprocess.run(
        [str(python), "-c", code], env=environment, stdout=-1, stderr=-1, universal_newlines=True
    )


def last_lines(result):
    """The ImportError at the end of a traceback."""
    assert result.returncode == 1
    return result.stderr[result.stderr.index("ImportError") :]


def test_the_library_of_the_environment_is_the_one_that_is_loaded():
    assert os.environ["MAINSTEM_LIBRARY"] == mainstem._library.LIBRARY_PATH


def test_a_library_of_the_environment_that_is_not_there_is_named_and_no_other_is_tried(tmp_path):
    said = last_lines(run("import mainstem", library=tmp_path / "nowhere.so"))

    assert f"MAINSTEM_LIBRARY={tmp_path}/nowhere.so" in said
    assert "beside the module" not in said
    assert "Set MAINSTEM_LIBRARY to the path of libmainstem.so" in said


def test_not_found_is_an_import_error_that_names_each_place(tmp_path):
    shutil.copytree(str(PACKAGE / "mainstem"), str(tmp_path / "mainstem"))
    said = last_lines(run("import mainstem", path=tmp_path))

    assert f"beside the module: {tmp_path}/mainstem/libmainstem.so" in said
    assert "the loader's libmainstem.so.0.13" in said
    assert "the loader's libmainstem.so " in said
    assert "Set MAINSTEM_LIBRARY to the path of libmainstem.so" in said


def test_the_library_beside_the_module_is_found(tmp_path):
    shutil.copytree(str(PACKAGE / "mainstem"), str(tmp_path / "mainstem"))
    os.symlink(os.environ["MAINSTEM_LIBRARY"], str(tmp_path / "mainstem" / "libmainstem.so"))
    result = run("import mainstem; print(mainstem._library.LIBRARY_PATH)", path=tmp_path)

    assert result.stdout == f"{tmp_path}/mainstem/libmainstem.so\n", result.stderr


def test_a_library_without_our_functions_is_said_to_be_older():
    other = ctypes.util.find_library("c")
    said = last_lines(run("import mainstem", library=other))

    assert f"the library at {other} has no mainstem_status_name" in said
    assert "it is older than this module" in said


@pytest.mark.parametrize("version", ["2.7.18", "3.6.15", "3.7.16"])
def test_a_python_before_3_8_reads_one_clear_sentence(version):
    python = VERSIONS / version / "bin" / "python"
    if not python.exists():
        # The old interpreter is not here: the file must at least keep out of newer syntax.
        source = (PACKAGE / "mainstem" / "__init__.py").read_text()
        assert "annotations" not in source
        assert 'f"' not in source
        return
    said = last_lines(run("import mainstem", python=python))

    number = version.rsplit(".", 1)[0]
    assert said == (
        f"ImportError: mainstem needs Python 3.8 or newer, but this is Python {number}: "
        "run it with a newer python3.\n"
    )


def test_the_first_file_is_ascii_for_the_oldest_python():
    (PACKAGE / "mainstem" / "__init__.py").read_bytes().decode("ascii")
