#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A purge, an undo, a move, a subtitle and a priority, typed in both hosts."""

from __future__ import annotations

import contextlib
import re
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
                self.assertEqual(ask(process, b"list\n"), b"+ 1. [ ] Milk\n")
                self.assertEqual(process.stdout.readline(), b"1. [ ] Milk\n")
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


class TestMove(ChangeTest):
    FOUR = b"add one\nadd two\nadd three\nadd four\n"

    def rows(self, host: str, database: Path) -> list:
        """The titles that a host lists, in order."""
        run = Run(host, database, b"list\n")
        self.assertEqual((run.code, run.errors), (0, ""))
        return re.findall(r"\] (\w+)", run.output.decode())

    def listed(self, process: subprocess.Popen) -> list:
        """What a host lists, without what it says that has moved since."""
        lines = [ask(process, b"list\n")]
        while not lines[-1].endswith(b" to do\n"):
            lines.append(process.stdout.readline())
        return [line for line in lines if not line.startswith(b"> ")]

    def test_a_moved_todo_is_there_after_a_reload_a_27(self) -> None:
        for host, database in self.hosts(self.FOUR):
            run = Run(host, database, b"move 4 1\nmove 2 4\nmove 2 3\n")
            self.assertEqual(run.output, b"> 1. [ ] one\n> 4. [ ] four\n> 3. [ ] three\n")
            for other in HOSTS:
                self.assertEqual(self.rows(other, database), ["one", "two", "three", "four"])
            self.assertEqual(Run(host, database, b"add new\n").output, b"+ 1. [ ] new\n")

    def test_both_hosts_print_the_same_of_moves(self) -> None:
        moves = b"move 1 1\nmove 1 2\nmove  1 2\nmove 2 1 x\nmove 3 4x\nmove 4 3\nmove 01 04\n"
        wrong = b"move\nmove 1\nmove 1 0\nmove 0 1\nmove 1 5\nmove 5 1\nmove 1 -1\nmove x 1\n"
        output = self.run_both(self.FOUR + moves + wrong + b"list\n").decode()
        # Of two neighbors that change places, the list says that the upper one moves.
        moved = ["2. [ ] four", "2. [ ] three", "4. [ ] two", "4. [ ] one", "4. [ ] four"]
        self.assertEqual(output.count("There is no such row.\n"), 9)
        self.assertEqual(re.findall("> (.*)\n", output), moved)
        self.assertTrue(
            output.endswith("1. [ ] three\n2. [ ] two\n3. [ ] one\n4. [ ] four\n4 of 4 to do\n")
        )

    def test_two_hosts_that_move_at_once_show_the_same_after_a_reload_a_27(self) -> None:
        for first, second in (("C", "Python"), ("Python", "C")):
            database = self.folder / f"{first}.db"
            Run(first, database, self.FOUR)
            with self.typed(first, database) as one, self.typed(second, database) as two:
                for process in (one, two):  # both know the list as it was
                    self.assertEqual(ask(process, b"show 9\n"), b"There is no such row.\n")
                self.assertEqual(ask(one, b"move 4 1\n"), b"> 1. [ ] one\n")
                self.assertEqual(ask(two, b"move 3 1\n"), b"> 1. [ ] two\n")
                shown = [self.listed(process) for process in (one, two)]
                self.assertEqual(shown[0], shown[1])
                self.assertIn(shown[0][0], (b"1. [ ] one\n", b"1. [ ] two\n"))
                self.assertEqual(shown[0][2], b"3. [ ] four\n")
            self.assertEqual(self.rows(first, database), self.rows(second, database))

    def test_a_locked_or_read_only_file_refuses_a_move_and_keeps_its_order(self) -> None:
        for host, database in self.hosts(self.FOUR):
            for key in (None, "C"):  # with the same key, the move gives new ones to all
                run_sql(database, f"UPDATE todo SET order_key = iif('{key}' = 'C', 'C', NULL)")
                order = self.rows(host, database)
                with self.typed(host, database) as process:
                    ask(process, b"show 9\n")
                    with locked(database):
                        self.assertEqual(ask(process, b"move 4 2\n"), LOCKED)
                    self.assertEqual(keys(database), [key] * 4)
                    self.assertEqual(ask(process, b"move 4 2\n"), b"> 2. [ ] one\n")
                self.assertNotEqual(self.rows(host, database), order)
            make_read_only(database)
            run = Run(host, database, b"move 4 1\n")
            self.assertEqual((run.code, run.errors, run.output), (0, "", READ_ONLY))

    def test_a_file_of_version_1_is_upgraded_or_only_read(self) -> None:
        for host in HOSTS:
            for is_read_only in (False, True):
                database = self.folder / f"{host}-{is_read_only}.db"
                with contextlib.closing(sqlite3.connect(str(database))) as other:
                    other.executescript(VERSION_1)
                if is_read_only:
                    make_read_only(database)
                run = Run(host, database, b"list\nmove 2 1\nlist\n")
                listed = b"1. [ ] Bread\n2. [ ] Milk\n2 of 2 to do\n"
                moved = b"> 2. [ ] Bread\n1. [ ] Milk\n2. [ ] Bread\n2 of 2 to do\n"
                refused = READ_ONLY + listed
                self.assertEqual((run.code, run.errors), (0, ""))
                self.assertEqual(run.output, listed + (refused if is_read_only else moved))


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


#: As 0.12 makes a file.
VERSION_1 = """
    PRAGMA journal_mode = WAL;
    CREATE TABLE todo (
      id TEXT PRIMARY KEY NOT NULL, list TEXT NOT NULL, created_at INTEGER NOT NULL,
      title TEXT NOT NULL, subtitle TEXT NOT NULL, completed_at INTEGER, priority TEXT NOT NULL,
      deleted INTEGER NOT NULL, place INTEGER NOT NULL) STRICT;
    CREATE INDEX todo_list ON todo (list);
    PRAGMA user_version = 1;
    INSERT INTO todo VALUES ('milk', 'home', 10, 'Milk', '', NULL, 'normal', 0, 10);
    INSERT INTO todo VALUES ('bread', 'home', 11, 'Bread', '', NULL, 'normal', 0, 11);
"""


def keys(database: Path) -> list:
    with contextlib.closing(sqlite3.connect(str(database))) as other:
        return [key for (key,) in other.execute("SELECT order_key FROM todo")]


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
