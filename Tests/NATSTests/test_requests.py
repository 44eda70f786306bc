# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Requests that are answered elsewhere: what arrives, what does not, and what each side is told."""

from __future__ import annotations

from random import Random

import mainstem
import pytest
from asking import (
    PATIENCE,
    Asked,
    RequestTotal,
    ResponseTotal,
    Step,
    context,
    echo,
    keeping,
    pair,
    until,
)
from mainstem import Failure, MainstemError, Status, nats
from servers import free_port
from strange import Mangler, Strange


def test_a_request_is_answered_elsewhere(server):
    with pair(server.url, echo) as both:
        assert both.answer(b"milk") == ResponseTotal(b"milk")
        assert both.answer(b"") == ResponseTotal(b"")
        assert both.answer(b"\0\xff") == ResponseTotal(b"\0\xff")
        for stats in (both.forward.stats, both.serving.stats):
            assert (stats.state, stats.entries, stats.bytes, stats.begun) == ("running", 3, 12, 1)
            assert (stats.open, stats.refused, stats.lost, stats.left_out) == (0, 0, 0, 0)


def test_a_failure_arrives_whole(server):
    def refuse(request):
        raise Failure("no milk", user_message="Kein Käse.", code=1003, subject="7")

    with pair(server.url, refuse) as both:
        failure = both.answer(b"milk")
    assert failure == Failure("no milk", user_message="Kein Käse.", code=1003, subject="7")


def test_nobody_serves(server):
    """Neither at all, nor in the context that serves."""
    with context() as here, nats.forward(here, RequestTotal, server.url) as forward:
        asked = Asked(here, RequestTotal(b""))
        until(lambda: asked.answers, here)
        assert asked.failure.status == Status.UNHANDLED
        assert "nobody serves $MAINSTEM.request.mainstem.RequestTotal" in str(asked.failure)
        with context() as there, nats.serve(there, RequestTotal, server.url) as serving:
            serving.flush(PATIENCE)
            asked = Asked(here, RequestTotal(b""))
            until(lambda: asked.answers, here, there)
            assert asked.failure.status == Status.UNHANDLED
        assert forward.stats.entries == 2


def test_progress_passes_in_order(server):
    def count(request):
        for number in range(2000):
            request.event.progress(Step(number))
        return ResponseTotal(b"done")

    with pair(server.url, count) as both:
        asked = both.ask(b"")
        both.until(lambda: asked.answers)
        assert asked.steps == list(range(2000))
        assert asked.answers == [ResponseTotal(b"done")]


def test_large_payloads_pass_up_to_what_the_server_takes(server):
    most = 1 << 20
    with pair(server.url, lambda request: ResponseTotal(b"a" * int(request.what))) as both:
        assert both.answer(b"%d" % most) == ResponseTotal(b"a" * most)
        failure = both.answer(b"%d" % (most + 1))
        assert failure.status == Status.TOO_BIG and "1048577" in str(failure)
        assert both.serving.stats.left_out == 1
    with pair(server.url, echo) as both:
        assert both.answer(b"q" * most) == ResponseTotal(b"q" * most)
        failure = both.answer(b"q" * (most + 1))
        assert failure.status == Status.TOO_BIG and "1048577" in str(failure)
        assert both.answer(b"again") == ResponseTotal(b"again")


@pytest.mark.parametrize("size", [(1 << 20) - 30, 1 << 20])
def test_a_failure_whose_texts_are_too_large(server, size):
    """Its headers count, too."""

    def refuse(request):
        raise Failure("x" * size)

    with pair(server.url, refuse) as both:
        assert both.answer(b"").status == Status.TOO_BIG
        assert both.serving.stats.begun == 1


def test_a_cancel_reaches_who_works_on_it(server):
    keep = keeping()
    with pair(server.url, keep) as both:
        kept, other = both.ask(b"kept"), both.ask(b"other")
        both.until(lambda: len(keep.kept) == 2)
        assert both.forward.stats.open == both.serving.stats.open == 2
        kept.pending.cancel()
        both.until(lambda: keep.settled)
        assert keep.settled == [b"kept"] and kept.failure.status == Status.CANCELLED
        keep.kept[1].respond(ResponseTotal(b"late"))
        both.until(lambda: other.answers)
        assert other.answers == [ResponseTotal(b"late")]
        assert both.forward.stats.open == both.serving.stats.open == 0
        assert both.forward.stats.refused == both.serving.stats.refused == 0


def test_the_asker_has_no_more_time(server):
    keep = keeping()
    with pair(server.url, keep) as both:
        asked = both.ask(b"slow", timeout=0.1)
        both.until(lambda: keep.settled)
        assert asked.failure.status == Status.TIMEOUT


def test_the_bridge_has_no_more_time(server):
    """Who asks set no limit; the other side is told how long it has."""
    keep = keeping()
    with pair(server.url, keep, timeout=0.2) as both:
        asked = both.ask(b"slow")
        both.until(lambda: asked.answers and keep.settled)
        assert asked.failure.status == Status.TIMEOUT
        until(lambda: both.serving.stats.open == 0, both.there)
        assert both.there.stats().requests == 0


def test_who_serves_has_a_limit_of_its_own(server):
    keep = keeping()
    with context() as here, context() as there, nats.forward(
        here, RequestTotal, server.url
    ), nats.serve(there, RequestTotal, server.url, timeout=0.1) as serving:
        serving.flush(PATIENCE)
        there.serve(RequestTotal, keep)
        asked = Asked(here, RequestTotal(b"slow"))
        until(lambda: asked.answers, here, there)
        assert asked.failure.status == Status.TIMEOUT and keep.settled == [b"slow"]


@pytest.mark.parametrize("other", ["request", "response", "secret"])
def test_contracts_that_differ_are_refused(server, other):
    with mainstem.Context() as there, context() as here:
        kinds = {"request": (str, bytes), "response": (bytes, int), "secret": (bytes, bytes)}[other]
        there.add_type("RequestTotal", kinds[0], response="ResponseTotal", secret=other == "secret")
        there.add_type("ResponseTotal", kinds[1])
        there.serve("RequestTotal", lambda request: "")
        with nats.serve(there, "RequestTotal", server.url) as serving, nats.forward(
            here, RequestTotal, server.url
        ):
            serving.flush(PATIENCE)
            asked = Asked(here, RequestTotal(b""))
            until(lambda: asked.answers, here, there)
            assert asked.failure.status == Status.INVALID
            assert "RequestTotal: the contracts" in str(asked.failure)
            assert serving.stats.refused == 1 and there.stats().events == 0


def test_layer_and_recording_are_each_context_s_own(server):
    with mainstem.Context() as there, context() as here:
        there.add_type("RequestTotal", bytes, response="ResponseTotal", layer="view", record="mark")
        there.add_type("ResponseTotal", bytes)
        there.serve("RequestTotal", lambda request: b"yes")
        with nats.serve(there, "RequestTotal", server.url) as serving, nats.forward(
            here, RequestTotal, server.url
        ):
            serving.flush(PATIENCE)
            asked = Asked(here, RequestTotal(b""))
            until(lambda: asked.answers, here, there)
            assert asked.answers == [ResponseTotal(b"yes")]


def test_closing_a_forward_answers_and_tells(server):
    keep = keeping()
    with pair(server.url, keep) as both:
        asked = [both.ask(b"%d" % number) for number in range(10)]
        both.until(lambda: len(keep.kept) == 10)
        both.forward.close()
        both.here.drain()
        assert [each.failure.status for each in asked] == [Status.CANCELLED] * 10
        until(lambda: len(keep.settled) == 10, both.there)
        asked = both.ask(b"nobody")
        assert asked.failure.status == Status.UNHANDLED


def test_closing_who_serves_answers(server):
    keep = keeping()
    with pair(server.url, keep) as both:
        asked = [both.ask(b"%d" % number) for number in range(10)]
        both.until(lambda: len(keep.kept) == 10)
        both.serving.close()
        until(lambda: all(each.answers for each in asked), both.here)
        assert [each.failure.status for each in asked] == [Status.CANCELLED] * 10
        assert both.there.stats().requests == 0
        assert both.answer(b"nobody").status == Status.UNHANDLED


def test_closing_who_serves_answers_also_what_it_has_not_taken_in(server):
    with pair(server.url, echo) as both:
        asked = both.ask(b"")
        until(lambda: both.serving.stats.open, both.here)
        both.serving.close()
        until(lambda: asked.answers, both.here)
        assert asked.failure.status == Status.CANCELLED


def test_a_context_that_closes_first_stops_its_bridge(server):
    keep = keeping()
    here, there = context(), context()
    there.serve(RequestTotal, keep)
    serving = nats.serve(there, RequestTotal, server.url)
    forward = nats.forward(here, RequestTotal, server.url)
    serving.flush(PATIENCE)
    one = Asked(here, RequestTotal(b"one"))
    until(lambda: keep.kept, here, there)
    here.close()
    assert one.failure.status == Status.CANCELLED
    until(lambda: keep.settled, there)
    until(lambda: forward.stats.state == "stopped")
    assert forward.stats.status == Status.STALE and "context" in forward.stats.message
    with pytest.raises(MainstemError, match="STALE"):
        forward.flush(PATIENCE)
    forward.close()
    with context() as other, nats.forward(other, RequestTotal, server.url):
        two = Asked(other, RequestTotal(b"two"))
        until(lambda: len(keep.kept) == 2, other, there)
        there.close()
        until(lambda: two.answers, other)
        assert two.failure.status == Status.CANCELLED
        until(lambda: serving.stats.state == "stopped")
    serving.close()


def test_the_end_of_a_scope_stops_the_bridges_of_it(server):
    keep = keeping()
    with context() as here, context() as there:
        there.serve(RequestTotal, keep)
        part, other = here.scope("Part"), there.scope("Other")
        serving = nats.serve(other, RequestTotal, server.url)
        forward = nats.forward(part, RequestTotal, server.url)
        serving.flush(PATIENCE)
        asked = Asked(here, RequestTotal(b"one"))
        until(lambda: keep.kept, here, there)
        other.end()
        until(lambda: asked.answers, here)
        assert asked.failure.status == Status.CANCELLED
        part.end()
        until(lambda: {forward.stats.state, serving.stats.state} == {"stopped"})
        forward.close()
        serving.close()
        assert here.first_error() is None and there.first_error() is None


def test_a_window_that_is_full_refuses(server):
    keep = keeping()
    with pair(server.url, keep, window=2) as both, context() as other:
        asked = [both.ask(b"%d" % number) for number in range(3)]
        both.until(lambda: asked[2].answers and len(keep.kept) == 2)
        assert asked[2].failure.status == Status.FULL and "2 requests" in str(asked[2].failure)
        with nats.forward(other, RequestTotal, server.url):
            asked[2] = Asked(other, RequestTotal(b"3"))
            until(lambda: asked[2].answers, other)
        assert asked[2].failure.status == Status.FULL and "too many" in str(asked[2].failure)
        for each in keep.kept:
            each.respond(ResponseTotal(b""))
        both.until(lambda: asked[0].answers and asked[1].answers)


def test_a_context_that_has_no_room_refuses(server):
    with context() as here, context(limits=mainstem.Limits(posts=1)) as there:
        there.serve(RequestTotal, echo)
        with nats.serve(there, RequestTotal, server.url) as serving, nats.forward(
            here, RequestTotal, server.url
        ):
            serving.flush(PATIENCE)
            asked = [Asked(here, RequestTotal(b"%d" % number)) for number in range(3)]
            until(lambda: sum(len(each.answers) for each in asked) == 2, here)
            assert {each.failure.status for each in asked if each.answers} == {Status.FULL}
            until(lambda: all(each.answers for each in asked), here, there)
            assert [each.answers for each in asked if each.answers[0] == ResponseTotal(b"0")]


def test_what_was_only_sent_is_answered_on_the_stream(server):
    with pair(server.url, echo) as both:
        heard = []
        both.here.observe(ResponseTotal, heard.append)
        both.here.send(RequestTotal(b"sent"))
        both.until(lambda: heard)
        assert heard == [ResponseTotal(b"sent")]


def test_a_request_that_is_made_before_there_is_a_server_waits_for_it(server):
    port = free_port()
    with context() as here, context() as there, nats.serve(
        there, RequestTotal, server.url
    ) as serving, nats.forward(here, RequestTotal, f"nats://127.0.0.1:{port}") as forward:
        serving.flush(PATIENCE)
        there.serve(RequestTotal, echo)
        asked = [Asked(here, RequestTotal(b"%d" % number)) for number in range(20)]
        until(lambda: forward.stats.open == 20, here)
        gone = asked.pop()
        gone.pending.cancel()
        way = Strange(Mangler(server.port, Random(1), 0).talk, port)
        until(lambda: all(each.answers for each in asked), here, there)
        assert [each.answers[0].what for each in asked] == [b"%d" % n for n in range(19)]
        assert gone.failure.status == Status.CANCELLED
        assert serving.stats.entries == 19
        way.close()


def test_a_request_stays_open_when_the_connection_breaks(server):
    """Its answer comes over the next one."""
    keep, port = keeping(), free_port()
    with context() as here, context() as there, nats.serve(
        there, RequestTotal, server.url
    ) as serving:
        serving.flush(PATIENCE)
        there.serve(RequestTotal, keep)
        way = Strange(Mangler(server.port, Random(1), 0).talk, port)
        with nats.forward(here, RequestTotal, f"nats://127.0.0.1:{port}") as forward:
            asked = Asked(here, RequestTotal(b"milk"))
            until(lambda: keep.kept, here, there)
            way.close()
            until(lambda: forward.stats.state == "waiting")
            way = Strange(Mangler(server.port, Random(1), 0).talk, port)
            until(lambda: forward.stats.begun == 2)
            keep.kept[0].respond(ResponseTotal(b"bread"))
            until(lambda: asked.answers, here)
            assert asked.answers == [ResponseTotal(b"bread")] and not keep.settled
        way.close()


def test_without_a_server_there_is_a_limit(server):
    server.kill()
    with context() as here, nats.forward(here, RequestTotal, server.url, timeout=0.1) as forward:
        asked = Asked(here, RequestTotal(b""))
        until(lambda: asked.answers, here)
        assert asked.failure.status == Status.TIMEOUT
        assert "could not be sent" in str(asked.failure) and "server" in str(asked.failure)
        assert forward.stats.open == 0
