# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`studio -- COMMAND`: a program that knows nothing of it is recorded, and shown while it runs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from conftest import PACKAGE
from mainstem import Context
from mainstem.journal_file import Journal
from mainstem.tool import main

#: Sends an event, and another one for each line that it is given.
PROGRAM = """
import sys, mainstem
with mainstem.Context() as context:
    context.send(context.add_type("Said", payload=str), "first")
    for line in sys.stdin:
        context.send("Said", line.strip())
"""


class Studio:
    """The command, and the page that it serves."""

    def __init__(self, folder, *words):
        self.folder = folder
        environment = dict(os.environ, PYTHONPATH=str(PACKAGE), TMPDIR=str(folder))
        command = [sys.executable, "-m", "mainstem", "studio", "--no-browser", *map(str, words)]
        self.process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.address = self.process.stdout.readline().strip()

    def ask(self, question):
        with urllib.request.urlopen(self.address + question) as answer:
            return json.loads(answer.read())

    def wait_for(self, wanted):
        while not wanted(said := self.ask("status")):
            assert said["notes"] == []
        return said

    def say(self, line):
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def end(self):
        self.process.send_signal(signal.SIGINT)
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, errors


def test_a_command_is_recorded_and_shown_while_it_runs(tmp_path):
    studio = Studio(tmp_path, "--", sys.executable, "-c", PROGRAM)
    studio.wait_for(lambda said: said["events"] == "1")
    studio.say("second")
    studio.wait_for(lambda said: said["events"] == "2")
    assert studio.ask("event?at=2")["payload"] == "second"
    studio.process.stdin.close()
    studio.wait_for(lambda said: said["closed"])
    studio.process.stdin = None
    status, errors = studio.end()
    path = Path(errors.split(" is ", 1)[1].strip())
    assert (status, path.parent.parent) == (0, tmp_path)
    assert path.parent.stat().st_mode & 0o777 == 0o700
    with Journal(str(path)) as journal:
        assert [event.data for event in journal.events()] == [b"first", b"second"]


def test_the_journal_of_a_command_may_be_named(tmp_path):
    path = tmp_path / "named.journal"
    studio = Studio(tmp_path, "--record", path, "--", sys.executable, "-c", PROGRAM)
    studio.process.stdin.close()
    studio.wait_for(lambda said: said["closed"])
    studio.process.stdin = None
    assert studio.end() == (0, f"mainstem: the journal is {path}\n")
    assert os.listdir(tmp_path) == ["named.journal"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--", "true"], "created no context that is recorded"),
        (["--", "no-such-program"], "no-such-program: No such file or directory"),
    ],
)
def test_a_command_that_is_not_recorded_is_told(words, said, tmp_path, capfd, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    assert main(["studio", "--no-browser", *words]) == 2
    assert said in capfd.readouterr().err
    assert os.listdir(tmp_path) == []


def test_a_journal_that_another_program_writes_is_refused(tmp_path, capfd):
    path = str(tmp_path / "a.journal")
    words = ["studio", "--no-browser", "--record", path, "--", sys.executable, "-c"]
    with Context() as context:
        context.record(path)
        assert main([*words, PROGRAM]) == 2
    assert "is being written by another program" in capfd.readouterr().err
    # What was there before is not taken for what the command has done.
    assert main([*words, "pass"]) == 2
    assert "created no context that is recorded" in capfd.readouterr().err


@pytest.mark.parametrize(
    "words", [[], ["a", "b"], ["a", "--", "b"], ["--"], ["--record", "a", "b"]], ids=" ".join
)
def test_a_journal_or_a_command_is_given(words, capfd):
    with pytest.raises(SystemExit) as ended:
        main(["studio", *words])
    assert ended.value.code == 2
    assert "COMMAND" in capfd.readouterr().err
