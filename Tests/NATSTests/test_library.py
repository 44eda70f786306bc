# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the bridge's library is: its names are the header's and Python's; who does not use it has
nothing of it. MAINSTEM_WITHOUT is the folder of a build without the bridge."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from mainstem.nats import FUNCTIONS

ROOT = Path(__file__).resolve().parents[2]
WITH = Path(os.environ["MAINSTEM_LIBRARY"]).parent
LIBRARY = WITH / "libmainstem_nats.so"


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def declared():
    """The functions of the headers, in the order in which nats.h includes them."""
    headers = ROOT / "include/mainstem"
    included = re.findall(r'#include "(\w+\.h)"', (headers / "nats.h").read_text())
    text = "".join((headers / name).read_text() for name in included)
    return re.findall(r"^MAINSTEM_API [^;(]*?(mainstem_\w+)\(", text, flags=re.M)


def needed(library):
    return set(re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "-d", "--wide", library)))


def test_the_names_of_the_header_are_exported_and_in_python():
    rows = [row.split() for row in output("nm", "-D", "--defined-only", LIBRARY).splitlines()]
    assert sorted(row[2].split("@")[0] for row in rows if row[1] != "A") == sorted(declared())
    assert declared() == FUNCTIONS


def test_it_needs_the_core_and_the_client():
    found = needed(LIBRARY)
    assert len([name for name in found if name.startswith("libnats.so.")]) == 1
    found = {name for name in found if not name.startswith(("libnats.so.", "ld-linux"))}
    assert found == {"libmainstem.so.0.13", "libc.so.6"}


@pytest.mark.skipif("MAINSTEM_WITHOUT" not in os.environ, reason="there is no build without it")
def test_the_core_is_the_same_to_the_byte():
    without = Path(os.environ["MAINSTEM_WITHOUT"])
    assert (WITH / "libmainstem.so").read_bytes() == (without / "libmainstem.so").read_bytes()
    assert not list(without.glob("libmainstem_nats*"))


def test_the_package_imports_without_it():
    code = "import mainstem, sys; assert 'mainstem.nats' not in sys.modules"
    subprocess.run(["python3", "-c", code], check=True)


def test_without_it_there_is_a_sentence():
    hidden = {**os.environ, "MAINSTEM_NATS_LIBRARY": "/nowhere/libmainstem_nats.so"}
    ran = subprocess.run(
        ["python3", "-c", "from mainstem import nats"], env=hidden, capture_output=True, text=True
    )
    assert "ImportError: mainstem.nats: libmainstem_nats.so was not found" in ran.stderr
    assert "-DMAINSTEM_BUILD_NATS=ON" in ran.stderr
