#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The two hosts, run as a user runs them: same script, same bytes."""

from __future__ import annotations

import contextlib
import ctypes
import io
import re
import sqlite3
import subprocess
import tempfile
import unittest
from pathlib import Path

from hosts import (
    ENVIRONMENT,
    HERE,
    HOSTS,
    LIBRARY,
    HostTest,
    Run,
    Screen,
    Terminal,
    ask,
    mainstem,
    make_read_only,
    todo,
)

#: The host by lines, and the full screen.
VIEWS_IN_C = ("todo.c", "screen.c", "keys.c", "draw.c")
GIVEN = 'todostream_view(app, "view", &host.view);'


class TestScript(HostTest):
    def test_both_hosts_print_what_is_expected(self) -> None:
        output = self.run_both((HERE / "commands.txt").read_bytes())
        self.assertEqual(output.decode(), (HERE / "expected.txt").read_text("utf-8"))

    def test_a_last_line_without_an_end_is_done(self) -> None:
        self.assertEqual(self.run_both(b"add Milk"), b"+ 1. [ ] Milk\n")

    def test_blanks_before_a_command_are_nothing(self) -> None:
        output = self.run_both(b"   \n  add Milk\n")
        self.assertEqual(output, b"+ 1. [ ] Milk\n")

    def test_nothing_after_quit_is_done(self) -> None:
        self.assertEqual(self.run_both(b"quit\nadd Milk\n"), b"")

    def test_an_empty_script_prints_nothing(self) -> None:
        self.assertEqual(self.run_both(b"\n\n"), b"")

    def test_odd_lines_mean_the_same_to_both(self) -> None:
        script = b"add a\xffb\nadd x\0y\nadd  two\nedit 1  three\nlist \n\xff\n"
        numbers = b"show 1abc\nshow 01\nshow +1\nshow 0\nshow 99999999999999999999\n"
        output = self.run_both(script + numbers)
        self.assertIn(b"This is no text.\n", output)

    def test_what_one_host_writes_the_other_reads(self) -> None:
        database = self.folder / "shared.db"
        Run("C", database, b"add Milk\ntoggle 1\n")
        read = Run("Python", database, b"list\n")
        self.assertEqual(read.output, b"1. [x] Milk\n0 of 1 to do\n")

    def test_an_unknown_option_is_refused(self) -> None:
        for run in self.run_all(b"", "--fly").values():
            self.assertEqual((run.code, run.output), (2, b""))
            self.assertIn("usage: todo", run.errors)


class TestTrace(HostTest):
    def test_the_chain_of_a_toggle_is_traced(self) -> None:
        chain = [
            "RequestToggleCompleteTodoViewModel",
            "RequestWriteTodo",
            "ResponseTodo ok",
            "ViewModelServer.rows",
            "ViewModelServer.list",
            "ResponseTodoViewModel ok",
        ]
        for run in self.run_all(b"add Milk\ntoggle 1\n", "--trace").values():
            lines = run.errors.splitlines()
            start = next(i for i, line in enumerate(lines) if chain[0] in line)
            places = range(start + 1, start + 7)
            for place, line, name in zip(places, lines[start:], chain):
                self.assertRegex(line, rf"^#{place} {name} ")
            self.assertEqual(len(lines), start + len(chain))

    def test_both_hosts_have_the_same_stream(self) -> None:
        runs = self.run_all((HERE / "commands.txt").read_bytes(), "--trace")
        streams = {host: re.findall(r"^#[^{\"\n]*", run.errors, re.M) for host, run in runs.items()}
        places = [line.split()[0] for line in streams["C"]]
        self.assertEqual(places, [f"#{place}" for place in range(1, 356)])
        self.assertEqual(streams["C"], streams["Python"])
        for run in runs.values():
            self.assertEqual(run.output, (HERE / "expected.txt").read_bytes())


class TestScreen(HostTest):
    """The hosts show what the core shows, and nothing that they remember."""

    def test_what_is_deleted_is_there_without_being_listed(self) -> None:
        output = self.run_both(b"add Milk\nadd Bread\ndelete 2\ndelete 1\nrestore 2\nrestore 1\n")
        self.assertTrue(output.endswith(b"+ 1. [ ] Milk\n+ 1. [ ] Bread\n"))

    def test_a_refused_edit_is_over(self) -> None:
        output = self.run_both(b"add Milk\nedit 1  \nshow 1\ntoggle 1\n")
        lines = output.decode().splitlines()
        self.assertEqual(lines[1:3], ["Please add a title.", "Milk (Incomplete, NORMAL)"])
        self.assertEqual(lines[3:], ["* 1. [x] Milk"])

    def test_a_list_that_cannot_be_read_again_stays(self) -> None:
        for host in HOSTS:
            database = self.folder / f"{host}.db"
            Run(host, database, b"add Milk\n")
            with Terminal(host, database) as terminal:
                terminal.type("list")
                self.assertEqual(terminal.read_line(), "todo> 1. [ ] Milk")
                self.assertEqual(terminal.read_line(), "1 of 1 to do")
                other = sqlite3.connect(str(database))
                other.execute("ALTER TABLE todo RENAME TO gone")
                other.close()
                terminal.type("list")
                self.assertEqual(terminal.read_line(), "todo> An error occurred.")
                terminal.type("show 1")
                self.assertEqual(terminal.read_line(), "todo> Milk (Incomplete, NORMAL)")
                terminal.type("quit")
                self.assertEqual(terminal.process.wait(60), 0)


class TestStore(HostTest):
    def test_a_read_only_file_is_shown_and_not_changed(self) -> None:
        for host in HOSTS:
            database = self.folder / f"{host}.db"
            Run(host, database, b"add Milk\n")
            make_read_only(database)
            run = Run(host, database, b"add Bread\ntoggle 1\nedit 1 Bread\nlist\n")
            refused = b"The list cannot be changed: its file is read-only.\n"
            shown = b"1. [ ] Milk\n1 of 1 to do\n"
            self.assertEqual((run.code, run.errors), (0, ""))
            self.assertEqual(run.output, 3 * refused + shown)

    def test_a_locked_file_refuses_a_write_and_the_next_one_works(self) -> None:
        for host in HOSTS:
            database = self.folder / f"{host}.db"
            Run(host, database, b"add Milk\n")
            other = sqlite3.connect(str(database), isolation_level=None)
            with subprocess.Popen(
                [*HOSTS[host], "--db", str(database)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=ENVIRONMENT,
            ) as process:
                other.execute("BEGIN EXCLUSIVE")
                self.assertEqual(
                    ask(process, b"toggle 1\n"),
                    b"Another program is using the list. Please try again.\n",
                )
                other.execute("ROLLBACK")
                other.close()
                self.assertEqual(ask(process, b"toggle 1\n"), b"* 1. [x] Milk\n")
                process.stdin.close()
                self.assertEqual(process.wait(60), 0)

    def test_while_the_store_is_held_what_does_not_need_it_is_answered_a_20(self) -> None:
        """The order counts, not the time: the patience only ends a test that fails."""
        for host in HOSTS:
            database = self.folder / f"{host}.db"
            Run(host, database, b"add Milk\nadd Bread\n")
            other = sqlite3.connect(str(database), isolation_level=None)
            with Terminal(host, database, "--patience", "60000") as terminal:
                terminal.type("show 1")
                self.assertEqual(terminal.read_line(), "todo> Bread (Incomplete, NORMAL)")
                other.execute("BEGIN EXCLUSIVE")
                terminal.type("toggle 1")
                terminal.type("list deleted")
                terminal.type("show 2")
                shown = "todo> todo> todo> Milk (Incomplete, NORMAL)"
                self.assertEqual(terminal.read_line(), shown)
                other.execute("ROLLBACK")
                other.close()
                self.assertEqual(terminal.read_line(), "* 1. [x] Bread")
                self.assertEqual(terminal.read_line(), "Nothing is deleted.")
                terminal.type("quit")
                self.assertEqual(terminal.process.wait(60), 0)

    def test_add_and_edit_do_not_wait_for_the_store_a_20(self) -> None:
        for host in HOSTS:
            database = self.folder / f"{host}.db"
            Run(host, database, b"add Milk\n")
            other = sqlite3.connect(str(database), isolation_level=None)
            with Terminal(host, database, "--patience", "60000") as terminal:
                terminal.type("show 1")
                self.assertEqual(terminal.read_line(), "todo> Milk (Incomplete, NORMAL)")
                other.execute("BEGIN EXCLUSIVE")
                terminal.type("add Bread")
                terminal.type("edit 1 Oat milk")
                terminal.type("show 1")
                self.assertEqual(
                    terminal.read_line(), "todo> todo> todo> Milk (Incomplete, NORMAL)"
                )
                terminal.type("quit")  # which waits for what is not saved yet
                self.assertEqual(terminal.process.stdout.read(6), b"todo> ")  # the host reads it
                other.execute("ROLLBACK")
                other.close()
                shown = ["+ 1. [ ] Bread", "* 2. [ ] Oat milk"]
                self.assertEqual([terminal.read_line() for _ in shown], shown)
                self.assertEqual(terminal.process.wait(60), 0)

    def test_a_save_that_fails_while_another_goes_on_is_told(self) -> None:
        for host in HOSTS:
            database = self.folder / f"{host}.db"
            Run(host, database, b"add Milk\n")
            other = sqlite3.connect(str(database), isolation_level=None)
            with Terminal(host, database, "--patience", "500") as terminal:
                terminal.type("show 1")
                terminal.read_line()
                other.execute("BEGIN EXCLUSIVE")
                for command in ("add Bread", "edit 1 Oat milk", "show 1"):
                    terminal.type(command)
                self.assertEqual(
                    terminal.read_line(), "todo> todo> todo> Milk (Incomplete, NORMAL)"
                )
                sorry = "Another program is using the list. Please try again."
                self.assertEqual([terminal.read_line() for _ in "12"], [sorry] * 2)
                other.execute("ROLLBACK")
                other.close()
                terminal.type("add Bread")
                self.assertEqual(terminal.read_line(), "todo> + 1. [ ] Bread")

    def test_a_terminal_is_told_what_takes_long_e_076(self) -> None:
        for host in HOSTS:
            database = self.folder / f"{host}.db"
            Run(host, database, b"add Milk\n")
            other = sqlite3.connect(str(database), isolation_level=None)
            with Screen(host, database, "--patience", "60000") as screen:
                screen.read_until("todo> ")
                other.execute("BEGIN EXCLUSIVE")
                screen.type("toggle 1")
                screen.read_until("Saving …")
                screen.type("list")
                screen.read_until("Loading …")
                other.execute("ROLLBACK")
                other.close()
                screen.read_until("* 1. [x] Milk")
                screen.read_until("0 of 1 to do")

    def test_a_file_that_cannot_be_opened_is_said_at_each_command(self) -> None:
        for host in HOSTS:
            run = Run(host, self.folder / "no" / "folder.db", b"list\nadd Milk\n")
            self.assertEqual((run.code, run.errors), (0, ""))
            self.assertEqual(run.output, 3 * b"The list cannot be opened.\n")


class TestRights(unittest.TestCase):
    """What the hosts hold: acceptance A-13."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.library = ctypes.CDLL(str(LIBRARY))
        self.library.todostream_view.argtypes = [ctypes.c_void_p] * 3
        self.context = mainstem.Context()
        self.addCleanup(self.context.close)
        self.todos = todo.install(self.context, str(Path(folder.name) / "todo.db"))

    def refuse_what_is_not_a_views(self, view: object) -> None:
        told = []
        self.context.observe(mainstem.MainstemDenied, told.append)
        hidden = ("RequestWriteTodo", "RequestReadTodos", "RequestPlaceTodos", "RequestPurgeTodo")
        for type in (*hidden, "ResponseTodo"):
            with self.assertRaises(mainstem.MainstemError) as caught:
                view.send(type, "{}")
            self.assertEqual(caught.exception.status, mainstem.Status.DENIED)
        for type in ("ResponseTodos", "RequestWriteTodo", "ResponsePurgedTodo"):
            with self.assertRaises(mainstem.MainstemError) as caught:
                view.observe(type, print)
            self.assertEqual(caught.exception.status, mainstem.Status.DENIED)
        self.assertEqual(self.context.stats().denied, 8)
        first = mainstem.MainstemDenied("view", "send", "RequestWriteTodo", "model", 1)
        self.assertEqual(told[0], first)
        shown = []
        view.observe("ResponseTodoViewModels", shown.append)
        view.send("RequestTodoViewModels", '{"list":"home"}')
        while not shown:
            self.context.wait()
        self.assertEqual(len(shown), 1)

    def test_what_the_host_in_c_holds(self) -> None:
        handle = ctypes.c_void_p()
        self.library.todostream_view(self.context.handle, b"view", ctypes.byref(handle))
        scope = mainstem.Scope(self.context, handle.value, "view")
        self.refuse_what_is_not_a_views(scope)

    def test_what_the_host_in_python_holds(self) -> None:
        scope = self.context.scope("view", sends="viewmodel", observes="viewmodel")
        todo.View(scope, self.todos).open()
        self.refuse_what_is_not_a_views(scope)

    def test_a_view_that_comes_later_sees_what_is_there_and_both_see_a_change(self) -> None:
        scope = self.context.scope
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            first, second = (todo.View(scope(name), self.todos) for name in ("one", "two"))
            first.open()
            second.open()
            first.obey("add", "Milk")
            first.settle()
            later = []
            shown = dict.fromkeys(("rows", "list", "detail"), later.append)
            scope("later").bind(self.todos, shown)
            second.obey("toggle", "1")
            second.settle()
        self.assertEqual(later[0].changes, (("reset", 0, 1, 0),))
        self.assertEqual(later[1]["summary"], "1 of 1 to do")
        self.assertIsNone(later[2])
        self.assertEqual(later[3].changes, (("update", 0, 1, 0),))
        self.assertEqual(later[4]["summary"], "0 of 1 to do")
        self.assertEqual([first.list, second.list], [later[4]] * 2)
        self.assertEqual([first.rows, second.rows], [later[3]] * 2)
        milk = "1. [{}] Milk\n".format
        self.assertEqual(printed.getvalue(), 2 * f"+ {milk(' ')}" + 2 * f"* {milk('x')}")

    def test_the_hosts_give_their_views_no_more(self) -> None:
        for name in VIEWS_IN_C:
            view = (HERE / "hosts" / name).read_text("utf-8")
            self.assertNotRegex(view, r"\bapp\b|todostream_|mainstem_context_create")
        main = (HERE / "hosts" / "main.c").read_text("utf-8")
        self.assertEqual(re.findall(r".*&host\.view\b.*", main), [f"  {GIVEN}"])
        python = (HERE / "hosts" / "todo.py").read_text("utf-8")
        held = 'View(context.scope("view", sends="viewmodel", observes="viewmodel"), todos)'
        self.assertEqual(re.findall(r"[ =]View\(.*", python), [" " + held])
        self.assertNotIn("self.todos", python)


class TestLimits(HostTest):
    def test_a_host_is_a_view_and_nothing_else(self) -> None:
        other_layer = r"\b(RequestReadTodos|ResponseTodos|RequestWriteTodo|ResponseTodo)\b"
        other_layer += r"|\bRe(quest|sponse)(Place|Placed|Purge|Purged)Todos?\b"
        made_here = r"Priority:|Complete\"|HIGH|NORMAL|qsort|sorted\(|\.sort\(|strftime|localtime"
        for name in (*VIEWS_IN_C, "todo.py"):
            text = (HERE / "hosts" / name).read_text("utf-8")
            most = 320 if name.startswith("todo") else 400
            self.assertLessEqual(len(text.splitlines()), most)
            self.assertIsNone(re.search(other_layer, text))
            self.assertIsNone(re.search(made_here, text))

    def test_the_header_is_clean_as_c99_and_as_cpp11(self) -> None:
        folders = ["-I", str(HERE / "include"), "-I", str(HERE.parents[1] / "include")]
        strict = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
        for language in (["-x", "c", "-std=c99"], ["-x", "c++", "-std=c++11"]):
            output_of("gcc", *language, *strict, *folders, str(HERE / "include" / "todostream.h"))

    def test_wrong_arguments_are_a_status(self) -> None:
        library = ctypes.CDLL(str(LIBRARY))
        options = (ctypes.c_uint64 * 5)()
        size, invalid, unsupported = ctypes.sizeof(options), 1, 17
        options[0] = size
        self.assertEqual(library.todostream_install(None, None, None), invalid)
        self.assertEqual(library.todostream_install(None, options, None), invalid)
        options[1] = ctypes.cast(ctypes.c_char_p(b"todo.sqlite"), ctypes.c_void_p).value
        self.assertEqual(library.todostream_install(None, options, None), invalid)
        options[0] = size + 8
        self.assertEqual(library.todostream_install(None, options, None), unsupported)
        options[0], options[4] = size, 4  # a flag of a later version
        self.assertEqual(library.todostream_install(None, options, None), unsupported)

    def test_the_module_exports_its_header_and_needs_the_library(self) -> None:
        library = str(LIBRARY)
        symbols = output_of("nm", "-D", "--defined-only", library)
        exported = {line.split()[-1].split("@")[0] for line in symbols.splitlines()}
        exported.discard("TODOSTREAM_0")
        header = (HERE / "include" / "todostream.h").read_text("utf-8")
        declared = set(re.findall(r"MAINSTEM_API \w+ (todostream_\w+)\(", header))
        self.assertEqual(exported, declared)
        self.assertIn("[libmainstem.so.", output_of("readelf", "-d", library))


def output_of(*command: str) -> str:
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


if __name__ == "__main__":
    unittest.main()
