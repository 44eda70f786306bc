#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Analytics in the hosts: --analytics FILE (E-102, A-30)."""

from __future__ import annotations

import json
import unittest
from pathlib import Path
from typing import Any, Dict, List

from hosts import HERE, HOSTS, Run
from test_sessions import Recording

COMMANDS = (HERE / "commands.txt").read_bytes()
#: Typed by the user there, in titles and subtitles, or a list's name.
TYPED = ("milk", "Zoë", "report", "trip", "home")


def batches(path: Path) -> List[Dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


class TestAnalytics(Recording):
    def run_with(self, host: str, file: Path, *options: str, script: bytes = COMMANDS) -> Run:
        return Run(host, self.folder / f"{host}.db", script, "--analytics", str(file), *options)

    def test_each_event_is_told_once_in_order_and_nothing_else_changes(self) -> None:
        told = {}
        plain = self.run_both(COMMANDS)
        for host in HOSTS:
            (self.folder / f"{host}.db").unlink()
            run = self.run_with(host, self.folder / host)
            self.assertEqual((run.code, run.errors, run.output), (0, "", plain))
            lines = batches(self.folder / host)
            self.assertEqual(len({batch["batch"] for batch in lines}), len(lines))
            self.assertGreater(len(lines), 1)
            self.assertEqual({len(batch["records"]) for batch in lines[:-1]}, {20})
            told[host] = [record for batch in lines for record in batch["records"]]
            places = [record.pop("at") for record in told[host]]
            self.assertEqual(places, sorted(set(places)))
        self.assertEqual(told["C"], told["Python"])
        names = {record["event"] for record in told["C"]}
        self.assertLess({"RequestDeleteTodoViewModel", "RequestUndoDeleteTodoViewModel"}, names)
        self.assertNotIn("lost", names)

    def test_no_text_of_the_user_is_told(self) -> None:
        for host in HOSTS:
            self.run_with(host, self.folder / host)
            text = (self.folder / host).read_text("utf-8")
            self.assertEqual([typed for typed in TYPED if typed in text], [])

    def test_a_session_with_it_is_proven_and_shown_again_without_it(self) -> None:
        for host in HOSTS:
            journal = str(self.folder / f"{host}.journal")
            self.run_with(host, self.folder / host, "--record", journal)
            self.prove(journal)
            size = (self.folder / host).stat().st_size
            again = Run(host, self.folder / "none", b"", "--replay", journal)
            self.assertEqual((again.code, again.errors), (0, ""))
            self.assertEqual((self.folder / host).stat().st_size, size)
            both = self.run_with(host, self.folder / host, "--replay", journal)
            self.assertEqual(both.code, 2)

    def test_two_sessions_are_in_one_file(self) -> None:
        for host in HOSTS:
            for _ in range(2):
                self.run_with(host, self.folder / host, script=b"add Milk\n")
            lines = batches(self.folder / host)
            self.assertEqual([len(batch["records"]) for batch in lines], [2, 2])
            self.assertNotEqual(lines[0]["batch"], lines[1]["batch"])

    def test_what_cannot_be_uploaded_is_said_and_the_todos_are_kept(self) -> None:
        for host in HOSTS:
            run = self.run_with(host, Path("/dev/full"), script=b"add Milk\n")
            self.assertEqual((run.code, run.output), (1, b"+ 1. [ ] Milk\n"))
            self.assertRegex(run.errors, "^/dev/full: No space left on device: .*\n$")
            listed = Run(host, self.folder / f"{host}.db", b"list\n")
            self.assertIn(b"1. [ ] Milk\n", listed.output)

    def test_a_file_that_cannot_be_written_is_said_at_once(self) -> None:
        for host in HOSTS:
            run = self.run_with(host, self.folder / "none" / "file")
            self.assertEqual((run.code, run.output), (1, b""))
            self.assertIn("No such file or directory", run.errors)
            self.assertEqual(run.errors.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
