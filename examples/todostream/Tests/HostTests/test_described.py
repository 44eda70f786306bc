#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Who handles and observes what: the same text from C and Python, as from Swift in its own test."""

from __future__ import annotations

import unittest

from hosts import HERE, HostTest, mainstem
from todostream import install

DESCRIBED = HERE / "described.json"


class TestDescribed(HostTest):
    def test_both_hosts_describe_the_app_in_the_same_words(self) -> None:
        output = self.run_both(b"", "--describe").decode()
        self.assertEqual(output, DESCRIBED.read_text("utf-8"))

    def test_the_readme_shows_the_drawing(self) -> None:
        with mainstem.Context() as context:
            install(context, str(self.folder / "todo.db"))
            drawn = context.describe().mermaid()
        self.assertIn(f"```mermaid\n{drawn}```\n", (HERE / "README.md").read_text("utf-8"))


if __name__ == "__main__":
    unittest.main()
