# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Services: made when first asked for; found, made anew, of one's own (A-67)."""

from __future__ import annotations

import mainstem
import pytest
from mainstem import Failure, MainstemError, Status


@mainstem.event
class ResponseEntries(mainstem.Response):
    count: int


@mainstem.event
class RequestFetchEntries(mainstem.Request[ResponseEntries]):
    """What a fetch gets."""


@mainstem.event
class RequestLoadMore(mainstem.Request[ResponseEntries]):
    by: int = 10


class Diary:
    """A service with two operations and a value."""

    made = 0

    def __init__(self):
        type(self).made += 1
        self.count = 0

    @mainstem.handles(RequestFetchEntries, effect="fetch")
    def fetch(self, request):
        return ResponseEntries(self.count)

    @mainstem.handles(RequestLoadMore, effect="loadMore")
    def load_more(self, request):
        self.count += request.by
        return ResponseEntries(self.count)

    @mainstem.show_function
    def show(self, server):
        server.set("Diary.count", str(self.count))


class Session(mainstem.ViewModel):
    """A service that view models hear: signed in or not."""

    is_signed_in: bool = mainstem.shown(False)

    @mainstem.command
    def sign_in(self):
        self.is_signed_in = True


class Header(mainstem.ViewModel):
    """A view model that shows what the session shows."""

    title: str = mainstem.shown("Hello")

    def opened(self):
        self.session = self.scope.find(Session)

    @mainstem.observes(Session, "is_signed_in")
    def hear(self, is_signed_in):
        self.title = "Welcome back" if is_signed_in else "Hello"


@pytest.fixture
def diary(context):
    install(context)
    return context


def install(context):
    Diary.made = 0
    context.add_type("Diary.count", str, role="value")
    context.service(Diary)


def count_of(service):
    return service.get("Diary.count").text


def test_the_first_request_makes_a_service(diary):
    assert Diary.made == 0
    assert diary.request(RequestLoadMore(3)).count == 3
    assert diary.scope("View model").request(RequestLoadMore()).count == 13
    assert Diary.made == 1
    assert count_of(diary.find(Diary)) == "13"


def test_same_different_fresh_and_isolated(diary):
    """A-67."""
    service = diary.find(Diary)
    number = service.number
    assert diary.scope("View model").find("Diary").number == number  # The same.
    own = diary.find_scope(diary.open_instance("Diary"))
    assert own.number != number  # Different.
    diary.request(RequestLoadMore(7))
    assert own.request(RequestLoadMore(1)).count == 1
    assert (count_of(service), count_of(own)) == ("7", "1")
    service.end()
    fresh = diary.find(Diary)
    assert fresh.number != number  # Fresh.
    assert count_of(fresh) == "0"
    with mainstem.Context() as other:
        install(other)
        assert other.request(RequestFetchEntries()).count == 0  # Isolated.
        assert Diary.made == 1


def test_two_view_models_hear_one_session(context):
    context.service(Session)
    headers = [context.open(Header()).bind() for _ in range(2)]
    assert [header.title for header in headers] == ["Hello", "Hello"]
    desk = context.scope("Desk")
    mainstem.view(desk, Session, context.find(Session).number).sign_in()
    assert [header.title for header in headers] == ["Welcome back", "Welcome back"]


def test_a_fetch_that_changes_a_value_has_failed():
    """A-66."""

    class Careless(Diary):
        @mainstem.handles(RequestFetchEntries, effect="fetch")
        def fetch(self, request):
            self.count += 1
            return ResponseEntries(self.count)

        @mainstem.show_function
        def show(self, server):
            server.set("Careless.count", str(self.count))

    seen = []
    with mainstem.Context(on_exception=lambda exception, event: None) as context:
        context.add_type("Careless.count", str, role="value")
        context.service(Careless)
        context.observe("Careless.count", lambda event: seen.append(event.text))
        context.observe(mainstem.MainstemFailure, lambda report: seen.append(report.message))
        context.request(RequestLoadMore(5))
        context.request(RequestFetchEntries())
    message = "Careless.count changes while RequestFetchEntries is handled, which is a fetch"
    assert seen == ["5", message]


def test_a_name_says_no_other_effect(context):
    """A-66."""

    class Wrong:
        @mainstem.handles(RequestFetchEntries, effect="reload")
        def fetch(self, request):
            pass

    with pytest.raises(MainstemError, match="another effect than the name"):
        context.install(Wrong())
    with pytest.raises(ValueError, match="effect is 'get'"):
        mainstem.handles(RequestFetchEntries, effect="get")


def test_a_service_that_fails_is_made_by_the_next_request(context):
    left = [Failure("Not today.", code=1007), None]

    def make(scope, request):
        failure = left.pop(0)
        if failure:
            raise failure
        scope.observe("Tick", lambda event: None)

    context.add_type("Tick", str)
    context.service("Clock", make)
    with pytest.raises(MainstemError) as refused:
        context.find("Clock")
    assert refused.value.status == Status.CANCELLED
    assert context.find("Clock").name == "Clock"
    with pytest.raises(TypeError, match="no function"):
        context.service("Other")
    with pytest.raises(MainstemError, match="is no service"):
        context.find("Other")


def test_a_callback_has_its_service_at_once(diary):
    diary.add_type("Go", str)
    found = []
    diary.observe("Go", lambda event: found.append(diary.find(Diary)))
    diary.send("Go", "")
    assert Diary.made == 1
    assert count_of(found[0]) == "0"
    assert diary.stats().events == 2


def test_a_view_has_no_service(diary):
    view = diary.scope("View", sends=["view"], observes=["view"])
    with pytest.raises(MainstemError) as refused:
        view.find(Diary)
    assert refused.value.status == Status.DENIED


def play(context):
    """What a host does; a replay does none of it."""
    context.request(RequestLoadMore(2))
    context.find(Diary).end()
    context.send("Go", "")
    with context.scope("View") as view:
        own = context.find_scope(view.open_instance("Diary"))
        own.request(RequestLoadMore(1))
    context.find(Diary).end()
    context.find(Diary).end()
    context.request(RequestLoadMore(4))


def test_a_session_with_services_verifies(tmp_path):
    path, made = tmp_path / "session.journal", []
    for verifies in (False, True):
        with mainstem.Context(raises=True) as context:
            replay = context.replay(path, verify=True) if verifies else context.record(path)
            install(context)
            context.add_type("Go", str)
            context.observe("Go", lambda event: context.find(Diary))
            if verifies:
                replay.to_end()
                replay.close()
            else:
                play(context)
            made.append(Diary.made)
    assert made == [5, 5]


def test_what_records_on_adds_services_and_factories(tmp_path):
    made = []
    for _ in range(3):
        with mainstem.Context() as context:
            context.record(tmp_path / "on.journal")
            install(context)
            context.factory("Cell", lambda scope, request: made.append(request.text), str)
            assert context.request(RequestLoadMore(3)).count == 3
            context.open_instance("Cell", "milk")
            for add in (lambda: context.factory("Late", print), lambda: context.service(Session)):
                with pytest.raises(MainstemError) as caught:
                    add()
                assert caught.value.status == Status.INVALID
    assert made == ["milk"] * 3
