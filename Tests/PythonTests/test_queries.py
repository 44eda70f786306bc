# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Queries that select and sort rows, and keys that keep rows in order."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any, Dict, List, NamedTuple, Optional

import mainstem
import pytest
import random_queries
from mainstem import MainstemError, Query, Selection, Status


@dataclasses.dataclass(frozen=True)
class Todo:
    id: int
    title: str
    done: bool = False
    due_on: Optional[str] = None


TODOS = [
    Todo(1, "Buy Milk"),
    Todo(2, "Call Ada", done=True),
    Todo(3, "buy tea", due_on="2026-12-01"),
    Todo(4, "Ärger"),
]


def ids(selection: Selection[Any]) -> List[int]:
    return [row.id for row in selection.rows]


def test_a_28_a_query_selects_sorts_and_cuts():
    query = Query(
        "not done and lower(title) begins $text",
        values={"text": "buy"},
        sort=["-lower(title)", "id"],
        limit=1,
    )

    found = query.select(TODOS)

    assert found == Selection([TODOS[2]], 0, 2)
    assert (found.rows, found.offset, found.total) == ([TODOS[2]], 0, 2)
    assert ids(Query().select(TODOS)) == [1, 2, 3, 4]
    assert ids(Query(sort="-id").select(iter(TODOS))) == [4, 3, 2, 1]
    assert Query(offset=3, limit=5).select(TODOS) == Selection([TODOS[3]], 3, 4)
    assert Query(limit=0).select(TODOS) == Selection([], 0, 4)
    assert Query("id").select([]) == Selection([], 0, 0)


def test_fields_have_the_names_that_they_have_in_json():
    assert ids(Query("dueOn = '2026-12-01'").select(TODOS)) == [3]
    with pytest.raises(ValueError, match=r"Todo has no field 'due_on' \(did you mean 'dueOn'\?\)"):
        Query("due_on != null").select(TODOS)
    with pytest.raises(ValueError, match="Todo has no field 'titel'"):
        Query("title != 'a`b`'", sort=["titel"]).select(TODOS)
    assert ids(Query("due_on != null").select([{"id": 1}])) == []


class Point(NamedTuple):
    x: float
    at: Dict[str, Any]


def test_rows_are_what_travels_as_an_object():
    rows = [Point(1.5, {"y": 2}), {"x": 2**63 - 1, "at": {"y": None}}]

    assert Query("x > 2").select(rows).rows == rows[1:]
    assert Query("at.y = 2").select(rows).rows == rows[:1]
    with pytest.raises(MainstemError, match="rows: row 1 is not a JSON object"):
        Query().select([{}, 5])
    with pytest.raises(MainstemError, match="rows: at of row 0 is an object or a list"):
        Query("at").select(rows)
    with pytest.raises(TypeError, match="object"):
        Query().select([{}, object()])


def test_a_28_a_query_says_what_is_malformed_and_where():
    for wrong, message in {
        "a AND b": "where, column 3: expected and, or, or the end",
        "a = $b": "where, column 5: values has no value of this name",
        "'é' contains": "where, column 13: expected a field or a value",
    }.items():
        with pytest.raises(MainstemError) as raised:
            Query(wrong)
        assert raised.value.status is Status.INVALID
        assert raised.value.message.endswith(message), raised.value.message
    with pytest.raises(MainstemError, match=r"sort\[1\], column 4: expected a field"):
        Query(sort=["a", "'b'"])
    with pytest.raises(MainstemError, match="limit: is not a whole number from 0 on"):
        Query(limit=-1)
    with pytest.raises(MainstemError, match="values.a: is an object or a list"):
        Query(values={"a": [1]})
    with pytest.raises(MainstemError, match="expected one JSON object"):
        Query.from_json("")


def test_a_query_is_a_value():
    query = Query("title = $t", values={"t": "ä\0'"}, sort="-id", offset=1, limit=2)
    other = Query.from_json(query.json)

    assert query == other and hash(query) == hash(other) and query != Query()
    assert copy.deepcopy(query) == query
    assert pickle.loads(pickle.dumps(query)) == query
    assert '"title = $t"' in repr(query)
    with pytest.raises(AttributeError):
        query.json = "{}"  # type: ignore[misc]


@mainstem.event
class TodosFound(mainstem.Response):
    ids: List[int]
    total: int


@mainstem.event
class TodosWanted(mainstem.Request[TodosFound]):
    query: Query


def find_todos(wanted: TodosWanted) -> TodosFound:
    found = wanted.query.select(TODOS)
    return TodosFound(ids(found), found.total)


def test_a_query_travels_in_an_event():
    with mainstem.Context() as context:
        seen: List[Query] = []
        context.server("Todos", {TodosWanted: find_todos})
        context.observe(TodosWanted, lambda wanted: seen.append(wanted.query))
        query = Query("id > 1", sort="-id", limit=2)
        assert context.request(TodosWanted(query)).ids == [4, 3]
        assert seen == [query]


def test_sql_is_that_of_sqlite():
    query = Query("a = 'it''s' or not b", sort=["-a"], offset=2)

    assert query.sql() == (
        "WHERE `a` IS 'it''s' OR NOT coalesce((typeof(`b`) <> 'text' AND `b` <> 0), 0) "
        "ORDER BY `a` DESC LIMIT -1 OFFSET 2"
    )
    assert Query().sql() == ""


def test_sqlite_selects_the_same_rows():
    assert random_queries.differences(seed=20261130, queries=1500) > 4000


def test_order_keys_keep_rows_in_order():
    keys = mainstem.order_keys(100)

    assert keys == sorted(keys) and len(set(keys)) == 100 and max(map(len, keys)) == 3
    between = mainstem.order_key(keys[3], keys[4])
    assert keys[3] < between < keys[4]
    assert mainstem.order_key(None, keys[0]) < keys[0]
    assert mainstem.order_key(keys[-1]) > keys[-1]
    assert mainstem.order_key() == "V"
    assert mainstem.order_keys(0) == []


def test_order_keys_say_when_all_rows_need_new_ones():
    with pytest.raises(MainstemError, match="give all rows new keys, with order_keys") as raised:
        mainstem.order_key("z" * 64)
    assert raised.value.status is Status.LIMIT
    for low, high in (("B", "A"), ("", None), ("A0", None), ("ä", None)):
        with pytest.raises(MainstemError) as raised:
            mainstem.order_key(low, high)
        assert raised.value.status is Status.INVALID
    with pytest.raises(ValueError):
        mainstem.order_keys(-1)
