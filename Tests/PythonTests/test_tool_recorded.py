# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the library records is what the second implementation reads, and docs/tools.md is so."""

from __future__ import annotations

import re
import shlex

import mainstem
import pytest
from conftest import ROOT
from counter_session import counter_session
from diary_session import diary_session
from journal_writer import flipped
from mainstem import Failure, Notice, Request, Response
from mainstem.journal_file import Journal, Proof
from mainstem.tool import main
from todo_session import todo_session


@mainstem.event
class ResponseSaved(Response):
    id: int


@mainstem.event
class RequestSave(Request[ResponseSaved]):
    title: str


@mainstem.event
class ResponseRow(Response):
    text: str


@mainstem.event
class RequestAdd(Request[ResponseRow]):
    title: str


@mainstem.event
class Added(Notice):
    title: str


def session(path):
    """A logic and a store, some requests, many notices; the lines that an observer saw."""
    seen = []
    with mainstem.Context() as context:
        context.record(str(path))
        context.observe()(lambda event: seen.append(str(event.event)))

        @context.serve(RequestSave)
        def store(request):
            if not request.title:
                raise Failure("EMPTY", user_message="Please give it a title.")
            return ResponseSaved(id=len(request.title))

        @context.serve(RequestAdd)
        def logic(request):
            context.send(Added(title=request.title))
            return ResponseRow(text=f"{request.title}\n")

        for number in range(300):
            context.send(Added(title=f"number {number}"))
        context.request(RequestAdd(title="Milk"))
        with pytest.raises(Failure):
            context.request(RequestSave(title=""))
    return seen


@pytest.fixture
def recorded(tmp_path):
    path = tmp_path / "a.journal"
    return path, session(path)


def test_the_lines_of_a_journal_are_those_that_an_observer_saw(recorded, capsys):
    path, seen = recorded
    assert main(["dump", str(path)]) == 0

    assert capsys.readouterr().out.splitlines() == seen
    assert len(seen) == 305


def test_the_digest_of_the_library_is_that_of_the_page(recorded, capsys):
    path, seen = recorded
    proof = Proof()
    with Journal(str(path)) as journal:
        for record in journal.records():
            proof.take(record)
        assert (journal.ending.kind, journal.sessions[-1].ended) == ("clean", True)
    assert (proof.findings, proof.open, proof.events) == ([], 0, len(seen))
    assert proof.agreed >= 2
    assert main(["verify", str(path)]) == 0


def test_the_tree_of_a_recorded_session(recorded, capsys):
    path, _ = recorded
    assert main(["tree", str(path), "--from", "301"]) == 0
    lines = [line[12:] for line in capsys.readouterr().out.splitlines()[1:] if line]
    lines = [re.sub(r" after [\d.]+ .?s", "", line) for line in lines]

    assert lines == [
        '#301 RequestAdd  answered by #303  {"title":"Milk"}',
        '├─ #302 Added  {"title":"Milk"}',
        '└─ #303 ResponseRow  by logic  answers #301  {"text":"Milk\\n"}',
        '#304 RequestSave  ✗ failed by #305  {"title":""}',
        '└─ ✗ #305 ResponseSaved  by store  answers #304 with error 1000  "EMPTY"',
    ]


def test_the_diagram_of_a_recorded_session(recorded, tmp_path):
    path, _ = recorded
    page = tmp_path / "page.html"
    assert main(["diagram", str(path), "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")

    assert text.count('<a class="kind') == 5
    assert "RequestAdd, a request: once" in text
    assert "answered by logic" in text


def test_every_flip_in_what_the_library_wrote_is_found(recorded, tmp_path):
    path, _ = recorded
    data = path.read_bytes()
    hurt = tmp_path / "hurt.journal"
    for bit in range(128 * 8, (len(data.rstrip(b"\0")) - 8) * 8, 4099):
        hurt.write_bytes(flipped(data, bit))
        with Journal(str(hurt)) as journal:
            positions = [event.position for event in journal.events()]
            assert journal.ending.kind != "clean", bit
            assert journal.ending.offset <= bit // 8
            assert positions == list(range(1, len(positions) + 1))


def examples():
    """The commands of docs/tools.md, each with what it prints there."""
    text = (ROOT / "docs" / "tools.md").read_text(encoding="utf-8")
    lines = [line[4:] for line in re.findall(r"^    .*$|^$", text, re.M)]
    found = []
    for line in lines:
        if line.startswith("$ mainstem "):
            found.append((shlex.split(line.split(";")[0])[2:], []))
        elif line and found:
            found[-1][1].append(line)
    return found


def test_the_examples_of_the_page_are_real(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    made = todo_session()
    made.save(tmp_path / "todo.journal")
    counter_session().save(tmp_path / "counter.journal")
    diary_session("diary.journal")
    with Journal("todo.journal") as journal:
        at = [event.offset for event in journal.events() if event.position == 5][0]
    (tmp_path / "hurt.journal").write_bytes(flipped(made.bytes, (at + 70) * 8))
    commands = examples()
    names = ["tree", "tree", "shown", "tree", "screens", "screens", "verify", "verify", "salvage"]
    assert [command[0] for command, _ in commands] == names
    for command, expected in commands:
        status = main(command)
        output = capsys.readouterr().out.splitlines() + [str(status)]
        assert [line for line in expected if line not in output] == []
