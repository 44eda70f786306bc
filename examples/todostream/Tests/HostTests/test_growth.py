#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A todo that is added costs the same, however many there are: counted, not timed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import unittest

from hosts import ENVIRONMENT, HOSTS, HostTest, Run


class TestGrowth(HostTest):
    def assert_linear(self, counted: list, first: int, then: int) -> None:
        """What was counted with no adds, with the first ones, and with so many more."""
        early = (counted[1] - counted[0]) / first
        late = (counted[2] - counted[1]) / then
        self.assertGreater(early, 0)
        self.assertLess(late, 1.1 * early, counted)

    def test_a_journal_grows_by_the_same_bytes_with_each_add(self) -> None:
        for host in HOSTS:
            sizes = []
            for count in (0, 50, 250):
                name = str(self.folder / f"{host}-{count}")
                run = Run(host, f"{name}.db", b"add Milk\n" * count, "--record", f"{name}.journal")
                self.assertEqual((run.code, run.errors), (0, ""))
                sizes.append(os.path.getsize(f"{name}.journal"))
            self.assert_linear(sizes, 50, 200)

    @unittest.skipUnless(shutil.which("valgrind"), "valgrind counts the instructions")
    def test_the_host_in_c_runs_the_same_instructions_with_each_add(self) -> None:
        """Beside the store: a file is sought, and the disk is waited for."""
        instructions = []
        for count in (0, 50, 250):
            database = str(self.folder / f"{count}.db")
            counter = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
            done = subprocess.run(
                [*counter, *HOSTS["C"], "--db", database],
                input=b"add Milk\n" * count,
                capture_output=True,
                env=ENVIRONMENT,
            )
            self.assertEqual((done.returncode, done.stdout.count(b"\n")), (0, count))
            found = re.search(r"Collected : (\d+)", done.stderr.decode())
            self.assertIsNotNone(found, done.stderr)
            instructions.append(int(found[1]))
        self.assert_linear(instructions, 50, 200)


if __name__ == "__main__":
    unittest.main()
