# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Lists: values with rows, whose events are changes."""

from __future__ import annotations

import collections
import dataclasses
import gc
import random
import threading
import uuid
from typing import Any, Dict, List, NamedTuple, Sequence, Tuple

import mainstem
import pytest
from applied_rows import Applied
from mainstem import Context, Journal, MainstemError, Query, Rows, Selection, Status
from mainstem.testing import TestContext


@dataclasses.dataclass(frozen=True)
class Todo:
    id: int
    a_title: str = ""
    done: bool = False


class Loose:
    """Counts the rows that are encoded, and keeps nothing else."""

    encoded = 0


def counted(todo: Todo) -> int:
    Loose.encoded += 1
    return todo.id


def encoded_by(work: Any) -> int:
    before = Loose.encoded
    work()
    return Loose.encoded - before


class Todos(mainstem.ViewModel):
    rows: Tuple[Todo, ...] = mainstem.shown((), key="id")

    @mainstem.command
    def set(self, rows: Tuple[Todo, ...]) -> None:
        self.rows = rows

    @mainstem.command
    def add(self, title: str) -> None:
        self.rows += (Todo(len(self.rows), title),)

    @mainstem.command
    def toggle(self, index: int) -> None:
        rows = list(self.rows)
        rows[index] = dataclasses.replace(rows[index], done=not rows[index].done)
        self.rows = tuple(rows)


@pytest.fixture(params=["one", "any"])
def context(request):
    """A context that raises what a callback raises, of both kinds."""
    with mainstem.Context(threads=request.param, raises=True) as made:
        yield made


def shop(context: Context) -> mainstem.Scope:
    context.add_list("Shop.todos", Todo, key="id")
    return context.scope("Shop")


def todos(*ids: int) -> Tuple[Todo, ...]:
    return tuple(Todo(each, f"number {each}") for each in ids)


# A list of a view model ---------------------------------------------------------------------------


def test_a_view_gets_the_rows_and_what_has_changed(context):
    got: List[Rows[Todo]] = []
    view = context.open(Todos()).bind(rows=got.append)

    view.add("milk")
    view.add("tea")
    view.toggle(0)

    assert [list(rows) for rows in got] == [
        [],
        [Todo(0, "milk")],
        [Todo(0, "milk"), Todo(1, "tea")],
        [Todo(0, "milk", True), Todo(1, "tea")],
    ]
    assert [rows.changes for rows in got] == [
        (("reset", 0, 0, 0),),
        (("insert", 0, 1, 0),),
        (("insert", 1, 1, 0),),
        (("update", 0, 1, 0),),
    ]
    assert got[3].span == (0, 1, 1)
    assert got[3].changes[0].kind == "update"


def test_a_list_has_no_event_if_nothing_has_changed(context):
    seen = Applied()
    view = context.open(Todos()).bind(rows=seen)
    view.set(todos(1, 2))
    view.set(todos(1, 2))

    assert seen.events == 2


def test_a_view_reads_the_list_that_is_shown(context):
    model = context.open(Todos())
    view = model.bind()
    view.set(todos(1, 2, 3))

    assert isinstance(view.rows, Rows)
    assert view.rows == todos(1, 2, 3)
    assert model.rows == todos(1, 2, 3)


def test_a_method_may_say_a_list(context):
    class Shelf(mainstem.ViewModel):
        words: Tuple[str, ...] = mainstem.shown(("a", "b"))
        noise: int = mainstem.shown(0)
        asked = 0

        @mainstem.shown(by="words", key=str.upper)
        def rows(self) -> List[str]:
            Shelf.asked += 1
            return list(self.words)

        @mainstem.command
        def add(self, word: str) -> None:
            self.words += (word,)

        @mainstem.command
        def rattle(self) -> None:
            self.noise += 1

    seen = Applied()
    view = context.open(Shelf()).bind(rows=seen)
    view.add("c")
    view.rattle()

    assert seen.rows == ["a", "b", "c"]
    assert view.rows.keys == ("A", "B", "C")
    assert Shelf.asked == 2


def test_other_view_models_observe_a_list(context):
    class Count(mainstem.ViewModel):
        count: int = mainstem.shown(0)
        last: str = mainstem.shown("")

        @mainstem.observes(Todos, "rows")
        def counted(self, rows: Sequence[Todo]) -> None:
            self.count = len(rows)
            self.last = rows[-1].a_title if rows else ""

    view = context.open(Todos()).bind()
    count = context.open(Count())
    view.add("milk")
    view.add("tea")

    assert (count.count, count.last) == (2, "tea")


def test_a_refused_list_leaves_the_old_one(context):
    seen = Applied()
    view = context.open(Todos()).bind(rows=seen)
    view.set(todos(1, 2, 3))

    with pytest.raises(MainstemError, match="INVALID.*row 0 and row 2 have the same key"):
        view.set(todos(4, 5, 4))

    assert seen.rows == list(todos(1, 2, 3))
    view.set(todos(1, 2, 3, 4))
    assert seen.rows == list(todos(1, 2, 3, 4))
    assert seen.resets == 1


def test_a_test_compares_a_list_with_a_tuple():
    with TestContext() as test:
        view = test.open(Todos()).bind()
        view.set(todos(1, 2))
        test.shows(view, rows=todos(1, 2))
        with pytest.raises(AssertionError):
            test.shows(view, rows=todos(1))


def test_wrong_declarations_say_what_to_do():
    def declare(**members: Any) -> None:
        kind = type("Wrong", (mainstem.ViewModel,), members)
        assert kind.__mainstem_model__.rows

    def wrong(hint: Any, key: Any) -> None:
        declare(__annotations__={"rows": hint}, rows=mainstem.shown((), key=key))

    with pytest.raises(TypeError, match=r"Wrong.rows has a key, and is no list: declare it as"):
        wrong(int, "id")
    with pytest.raises(TypeError, match=r"Wrong.rows: Todo has no 'idd' \(did you mean 'id'\?\)"):
        wrong(Tuple[Todo, ...], "idd")
    with pytest.raises(TypeError, match=r"a str has no fields: let key= be a function"):
        wrong(Tuple[str, ...], "id")
    with pytest.raises(TypeError, match="key is the name of a field or a function"):
        wrong(Tuple[Todo, ...], 1)


# A list without a view model ----------------------------------------------------------------------


def test_a_scope_sets_a_list(context):
    scope, seen = shop(context), Applied()
    assert scope.get("Shop.todos") is None
    context.observe("Shop.todos", lambda event: seen(event.value))
    scope.set_list("Shop.todos", todos(1, 2, 3))
    scope.set_list("Shop.todos", list(todos(3, 1)))
    scope.set_list("Shop.todos", iter(todos(3, 1)))

    assert seen.rows == list(todos(3, 1))
    assert seen.events == 2
    event = scope.get("Shop.todos")
    assert list(event.value) == list(todos(3, 1))
    assert str(event) == "#2 Shop.todos Shop +0 -1 ~1 of 2"


class Found(mainstem.ViewModel):
    found: Selection[Todo] = mainstem.shown(Selection((), 0, 0), key="id")

    def __init__(self) -> None:
        self.todos = [Todo(number, f"todo {number}") for number in range(30)]

    @mainstem.command
    def find(self, query: Query) -> None:
        self.found = query.select(self.todos)


def part_of(rows: Rows[Any]) -> Tuple[int, int, int, List[str]]:
    return rows.offset, len(rows), rows.total, [change.kind for change in rows.changes]


def test_a_list_may_be_what_a_query_has_selected(context):
    seen: List[Any] = []
    late: List[Any] = []
    model = context.open(Found())
    found = model.bind(found=lambda rows: seen.append(part_of(rows)))
    found.find(Query(offset=20, limit=2))
    found.find(Query(offset=20, limit=2))
    found.find(Query("id < 25", offset=20, limit=2))
    found.find(Query(offset=40, limit=2))
    found.find(Query("id < 2"))

    assert seen == [
        (0, 0, 0, ["reset"]),
        (20, 2, 30, ["insert"]),
        (20, 2, 25, []),
        (30, 0, 30, ["remove"]),
        (0, 2, 2, ["insert"]),
    ]
    model.bind(found=late.append)
    assert part_of(late[0]) == (0, 2, 2, ["reset"])
    context.close()
    assert (late[0].offset, late[0].total) == (0, 2)


def test_a_list_may_be_the_part_that_another_list_is(context):
    context.add_list("Shop.rows", Todo, key="id")
    context.add_list("Copy.rows", Todo, key="id")
    shop, copy = context.scope("Shop"), context.scope("Copy")
    seen: List[Any] = []
    shop.observe("Shop.rows", lambda event: copy.set_list("Copy.rows", event.value))
    context.observe("Copy.rows", lambda event: seen.append(part_of(event.value)))
    shop.set_list("Shop.rows", Selection([Todo(1)], 7, 9))
    shop.set_list("Shop.rows", Selection([Todo(1)], 7, 10))
    shop.set_list("Shop.rows", [Todo(1)])

    assert seen == [(7, 1, 9, ["reset"]), (7, 1, 10, []), (0, 1, 1, [])]


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (Selection([Todo(1)], 9, 9), "set_list: window: 9 is its total, and offset and count do"),
        (Selection([Todo(1)], -1, 9), "Shop.rows.offset is -1: it must not be below 0"),
    ],
)
def test_a_part_that_does_not_fit_its_total_is_refused(context, part, message):
    context.add_list("Shop.rows", Todo, key="id")
    with pytest.raises((MainstemError, ValueError), match=message):
        context.set_list("Shop.rows", part)


def test_a_binding_gets_a_list(context):
    scope, seen = shop(context), Applied()
    context.scope("Cell").bind(scope, {"todos": seen})
    scope.set_list("Shop.todos", todos(1, 2, 3))
    scope.set_list("Shop.todos", todos(2, 3))

    assert seen.rows == list(todos(2, 3))


class Pair(NamedTuple):
    key: str
    count: int


@pytest.mark.parametrize(
    ("row", "key", "rows", "keys"),
    [
        (str, str.lower, ("A", "b"), ("a", "b")),
        (int, lambda row: row, (3, -1), ("3", "-1")),
        (float, lambda row: str(row), (0.5,), ("0.5",)),
        (bytes, lambda row: row.hex(), (b"\0\1", b""[:0] + b"x"), ("0001", "78")),
        (Pair, "key", (Pair("ä", 1), Pair("b", 2)), ("ä", "b")),
        (dict, "id", ({"id": 7, "more": [1]},), ("7",)),
        (Dict[str, int], "id", ({"id": 8},), ("8",)),
        (uuid.UUID, lambda row: row, (uuid.UUID(int=10),), (str(uuid.UUID(int=10)),)),
        (Todo, lambda row: row.a_title, (Todo(1, "x"),), ("x",)),
    ],
)
def test_rows_are_of_any_type(context, row, key, rows, keys):
    context.add_list("Shop.rows", row, key=key)
    scope = context.scope("Shop")
    scope.set_list("Shop.rows", rows)

    found = scope.get("Shop.rows").value
    assert found == rows
    assert found.keys == keys
    assert [found.find(each) for each in keys] == list(range(len(rows)))


def test_keys_are_text_whole_numbers_and_uuids(context):
    number = uuid.UUID("ABCDEF00-0000-4000-8000-000000000000")
    keys = ["text", 12345678901234567890, -1, number]
    context.add_list("Shop.rows", int, key=lambda row: keys[row])
    scope = context.scope("Shop")
    scope.set_list("Shop.rows", range(len(keys)))

    rows = scope.get("Shop.rows").value
    text = ("text", "12345678901234567890", "-1", "abcdef00-0000-4000-8000-000000000000")
    assert rows.keys == text
    assert [rows.find(key) for key in keys] == [0, 1, 2, 3]
    assert rows.find("none") is None
    assert rows.find("") is None


@pytest.mark.parametrize("key", [True, 1.5, None, b"x", ("a", 1), object()])
def test_other_keys_are_refused_with_what_to_do(context, key):
    context.add_list("Shop.rows", int, key=lambda row: key if row else "first")
    scope = context.scope("Shop")
    with pytest.raises(
        TypeError, match=r"Shop.rows\[1\]: a key is text, an int or a UUID.*let key="
    ):
        scope.set_list("Shop.rows", (0, 1))
    assert scope.get("Shop.rows") is None


@pytest.mark.parametrize("key", ["", "x" * 256])
def test_keys_of_a_wrong_size_are_refused(context, key):
    context.add_list("Shop.rows", int, key=lambda row: key if row else "first")
    with pytest.raises(MainstemError, match="INVALID: set_list: .*1 to 255 bytes"):
        context.scope("Shop").set_list("Shop.rows", (0, 1))


def test_a_row_without_its_key_is_refused(context):
    context.add_list("Shop.rows", dict, key="id")
    with pytest.raises(TypeError, match=r"Shop.rows\[0\] has no key: 'id'"):
        context.scope("Shop").set_list("Shop.rows", [{"name": "x"}])


@pytest.mark.parametrize("rows", ["text", b"bytes", 7, None])
def test_what_is_no_list_is_refused(context, rows):
    with pytest.raises(TypeError, match="Shop.todos: expected a tuple of rows, got"):
        shop(context).set_list("Shop.todos", rows)


def test_a_row_of_another_type_is_refused_and_named(context):
    scope = shop(context)
    with pytest.raises(TypeError, match=r"Shop.todos\[1\]: expected Todo, got str"):
        scope.set_list("Shop.todos", (*todos(1), "tea"))
    assert scope.get("Shop.todos") is None


def test_calls_that_do_not_fit_are_refused(context):
    scope = shop(context)
    context.add_type("Shop.name", str, role="value")
    with pytest.raises(TypeError, match="Shop.name is no list that this context knows"):
        scope.set_list("Shop.name", ())
    for call in (scope.set, scope.send, scope.post):
        with pytest.raises(MainstemError, match=r"INVALID.*is a list: set_list\(…\) sets it"):
            call("Shop.todos", "[]")
    with pytest.raises(MainstemError, match="Shop.unknown"):
        scope.set_list("Shop.unknown", ())


def test_a_scope_that_has_ended_is_stale(context):
    scope = shop(context)
    scope.set_list("Shop.todos", todos(1))
    scope.end()
    with pytest.raises(MainstemError) as ended:
        scope.set_list("Shop.todos", todos(1, 2))
    assert ended.value.status == Status.STALE


def test_a_scope_without_the_right_is_denied(context):
    context.add_list("Shop.todos", Todo, key="id", layer="model")
    scope = context.scope("Shop", sends="view")
    with pytest.raises(MainstemError) as denied:
        scope.set_list("Shop.todos", todos(1))
    assert denied.value.status == Status.DENIED


def test_another_thread_is_refused_where_a_context_has_one():
    refused = []
    with Context() as context:
        scope = shop(context)

        def work() -> None:
            try:
                scope.set_list("Shop.todos", todos(1))
            except MainstemError as error:
                refused.append(error.status)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert refused == [Status.WRONG_THREAD]


def test_a_row_that_is_too_big_is_refused():
    with Context(limits=mainstem.Limits(payload=100)) as context:
        scope = shop(context)
        scope.set_list("Shop.todos", todos(1))
        with pytest.raises(MainstemError) as refused:
            scope.set_list("Shop.todos", (*todos(1), Todo(2, "x" * 100)))
        assert refused.value.status == Status.TOO_BIG
        assert scope.get("Shop.todos").value == todos(1)


# Only what differs is encoded ---------------------------------------------------------------------


class Many(mainstem.ViewModel):
    rows: Tuple[Todo, ...] = mainstem.shown((), key=counted)

    def __init__(self, rows: Tuple[Todo, ...]) -> None:
        super().__init__()
        self.rows = rows

    @mainstem.command
    def insert(self, at: int, id: int) -> None:
        self.rows = (*self.rows[:at], Todo(id), *self.rows[at:])

    @mainstem.command
    def cut(self, at: int, count: int) -> None:
        self.rows = self.rows[:at] + self.rows[at + count :]

    @mainstem.command
    def nothing(self) -> None: ...

    @mainstem.command
    def fail(self) -> None:
        self.rows = (*self.rows, *todos(7), *todos(7))

    @mainstem.command
    def mend(self) -> None:
        self.rows = self.rows[:-2]


def test_an_insert_into_10000_rows_encodes_one(context):
    view = context.open(Many(todos(*range(10_000)))).bind()
    for at in (0, 5_000, 10_002):
        assert encoded_by(lambda at=at: view.insert(at, 20_000 + at)) == 1
    assert encoded_by(lambda: view.cut(4_000, 100)) == 0
    assert encoded_by(view.nothing) == 0
    assert len(view.rows) == 9_903
    assert view.rows.find(25_000) == 4_900


def test_after_a_refusal_the_ends_are_those_of_the_accepted_list(context):
    view = context.open(Many(todos(*range(100, 200)))).bind()
    with pytest.raises(MainstemError):
        view.fail()

    assert encoded_by(view.mend) == 0
    assert encoded_by(lambda: view.insert(50, 7)) == 1
    assert view.rows[50].id == 7


def test_after_another_writer_all_is_given(context):
    context.add_list("Shop.todos", Todo, key=counted)
    scope = context.scope("Shop")
    other = context.find_scope(scope.number)
    seen = Applied()
    context.observe("Shop.todos", lambda event: seen(event.value))
    rows = todos(*range(100))

    scope.set_list("Shop.todos", rows)
    other.set_list("Shop.todos", rows[50:])
    more = (*rows, Todo(100))
    assert encoded_by(lambda: scope.set_list("Shop.todos", more)) >= 101
    assert seen.rows == list(more)
    assert encoded_by(lambda: scope.set_list("Shop.todos", (*more, Todo(101)))) == 1
    assert (seen.rows[-1].id, seen.resets) == (101, 1)


def test_rows_that_may_change_in_place_are_always_encoded(context):
    @dataclasses.dataclass
    class Changing:
        id: int
        name: str

    context.add_list("Shop.rows", Changing, key="id")
    scope, seen = context.scope("Shop"), Applied()
    context.observe("Shop.rows", lambda event: seen(event.value))
    rows = (Changing(1, "a"), Changing(2, "b"))
    scope.set_list("Shop.rows", rows)
    rows[0].name = "c"
    scope.set_list("Shop.rows", rows)

    assert [row.name for row in seen.rows] == ["c", "b"]


def test_several_sets_in_one_callback_are_taken_one_after_the_other(context):
    @mainstem.event
    class Go(mainstem.Notice):
        pass

    context.add_list("Shop.todos", Todo, key=counted)
    scope, seen = context.scope("Shop"), Applied()
    context.observe("Shop.todos", lambda event: seen(event.value))
    rows = todos(*range(50))

    def go(_: Any) -> None:
        for count in (10, 20, 5, 50):
            scope.set_list("Shop.todos", rows[:count])

    context.observe(Go, go)
    assert encoded_by(lambda: context.send(Go())) == 65
    assert seen.rows == list(rows)


# Random programs ----------------------------------------------------------------------------------


def changed(random: random.Random, rows: List[Todo]) -> List[Todo]:
    """A list with some random changes; rows that stay are often the same objects."""
    rows = list(rows)
    for _ in range(random.randrange(4)):
        what, at = random.randrange(6), random.randrange(len(rows) + 1)
        if what == 0:
            used = {row.id for row in rows}
            fresh = [each for each in range(40) if each not in used][: random.randrange(4)]
            rows[at:at] = [Todo(each, str(random.randrange(3))) for each in fresh]
        elif what == 1:
            del rows[at : at + random.randrange(4)]
        elif what == 2 and at < len(rows):
            rows[at] = Todo(rows[at].id, str(random.randrange(3)))
        elif what == 3:
            run = rows[at : at + random.randrange(5)]
            del rows[at : at + len(run)]
            to = random.randrange(len(rows) + 1)
            rows[to:to] = run
        elif what == 4:
            rows.reverse()
        else:
            rows = [dataclasses.replace(row) for row in rows]
    return rows


@pytest.mark.parametrize("threads", ["one", "any"])
@pytest.mark.parametrize("deliver", ["immediate", "host"])
def test_changes_that_are_applied_give_the_rows(threads, deliver):
    for seed in range(250):
        draw = random.Random(seed)
        with Context(threads=threads, deliver=deliver, raises=True) as context:
            scope = shop(context)
            plan: List[List[Todo]] = [[]]
            views, kept = [], []
            for _ in range(draw.randrange(2, 12)):
                if draw.randrange(3) == 0:
                    view = Applied()
                    on = draw.choice(["immediate", "host"])
                    context.observe("Shop.todos", lambda event, v=view: v(event.value), on=on)
                    views.append(view)
                if draw.randrange(8) == 0 and len(plan[-1]) > 1:
                    with pytest.raises(MainstemError):
                        scope.set_list("Shop.todos", [*plan[-1], plan[-1][0]])
                plan.append(changed(draw, plan[-1]))
                scope.set_list("Shop.todos", plan[-1])
                if draw.randrange(3) == 0:
                    context.drain()
                    kept.append((scope.get("Shop.todos").value, plan[-1]))
            context.flush()
            context.drain()
            for view in views:
                assert view.rows == plan[-1], seed
                assert view.resets <= 1, seed
            for rows, wanted in kept:
                assert list(rows) == wanted, seed
        for rows, wanted in kept:
            assert list(rows) == wanted, seed


def test_view_models_and_views_agree(tmp_path):
    for seed in range(100):
        draw = random.Random(seed)
        with Context(raises=True) as context:
            seen = Applied()
            view = context.open(Todos()).bind(rows=seen)
            rows: List[Todo] = []
            for _ in range(10):
                rows = changed(draw, rows)
                view.set(tuple(rows))
                assert seen.rows == rows == list(view.rows)


def program(context: Context) -> Todos:
    return context.open(Todos())


def test_a_recorded_session_is_verified(tmp_path):
    for seed in range(20):
        path = str(tmp_path / f"{seed}.journal")
        draw = random.Random(seed)
        with Context(raises=True) as context:
            context.record(path)
            view = program(context).bind()
            rows: List[Todo] = []
            for _ in range(10):
                rows = changed(draw, rows)
                view.set(tuple(rows))
        seen = Applied()
        with Context(raises=True) as context, context.replay(path, verify=True) as replay:
            program(context).bind(rows=seen)
            replay.to_end()
            assert replay.info.matched > 0
        assert seen.rows == rows


def test_a_program_that_sets_other_rows_differs(tmp_path):
    path = str(tmp_path / "session.journal")

    @mainstem.event
    class Go(mainstem.Notice):
        count: int

    def run(context: Context, more: int) -> None:
        scope = shop(context)
        context.observe(Go, lambda go: scope.set_list("Shop.todos", todos(*range(go.count + more))))

    with Context(raises=True) as context:
        context.record(path)
        run(context, 0)
        context.send(Go(2))
        context.send(Go(3))
    for more, differs in ((0, False), (1, True)):
        with Context(raises=True) as context, context.replay(path, verify=True) as replay:
            run(context, more)
            if differs:
                with pytest.raises(mainstem.Different):
                    replay.to_end()
            else:
                replay.to_end()
                assert replay.info.matched == 2
    events = [event for event in Journal(path) if event.name == "Shop.todos"]
    assert [str(event).split(" ", 5)[-1] for event in events] == ["=2 -0 ~0 of 2", "+1 -0 ~0 of 3"]
    assert all(event.value == event.data for event in events)


def test_a_list_goes_on_after_a_replay(tmp_path):
    path = str(tmp_path / "session.journal")
    with Context(raises=True) as context:
        context.record(path)
        view = program(context).bind()
        view.set(todos(1, 2, 3))
    with Context(raises=True) as context:
        seen = Applied()
        model = program(context)
        with context.replay(path) as replay:
            view = model.bind(rows=seen)
            replay.to_end()
        view.set((*todos(1, 2, 3), Todo(4)))
        assert [row.id for row in seen.rows] == [1, 2, 3, 4]


def test_a_list_that_a_journal_has_not_kept_is_not_shown(tmp_path):
    path = str(tmp_path / "session.journal")

    class Marked(mainstem.ViewModel):
        rows: Tuple[Todo, ...] = mainstem.shown((), key="id", record="mark")

    def run(context: Context) -> List[Any]:
        got: List[Any] = []
        context.open(Marked()).bind(rows=got.append)
        context.add_list("Shop.todos", Todo, key="id", record="mark")
        context.observe("Shop.todos", lambda event: got.append(event.value))
        return got

    with Context(raises=True) as context:
        context.record(path)
        got = run(context)
        context.scope("Shop").set_list("Shop.todos", todos(1))
        assert got == [(), todos(1)]
    with Context(raises=True) as context, context.replay(path) as replay:
        got = run(context)
        context.scope("Shop")
        replay.to_end()
        assert got == [None]


# Observers ----------------------------------------------------------------------------------------


def test_a_late_observer_gets_the_whole_list_first(context):
    scope, early, late = shop(context), Applied(), Applied()
    context.observe("Shop.todos", lambda event: early(event.value))
    for count in (3, 5, 4):
        scope.set_list("Shop.todos", todos(*range(count)))
    flags = []

    def show(event: mainstem.Event) -> None:
        flags.append(event.late)
        late(event.value)

    context.observe("Shop.todos", show)
    scope.set_list("Shop.todos", todos(*range(6)))

    assert flags == [True, False]
    assert (late.events, late.resets) == (2, 1)
    assert late.rows == early.rows == list(todos(*range(6)))


def test_a_late_view_gets_the_whole_list_first(context):
    model = context.open(Todos())
    model.bind().set(todos(1, 2))
    seen = Applied()
    view = model.bind(rows=seen)
    view.set(todos(2))

    assert (seen.events, seen.resets) == (2, 1)
    assert seen.rows == list(todos(2))


def test_an_observer_of_everything_gets_rows(context):
    scope, got = shop(context), []
    context.observe(got.append)
    scope.set_list("Shop.todos", todos(1))

    assert got[0].value == todos(1)
    assert str(got[0]) == "#1 Shop.todos Shop =1 -0 ~0 of 1"
    assert got[0].event is got[0]


def test_a_list_that_was_registered_elsewhere_has_plain_rows(context):
    context.open(Todos()).bind().set(todos(1))
    got = []
    context.observe("Todos.rows", got.append)

    assert list(got[0].value) == [{"id": 1, "aTitle": "number 1", "done": False}]


def test_an_observer_on_a_thread_of_its_own_reads_each_list(context):
    scope, seen = shop(context), Applied()
    threads = set()

    def show(event: mainstem.Event) -> None:
        threads.add(threading.get_ident())
        seen(event.value)

    context.observe("Shop.todos", show, on=context.serial("views"))
    for count in range(50):
        scope.set_list("Shop.todos", todos(*range(count)))
    context.flush()
    context.close()

    assert threading.get_ident() not in threads


def test_an_observer_that_loses_events_gets_differences_that_fit(context):
    scope, seen, gaps = shop(context), Applied(), []
    context.observe(
        "Shop.todos",
        lambda event: seen(event.value),
        on="host",
        policy="latest",
        on_gap=gaps.append,
    )
    draw, rows = random.Random(1), []
    for step in range(200):
        rows = changed(draw, rows)
        scope.set_list("Shop.todos", rows)
        if step % 7 == 0:
            context.drain()
    context.drain()
    assert seen.rows == rows


def test_a_mailbox_says_that_it_has_no_rows(context):
    scope = shop(context)
    with context.mailbox("Shop.todos") as mailbox:
        scope.set_list("Shop.todos", todos(1))
        (event,) = mailbox.events()
        assert "Shop.todos" in str(event)
        with pytest.raises(RuntimeError, match="observe the list with a function"):
            assert event.value


# Rows that are kept -------------------------------------------------------------------------------


def test_kept_rows_stay_as_they_were():
    kept, wanted = [], []
    with Context(raises=True) as context:
        view = context.open(Todos()).bind(rows=kept.append)
        rows: List[Todo] = []
        draw = random.Random(3)
        wanted.append([])
        for _ in range(30):
            rows = changed(draw, rows)
            if rows != wanted[-1]:
                wanted.append(rows)
            view.set(tuple(rows))
        kept.append(view.rows)
        wanted.append(rows)
        half = [list(each) for each in kept[::2]]
        assert half == wanted[::2]
    assert [list(each) for each in kept] == wanted
    assert kept[0].changes == (("reset", 0, 0, 0),)
    assert kept[-1].find("none") is None
    assert kept[-1].keys == tuple(str(row.id) for row in rows)
    assert kept[-1].span


def test_kept_rows_outlive_their_scope(context):
    scope = shop(context)
    scope.set_list("Shop.todos", todos(1, 2))
    rows = scope.get("Shop.todos").value
    scope.end()
    context.drain()

    assert rows == todos(1, 2)


def test_rows_that_are_got_while_a_context_closes_stay(context):
    scope, kept = shop(context), []
    context.observe("Shop.todos", lambda event: kept.append(event.value))
    scope.set_list("Shop.todos", todos(1, 2))
    context.close()

    assert kept == [todos(1, 2)]


def test_rows_that_nobody_keeps_are_released(context):
    scope = shop(context)
    kept = context.catalogue.rows
    for count in range(100):
        scope.set_list("Shop.todos", todos(*range(count)))
        assert len(scope.get("Shop.todos").value) == count
    gc.collect()

    assert len(kept._rows) == 0


def test_a_thread_reads_rows_while_the_context_closes():
    for _ in range(20):
        with Context(threads="any") as context:
            scope = shop(context)
            scope.set_list("Shop.todos", todos(*range(2_000)))
            rows = scope.get("Shop.todos").value
            sums: List[int] = []

            def work(rows: Any = rows, sums: Any = sums) -> None:
                sums.append(sum(row.id for row in rows))

            thread = threading.Thread(target=work)
            thread.start()
        thread.join()
        assert sums == [sum(range(2_000))]


def test_an_event_that_is_kept_after_its_callback_is_no_danger(context):
    scope, got = shop(context), []
    context.observe("Shop.todos", got.append)
    scope.set_list("Shop.todos", todos(1))
    scope.set_list("Shop.todos", todos(2))
    gc.collect()

    with got[0].retain() as retained:
        assert retained.event.name == "Shop.todos"
    assert got[0].value == todos(1)


def test_a_retained_event_has_its_rows(context):
    scope, kept = shop(context), []
    context.observe("Shop.todos", lambda event: kept.append(event.retain()))
    scope.set_list("Shop.todos", todos(1))
    scope.set_list("Shop.todos", todos(2))

    assert kept[0].event.value == todos(1)
    assert kept[0].event.value.changes[0].kind == "reset"


# A sequence ---------------------------------------------------------------------------------------


def test_rows_are_a_sequence(context):
    scope = shop(context)
    wanted = todos(*range(1_000))
    scope.set_list("Shop.todos", wanted)
    rows = scope.get("Shop.todos").value

    assert isinstance(rows, collections.abc.Sequence)
    assert len(rows) == 1_000
    assert rows
    assert (rows[0], rows[-1], rows[-1_000]) == (wanted[0], wanted[-1], wanted[0])
    assert rows[3] is rows[3]
    assert rows[2:5] == wanted[2:5]
    assert rows[::-100] == wanted[::-100]
    assert rows[990:2_000] == wanted[990:]
    assert rows[5:2] == ()
    assert list(rows) == list(wanted)
    assert tuple(reversed(rows)) == wanted[::-1]
    assert wanted[7] in rows
    assert Todo(5) not in rows
    assert rows.index(wanted[9]) == 9
    assert rows.count(wanted[9]) == 1
    assert rows == wanted
    assert rows != wanted[1:]
    assert rows != list(wanted)
    assert repr(rows) == "<mainstem Rows: 1000>"
    for wrong in (1_000, -1_001):
        with pytest.raises(IndexError, match="the list has 1000"):
            rows[wrong]
    with pytest.raises(TypeError):
        rows["0"]
    with pytest.raises(TypeError):
        hash(rows)


def test_an_empty_list_is_false(context):
    scope = shop(context)
    scope.set_list("Shop.todos", ())
    rows = scope.get("Shop.todos").value

    assert not rows
    assert (list(rows), rows.keys, rows.changes) == ([], (), (("reset", 0, 0, 0),))
    assert scope.get("Shop.todos").position == 1


def test_reading_is_no_error_of_the_context(context):
    scope, seen = shop(context), Applied()
    context.observe("Shop.todos", lambda event: seen(event.value))
    scope.set_list("Shop.todos", todos(1, 2))
    assert scope.get("Shop.todos").value.find("none") is None

    assert context.first_error() is None
