# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A session of a todo list as a journal: the sample that the tools are tested with, and shown."""

from __future__ import annotations

from journal_writer import JSON, MODEL, MS, VIEWMODEL, JournalWriter

TYPES = (
    ("RequestTodoList", VIEWMODEL, "ResponseTodoList"),
    ("ResponseTodoList", VIEWMODEL, ""),
    ("RequestTodos", MODEL, "ResponseTodos"),
    ("ResponseTodos", MODEL, ""),
    ("RequestToggleTodo", VIEWMODEL, "ResponseTodoRow"),
    ("ResponseTodoRow", VIEWMODEL, ""),
    ("RequestSaveTodo", MODEL, "ResponseTodo"),
    ("ResponseTodo", MODEL, ""),
    ("TodoChanged", MODEL, ""),
    ("ListChanged", VIEWMODEL, ""),
)
VIEW, LOGIC, STORE = "View", "ViewModelServer", "ModelServer"


def todo_session():
    """The list is shown, one todo is done, another is gone, and nobody answers the last request."""
    made = JournalWriter()
    for name, layer, response in TYPES:
        made.type(name, JSON | layer, response)
    show_list(made)
    toggle(made)
    toggle_what_is_gone(made)
    made.event("RequestTodoList", '{"order":"name"}', origin=VIEW, after=4000 * MS)
    return made.end()


def show_list(made):
    shown = made.event("RequestTodoList", '{"order":"due"}', origin=VIEW)
    asked = made.event("RequestTodos", "{}", cause=shown, origin=LOGIC)
    todos = '{"todos":[{"id":1,"title":"Milk"},{"id":2,"title":"Bread"}]}'
    found = made.event("ResponseTodos", todos, cause=asked, answers=asked, origin=STORE)
    rows = '{"rows":["Milk","Bread"]}'
    made.event("ResponseTodoList", rows, cause=found, answers=shown, origin=LOGIC)


def ask(made, number):
    toggled = made.event("RequestToggleTodo", f'{{"id":{number}}}', origin=VIEW, after=2300 * MS)
    data = f'{{"id":{number},"done":true}}'
    return toggled, made.event("RequestSaveTodo", data, cause=toggled, origin=LOGIC)


def toggle(made):
    toggled, asked = ask(made, 1)
    fields = {"cause": asked, "origin": STORE}
    saved = made.event(
        "ResponseTodo", '{"id":1,"done":true}', answers=asked, after=12 * MS, **fields
    )
    changed = made.event("TodoChanged", '{"id":1}', **fields)
    row = '{"title":"Milk","done":true}'
    made.event("ResponseTodoRow", row, cause=saved, answers=toggled, origin=LOGIC)
    made.event("ListChanged", '{"row":0}', cause=changed, origin=LOGIC)


def toggle_what_is_gone(made):
    toggled, asked = ask(made, 2)
    messages = ("No row with this id.", "It is gone.", "2")
    failed = made.fail("ResponseTodo", *messages, cause=asked, answers=asked, origin=STORE)
    made.fail("ResponseTodoRow", *messages, cause=failed, answers=toggled, origin=LOGIC)
