# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Random arguments are tried on every function (acceptance A-14)."""

from __future__ import annotations

from tree import ROOT, declared_functions, text


def test_random_arguments_are_tried_on_every_function():
    tried = "".join(text(path) for path in (ROOT / "Tests/CTests").glob("argument*"))
    functions = declared_functions()
    assert len(functions) > 140
    assert [name for name in functions if f"{name}(" not in tried] == []
