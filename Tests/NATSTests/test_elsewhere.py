# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A program in C that asks and serves on many threads; MAINSTEM_ELSEWHERE names what it was built
as: on the installed bridge, with the address sanitizer, with the thread sanitizer."""

from __future__ import annotations

import os
import subprocess

import pytest

ELSEWHERE = os.environ.get("MAINSTEM_ELSEWHERE", "").split()


@pytest.mark.parametrize("program", ELSEWHERE)
def test_threads_ask_while_bridges_begin_and_end(server, program):
    ran = subprocess.run([program, server.url], capture_output=True, text=True)
    assert ran.stdout == "1200 asked, 1200 answered, 1200 rightly\n", ran.stdout + ran.stderr
    assert (ran.returncode, ran.stderr) == (0, "")


def test_the_programs_are_there():
    assert "MAINSTEM_ELSEWHERE" not in os.environ or len(ELSEWHERE) == 3
