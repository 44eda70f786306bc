# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a host pays for a mirror: nothing. MAINSTEM_SENDS names the program."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

SENDS = os.environ.get("MAINSTEM_SENDS")


def instructions(folder: Path, *arguments: str) -> int:
    """What the program's own thread took for its sends, as callgrind counts."""
    counted = folder / "counted"
    command = ["valgrind", "--tool=callgrind", "--toggle-collect=send_all"]
    command += ["--separate-threads=yes", f"--callgrind-out-file={counted}", str(SENDS)]
    ran = subprocess.run(
        [*command, str(folder / "session"), *arguments], capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    found = re.search(r"^totals: (\d+)$", (folder / "counted-01").read_text(), flags=re.M)
    assert found
    return int(found[1])


@pytest.mark.skipif(SENDS is None, reason="the program is built by the step nats")
def test_a_send_takes_as_many_instructions_with_a_mirror_as_without(server, tmp_path):
    for name in ("with", "without"):
        (tmp_path / name).mkdir()
    without = instructions(tmp_path / "without")
    assert without > 5_000_000
    assert instructions(tmp_path / "with", server.url) == without
    with server.client() as client:
        assert client.entries("session")
