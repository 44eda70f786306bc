# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What `mainstem screens` says, for tests."""

from __future__ import annotations

import json

import pytest
from mainstem.tool import main


@pytest.fixture
def screens(tmp_path, capsys):
    """What it says of a journal that was written here, or of one at a path."""

    def get(made, *arguments, status=0):
        path = made if isinstance(made, str) else str(made.save(tmp_path / "a.journal"))
        assert main(["screens", path, *map(str, arguments)]) == status
        return capsys.readouterr().out

    return get


@pytest.fixture
def tree(screens):
    """The URLs in the tree at the end, or after a position."""

    def get(made, at=1 << 40, status=0):
        rows = screens(made, "--at", at, "--json", status=status).splitlines()
        return [json.loads(row)["shown"]["url"] for row in rows]

    return get
