# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of the bridge share: a server, and journals."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "PythonTests"))

from servers import Server, cluster
from strange import Strange


@pytest.fixture
def make_server(tmp_path):
    """Makes servers, which are ended with the test, however that ends."""
    made = []

    def make(config=""):
        made.append(Server(tmp_path / f"server-{len(made)}", config))
        return made[-1]

    yield make
    for server in made:
        server.close()


@pytest.fixture
def server(make_server):
    """One server."""
    return make_server()


@pytest.fixture
def three(tmp_path):
    """A cluster of three."""
    made = cluster(tmp_path, 3)
    yield made
    for server in made:
        server.close()


@pytest.fixture
def strange():
    """Makes servers of what they say."""
    made = []

    def make(talk):
        made.append(Strange(talk))
        return made[-1]

    yield make
    for each in made:
        each.close()
