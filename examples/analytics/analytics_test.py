# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The analytics, tested. Run it with: python3 -m pytest analytics_test.py"""

import json
from pathlib import Path
from typing import Iterator, List

import mainstem
import pytest
from analytics import (
    RULES,
    Analytics,
    NoticeOpened,
    NoticeUploadDue,
    RequestSignIn,
    RequestUpload,
    ResponseSession,
    ResponseUploaded,
)
from mainstem import Failure, MainstemError, Notice, Status
from mainstem.testing import After, Stub, TestContext, for_seeds

PASSWORD, TOKEN = "opensesame", "t-4711"


@mainstem.event(record="mark")
class NoticeRegistered(Notice):
    user: str
    token: str


@pytest.fixture
def test() -> Iterator[TestContext]:
    with TestContext() as made:
        yield made
        made.skip()


def uploads(stub: Stub) -> List[List[str]]:
    """The uploads requested so far: a list of pages or names for each attempt."""
    return [
        [record.get("page", record["event"]) for record in request.records]
        for request in stub.requests
    ]


def open_pages(test: TestContext, *pages: str, seconds: float = 5.0) -> None:
    for page in pages:
        test.send(NoticeOpened(page, seconds))
    test.advance()


def taken(request: RequestUpload) -> ResponseUploaded:
    return ResponseUploaded(request.batch)


def test_rules_say_what_is_told(test: TestContext) -> None:
    stub = test.stub(RequestUpload, taken)
    analytics = Analytics(test, RULES, size=2)

    open_pages(test, "home")
    open_pages(test, "too short", seconds=0.5)
    open_pages(test, "lists")

    assert [request.records for request in stub.requests] == [
        [
            {"event": "NoticeOpened", "at": 1, "page": "home"},
            {"event": "NoticeOpened", "at": 3, "page": "lists"},
        ]
    ]
    analytics.end()


def test_a_batch_that_is_not_full_goes_when_its_time_has_come(test: TestContext) -> None:
    stub = test.stub(RequestUpload, taken)
    analytics = Analytics(test, RULES, size=10, seconds=30)

    open_pages(test, "home")
    test.advance(29)
    assert uploads(stub) == []
    test.advance(1)

    assert uploads(stub) == [["home"]]
    analytics.end()


def test_a_time_that_comes_during_an_upload_asks_for_nothing_twice(test: TestContext) -> None:
    stub = test.stub(RequestUpload, lambda request: After(5, taken(request)))
    analytics = Analytics(test, RULES, size=2, seconds=30)

    open_pages(test, "a")
    test.advance(29)
    open_pages(test, "b")
    test.send(NoticeUploadDue())
    test.advance(60)

    assert uploads(stub) == [["a", "b"]]
    analytics.end()


def test_what_is_due_goes_and_then_what_has_come_meanwhile(test: TestContext) -> None:
    stub = test.stub(RequestUpload, lambda request: After(5, taken(request)))
    analytics = Analytics(test, RULES, size=2, seconds=30)

    open_pages(test, "a")
    test.send(NoticeUploadDue())
    open_pages(test, *"bcd")
    test.send(NoticeUploadDue())
    test.advance(15)
    assert uploads(stub) == [["a"], ["b", "c"], ["d"]]

    open_pages(test, "e")
    test.advance(5)
    assert len(stub.requests) == 3
    analytics.end()


def test_an_upload_that_nobody_answers_is_asked_for_again(test: TestContext) -> None:
    stub = test.stub(RequestUpload, lambda request: After(100, taken(request)))
    analytics = Analytics(test, RULES, size=1)

    open_pages(test, "a")
    test.advance(60)
    assert uploads(stub) == [["a"]]
    test.advance(1)
    assert uploads(stub) == [["a"], ["a"]]
    analytics.end()
    test.skip()


@for_seeds(20)
def test_an_upload_that_fails_twice_comes_once_and_in_order(test: TestContext) -> None:
    """A-30: batches are sent once each, in order."""
    offline = After(0.1, Failure("OFFLINE"))
    answers = [offline, offline]
    accepted: List[RequestUpload] = []

    def upload(request: RequestUpload) -> object:
        if answers:
            return answers.pop(0)
        accepted.append(request)
        return taken(request)

    stub = test.stub(RequestUpload, upload)
    analytics = Analytics(test, RULES, size=2, retry=(1, 5))

    open_pages(test, *"abcdef")
    test.advance(1.1)
    assert uploads(stub) == [["a", "b"]] * 2
    test.advance(5.1)

    assert uploads(stub) == [["a", "b"]] * 3 + [["c", "d"], ["e", "f"]]
    assert len({request.batch for request in stub.requests[:3]}) == 1
    assert len({request.batch for request in accepted}) == len(accepted) == 3
    analytics.end()
    test.skip()


def test_neither_password_nor_token_leave_the_program(tmp_path: Path) -> None:
    """A-30: both are absent from log, journal and analytics."""
    path = tmp_path / "journal"
    lines: List[str] = []
    with TestContext() as test:
        test.record(path)
        test.trace(lines.append)
        test.keep()
        stub = test.stub(RequestUpload, taken)
        test.stub(RequestSignIn, [ResponseSession(TOKEN)])
        everything = dict(RULES)
        everything[NoticeRegistered] = lambda event: {"who": [json.loads(event.data)]}
        analytics = Analytics(test, everything, size=2)

        assert test.request(RequestSignIn(PASSWORD)).token == TOKEN
        test.send(NoticeRegistered("ada", "d-42"))
        test.advance()

        records = stub.requests[0].records
        analytics.end()
        test.skip()
    assert records == [
        {"event": "RequestSignIn", "at": 1},
        {"event": "NoticeRegistered", "at": 3, "who": [{"user": "ada"}]},
    ]
    for secret in (PASSWORD, TOKEN):
        assert secret not in "\n".join(lines)
        assert secret.encode() not in path.read_bytes()
    # The journal has no payload of what is only marked, either.
    assert b"d-42" not in path.read_bytes()


def test_it_cannot_alter_the_stream(test: TestContext) -> None:
    analytics = Analytics(test, RULES)

    with pytest.raises(MainstemError) as error:
        analytics.scope.send(NoticeOpened("never", 1.0))

    assert error.value.status == Status.DENIED
    analytics.end()


def test_off_nothing_is_missing(test: TestContext) -> None:
    analytics = Analytics(test, RULES, size=1)
    analytics.end()

    test.send(NoticeOpened("home", 5.0))

    test.expect(NoticeOpened("home", 5.0))
    test.expect_nothing()


def test_what_is_too_much_is_lost_and_told() -> None:
    with TestContext() as test:
        stub = test.stub(RequestUpload, taken)
        analytics = Analytics(test, RULES, size=3, keep=3)
        for page in "abcdef":
            test.send(NoticeOpened(page, 5.0))
        test.advance()

        assert uploads(stub) == [["d", "e", "f", "lost"]]
        assert stub.requests[0].records[-1]["count"] == 3
        analytics.end()
        test.skip()


def test_a_due_upload_of_nothing_asks_for_nothing(test: TestContext) -> None:
    analytics = Analytics(test, RULES, size=2)

    test.send(NoticeUploadDue())

    analytics.end()
