# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The diary, tested against a server that is slow, fails, or hangs.

Run it with: python3 -m pytest diary_test.py
"""

import threading
from pathlib import Path
from typing import Any, Iterator, List, Tuple

import mainstem
import pytest
from diary import (
    Diary,
    RequestFetchEntry,
    RequestLoadMoreEntries,
    RequestReloadEntries,
    install,
    pages,
)
from http_provider import REFUSED, UNREACHED, RequestHttp
from http_site import Site
from mainstem import Failure, RequestTimeout, Status


@pytest.fixture
def site() -> Iterator[Site]:
    with Site({"/entries": pages(5)}) as made:
        yield made


@pytest.fixture
def context(site: Site) -> Iterator[mainstem.Context]:
    with mainstem.Context() as made:
        install(made, site.url(""))
        yield made


def shown(context: mainstem.Context) -> Tuple[str, str]:
    diary = context.find(Diary)
    return diary.get("Diary.entries").text, diary.get("Diary.isLast").text


def test_reload_and_more_change_the_list_and_a_fetch_does_not(
    context: mainstem.Context, site: Site
) -> None:
    assert context.request(RequestReloadEntries()).entries == ["Day 0", "Day 1", "Day 2"]
    assert context.request(RequestFetchEntry(4)).entries == ["Day 4"]
    assert shown(context) == ('["Day 0", "Day 1", "Day 2"]', "false")
    assert context.request(RequestLoadMoreEntries()).entries == ["Day 3", "Day 4"]
    assert shown(context)[1] == "true"
    assert len(site.asked) == 3
    assert context.stats().failures == 0


def test_what_fails_is_asked_again(context: mainstem.Context, site: Site) -> None:
    site.fail(503)
    with pytest.raises(Failure) as failed:
        context.request(RequestReloadEntries())
    assert failed.value.code == REFUSED
    assert context.request(RequestReloadEntries()).entries[0] == "Day 0"
    with pytest.raises(Failure) as failed:
        context.request(RequestHttp("http://127.0.0.1:9/nobody"))
    assert failed.value.code == UNREACHED
    with pytest.raises(Failure, match="404"):
        context.request(RequestHttp(site.url("/nowhere")))


def test_what_breaks_off_or_is_no_text_is_a_failure(context: mainstem.Context, site: Site) -> None:
    site.pages["/hello"] = lambda query: "hello"
    site.cut()
    site.babble(b"\xff")
    site.babble(b"{}")
    for _ in range(2):
        with pytest.raises(Failure) as failed:
            context.request(RequestHttp(site.url("/hello")))
        assert failed.value.code == UNREACHED
    assert context.request(RequestHttp(site.url("/hello"))).body == "{}"


def test_what_is_too_big_is_a_failure(site: Site) -> None:
    site.pages["/long"] = lambda query: "x" * 5000
    with mainstem.Context(limits=mainstem.Limits(payload=4000)) as context:
        install(context, site.url(""))
        with pytest.raises(Failure) as failed:
            context.request(RequestHttp(site.url("/long")), timeout=5)
        assert failed.value.code == UNREACHED


def test_a_slow_server_holds_up_nobody_else(context: mainstem.Context, site: Site) -> None:
    site.delay = 0.02
    answers: List[Any] = []
    for number in range(4):
        context.request(RequestFetchEntry(number), then=lambda a: answers.append(a.entries))
    while len(answers) < 4:
        context.wait()
    assert sorted(answers) == [["Day 0"], ["Day 1"], ["Day 2"], ["Day 3"]]


def test_nobody_waits_for_a_server_that_hangs(context: mainstem.Context, site: Site) -> None:
    site.hang()
    with pytest.raises(RequestTimeout):
        context.request(RequestReloadEntries(), timeout=0.05)
    assert context.request_count() == 0  # The provider has been told.
    assert site.came(1)
    site.hang()
    answers: List[Any] = []
    context.request(RequestReloadEntries(), then=answers.append, failed=answers.append)
    context.drain()
    assert site.came(2)
    context.find(Diary).end()  # What it had asked ends with it.
    assert (context.request_count(), answers[0].code) == (0, Status.CANCELLED)
    assert context.request(RequestReloadEntries()).entries == ["Day 0", "Day 1", "Day 2"]


def test_a_session_verifies_without_a_network(tmp_path: Path) -> None:
    path = tmp_path / "session.journal"
    with Site({"/entries": pages(5)}) as site, mainstem.Context() as context:
        context.record(path)
        install(context, site.url(""))
        context.request(RequestReloadEntries())
        context.find(Diary).end()
        site.fail()
        with pytest.raises(Failure):
            context.request(RequestLoadMoreEntries())
        context.request(RequestLoadMoreEntries())
        address = site.url("")
    before = threading.active_count()
    with mainstem.Context() as again, again.replay(path, verify=True) as replay:
        install(again, address)
        replay.to_end()
        assert shown(again)[0] == '["Day 0", "Day 1", "Day 2"]'
        assert threading.active_count() == before
