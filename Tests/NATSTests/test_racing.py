# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Many threads at once; MAINSTEM_RACING names the program, built with the thread sanitizer."""

from __future__ import annotations

import os
import subprocess

import pytest
from compared import expect_whole
from strange import silent

RACING = os.environ.get("MAINSTEM_RACING")


@pytest.mark.skipif(RACING is None, reason="the program is built by the step nats")
@pytest.mark.parametrize("others", ["", "a silent one"])
def test_threads_begin_ask_and_close_as_they_like(server, strange, tmp_path, others):
    path = tmp_path / "session"
    urls = f"{server.url},{strange(silent).url}" if others else server.url
    ran = subprocess.run([str(RACING), path, urls], capture_output=True, text=True)
    assert (ran.stdout, ran.returncode) == ("20000\n", 0), ran.stdout + ran.stderr
    assert ran.stderr == ""
    with server.client() as client:
        assert expect_whole(path, client.entries("racing")) == 20000
