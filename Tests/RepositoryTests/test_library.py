# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a built library exports and needs: MAINSTEM_LIBRARY, of the flavour MAINSTEM_FLAVOUR."""

import os
import re
import subprocess

from tree import ROOT, declared_functions, text

LIBRARY = os.environ["MAINSTEM_LIBRARY"]
NEEDS = {
    "embedded": {"libc.so.6", "libm.so.6"},
    "static": {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1"},
}


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def dynamic():
    return output("readelf", "--dynamic", "--wide", LIBRARY)


def test_it_exports_the_functions_of_the_headers_and_nothing_else():
    rows = [row.split() for row in output("nm", "-D", "--defined-only", LIBRARY).splitlines()]
    functions = [row[2].split("@")[0] for row in rows if row[1] != "A"]
    assert sorted(functions) == sorted(declared_functions())
    assert {row[1] for row in rows} <= {"T", "A"}


def test_it_needs_what_its_flavour_may_need():
    needed = set(re.findall(r"\(NEEDED\).*\[(.+)\]", dynamic()))
    needed -= {"ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
    assert needed == NEEDS[os.environ["MAINSTEM_FLAVOUR"]]


def test_it_carries_its_name_and_no_path():
    numbers = re.findall(r"VERSION_(?:MAJOR|MINOR) (\d+)", text(ROOT / "include/mainstem/core.h"))
    assert f"[libmainstem.so.{'.'.join(numbers)}]" in dynamic()
    assert not re.search(r"\((RPATH|RUNPATH)\)", dynamic())


def test_it_stays_mapped_and_is_bound_when_loaded():
    assert re.search(r"\(FLAGS_1\).*\bNOW\b.*\bNODELETE\b", dynamic())
    assert "GNU_RELRO" in output("readelf", "--segments", "--wide", LIBRARY)


def test_its_stack_is_not_executable_and_no_code_is_written_to():
    segments = output("readelf", "--segments", "--wide", LIBRARY)
    assert re.search(r"GNU_STACK.* RW ", segments)
    assert "(TEXTREL)" not in dynamic()
