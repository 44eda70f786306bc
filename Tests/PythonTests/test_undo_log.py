# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Undo logs: commands with what undoes them, in order, and what a view shows."""

from __future__ import annotations

import contextlib
import gc
import json

import mainstem
import pytest
from mainstem import SKIP, Failure, MainstemError, Notice, Request, Response, Status, Step
from mainstem._library import _callbacks


@mainstem.event
class ResponseAdd(Response):
    id: int


@mainstem.event
class RequestAdd(Request[ResponseAdd]):
    title: str


@mainstem.event
class ResponseDone(Response):
    pass


@mainstem.event
class RequestRemove(Request[ResponseDone]):
    id: int


@mainstem.event
class RequestToggle(Request[ResponseDone]):
    id: int


@mainstem.event
class RequestUndo(Request[ResponseDone]):
    pass


@mainstem.event
class RequestRedo(Request[ResponseDone]):
    pass


@mainstem.event
class AddTwo(Notice):
    first: str
    second: str


ADD = Step(
    RequestAdd,
    undo=RequestRemove,
    make_undo=lambda run: RequestRemove(run.answer_to(RequestAdd).id),
)
TOGGLE = Step(RequestToggle, undo=RequestToggle)


class Todos:
    def __init__(self):
        self.titles, self.done, self.broken = {}, set(), False

    @mainstem.handles(RequestAdd)
    def add(self, request):
        number = len(self.titles) + 1
        self.titles[number] = request.title
        return ResponseAdd(number)

    @mainstem.handles(RequestRemove)
    def remove(self, request):
        if self.broken or self.titles[request.id] == "stuck":
            raise Failure("the disk is gone", code=1007)
        del self.titles[request.id]
        return ResponseDone()

    @mainstem.handles(RequestToggle)
    def toggle(self, request):
        self.done ^= {request.id}
        return ResponseDone()


def install(context, *commands, **options):
    todos = Todos()
    context.install(todos)

    @context.observe(AddTwo)
    def add_two(event):
        for title in (event.first, event.second):
            with contextlib.suppress(MainstemError):  # A muted replay refuses it.
                context.request(RequestAdd(title), then=lambda answer: None, failed=lambda f: None)

    names = {"undo": RequestUndo, "redo": RequestRedo, "shown": "Undoable", **options}
    log = context.undo_log("Undo", commands or (ADD, TOGGLE), **names)
    return todos, log


@pytest.fixture
def context():
    before = _callbacks.kept()
    with mainstem.Context(clock="virtual", raises=True) as made:
        yield made
    gc.collect()
    assert _callbacks.kept() == before


def test_a_command_is_undone_and_done_again(context):
    shown = []
    todos, _ = install(context)
    context.observe("Undoable", lambda event: shown.append(json.loads(event.text)))
    context.request(RequestAdd("milk"))
    context.request(RequestToggle(1))
    assert todos.done == {1}
    assert shown[-1] == {"undo": "RequestToggle", "redo": "", "count": 2}
    context.request(RequestUndo())
    context.request(RequestUndo())
    assert (todos.titles, todos.done) == ({}, set())
    assert shown[-1] == {"undo": "", "redo": "RequestAdd", "count": 0}
    context.request(RequestRedo())
    assert todos.titles == {1: "milk"}
    assert shown[-1] == {"undo": "RequestAdd", "redo": "RequestToggle", "count": 1}


def test_what_one_event_caused_is_one_step(context):
    todos, _ = install(context)
    context.send(AddTwo("milk", "bread"))
    assert len(todos.titles) == 2
    context.request(RequestUndo())
    assert todos.titles == {}
    with pytest.raises(Failure, match="there is nothing to undo") as caught:
        context.request(RequestUndo())
    assert caught.value.status is Status.UNSET


def test_an_undo_that_fails_stays(context):
    todos, _ = install(context)
    context.request(RequestAdd("milk"))
    todos.broken = True
    with pytest.raises(Failure, match="the disk is gone"):
        context.request(RequestUndo())
    todos.broken = False
    context.request(RequestUndo())
    assert todos.titles == {}


def test_a_function_may_leave_a_command_out(context):
    seen = []

    def make(run):
        seen.append((run.request, run.answers))
        return SKIP

    todos, _ = install(context, Step(RequestAdd, undo=RequestRemove, make_undo=make))
    context.request(RequestAdd("milk"))
    assert seen == [(RequestAdd("milk"), [ResponseAdd(1)])]
    with pytest.raises(Failure, match="nothing to undo"):
        context.request(RequestUndo())


def test_a_function_that_raises_empties_the_log():
    def make(run):
        raise Failure("no id", code=1008)

    reports = []
    with mainstem.Context(clock="virtual") as context:
        context.observe(mainstem.MainstemFailure, reports.append)
        install(context, TOGGLE, Step(RequestAdd, undo=RequestRemove, make_undo=make))
        context.request(RequestToggle(1))
        context.request(RequestAdd("milk"))
        with pytest.raises(Failure, match="nothing to undo"):
            context.request(RequestUndo())
    assert [report.message for report in reports] == ["the undo log is empty now: no id"]


def test_the_oldest_step_is_forgotten(context):
    todos, _ = install(context, limit=1)
    context.request(RequestAdd("milk"))
    context.request(RequestAdd("bread"))
    context.request(RequestUndo())
    with pytest.raises(Failure, match="nothing to undo"):
        context.request(RequestUndo())
    assert todos.titles == {1: "milk"}


def test_its_end_ends_it(context):
    _, log = install(context)
    context.request(RequestAdd("milk"))
    log.end()
    with pytest.raises(Failure) as caught:
        context.request(RequestUndo())
    assert caught.value.status is Status.UNHANDLED


def session(path):
    with mainstem.Context(clock="virtual") as context:
        context.record(path)
        install(context)
        context.request(RequestAdd("milk"))
        context.send(AddTwo("bread", "jam"))
        context.request(RequestUndo())
        context.request(RequestRedo())
        context.request(RequestAdd("stuck"))
        context.request(RequestUndo(), then=lambda answer: None, failed=lambda failure: None)
        shown = []
        context.observe("Undoable", lambda event: shown.append(json.loads(event.text)))
        return shown[-1]


def test_a_session_with_undos_verifies(tmp_path):
    path = tmp_path / "undo.journal"
    session(path)
    with mainstem.Context(clock="virtual") as context:
        with context.replay(path, verify=True) as replay:
            todos, _ = install(context)
            replay.to_end()
            assert replay.info.ended
        assert len(todos.titles) == 4
        todos.titles[4] = "free"
        context.request(RequestUndo())
        context.request(RequestUndo())
        assert todos.titles == {1: "milk"}


def test_a_muted_replay_shows_the_value(tmp_path):
    path = tmp_path / "undo.journal"
    last = session(path)
    shown = []
    with mainstem.Context(clock="virtual") as context, context.replay(path) as replay:
        todos, _ = install(context)
        context.observe("Undoable", lambda event: shown.append(json.loads(event.text)))
        replay.to_end()
        assert shown[-1] == last
        assert todos.titles == {}


def test_mistakes_are_refused(context):
    names = {"undo": RequestUndo, "redo": RequestRedo, "shown": "Undoable"}
    with pytest.raises(TypeError, match=r"undo_log: Step\(RequestAdd\) has no undo="):
        context.undo_log("Undo", [Step(RequestAdd)], **names)
    with pytest.raises(TypeError, match="has more than undo= and make_undo="):
        context.undo_log("Undo", [Step(RequestToggle, undo=RequestToggle, retries=1)], **names)
    with pytest.raises(TypeError, match="is not a mainstem.Step"):
        context.undo_log("Undo", [RequestAdd], **names)
    with pytest.raises(MainstemError, match="an undo log keeps commands"):
        context.undo_log("Undo", [], **names)
    with pytest.raises(MainstemError, match="RequestAdd"):
        context.undo_log("Undo", [ADD], **{**names, "shown": "RequestAdd"})
    with pytest.raises(MainstemError, match="is not set, and the payload passed on would not fit"):
        context.add_type("RequestNumber", int, response="ResponseDone")
        context.undo_log("Undo", [Step(RequestToggle, undo="RequestNumber")], **names)
