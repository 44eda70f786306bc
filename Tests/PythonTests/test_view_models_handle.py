# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""View models that answer requests and get events, as services and without."""

from __future__ import annotations

import mainstem
import pytest
from greeting import keep_for_ever
from mainstem import Failure, MainstemError, Status


@mainstem.event
class ResponseEntries(mainstem.Response):
    count: int


@mainstem.event
class RequestFetchEntries(mainstem.Request[ResponseEntries]):
    is_careless: bool = False


@mainstem.event
class RequestLoadMore(mainstem.Request[ResponseEntries]):
    by: int = 10


@mainstem.event
class ResponsePage(mainstem.Response):
    size: int


@mainstem.event
class RequestPage(mainstem.Request[ResponsePage]):
    """What the world answers."""


@mainstem.event
class RequestAudit(mainstem.Request[ResponseEntries]):
    """What takes a page of the world."""


@mainstem.event
class Imported(mainstem.Notice):
    count: int


class Account(mainstem.ViewModel):
    """One that views see, and others ask."""

    made = 0
    stopped = 0
    entries: int = mainstem.shown(0)

    def opened(self):
        type(self).made += 1

    @mainstem.command
    def clear(self):
        self.entries = 0

    @mainstem.handles(RequestLoadMore)
    def load_more(self, request):
        if request.by < 0:
            raise Failure("less is not more", code=1001)
        self.entries += request.by
        return ResponseEntries(self.entries)

    @mainstem.handles(RequestFetchEntries, effect="fetch")
    def fetch(self, request):
        if request.is_careless:
            self.entries = -1
        return ResponseEntries(self.entries)

    @mainstem.handles(RequestAudit)
    async def audit(self, request):
        try:
            page = await self.request(RequestPage())
        except GeneratorExit:
            type(self).stopped += 1
            raise
        self.entries += page.size
        return ResponseEntries(self.entries)

    @mainstem.handles(Imported)
    def take(self, imported):
        self.entries += imported.count


@pytest.fixture(autouse=True)
def anew():
    Account.made = Account.stopped = 0


def installed(context, is_service, kind=Account):
    """Adds an account, as a service or opened at once."""
    context.register(RequestLoadMore, RequestFetchEntries, RequestAudit, RequestPage, Imported)
    if is_service:
        context.service(kind)
    else:
        context.open(kind())


def scope_of_account(context):
    (account,) = context.view_models.values()
    return context.find_scope(account._live.owner.number)


def later(kept):
    """A handler that keeps its requests, to be answered later."""

    def keep(request):
        kept.append(request.event.retain())
        return mainstem.LATER

    return keep


AS_BOTH = pytest.mark.parametrize("is_service", [True, False], ids=["service", "opened"])


def test_the_first_request_makes_a_view_model_that_is_a_service(context):
    context.service(Account)
    assert Account.made == 0
    assert context.request(RequestLoadMore(3)).count == 3
    service = context.find(Account)
    view = mainstem.view(context.scope("Desk"), Account, service.number)
    assert view.entries == 3
    assert context.scope("Other").request(RequestLoadMore(4)).count == 7
    own = context.find_scope(context.open_instance("Account"))
    assert own.request(RequestLoadMore(1)).count == 1
    assert context.request(RequestFetchEntries()).count == 7
    assert (Account.made, view.entries) == (2, 7)
    view.clear()
    assert context.request(RequestFetchEntries()).count == 0
    service.end()
    assert context.request(RequestLoadMore()).count == 10
    assert Account.made == 3
    assert context.first_error() is None


def test_its_fetches_are_those_of_a_service():
    reports = []
    with mainstem.Context(on_exception=lambda exception, event: None) as context:
        context.service(Account)
        context.observe(mainstem.MainstemFailure, lambda report: reports.append(report.message))
        context.request(RequestLoadMore(5))
        context.request(RequestFetchEntries(is_careless=True))
    assert set(reports) == {
        "Account.entries changes while RequestFetchEntries is handled, which is a fetch"
    }


@AS_BOTH
def test_what_it_has_become_is_shown_before_the_answer(context, is_service):
    installed(context, is_service)
    order = []
    context.observe(lambda event: order.append(event.name))
    context.request(RequestLoadMore(2))
    since = order[order.index("RequestLoadMore") :]
    assert "Account.entries" in since
    assert since[-1] == "ResponseEntries"


@AS_BOTH
def test_a_failure_is_the_answer(context, is_service):
    installed(context, is_service)
    with pytest.raises(Failure, match="less is not more") as caught:
        context.request(RequestLoadMore(-1))
    assert caught.value.code == 1001
    assert context.request(RequestLoadMore(1)).count == 1


@AS_BOTH
def test_it_gets_events_that_are_no_requests(context, is_service):
    installed(context, is_service)
    context.send(Imported(5))
    context.send(Imported(6))
    assert context.request(RequestFetchEntries()).count == 11


@AS_BOTH
def test_what_several_ask_it_is_asked_once(context, is_service):
    installed(context, is_service)
    kept, answers = [], []
    context.serve(RequestPage, later(kept))
    for _ in range(3):
        context.request(RequestAudit(), then=answers.append, share=True)
    assert len(kept) == 1
    kept.pop().respond(ResponsePage(5))
    assert answers == [ResponseEntries(5)] * 3


@AS_BOTH
def test_an_async_handler_is_taken_in_steps(context, is_service):
    installed(context, is_service)
    kept, answers = [], []
    context.serve(RequestPage, later(kept))
    context.request(RequestAudit(), then=answers.append)
    assert context.request(RequestLoadMore(1)).count == 1
    assert answers == []
    kept.pop().respond(ResponsePage(20))
    assert answers == [ResponseEntries(21)]
    context.request(RequestAudit(), then=print, failed=answers.append)
    kept.pop().respond(Failure("no page", code=1002))
    assert answers[1].code == 1002


@AS_BOTH
def test_an_async_handler_stops_when_nobody_waits(context, is_service):
    installed(context, is_service)
    context.serve(RequestPage, keep_for_ever)
    pending = context.request(RequestAudit(), then=print, failed=lambda failure: None)
    assert context.request_count(RequestPage) == 1
    pending.cancel()
    assert context.request_count(RequestPage) == 0
    assert Account.stopped == 1
    # It also ends with its scope.
    context.request(RequestAudit(), then=print, failed=lambda failure: None)
    scope_of_account(context).end()
    assert Account.stopped == 2


@AS_BOTH
def test_what_an_async_handler_raises_is_reported_and_answered(is_service):
    class Broken(Account, name="Account"):
        @mainstem.handles(RequestAudit)
        async def audit(self, request):
            if self.entries:
                await self.request(RequestPage())
            raise ValueError("broken")

    told = []
    with mainstem.Context(on_exception=lambda exception, _: told.append(exception)) as context:
        installed(context, is_service, Broken)
        context.serve(RequestPage, lambda request: ResponsePage(1))
        for by in (0, 1):
            context.request(RequestLoadMore(by))
            with pytest.raises(Failure, match="broken"):
                context.request(RequestAudit())
    assert list(map(str, told)) == ["broken", "broken"]


def test_no_answer_is_said():
    class Silent(Account, name="Account"):
        @mainstem.handles(RequestLoadMore)
        def load_more(self, request):
            pass

        @mainstem.handles(RequestAudit)
        async def audit(self, request):
            await self.request(RequestPage())

    told = []
    with mainstem.Context(on_exception=lambda exception, _: told.append(exception)) as context:
        installed(context, True, Silent)
        context.serve(RequestPage, lambda request: ResponsePage(1))
        for request in (RequestLoadMore(), RequestAudit()):
            with pytest.raises(Failure, match="returned None, not its answer"):
                context.request(request)
    assert [isinstance(each, TypeError) for each in told] == [True, True]
    assert ["Silent." in str(each) for each in told] == [True, True]


def test_what_only_it_sends_is_its_own(context):
    class Clock(mainstem.ViewModel):
        ticks: int = mainstem.shown(0)

        @mainstem.handles(Imported, own=True)
        def tick(self, imported):
            self.ticks += imported.count

    class Other(Clock):
        pass

    context.register(Imported)
    context.service(Other)
    clock = context.open(Clock())
    other = context.find(Other)
    context.send(Imported(5))
    context.find_scope(clock._live.owner.number).send(Imported(1))
    other.send(Imported(2))
    assert (clock.ticks, other.get("Other.ticks").value) == (1, 2)


def test_its_own_request_is_a_command(context):
    class Wrong(mainstem.ViewModel):
        @mainstem.handles(RequestLoadMore, own=True)
        def more(self, request):
            pass

    with pytest.raises(TypeError, match=r"Wrong.more answers RequestLoadMore as its own: make it"):
        context.open(Wrong())


def test_a_request_that_a_view_model_does_not_handle_is_unhandled(context):
    installed(context, False)
    with pytest.raises(MainstemError) as caught:
        context.request(RequestPage())
    assert caught.value.status == Status.UNHANDLED


def play(context):
    assert context.request(RequestLoadMore(2)).count == 2
    context.send(Imported(1))
    assert context.request(RequestAudit()).count == 103
    context.find(Account).end()
    own = context.find_scope(context.open_instance("Account"))
    assert own.request(RequestAudit()).count == 100
    assert context.request(RequestLoadMore(4)).count == 4
    context.find(Account).end()


def test_a_session_with_them_verifies(tmp_path):
    path, made = tmp_path / "session.journal", []
    for verifies in (False, True):
        Account.made = 0
        with mainstem.Context(raises=True) as context:
            replay = context.replay(path, verify=True) if verifies else context.record(path)
            context.register(RequestLoadMore, RequestAudit, RequestPage, Imported)
            context.service(Account)
            context.serve(RequestPage, lambda request: ResponsePage(100))
            if verifies:
                replay.to_end()
                replay.close()
            else:
                play(context)
            made.append(Account.made)
    assert made == [3, 3]
