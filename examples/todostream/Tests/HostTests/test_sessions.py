#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Sessions of the two hosts: recorded, and proven in a process of their own."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import unittest
from pathlib import Path

from hosts import ENVIRONMENT, HERE, HOSTS, VERIFIERS, HostTest, Run, Terminal, mainstem
from sessions import follow


class Recording(HostTest):
    """A host records a session, and hosts/verify.* proves it, each in its own process."""

    def record(self, host: str, database: str, script: bytes) -> str:
        journal = str(self.folder / f"{host}-{database}.journal")
        run = Run(host, self.folder / database, script, "--record", journal)
        self.assertEqual((run.code, run.errors), (0, ""))
        return journal

    def verify(self, language: str, journal: str, *options: str) -> tuple:
        done = subprocess.run(
            [*VERIFIERS[language], *options, journal],
            capture_output=True,
            env=ENVIRONMENT,
            timeout=60,
        )
        return done.returncode, done.stdout.decode() + done.stderr.decode()

    def prove(self, journal: str, times: int = 1) -> str:
        """What every program says, each run several times: always the same."""
        ends = {self.verify(language, journal) for language in VERIFIERS for _ in range(times)}
        self.assertEqual(len(ends), 1, ends)
        code, words = ends.pop()
        self.assertEqual(code, 0, words)
        return words


class TestRecorded(Recording):
    def test_hosts_record_the_same(self) -> None:
        told = {}
        for host in HOSTS:
            with mainstem.Journal(self.record(host, host, b"add Milk\ntoggle 1\n")) as events:
                told[host] = [(event.name, event.cause, event.origin) for event in events]
        self.assertEqual(told["C"], told["Python"])
        self.assertIn("RequestWriteTodo", [name for name, _, _ in told["C"]])

    def test_fifty_processes_of_each_language_prove_the_same(self) -> None:
        for host in HOSTS:
            journal = self.record(host, host, (HERE / "commands.txt").read_bytes())
            words = self.prove(journal, times=25)
            self.assertRegex(words, r"^355 events, digest [0-9a-f]{16}\n$")

    def test_a_session_that_was_kept_is_proven(self) -> None:
        # Recorded by the host in C. When the servers are meant to answer differently, record it
        # again.
        words = self.prove(str(Path(__file__).parent / "session.journal"))
        self.assertEqual(words, "153 events, digest ed600b6f55a4db94\n")

    def test_a_session_with_queries_is_proven_and_shown_again(self) -> None:
        script = b"add Milk\nadd Bread\nfind MILK\nedit 1 Tea\nsort title\npage 1\nlist\n"
        shown = b""
        for host in HOSTS:
            journal = self.record(host, host, script)
            self.prove(journal)
            again = Run(host, self.folder / "none", b"", "--replay", journal)
            self.assertEqual((again.code, again.errors), (0, ""))
            self.assertIn(b"- 1. [ ] Milk\n", again.output)
            self.assertNotIn(b"- 1. [ ] Bread\n", again.output)
            self.assertIn(shown, again.output)
            shown = again.output

    def test_a_session_with_moves_and_new_keys_for_all_is_proven(self) -> None:
        self.record("C", "moved", b"add one\nadd two\nadd three\n")
        for host in HOSTS:
            file = sqlite3.connect(str(self.folder / "moved"))
            file.execute("UPDATE todo SET order_key = 'C'")
            file.commit()
            file.close()
            journal = self.record(host, "moved", b"move 3 2\nmove 1 3\ntoggle 1\nmove 3 1\n")
            self.prove(journal)
            with mainstem.Journal(journal) as events:
                names = [event.name for event in events]
            self.assertEqual(names.count("RequestPlaceTodos"), 3)

    def test_a_session_with_a_save_that_failed_is_proven(self) -> None:
        """A view that answers an event asks on the host: a verifier has no view."""
        for host in HOSTS:
            self.record(host, host, b"add Milk\n")
            with sqlite3.connect(str(self.folder / host), isolation_level=None) as other:
                other.execute("BEGIN EXCLUSIVE")
                journal = self.record(host, host, b"edit 1 Bread\nadd Bread\n")
                other.execute("ROLLBACK")
            with mainstem.Journal(journal) as events:
                self.assertIn(1010, [event.status for event in events])
            self.prove(journal)

    def test_muted_no_server_is_called(self) -> None:
        journal = self.record("C", "muted", b"add Milk\ntoggle 1\n")
        for language in VERIFIERS:
            code, words = self.verify(language, journal, "--muted")
            self.assertEqual((code, words[:9]), (0, "26 events"), words)

    def test_a_session_that_began_with_a_list_is_proven_without_it(self) -> None:
        self.record("C", "kept", b"add Milk\n")
        for host in HOSTS:
            self.prove(self.record(host, "kept", b"list\ntoggle 1\n"))

    def test_a_session_that_was_killed_is_proven_to_its_end(self) -> None:
        for host in HOSTS:
            journal = str(self.folder / f"{host}.journal")
            with Terminal(host, self.folder / host, "--record", journal) as terminal:
                terminal.type("add Milk")
                self.assertEqual(terminal.read_line(), "todo> + 1. [ ] Milk")
                terminal.type("show 1")
                self.assertEqual(terminal.read_line(), "todo> Milk (Incomplete, NORMAL)")
                terminal.process.kill()
            self.assertRegex(self.prove(journal), r"^[23]\d events, digest [0-9a-f]{16}\n$")

    def test_a_session_without_events_is_proven(self) -> None:
        """A host may be killed before its first event."""
        journal = str(self.folder / "empty.journal")
        with mainstem.Context() as context:
            context.record(journal)
        self.assertRegex(self.prove(journal), r"^0 events, digest [0-9a-f]{16}\n$")

    def test_a_session_whose_output_was_closed_is_proven_to_its_end(self) -> None:
        for host in HOSTS:
            journal = str(self.folder / f"{host}.journal")
            reader, writer = os.pipe()
            os.close(reader)
            command = [*HOSTS[host], "--db", str(self.folder / host), "--record", journal]
            done = subprocess.run(
                command, input=b"add Milk\n", stdout=writer, stderr=subprocess.PIPE, env=ENVIRONMENT
            )
            os.close(writer)
            self.assertEqual((done.returncode, done.stderr), (-signal.SIGPIPE, b""))
            self.prove(journal)

    def test_a_change_to_a_long_list_is_recorded_as_what_was_typed(self) -> None:
        """Of 10,000 todos a journal has what was read, once, and not the list after each change."""
        self.record("C", "long", b"add Milk\n")
        file = sqlite3.connect(str(self.folder / "long"))
        rows = ((f"id {n}", n, f"Todo number {n}", n) for n in range(10_000))
        file.executemany(
            "INSERT INTO todo VALUES (?, 'home', ?, ?, '', NULL, 'normal', 0, ?, NULL)", rows
        )
        file.commit()
        file.close()
        script = b"add Bread\ntoggle 5000\nedit 7 Seven\ndelete 9000\ntoggle 1\nrestore 1\n"
        for host in HOSTS:
            sizes = []
            for count, commands in enumerate((b"", script)):
                journal = str(self.folder / f"{host}-{count}.journal")
                run = Run(host, self.folder / "long", commands, "--record", journal)
                self.assertEqual((run.code, run.errors), (0, ""))
                self.assertEqual(len(run.output.splitlines()), 6 * count)
                sizes.append(os.path.getsize(journal))
            self.assertLess(sizes[1] - sizes[0], 40_000)
            self.prove(journal)

    def test_new_keys_for_a_long_list_are_one_line_and_recorded_as_what_was_typed(self) -> None:
        """10,000 todos with one key get 10,000 new ones: one row moves, and none is reloaded."""
        for host in HOSTS:
            self.record(host, f"{host} long", b"")
            file = sqlite3.connect(str(self.folder / f"{host} long"))
            rows = ((f"id {n}", n, f"Todo number {n}", n) for n in range(10_000))
            file.executemany(
                "INSERT INTO todo VALUES (?, 'home', ?, ?, '', NULL, 'normal', 0, ?, 'C')", rows
            )
            file.commit()
            sizes = []
            for count, commands in enumerate((b"", b"move 5000 2\n")):
                journal = str(self.folder / f"{host}-{count}.journal")
                run = Run(host, self.folder / f"{host} long", commands, "--record", journal)
                self.assertEqual((run.code, run.errors), (0, ""))
                self.assertEqual(run.output, count * b"> 2. [ ] Todo number 5000\n")
                sizes.append(os.path.getsize(journal))
            self.assertLess(sizes[1] - sizes[0], 40_000)
            keys = file.execute("SELECT count(DISTINCT order_key) FROM todo").fetchone()
            self.assertEqual(keys, (10_000,))
            file.close()
            self.prove(journal)

    def test_a_session_is_shown_again_by_either_host(self) -> None:
        for host in HOSTS:
            journal = self.record(host, host, (HERE / "commands.txt").read_bytes())
            words = ["--replay", journal, "--speed", "1000"]
            again = {Run(other, self.folder / "no", b"", *words).output for other in HOSTS}
            self.assertEqual(len(again), 1, again)
            shown = again.pop().decode()
            live = (HERE / "expected.txt").read_text("utf-8")
            for line in re.findall("^[-+*>] .*\n|^(?:Please|There is nothing).*\n", live, re.M):
                self.assertEqual(shown.count(line), live.count(line), line)
            self.assertTrue(shown.endswith(live[live.rindex("1. [x]") :]), shown)
            self.assertFalse((self.folder / "no").exists())
        for wrong in ("-1", "fast", "nan"):
            run = Run("C", self.folder / "no", b"", "--replay", journal, "--speed", wrong)
            self.assertEqual(run.code, 2)

    def test_a_session_is_stepped_by_another_process(self) -> None:
        journal = self.record("C", "stepped", (HERE / "commands.txt").read_bytes())
        for words in HOSTS.values():
            follow([*words, "--db", str(self.folder / "no")], Path(journal), ENVIRONMENT)
        self.assertFalse((self.folder / "no").exists())

    def test_another_answer_is_named(self) -> None:
        journal = str(self.folder / "other.journal")
        asked, answer = "RequestNewTodoDetailViewModel", "ResponseTodoDetailViewModel"
        with mainstem.Context() as context:
            context.record(journal)
            context.add_type(asked, payload="json", layer="viewmodel", response=answer)
            context.add_type(answer, payload="json", layer="viewmodel")
            servers = context.scope("todostream")
            servers.serve(asked, lambda _: b'{"detail":{}}', name="ViewModelServer")
            context.send(asked, '{"list":"home"}')
        for language in VERIFIERS:
            code, words = self.verify(language, journal)
            self.assertEqual(code, 1)
            self.assertRegex(words, rf"#2 {answer}: payload differs at byte \d+")


if __name__ == "__main__":
    unittest.main()
