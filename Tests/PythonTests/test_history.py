# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Histories: what is kept for late observers, as a Python program says it."""

from __future__ import annotations

import mainstem
import pytest
from mainstem import MainstemError, Notice, Request, Response, Status


@mainstem.event
class Weather(Notice):
    degrees: int


@mainstem.event
class ResponseDone(Response):
    pass


@mainstem.event
class RequestWork(Request[ResponseDone]):
    pass


def test_a_late_observer_gets_the_last_events_as_objects_of_their_class(context):
    context.keep_history(Weather, 2)
    for degrees in (17, 18, 19):
        context.send(Weather(degrees=degrees))
    seen = []

    context.observe(Weather)(lambda weather: seen.append((weather.degrees, weather.event.late)))
    context.send(Weather(degrees=20))

    assert seen == [(18, True), (19, True), (20, False)]
    assert context.stats().history == 2
    assert context.read_type(Weather).history == 2


def test_an_observer_may_decline_the_history(context):
    context.keep_history(Weather, 5)
    context.send(Weather(degrees=17))
    seen = []

    context.observe(Weather, history=False)(lambda weather: seen.append(weather.degrees))

    assert seen == []


def test_a_history_has_an_age_and_an_end(context):
    context.keep_history(Weather, 5, max_age=3600)
    assert context.read_type(Weather).history_max_age == 3600
    context.send(Weather(degrees=17))
    assert context.stats().history == 1

    context.keep_history(Weather, 0)

    assert context.stats().history == 0
    assert context.read_type(Weather).history == 0


def test_a_request_has_no_history_and_counts_have_bounds(context):
    with pytest.raises(MainstemError) as refused:
        context.keep_history(RequestWork, 1)
    assert refused.value.status == Status.INVALID
    with pytest.raises(MainstemError) as refused:
        context.keep_history(Weather, -1)
    assert refused.value.status == Status.TOO_BIG
    context.thrown.raise_caught()
