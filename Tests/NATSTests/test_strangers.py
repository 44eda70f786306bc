# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Programs in C on the installed bridge; MAINSTEM_STRANGERS and MAINSTEM_TAKERS name them."""

from __future__ import annotations

import os
import subprocess

import pytest
from compared import expect_whole

STRANGERS = os.environ.get("MAINSTEM_STRANGERS", "").split()
TAKERS = os.environ.get("MAINSTEM_TAKERS", "").split()


@pytest.mark.parametrize("program", STRANGERS)
def test_a_program_in_c_mirrors_what_it_records(server, tmp_path, program):
    path = tmp_path / "session"
    ran = subprocess.run([program, path, server.url], capture_output=True, text=True)
    assert ran.stdout == "1000 of 1000\n1000 of 2000\n1000 of 3000\n", ran.stdout + ran.stderr
    assert (ran.returncode, ran.stderr) == (0, "")
    with server.client() as client:
        assert expect_whole(path, client.entries("session")) == 3000


@pytest.mark.parametrize("program", TAKERS)
def test_a_program_in_c_takes_in_what_it_mirrored(server, tmp_path, program):
    ran = subprocess.run([program, tmp_path / "own", server.url], capture_output=True, text=True)
    wanted = "".join(f"{mode} 3000\n" for mode in ("one", "any", "guarded", "host"))
    assert ran.stdout == wanted, ran.stdout + ran.stderr
    assert (ran.returncode, ran.stderr) == (0, "")


def test_the_programs_are_there():
    assert "MAINSTEM_STRANGERS" not in os.environ or (len(STRANGERS), len(TAKERS)) == (3, 4)
