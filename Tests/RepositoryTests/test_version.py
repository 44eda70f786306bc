# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The header has the version; every other place that names one names the same."""

import re

import pytest
from tree import ROOT, files, name, text

NUMBER = r"(\d+\.\d+(?:\.\d+)?)"
ASKED_FOR = re.compile(rf"find_package\(mainstem {NUMBER}")
#: The loader's name of the library has the first two numbers.
LOADED = {
    "Sources/MainstemPython/mainstem/_library/__init__.py": rf'^_NUMBER = "{NUMBER}"',
    "Tests/PythonTests/test_library.py": rf"libmainstem\.so\.{NUMBER}",
    "Tests/NATSTests/test_library.py": rf"libmainstem\.so\.{NUMBER}",
    "docs/install.md": rf"libmainstem\.so\.{NUMBER}",
}
SAID = {
    "README.md": rf"(?:\bmainstem-|^Version ){NUMBER}",
    "docs/install.md": rf"\bmainstem-{NUMBER}",
    "Sources/MainstemPython/mainstem/__init__.py": rf'^__version__ = "{NUMBER}"',
}


def version():
    header = text(ROOT / "include/mainstem/core.h")
    return ".".join(re.findall(r"#define MAINSTEM_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))


@pytest.mark.parametrize("path", SAID)
def test_a_place_says_the_version(path):
    assert set(re.findall(SAID[path], text(ROOT / path), flags=re.M)) == {version()}


@pytest.mark.parametrize("path", LOADED)
def test_a_place_loads_this_version(path):
    minor = version().rpartition(".")[0]
    assert set(re.findall(LOADED[path], text(ROOT / path), flags=re.M)) == {minor}


def test_every_build_asks_for_this_version():
    minor = version().rpartition(".")[0]
    paths = [path for path in files() if path.suffix in (".txt", ".md")]
    asked = {name(path): set(ASKED_FOR.findall(text(path))) for path in paths}
    asked = {path: versions for path, versions in asked.items() if versions}
    assert asked
    assert asked == {path: {minor} for path in asked}
