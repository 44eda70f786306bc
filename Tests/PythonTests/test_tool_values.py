# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the tools show of a session that the library recorded: values, writes, owners, sharing."""

from __future__ import annotations

import json
import re

import mainstem
import pytest
from counter_session import counter_session
from mainstem.tool import main


class Program:
    """A counter of ticks with a label, cells that are opened, and a store that is asked."""

    def __init__(self, context):
        self.context, self.count, self.asked = context, 0, []
        context.add_type("Tick")
        context.add_type("Counter.count", int, role="value", layer="viewmodel")
        context.add_type("Counter.label", str, role="value", layer="view")
        context.add_type("Cell.name", str, role="value", layer="view")
        context.add_type("Part.size", float, role="value", layer="viewmodel")
        context.add_type("RequestFile", str, response="ResponseFile")
        context.add_type("ResponseFile", str)
        context.serve("RequestFile", self.load, name="Store")
        context.factory("Cell", self.make, str)
        self.counter = context.server("Counter", {"Tick": self.tick}, show=self.show)
        self.view = context.scope("View")

    def load(self, request):
        self.asked.append(request.retain())
        return mainstem.LATER

    def make(self, scope, request):
        scope.set("Cell.name", request.text)
        scope.scope("Part").set("Part.size", 0.5)

    def tick(self, event):
        self.count += 1

    def show(self, server):
        server.set("Counter.count", self.count)


def run(context):
    program = Program(context)
    first = program.view.open_instance("Cell", "one")
    second = program.view.open_instance("Cell", "two")
    with program.view.bind(program.counter, {}) as binding:
        binding.set("label", "ticks")
    with program.view.bind(context.find_scope(second), {}) as binding:
        binding.set("name", "too")
    context.send("Tick")
    for _ in range(2):
        context.request("RequestFile", "a.txt", share=True, then=lambda answer: None)
    program.asked[0].respond("whole")
    context.find_scope(first).end()
    context.send("Tick")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    path = tmp_path_factory.mktemp("recorded") / "a.journal"
    with mainstem.Context() as context:
        context.record(str(path))
        run(context)
    return str(path)


class Counter(mainstem.ViewModel):
    """The counter of docs/tools.md."""

    count: int = mainstem.shown(0)
    label: str = mainstem.writable("")

    @mainstem.shown
    def is_dirty(self) -> bool:
        return self.count > 0

    @mainstem.command
    def up(self):
        self.count += 1

    @mainstem.command(enabled="is_dirty")
    async def save(self):
        await self.request("RequestSave", self.count)


def count_and_save(context):
    """What is in the journal that docs/tools.md shows."""
    asked = []

    def save(request):
        asked.append(request.retain())
        return mainstem.LATER

    context.add_type("RequestSave", int, response="ResponseSaved", layer="model")
    context.add_type("ResponseSaved", layer="model")
    context.add_type("KeyPressed", str, layer="view")
    context.serve("RequestSave", save, name="Store")
    context.factory(Counter)
    scope = context.find_scope(context.scope("View").open_instance("Counter"))
    view = mainstem.view(scope, Counter, scope.number)
    context.observe("KeyPressed", lambda event: view.save())
    view.up()
    view.label = "eggs"
    view.save()
    context.send("KeyPressed", "Ctrl+S")
    asked[0].respond(None)


def output(capsys, *arguments):
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def test_the_tree(recorded, capsys):
    lines = [line[12:] for line in output(capsys, "tree", recorded).splitlines()[1:] if line]

    assert [re.sub(r" after [\d.]+ .?s", "", line) for line in lines] == [
        "#1 Counter.count = 0",
        "#2 RequestOpen.Cell  by View  answered by #5  one",
        '├─ #3 Cell.name = "one"  by Cell of #5',
        "├─ #4 Part.size = 0.5",
        "└─ #5 ResponseOpen.Cell  opened Cell  answers #2",
        "#6 RequestOpen.Cell  by View  answered by #9  two",
        '├─ #7 Cell.name = "two"  by Cell of #9',
        "├─ #8 Part.size = 0.5  by Part[2]",
        "└─ #9 ResponseOpen.Cell  opened Cell  answers #6",
        '#10 Counter.label = "ticks"  written by a view',
        '#11 Cell.name = "too" (was "two")  written to Cell of #9 by a view',
        "#12 Tick",
        "└─ #13 Counter.count = 1 (was 0)",
        "#14 RequestFile  shared  answered by #18  a.txt",
        "└─ #15 RequestFile  answered by #17  a.txt",
        "   └─ #17 ResponseFile  by Store  answers #15  later  whole",
        "      ├─ #18 ResponseFile  a copy of #17  answers #14  whole",
        "      └─ #19 ResponseFile  a copy of #17  answers #16  whole",
        "#16 RequestFile  shared  answered by #19  a.txt",
        "#20 MainstemEnded  ended Cell of #5",
        "└─ #21 MainstemEnded  ended Part",
        "#22 Tick",
        "└─ #23 Counter.count = 2 (was 1)",
    ]


def test_what_was_shown(recorded, capsys):
    rows = [json.loads(line) for line in output(capsys, "shown", recorded, "--json").splitlines()]
    at_12 = output(capsys, "shown", recorded, "--at", "12").splitlines()[2:]

    assert [(row["owner"], row.get("opened"), len(row["values"])) for row in rows] == [
        ("Counter", None, 2),
        ("Cell", 9, 1),
        ("Part", None, 1),
    ]
    assert rows[1]["values"]["Cell.name"] == {
        "position": 11,
        "flags": ["outside", "written"],
        "text": "too",
    }
    assert rows[2]["parent"] == rows[1]["scope"]
    assert at_12 == [
        *("Counter", "  count = 0  #1", '  label = "ticks"  #10  written by a view', ""),
        *("Cell of #5", '  name = "one"  #3', ""),
        *("Part", "  size = 0.5  #4", ""),
        *("Cell of #9", '  name = "too"  #11  written by a view', ""),
        *("Part[2]", "  size = 0.5  #8"),
    ]


def test_the_end_of_the_session(recorded, capsys):
    text = output(capsys, "info", recorded)

    assert text.endswith(
        "  shown at its end by 3 owners:\n"
        '    Counter: count 2, label "ticks"\n'
        '    Cell[2]: name "too"\n'
        "    Part[2]: size 0.5\n"
    )
    assert "Cell.name          value     view       text     full" in text


def test_the_values_are_those_that_the_library_gives(tmp_path, capsys):
    path = str(tmp_path / "a.journal")
    with mainstem.Context() as context:
        context.record(path)
        run(context)
        rows = [json.loads(line) for line in output(capsys, "shown", path, "--json").splitlines()]
        for row in rows:
            scope = context.find_scope(row["scope"])
            for name, shown in row["values"].items():
                event = scope.get(name)
                told = (shown["position"], shown.get("value", shown.get("text")))
                assert told == (event.position, event.text if event.value is None else event.value)
    assert [len(row["values"]) for row in rows] == [2, 1, 1]


def test_flags_and_roles_have_names(recorded, capsys):
    rows = [json.loads(line) for line in output(capsys, "dump", recorded, "--json").splitlines()]

    assert (rows[9]["role"], rows[9]["flags"]) == ("value", ["outside", "written"])
    assert (rows[13]["role"], rows[13]["flags"]) == ("request", ["outside", "tracked", "shared"])
    assert (rows[17]["role"], rows[17]["flags"]) == ("response", ["shared"])
    assert rows[19]["role"] == "notice"


def test_the_diagram(recorded, tmp_path):
    page = tmp_path / "page.html"
    assert main(["diagram", recorded, "-o", str(page)]) == 0
    boxes = re.findall(r'<a class="kind .*?aria-label="([^"]*)"', page.read_text("utf-8"))

    assert "Counter shows, values: count, 3 times; sent by Counter" in boxes
    assert "written to Counter, values: label, once; sent by views; taken by Counter" in boxes
    assert len([box for box in boxes if ", values" in box]) == 5


def told(capsys, *arguments):
    """What a command tells, but for times and facts of the process."""
    text = output(capsys, *map(str, arguments))
    text = re.sub(r" after [\d.]+ .?s", "", text)
    return [line[12:] for line in text.splitlines()[1:] if line]


def values_at_20(capsys, path):
    lines = output(capsys, "shown", str(path), "--at", "20", "--json").splitlines()
    return [json.loads(line)["values"] for line in lines]


def test_the_journal_that_the_page_shows_is_what_the_library_records(tmp_path, capsys):
    path, copy = tmp_path / "a.journal", tmp_path / "copy.journal"
    with mainstem.Context() as context:
        context.record(str(path))
        count_and_save(context)
        counter_session().save(copy)

        assert told(capsys, "tree", path) == told(capsys, "tree", copy)
        assert values_at_20(capsys, path) == values_at_20(capsys, copy)
