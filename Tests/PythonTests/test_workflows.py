# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Workflows: steps in order, at the same time, again, undone, with a time of their own. A-70."""

from __future__ import annotations

import gc

import mainstem
import pytest
from mainstem import SKIP, Failure, MainstemError, Request, Response, Status, Step
from mainstem._library import _callbacks


@mainstem.event
class ResponseTrip(Response):
    seat: str
    room: int


@mainstem.event
class RequestTrip(Request[ResponseTrip]):
    who: str


@mainstem.event
class ResponseFlight(Response):
    seat: str


@mainstem.event
class RequestFlight(Request[ResponseFlight]):
    who: str


@mainstem.event
class ResponseHotel(Response):
    room: int


@mainstem.event
class RequestHotel(Request[ResponseHotel]):
    near: str


@mainstem.event
class ResponseDone(Response):
    pass


@mainstem.event
class RequestNoFlight(Request[ResponseDone]):
    seat: str


@mainstem.event(payload=int)
class ResponseNumber(Response):
    number: int


@mainstem.event(payload=int)
class RequestNumber(Request[ResponseNumber]):
    number: int


FLIGHT = Step(
    RequestFlight,
    lambda run: RequestFlight(run.request.who),
    undo=RequestNoFlight,
    make_undo=lambda run: RequestNoFlight(run.answer_to(RequestFlight).seat),
)
HOTEL = Step(RequestHotel, lambda run: RequestHotel(run.answers[0].seat), timeout=5)


def finish(run):
    return ResponseTrip(run.answer_to(RequestFlight).seat, run.answer_to(RequestHotel).room)


class Site:
    """Answers flights at once, and keeps requests for rooms."""

    def __init__(self):
        self.log, self.kept = [], []

    @mainstem.handles(RequestFlight)
    def book(self, request):
        self.log.append(f"flight {request.who}")
        return ResponseFlight("7A")

    @mainstem.handles(RequestNoFlight)
    def cancel(self, request):
        self.log.append(f"no flight {request.seat}")
        if request.seat == "stuck":
            raise Failure("too late")
        return ResponseDone()

    @mainstem.handles(RequestHotel)
    def room(self, request):
        self.log.append(f"hotel {request.near}")
        self.kept.append(request.retain())
        return mainstem.LATER


@pytest.fixture
def virtual():
    before = _callbacks.kept()
    with mainstem.Context(clock="virtual", raises=True) as made:
        yield made
    gc.collect()
    assert _callbacks.kept() == before


def opened(context, *steps, **options):
    site = Site()
    context.install(site)
    workflow = context.workflow("Trips", RequestTrip, steps, **{"finish": finish, **options})
    return site, workflow


def ask(context, answers):
    return context.request(RequestTrip("Ada"), then=answers.append, failed=answers.append)


def test_a_70_steps_come_in_order(virtual):
    answers, lines = [], []
    site, _ = opened(virtual, FLIGHT, HOTEL)
    virtual.trace(lines.append)
    ask(virtual, answers)
    assert site.log == ["flight Ada", "hotel 7A"]
    site.kept[0].respond(ResponseHotel(12))
    virtual.drain()
    assert answers == [ResponseTrip("7A", 12)]
    assert [line.split()[1] for line in lines] == [
        "RequestTrip",
        "RequestFlight",
        "ResponseFlight",
        "RequestHotel",
        "ResponseHotel",
        "ResponseTrip",
    ]


def test_a_70_a_failure_undoes_in_reverse(virtual):
    answers = []
    second = Step(
        RequestFlight,
        lambda run: RequestFlight("Bob"),
        undo=RequestNoFlight,
        make_undo=lambda run: RequestNoFlight("7B"),
    )
    site, _ = opened(virtual, FLIGHT, second, HOTEL)
    ask(virtual, answers)
    site.kept[0].respond(Failure("no room", code=1003, user_message="Full.", subject="room"))
    virtual.drain()
    assert site.log[2:] == ["hotel 7A", "no flight 7B", "no flight 7A"]
    (failure,) = answers
    assert (failure.code, failure.message, failure.text) == (1003, "no room", "Full.")
    assert failure.subject == "room"


def test_a_70_a_step_has_its_time(virtual):
    answers = []
    site, _ = opened(virtual, FLIGHT, HOTEL)
    ask(virtual, answers)
    virtual.advance(4.999)
    assert answers == []
    virtual.advance(0.001)
    assert answers[0].status == Status.TIMEOUT
    assert site.log == ["flight Ada", "hotel 7A", "no flight 7A"]


def test_retries_wait_longer_each_time(virtual):
    answers = []
    again = Step(
        RequestHotel,
        lambda run: RequestHotel("x"),
        timeout=1,
        retries=2,
        backoff=0.5,
        parallel=True,
    )
    site, _ = opened(virtual, FLIGHT, again)
    ask(virtual, answers)
    seen = []
    for tenth in range(50):
        virtual.advance(0.1)
        if len(site.kept) > len(seen) + 1:
            seen.append(tenth + 1)
    assert seen == [15, 35]  # 1 + 0.5, then 1 + 1
    assert answers[0].status == Status.TIMEOUT


def test_a_70_parallel_steps_are_joined(virtual):
    answers = []
    room = Step(RequestHotel, lambda run: RequestHotel("x"))
    beside = Step(RequestHotel, lambda run: RequestHotel("y"), parallel=True)
    site, _ = opened(virtual, FLIGHT, room, beside)
    ask(virtual, answers)
    assert site.log == ["flight Ada", "hotel x", "hotel y"]
    site.kept[1].respond(ResponseHotel(2))
    virtual.drain()
    assert answers == []
    site.kept[0].respond(ResponseHotel(1))
    virtual.drain()
    assert answers == [ResponseTrip("7A", 2)]  # the last step's


def test_a_step_may_be_left_out(virtual):
    answers = []
    none = Step(RequestHotel, lambda run: SKIP)
    opened(virtual, FLIGHT, none, finish=lambda run: ResponseTrip(str(run.answers[1]), 0))
    ask(virtual, answers)
    assert answers == [ResponseTrip("None", 0)]
    assert repr(SKIP) == "mainstem.SKIP"


def test_a_cancelled_request_is_undone(virtual):
    answers = []
    site, _ = opened(virtual, FLIGHT, HOTEL)
    pending = ask(virtual, answers)
    pending.cancel()
    assert answers[0].status == Status.CANCELLED
    assert site.log == ["flight Ada", "hotel 7A", "no flight 7A"]


def test_an_undo_that_fails_is_told(virtual):
    answers, reports = [], []
    stuck = Step(
        RequestFlight,
        lambda run: RequestFlight("Bob"),
        undo=RequestNoFlight,
        make_undo=lambda run: RequestNoFlight("stuck"),
    )
    site, _ = opened(virtual, stuck, HOTEL)
    virtual.observe(mainstem.MainstemFailure, reports.append)
    ask(virtual, answers)
    site.kept[0].respond(Failure("no room"))
    virtual.drain()
    assert answers[0].message == "no room; not undone: RequestNoFlight"
    sentence = "no room; not undone: RequestNoFlight"
    assert [(report.origin, report.sentence) for report in reports] == [("Trips", sentence)]


def test_a_failure_of_a_function_is_the_steps(virtual):
    answers = []

    def fail(run):
        raise Failure("no plan", code=1009)

    site, _ = opened(virtual, FLIGHT, Step(RequestHotel, fail))
    ask(virtual, answers)
    assert (answers[0].code, answers[0].message) == (1009, "no plan")
    assert site.log == ["flight Ada", "no flight 7A"]


@pytest.mark.parametrize(
    "make, kind, message",
    [
        (
            lambda run: None,
            TypeError,
            "the function of RequestHotel returned None: return it, or mainstem.SKIP",
        ),
        (lambda run: RequestFlight("x"), TypeError, "RequestHotel"),
        (lambda run: 1 // 0, ZeroDivisionError, "division"),
        (lambda run: run.answer_to(RequestHotel), LookupError, "RequestHotel has no answer"),
    ],
)
def test_an_exception_is_raised_and_fails_the_step(virtual, make, kind, message):
    answers = []
    opened(virtual, FLIGHT, Step(RequestHotel, make))
    with pytest.raises(kind, match=message):
        ask(virtual, answers)
    assert answers[0].code == Status.APP
    assert kind.__name__ in answers[0].message


def test_types_may_be_names(virtual):
    virtual.add_type("ResponseText", str)
    for name in ("RequestAll", "RequestOne", "RequestUndo"):
        virtual.add_type(name, str, response="ResponseText")
    log = []
    virtual.serve("RequestOne", lambda event: log.append(event.text) or "done", name="One")
    virtual.workflow(
        "All",
        "RequestAll",
        [Step("RequestOne"), Step("RequestOne", lambda run: run.answer_to("RequestOne").text)],
    )
    assert virtual.request("RequestAll", "x").text == "done"
    assert log == ["x", "done"]
    assert repr(Step("RequestOne")) == "Step(RequestOne)"
    assert repr(FLIGHT) == "Step(RequestFlight)"


def test_its_end_cancels_what_is_open(virtual):
    answers = []
    site, workflow = opened(virtual, FLIGHT, HOTEL)
    ask(virtual, answers)
    workflow.end()
    assert answers[0].status == Status.CANCELLED
    assert site.log == ["flight Ada", "hotel 7A"]


def test_more_than_its_limit_is_full(virtual):
    answers = []
    opened(virtual, FLIGHT, HOTEL, limit=1)
    ask(virtual, answers)
    ask(virtual, answers)
    assert answers[0].status == Status.FULL


def test_what_it_gets_is_over_with_the_function(virtual):
    runs, answers = [], []
    opened(virtual, FLIGHT, Step(RequestHotel, lambda run: runs.append(run) or SKIP))
    with pytest.raises(LookupError):
        ask(virtual, answers)  # `finish` wants a room
    assert runs[0].request.who == "Ada"
    with pytest.raises(RuntimeError, match="its callback is over"):
        runs[0].request.respond(ResponseTrip("7A", 0))


@pytest.mark.parametrize(
    "make, kind, message",
    [
        (lambda: Step(RequestHotel, retries=-1), ValueError, "retries is -1: it is at least 0"),
        (lambda: Step(RequestHotel, HOTEL.make, timeout=-1), MainstemError, "timeout_ms"),
        (lambda: Step(RequestHotel, HOTEL.make, backoff=1), MainstemError, "backoff_ms"),
        (lambda: Step(RequestNumber), MainstemError, "rows.fn"),
        (lambda: RequestHotel, TypeError, "is not a mainstem.Step"),
    ],
)
def test_mistakes_are_refused(virtual, make, kind, message):
    with pytest.raises(kind, match=message):
        opened(virtual, make())


def test_async_functions_are_refused():
    async def make(run):
        return SKIP

    with pytest.raises(TypeError, match="make="):
        Step(RequestHotel, make)


def test_a_replay_makes_the_same(tmp_path):
    path = str(tmp_path / "trips.journal")
    with mainstem.Context(clock="virtual", raises=True) as context:
        context.record(path)
        site, _ = opened(context, FLIGHT, HOTEL)
        answers = []
        ask(context, answers)
        site.kept[0].respond(ResponseHotel(1))
        context.drain()
        ask(context, answers)
        context.advance(5)
        assert len(answers) == 2
    with mainstem.Context(clock="virtual", raises=True) as context:
        with context.replay(path, verify=True) as replay:
            again, _ = opened(context, FLIGHT, HOTEL)
            replay.to_end()
            assert replay.info.ended
        assert again.log == site.log
