# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Starts the test of the provider in C with a site, and looks at what has come there.

Run it with: HTTP_PROVIDER_TEST=PROGRAM python3 -m pytest http_provider_test.py
"""

import os
import subprocess
import threading
from typing import Any, Dict

from http_site import Site


def test_the_provider_in_c() -> None:
    go, never = threading.Event(), threading.Event()

    def wait(query: Dict[str, str]) -> Any:
        assert go.wait(10)
        return "at last"

    def hang(query: Dict[str, str]) -> Any:
        never.wait()

    pages = {
        "/hello": lambda query: "hello",
        "/echo": lambda query: query,
        "/wait": wait,
        "/go": lambda query: go.set(),
        "/hang": hang,
    }
    with Site(pages) as site:
        program = [os.environ["HTTP_PROVIDER_TEST"], site.url("")]
        done = subprocess.run(program, stdout=subprocess.PIPE, timeout=60)
        never.set()
        assert (done.returncode, done.stdout) == (0, b"4 passed\n")
        asked = [path for path in site.asked if path != "/hang"]
        assert sorted(asked) == sorted(["/hello", "/echo", "/nowhere", "/wait", "/hello", "/go"])
