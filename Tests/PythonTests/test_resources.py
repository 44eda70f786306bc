# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Resources: bytes are loaded once, shared, and kept up to a limit (A-68)."""

from __future__ import annotations

import gc
import random
import threading
from collections import OrderedDict
from typing import Any, Dict, List, Tuple

import mainstem
import pytest
from mainstem import LATER, Context, Failure, MainstemError, Notice, Request, Response, Status

BROKEN = 1500
#: What a key counts besides its bytes.
COST = 128 + len(b'{"name":"a"}')


@mainstem.event
class ResponsePicture(Response):
    pass


@mainstem.event
class RequestPicture(Request[ResponsePicture]):
    name: str


@mainstem.event
class RequestFetchPicture(Request[ResponsePicture]):
    name: str


@mainstem.event
class PictureChanged(Notice):
    name: str


class Program:
    """Pictures before a site that keeps what it is asked."""

    def __init__(
        self, limit_bytes: int = 0, record: str = "", replay: str = "", **context: Any
    ) -> None:
        self.context = Context(**context)
        if record:
            self.context.record(record)
        if replay:
            self.replay = self.context.replay(replay, verify=True)
        self.asked: List[Any] = []
        self.answers: List[Tuple[int, Any]] = []
        self.dropped: List[str] = []
        self.context.server("Site", {RequestFetchPicture: self.keep})
        self.context.observe(PictureChanged, lambda event: self.dropped.append(event.name))
        self.pictures = self.context.resources(
            "Pictures",
            RequestPicture,
            behind=RequestFetchPicture,
            drop=PictureChanged,
            limit_bytes=limit_bytes,
        )

    def keep(self, request: Any) -> Any:
        self.asked.append(request.event.retain())
        return LATER

    def ask(self, name: str, number: int = 0) -> Any:
        return self.context.request(
            RequestPicture(name),
            then=lambda answer: self.answers.append((number, self.get(name))),
            failed=lambda failure: self.answers.append((number, failure.code)),
        )

    def get(self, name: str) -> Any:
        view = self.pictures.get(RequestPicture(name))
        return None if view is None else bytes(view)

    def load(self, name: str, data: bytes) -> None:
        self.ask(name)
        self.pictures.put(self.asked[-1], data)
        assert self.answers.pop() == (0, data)

    def drop(self, name: str) -> None:
        self.context.send(PictureChanged(name))


@pytest.fixture(params=["one", "any"])
def threads(request):
    return request.param


def test_a_68_ten_requests_make_one_load(threads):
    program = Program(threads=threads)
    for number in range(10):
        program.ask("cat", number)
    assert len(program.asked) == 1

    program.pictures.put(program.asked[0], b"meow")
    assert program.answers == [(number, b"meow") for number in range(10)]
    program.ask("cat", 10)
    assert program.answers[-1] == (10, b"meow")
    assert len(program.asked) == 1


def test_a_68_the_load_is_cancelled_with_the_last_request(threads):
    program = Program(threads=threads)
    pending = [program.ask("cat", number) for number in range(10)]
    for one in pending[:9]:
        one.cancel()
    assert not program.asked[0].event.is_settled
    pending[9].cancel()
    assert program.asked[0].event.is_settled
    assert program.answers == [(number, Status.CANCELLED) for number in range(10)]
    with pytest.raises(MainstemError, match="^STALE: put: "):
        program.pictures.put(program.asked[0], b"late")
    assert program.get("cat") is None


def test_a_68_an_error_goes_to_all_that_wait():
    program = Program()
    for number in range(3):
        program.ask("cat", number)
    program.asked[0].respond(Failure("no such cat", code=BROKEN))
    assert program.answers == [(number, BROKEN) for number in range(3)]
    assert len(program.asked) == 1
    program.load("cat", b"meow")


def test_a_68_the_least_recently_used_is_dropped():
    program = Program(limit_bytes=2 * (COST + 10))
    program.load("a", b"a" * 10)
    program.load("b", b"b" * 10)
    program.ask("a")
    program.load("c", b"c" * 10)
    program.context.drain()
    assert program.dropped == ["b"]
    assert [program.get(name) is None for name in "abc"] == [False, True, False]


def test_bytes_stay_as_long_as_they_are_used():
    program = Program()
    program.load("cat", b"meow")
    view = program.pictures.get(b'{"name":"cat"}')
    assert view is not None and view.readonly and view.nbytes == 4
    part = view[1:]
    program.drop("cat")
    del view
    gc.collect()
    assert program.get("cat") is None
    program.context.close()
    assert bytes(part) == b"eow"
    with pytest.raises(MainstemError, match="STALE"):
        program.pictures.get(b"")


def test_a_picture_may_be_empty():
    program = Program()
    program.load("nothing", b"")
    assert program.pictures.get(RequestPicture("nothing")) == b""


def test_a_handler_puts_at_once():
    with Context() as context:
        got = []

        @context.serve(RequestFetchPicture)
        def fetch(request: RequestFetchPicture) -> None:
            pictures.put(request, bytearray(request.name.encode()))

        pictures = context.resources(
            "Pictures", RequestPicture, behind=RequestFetchPicture, drop=PictureChanged
        )
        context.request(
            RequestPicture("cat"), then=lambda answer: got.append(pictures.get(answer_key))
        )
        assert [bytes(view) for view in got] == [b"cat"]


answer_key = RequestPicture("cat")


def test_another_thread_puts():
    program = Program()
    program.ask("cat")
    thread = threading.Thread(target=program.pictures.put, args=(program.asked[0], b"far"))
    thread.start()
    thread.join()
    program.context.drain()
    assert program.answers == [(0, b"far")]


def test_types_may_be_named():
    with Context() as context:
        context.add_type("ResponseFile")
        context.add_type("RequestFile", str, response="ResponseFile")
        context.add_type("RequestReadFile", str, response="ResponseFile")
        context.add_type("FileChanged", str)
        files = context.resources(
            "Files", "RequestFile", behind="RequestReadFile", drop="FileChanged"
        )

        def read(event: Any) -> None:
            files.put(event, event.data.upper())

        context.server("Disk", {"RequestReadFile": read})
        context.request("RequestFile", "a.txt", then=lambda event: None)
        assert files.get("a.txt") == b"A.TXT"
        assert files.get("b.txt") is None


def test_mistakes_are_refused():
    program = Program()
    with pytest.raises(MainstemError, match="is not another request with the same payload"):
        program.context.resources("B", RequestPicture, behind=RequestPicture, drop=PictureChanged)
    with pytest.raises(ValueError, match="limit is -1"):
        program.context.resources(
            "B", RequestPicture, behind=RequestFetchPicture, drop=PictureChanged, limit=-1
        )
    program.ask("cat")
    with pytest.raises(TypeError):
        program.pictures.put(program.asked[0], 5)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        program.pictures.get(5.5j)


def act(program: Program) -> None:
    program.load("a", b"a" * 10)
    program.load("b", b"b" * 10)
    program.load("c", b"c" * 10)
    program.context.drain()
    program.ask("a")
    program.drop("a")
    program.pictures.put(program.asked[3], b"A")
    assert program.dropped == ["a", "a"]


def test_a_session_with_evictions_is_verified(tmp_path):
    path, limit = tmp_path / "session.journal", 2 * (COST + 10)
    program = Program(limit, record=str(path))
    act(program)
    program.context.close()
    assert b"bbbbbbbbbb" not in path.read_bytes()

    program = Program(limit, replay=str(path))
    with program.context, program.replay as replay:
        replay.to_end()
        assert replay.info.whole
        assert program.dropped == ["a", "a"]
        assert program.get("c") is None


class Model:
    """What resources do, said as simply as possible."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.kept: Dict[str, bytes] = OrderedDict()
        self.due: Dict[str, bytes] = {}
        self.loads: Dict[str, List[Any]] = {}  # place in asked, those who wait, whether dropped
        self.posts: List[str] = []
        self.leaving: Dict[str, bytes] = {}  # dropped while loading, until the next event
        self.asked: List[str] = []
        self.answers: List[Tuple[int, Any]] = []
        self.dropped: List[str] = []

    def ask(self, name: str, number: int) -> None:
        self.leaving = {}
        if name in self.due:
            self.answers.append((number, self.due[name]))
        elif name in self.kept:
            self.kept[name] = self.kept.pop(name)
            self.answers.append((number, self.kept[name]))
        else:
            if name not in self.loads:
                self.loads[name] = [len(self.asked), [], False]
                self.asked.append(name)
            self.loads[name][1].append(number)

    def cancel(self, number: int) -> None:
        for name, (_, waiting, _) in self.loads.items():
            if number in waiting:
                waiting.remove(number)
                self.answers.append((number, Status.CANCELLED))
                if not waiting:
                    del self.loads[name]
                return

    def end(self, index: int, answer: Any) -> None:
        name = next(name for name, load in self.loads.items() if load[0] == index)
        _, waiting, is_dropped = self.loads.pop(name)
        self.answers += [(number, answer) for number in waiting]
        self.leaving = {name: answer} if is_dropped and answer != BROKEN else {}
        if answer == BROKEN or is_dropped:
            return
        self.kept[name] = answer
        while sum(COST + len(data) for data in self.kept.values()) > self.limit:
            oldest = next(iter(self.kept))
            self.due[oldest] = self.kept.pop(oldest)
            self.posts.append(oldest)

    def drop(self, name: str) -> None:
        self.dropped.append(name)
        self.leaving = {}
        self.kept.pop(name, None)
        self.due.pop(name, None)
        if name in self.loads:
            self.loads[name][2] = True

    def drain(self) -> None:
        for name in self.posts:
            self.drop(name)
        self.posts = []

    def get(self, name: str) -> Any:
        return self.kept.get(name, self.due.get(name, self.leaving.get(name)))


@pytest.mark.parametrize("seed", range(60))
def test_random_sessions_go_as_the_model_says(seed, tmp_path):
    draw = random.Random(seed)
    limit = draw.randrange(1, 4 * COST)
    path = str(tmp_path / "session.journal") if seed % 3 == 0 else ""
    program, model = Program(limit, record=path), Model(limit)
    pending: List[Any] = []
    for _ in range(120):
        what, name = draw.choice("aaaaaeeeeefcdw"), draw.choice("abcdef")
        open_ones = [place for place, _, _ in model.loads.values()]
        if what == "a":
            pending.append(program.ask(name, len(pending)))
            model.ask(name, len(pending) - 1)
        elif what == "c" and pending:
            number = draw.randrange(len(pending))
            pending[number].cancel()
            model.cancel(number)
        elif what == "d":
            program.drop(name)
            model.drop(name)
        elif what == "w":
            program.context.drain()
            model.drain()
        elif open_ones and what == "e":
            place, data = draw.choice(open_ones), bytes(draw.randrange(COST))
            program.pictures.put(program.asked[place], data)
            model.end(place, data)
        elif open_ones and what == "f":
            place = draw.choice(open_ones)
            program.asked[place].respond(Failure("failed", code=BROKEN))
            model.end(place, BROKEN)
        assert program.answers == model.answers
        assert [kept.value.name for kept in program.asked] == model.asked
        assert program.dropped == model.dropped
        assert [program.get(name) for name in "abcdef"] == [model.get(name) for name in "abcdef"]
    program.context.close()
    if path:
        program = Program(limit, replay=path)
        with program.context, program.replay as replay:
            replay.to_end()
            assert replay.info.whole
