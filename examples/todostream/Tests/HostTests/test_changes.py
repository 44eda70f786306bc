#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A purge, an undo, a subtitle and a priority, typed in both hosts."""

from __future__ import annotations

import contextlib
import sqlite3
import subprocess
import unittest
from pathlib import Path
from typing import Iterator

from hosts import ENVIRONMENT, HOSTS, HostTest, Run, ask, make_read_only

LOCKED = b"Another program is using the list. Please try again.\n"
READ_ONLY = b"The list cannot be changed: its file is read-only.\n"
NOTHING = b"There is nothing to undo.\n"
NOTHING_DELETED = b"Nothing is deleted.\n"


class ChangeTest(HostTest):
    def hosts(self, script: bytes) -> Iterator[tuple]:
        """Each host, with a database after a script."""
        for host in HOSTS:
            database = self.folder / f"{host}.db"
            run = Run(host, database, script)
            self.assertEqual((run.code, run.errors), (0, ""))
            yield host, database

    @contextlib.contextmanager
    def typed(self, host: str, database: Path) -> Iterator[subprocess.Popen]:
        """A host that gets one command after the other."""
        command = [*HOSTS[host], "--db", str(database)]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=ENVIRONMENT) as process:
            yield process
            process.stdin.close()
            self.assertEqual(process.wait(60), 0)


class TestPurge(ChangeTest):
    def test_a_purged_todo_is_gone_for_good(self) -> None:
        script = b"add Milk\nadd Bread\ndelete 2\ndelete 1\n"
        for host, database in self.hosts(script):
            run = Run(host, database, b"purge 2\nlist deleted\npurge 2\nrestore 1\n")
            self.assertEqual(
                run.output,
                b"- 2. [ ] Milk\n1. [ ] Bread\n1 deleted\nThere is no such row.\n+ 1. [ ] Bread\n",
            )
            self.assertEqual(titles(database), [("Bread", 0)])
            self.assertEqual(Run(host, database, b"list deleted\n").output, NOTHING_DELETED)

    def test_only_what_is_deleted_has_a_place(self) -> None:
        output = self.run_both(b"add Milk\npurge 1\npurge\npurge Milk\n")
        self.assertEqual(output, b"+ 1. [ ] Milk\n" + 3 * b"There is no such row.\n")

    def test_what_another_program_restored_is_not_purged(self) -> None:
        for host, database in self.hosts(b"add Milk\ndelete 1\n"):
            with self.typed(host, database) as process:
                self.assertEqual(ask(process, b"show 9\n"), b"There is no such row.\n")
                run_sql(database, "UPDATE todo SET deleted = 0")
                refused = ask(process, b"purge 1\n")
                self.assertEqual(refused, b"Only a deleted todo can be removed for good.\n")
                self.assertEqual(ask(process, b"list\n"), b"1. [ ] Milk\n")
            self.assertEqual(titles(database), [("Milk", 0)])

    def test_what_another_program_purged_is_gone_without_an_error(self) -> None:
        for host, database in self.hosts(b"add Milk\ndelete 1\n"):
            with self.typed(host, database) as process:
                self.assertEqual(ask(process, b"show 9\n"), b"There is no such row.\n")
                run_sql(database, "DELETE FROM todo")
                self.assertEqual(ask(process, b"purge 1\n"), b"- 1. [ ] Milk\n")
                self.assertEqual(ask(process, b"list deleted\n"), NOTHING_DELETED)

    def test_a_locked_file_refuses_a_purge_and_the_next_one_works(self) -> None:
        for host, database in self.hosts(b"add Milk\ndelete 1\n"):
            with self.typed(host, database) as process:
                self.assertEqual(ask(process, b"list\n"), b"Nothing to do.\n")
                with locked(database):
                    self.assertEqual(ask(process, b"purge 1\n"), LOCKED)
                self.assertEqual(titles(database), [("Milk", 1)])
                self.assertEqual(ask(process, b"purge 1\n"), b"- 1. [ ] Milk\n")
            self.assertEqual(titles(database), [])

    def test_a_read_only_file_refuses_a_purge_and_an_edit(self) -> None:
        for host, database in self.hosts(b"add Milk\nadd Bread\ndelete 1\n"):
            make_read_only(database)
            run = Run(host, database, b"purge 1\npriority 1\nsubtitle 1 two\nlist deleted\n")
            self.assertEqual((run.code, run.errors), (0, ""))
            self.assertEqual(run.output, 3 * READ_ONLY + b"1. [ ] Bread\n1 deleted\n")


class TestUndo(ChangeTest):
    def test_what_was_deleted_last_is_restored_first(self) -> None:
        script = b"add Milk\nadd Bread\nadd Call\ndelete 2\ndelete 2\nundo\nundo\nundo\n"
        output = self.run_both(script)
        undone = b"+ 2. [ ] Milk\n+ 2. [ ] Bread\n" + NOTHING
        self.assertTrue(output.endswith(b"- 2. [ ] Bread\n- 2. [ ] Milk\n" + undone), output)

    def test_what_is_restored_or_purged_is_not_undone(self) -> None:
        script = b"add Milk\nadd Bread\nadd Call\ndelete 3\ndelete 2\ndelete 1\n"
        output = self.run_both(script + b"purge 1\nrestore 1\nundo\nundo\n")
        undone = b"- 1. [ ] Call\n+ 1. [ ] Bread\n+ 2. [ ] Milk\n" + NOTHING
        self.assertTrue(output.endswith(undone), output)

    def test_a_session_undoes_its_own_deletes_only(self) -> None:
        for host, database in self.hosts(b"add Milk\ndelete 1\n"):
            self.assertEqual(Run(host, database, b"undo\n").output, NOTHING)
            self.assertEqual(titles(database), [("Milk", 1)])

    def test_a_locked_file_refuses_an_undo_and_the_next_one_works(self) -> None:
        for host, database in self.hosts(b"add Milk\n"):
            with self.typed(host, database) as process:
                self.assertEqual(ask(process, b"delete 1\n"), b"- 1. [ ] Milk\n")
                with locked(database):
                    self.assertEqual(ask(process, b"undo\n"), LOCKED)
                self.assertEqual(ask(process, b"undo\n"), b"+ 1. [ ] Milk\n")
                self.assertEqual(ask(process, b"undo\n"), NOTHING)

    def test_a_delete_that_failed_is_not_undone(self) -> None:
        for host, database in self.hosts(b"add Milk\n"):
            with self.typed(host, database) as process:
                self.assertEqual(ask(process, b"show 1\n"), b"Milk (Incomplete, NORMAL)\n")
                with locked(database):
                    self.assertEqual(ask(process, b"delete 1\n"), LOCKED)
                self.assertEqual(ask(process, b"undo\n"), NOTHING)


class TestDetail(ChangeTest):
    def test_a_priority_is_high_or_normal(self) -> None:
        row = b"* 1. [ ] Milk\n"
        output = self.run_both(b"add Milk\npriority 1\nshow 1\npriority 1 x\nshow 1\npriority 2\n")
        shown = [b"Milk (Incomplete, HIGH)\n", b"Milk (Incomplete, NORMAL)\n"]
        wrong = b"There is no such row.\n"
        self.assertEqual(output, b"+ 1. [ ] Milk\n" + row + shown[0] + row + shown[1] + wrong)

    def test_a_subtitle_is_shown_and_kept_and_removed(self) -> None:
        for host, database in self.hosts("add Milk\nsubtitle 1 Zoë’s, two\n".encode()):
            run = Run(host, database, b"edit 1 Oat milk\nshow 1\nsubtitle 1\nshow 1\n")
            row = "* 1. [ ] Oat milk\n"
            shown = "Oat milk (Incomplete, NORMAL)\n"
            told = row + shown + "Zoë’s, two\n" + row + shown
            self.assertEqual(run.output.decode(), told)

    def test_what_is_no_text_is_no_subtitle(self) -> None:
        output = self.run_both(b"add Milk\nsubtitle 1 \xff\nsubtitle 9 x\nshow 1\n")
        lines = output.decode().splitlines()
        self.assertEqual(lines[1:3], ["This is no text.", "There is no such row."])
        self.assertEqual(lines[3:], ["Milk (Incomplete, NORMAL)"])

    def test_a_locked_file_refuses_both_and_the_next_ones_work(self) -> None:
        for host, database in self.hosts(b"add Milk\n"):
            with self.typed(host, database) as process:
                self.assertEqual(ask(process, b"show 1\n"), b"Milk (Incomplete, NORMAL)\n")
                for command in (b"priority 1\n", b"subtitle 1 two\n"):
                    with locked(database):
                        self.assertEqual(ask(process, command), LOCKED)
                    self.assertEqual(ask(process, command), b"* 1. [ ] Milk\n")
                self.assertEqual(ask(process, b"show 1\n"), b"Milk (Incomplete, HIGH)\n")
                self.assertEqual(process.stdout.readline(), b"two\n")


def run_sql(database: Path, script: str) -> None:
    with contextlib.closing(sqlite3.connect(str(database), isolation_level=None)) as other:
        other.execute(script)


@contextlib.contextmanager
def locked(database: Path) -> Iterator[None]:
    with contextlib.closing(sqlite3.connect(str(database), isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.execute("ROLLBACK")


def titles(database: Path) -> list:
    """What the file holds: the titles, and whether they are deleted."""
    with contextlib.closing(sqlite3.connect(str(database))) as other:
        return other.execute("SELECT title, deleted FROM todo ORDER BY place").fetchall()


if __name__ == "__main__":
    unittest.main()
