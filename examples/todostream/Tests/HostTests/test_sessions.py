#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Sessions of the two hosts: recorded, and proven in a process of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import unittest
from pathlib import Path

from hosts import ENVIRONMENT, HERE, HOSTS, VERIFIERS, HostTest, Run, Terminal, mainstem


class TestRecorded(HostTest):
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
            self.assertRegex(words, r"^122 events, digest [0-9a-f]{16}\n$")

    def test_a_session_that_was_kept_is_proven(self) -> None:
        # Recorded by the host in C. When the servers are meant to answer differently, record it
        # again.
        words = self.prove(str(Path(__file__).parent / "session.journal"))
        self.assertEqual(words, "122 events, digest fc7abd459611aa20\n")

    def test_muted_no_server_is_called(self) -> None:
        journal = self.record("C", "muted", b"add Milk\ntoggle 1\n")
        for language in VERIFIERS:
            code, words = self.verify(language, journal, "--muted")
            self.assertEqual((code, words[:9]), (0, "24 events"), words)

    def test_a_session_that_began_with_a_list_is_proven_without_it(self) -> None:
        self.record("C", "kept", b"add Milk\n")
        for host in HOSTS:
            self.prove(self.record(host, "kept", b"list\ntoggle 1\n"))

    def test_a_session_that_was_killed_is_proven_to_its_end(self) -> None:
        for host in HOSTS:
            journal = str(self.folder / f"{host}.journal")
            with Terminal(host, self.folder / host, "--record", journal) as terminal:
                terminal.type("add Milk")
                self.assertEqual(terminal.read_line(), "todo> + 1. [ ] Milk (Priority: NORMAL)")
                terminal.type("show 1")
                self.assertEqual(terminal.read_line(), "todo> Milk (NORMAL, Incomplete)")
                terminal.process.kill()
            self.assertRegex(self.prove(journal), r"^2\d events, digest [0-9a-f]{16}\n$")

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
