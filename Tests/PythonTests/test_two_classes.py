# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A context has one class for a name: a second one is refused, unless it is declared again."""

from __future__ import annotations

import importlib
import sys
import textwrap
import types
import warnings

import mainstem
import pytest
from interpreter import child
from mainstem import Context, MainstemError
from mainstem.testing import TestContext

EVENTS = """
import mainstem
from mainstem import Notice, Request, Response


@mainstem.event
class Moved(Notice):
    x: int


@mainstem.event
class ResponseRoom(Response):
    name: str


@mainstem.event
class RequestRoom(Request[ResponseRoom]):
    number: int
"""


#: Before Python 3.11, a decorated class begins at `class`, later ones at the decorator.
LATER = sys.version_info < (3, 11)
MOVED, REQUEST = 6 + LATER, 16 + LATER


def module_of(name, source=EVENTS):
    """A module of this name, made from source."""
    sys.modules[name] = made = types.ModuleType(name)
    exec(compile(source, f"{name}.py", "exec", 0, True), made.__dict__)
    return made


@pytest.fixture(autouse=True)
def forgotten_modules(monkeypatch):
    """Python 3.8 reads the annotations of a class only where `sys.modules` has its module."""
    for name in ("players", "rooms", "notebook"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))


@pytest.fixture
def modules():
    return module_of("players"), module_of("rooms")


def refused(call):
    with pytest.raises(TypeError) as raised:
        call()
    return str(raised.value)


@pytest.mark.parametrize(
    "use",
    [
        lambda context, module: context.send(module.Moved(1)),
        lambda context, module: context.send_many([module.Moved(1)]),
        lambda context, module: context.post(module.Moved(1)),
        lambda context, module: context.send_after(1, module.Moved(1)),
        lambda context, module: context.observe(module.Moved, print),
        lambda context, module: context.mailbox(module.Moved),
        lambda context, module: context.register(module.Moved),
        lambda context, module: context.keep_history(module.Moved, 1),
        lambda context, module: context.server("S", {module.Moved: print}),
    ],
)
def test_a_second_class_of_one_name_is_refused(context, modules, use):
    players, rooms = modules
    got = []
    context.observe(players.Moved, got.append)

    message = refused(lambda: use(context, rooms))

    assert message == (
        f"Moved is the name of two classes, players.Moved (players.py:{MOVED}) and rooms.Moved"
        f" (rooms.py:{MOVED}): a context has one class for a name. Give one of them another:"
        ' @mainstem.event(name="…")'
    )
    assert got == []


def test_a_second_class_with_other_fields_is_refused(context, modules):
    players, _ = modules
    other = module_of("rooms", EVENTS.replace("x: int", "y: str"))
    context.observe(players.Moved, print)

    assert f"players.py:{MOVED}" in refused(lambda: context.send(other.Moved("far")))


def test_another_modules_server_gets_no_request(context, modules):
    players, rooms = modules
    asked = []
    context.serve(players.RequestRoom, lambda room: asked.append(room), name="Rooms")

    message = refused(lambda: context.request(rooms.RequestRoom(1)))

    assert (
        f"players.RequestRoom (players.py:{REQUEST}) and rooms.RequestRoom (rooms.py:{REQUEST})"
        in message
    )
    assert asked == []


def test_a_response_of_another_module_is_no_answer(context, modules):
    players, rooms = modules
    context.serve(players.RequestRoom, lambda room: rooms.ResponseRoom("hall"), name="Rooms")

    with pytest.raises(TypeError, match="ResponseRoom is the name of two classes"):
        context.request(players.RequestRoom(1))


def test_another_name_is_the_way_out(context, modules):
    players, _ = modules
    named = EVENTS.replace(
        "@mainstem.event\nclass Moved", '@mainstem.event(name="Rooms.Moved")\nclass Moved'
    )
    rooms = module_of("rooms", named)
    got = []
    context.observe(players.Moved, got.append)
    context.observe(rooms.Moved, got.append)

    context.send(players.Moved(1))
    context.send(rooms.Moved(2))

    assert [(type(each), each.x) for each in got] == [(players.Moved, 1), (rooms.Moved, 2)]


def test_two_contexts_may_each_have_their_own(modules):
    for module in modules:
        with Context(raises=True) as context:
            context.send(module.Moved(1))


def test_the_test_kit_expects_no_object_of_another_module(modules):
    players, rooms = modules
    with TestContext() as test:
        test.send(players.Moved(1))
        assert f"rooms.py:{MOVED}" in refused(lambda: test.expect(rooms.Moved(1)))
        assert f"rooms.py:{MOVED}" in refused(lambda: test.next(rooms.Moved))
        test.skip()


# The same class, declared again


def run_cell(names, source, number):
    """What a notebook does: the cells share one module, and each is a file of its own."""
    exec(compile(textwrap.dedent(source), f"<cell {number}>", "exec", 0, True), names)


@pytest.fixture
def notebook():
    sys.modules["notebook"] = made = types.ModuleType("notebook")
    return made.__dict__


def test_a_cell_that_declares_a_class_may_run_twice(context, notebook):
    notebook["context"] = context
    run_cell(notebook, EVENTS, 1)
    run_cell(notebook, EVENTS, 2)
    run_cell(
        notebook,
        """
        got = []
        context.observe(Moved, got.append)
        context.serve(RequestRoom, lambda asked: ResponseRoom("hall"), name="Rooms")
        context.send(Moved(1))
        answer = context.request(RequestRoom(1))
        """,
        3,
    )

    assert notebook["got"] == [notebook["Moved"](1)]
    assert notebook["answer"] == notebook["ResponseRoom"]("hall")


def test_each_gets_objects_of_the_class_that_it_named_and_that_is_told(context, notebook):
    run_cell(notebook, EVENTS, 1)
    before, first, second = notebook["Moved"], [], []
    context.observe(before, first.append)
    context.serve(notebook["RequestRoom"], lambda asked: None, name="Rooms")
    run_cell(notebook, EVENTS.replace("x: int", "x: int\n    y: int = 0"), 2)
    now = notebook["Moved"]

    with pytest.warns(RuntimeWarning) as told:
        context.observe(now, second.append)
    context.send(now(1, 2))

    assert [str(each.message) for each in told] == [
        f"Moved is declared again (<cell 2>:{MOVED}). What observes or handles the one of before"
        f" (<cell 1>:{MOVED}) still gets objects of that one: run those lines again, too"
    ]
    assert first == [before(1)]
    assert second == [now(1, 2)]


def test_nothing_is_told_when_nobody_wants_the_class_of_before(context, notebook):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for number in (1, 2, 3):
            run_cell(notebook, EVENTS, number)
            context.send(notebook["Moved"](number))


def test_an_answer_may_be_of_the_class_of_before(context, notebook):
    run_cell(notebook, EVENTS, 1)
    answer = notebook["ResponseRoom"]
    context.serve(notebook["RequestRoom"], lambda asked: answer("hall"), name="Rooms")
    assert context.request(notebook["RequestRoom"](1)) == answer("hall")
    run_cell(notebook, EVENTS, 2)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        got = context.request(notebook["RequestRoom"](1))

    assert got == notebook["ResponseRoom"]("hall")
    context.observe(notebook["RequestRoom"], print)


def test_a_class_declared_again_with_another_payload_is_told(context, notebook):
    run_cell(notebook, EVENTS, 1)
    context.register(notebook["Moved"])
    run_cell(
        notebook,
        EVENTS.replace("@mainstem.event\nclass Moved", "@mainstem.event(payload=int)\nclass Moved"),
        2,
    )

    with pytest.raises(MainstemError) as raised:
        context.register(notebook["Moved"])

    assert str(raised.value) == (
        "INVALID: Moved is declared again (<cell 2>:6), with another payload, layer, record"
        f" or answer than before (<cell 1>:{MOVED}): a context keeps those of a type. Open a new"
        " context"
    )


def test_a_module_may_be_reloaded(context, tmp_path, monkeypatch):
    (tmp_path / "furniture.py").write_text(EVENTS)
    monkeypatch.syspath_prepend(tmp_path)
    furniture = importlib.import_module("furniture")
    got = []
    context.send(furniture.Moved(1))
    furniture = importlib.reload(furniture)
    context.observe(furniture.Moved, got.append)
    context.send(furniture.Moved(2))
    del sys.modules["furniture"]

    assert got == [furniture.Moved(2)]


def made(kind):
    @mainstem.event
    class Local(mainstem.Notice):
        value: kind

    return Local


def test_a_function_may_make_the_same_class_twice(context):
    first, second = [], []
    one, other = made(int), made(int)
    context.observe(one, first.append)
    with pytest.warns(RuntimeWarning, match="Local is declared again"):
        context.observe(other, second.append)

    context.send(other(1))

    assert (first, second) == ([one(1)], [other(1)])


def test_a_function_that_makes_two_classes_of_one_name_is_told(context):
    context.send(made(int)(1))

    assert "Local is the name of two classes" in refused(lambda: context.send(made(str)("a")))


def test_a_program_that_is_imported_by_what_it_imports_is_told(tmp_path):
    (tmp_path / "app.py").write_text(
        EVENTS
        + textwrap.dedent(
            """
            if __name__ == "__main__":
                import helper

                with mainstem.Context() as context:
                    helper.install(context)
                    context.send(Moved(1))
            """
        )
    )
    (tmp_path / "helper.py").write_text(
        "import app\n\n\ndef install(context):\n    context.observe(app.Moved, print)\n"
    )
    code = (
        "import runpy, sys; sys.path.insert(0, sys.argv[1]);"
        " runpy.run_module('app', None, '__main__', True)"
    )

    _, said = child(code, str(tmp_path)).communicate(timeout=60)

    last = said.strip().splitlines()[-1]
    assert last.startswith("TypeError: Moved is declared twice, as app.Moved (")
    assert last.endswith(
        "the file runs as the program and is imported as app, too. Move its events into a module"
        " that both import"
    )


CELL = """
if "cell" in globals():
    cell.end()
cell = context.scope("cell")

@cell.observe(Moved)
def show(moved: Moved):
    shown.append(moved)
"""


def test_a_cell_with_a_scope_replaces_what_it_added(context, notebook):
    notebook.update(context=context, shown=[])
    for number in (1, 3, 5):
        run_cell(notebook, EVENTS, number)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run_cell(notebook, CELL, number + 1)

    context.send(notebook["Moved"](1))

    assert notebook["shown"] == [notebook["Moved"](1)]
