# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Replay: muted, every event and no handler; verify, the inputs, and every output compared."""

import contextlib
import os
import random
import struct
import subprocess
import sys

import mainstem
import pytest
from greeting import RequestGreet, ResponseGreeting
from journal_writer import JSON, NOTICE, OUTSIDE, REQUEST, RESPONSE, TEXT, JournalWriter
from mainstem import Status

PROCESSES = int(os.environ.get("MAINSTEM_REPLAY_PROCESSES", "5"))


class Store:
    """What is outside the program: it counts who calls it."""

    def __init__(self):
        self.calls = 0
        self.waiting = []

    def load(self, request):
        self.calls += 1
        self.waiting.append(request)

    def answer(self):
        waiting, self.waiting = self.waiting, []
        for request in waiting:
            request.respond('["milk"]')
            request.release()


def install(context, store, change=None):
    """The program: types and servers. `change` is done otherwise."""
    json = "json"
    context.add_type("RequestTodos", json, response="ResponseTodos")
    context.add_type("ResponseTodos", json)
    context.add_type("RequestAdd", str, response="ResponseAdd")
    context.add_type("ResponseAdd", str)
    context.add_type("TodosChanged", json)
    context.add_type("Step", str)

    def todos(event):
        if not context.replaying:
            store.load(event.retain())
        return mainstem.LATER

    def add(event):
        if event.text == "bad":
            raise mainstem.Failure("no room", code=1001 if change != "status" else 1002)
        event.progress("Step", "half")
        server.send("TodosChanged", '{"id":"%s","at":%d}' % (context.id(), context.random()))
        if change == "more":
            server.send("TodosChanged", "{}")
        return "added" if change != "payload" else "Added"

    server = context.server("Todos", {"RequestTodos": todos, "RequestAdd": add})
    return server


def play(context, store, seed=1, count=100):
    """What the user and the world do."""
    chance = random.Random(seed)
    view = context.scope("View")
    for _ in range(count):
        kind = chance.randrange(5)
        if kind == 0:
            view.request("RequestTodos", "{}", then=lambda answer: None)
        elif kind == 1:
            store.answer()
        elif kind == 2:
            view.request("RequestAdd", "bad", then=lambda answer: None)
        elif kind == 3:
            view.post("RequestAdd", "posted")
            context.drain()
        else:
            view.request("RequestAdd", "eggs", then=lambda answer: None)


@pytest.fixture
def session(tmp_path):
    """The path of a recorded session, and the lines that it had."""
    path, store, lines = tmp_path / "session", Store(), []
    with mainstem.Context(raises=True) as context:
        context.record(path)
        install(context, store)
        context.observe(lambda event: lines.append(str(event)))
        play(context, store)
    assert store.calls > 5
    return path, lines


def verified(path, change=None):
    """The replay's info, or the difference; and how often the store was called."""
    store = Store()
    with mainstem.Context(raises=True) as context, context.replay(path, verify=True) as replay:
        install(context, store, change)
        try:
            replay.to_end()
        except mainstem.Different as different:
            return different.difference, store.calls
        return replay.info, store.calls


# Muted --------------------------------------------------------------------------------------------


def test_every_event_comes_again_and_nothing_outside_is_called(session):
    path, lines = session
    store, seen = Store(), []
    with mainstem.Context(raises=True) as context:
        with context.replay(path) as replay:
            install(context, store)
            context.observe(lambda event: seen.append(str(event)))
            assert context.replaying
            assert replay.step() == 1
            replay.seek(50)
            assert len(seen) == 50
            assert replay.to_end() == len(lines) - 50
            assert replay.step() == 0
            info = replay.info
        assert not context.replaying

    assert seen == lines
    assert store.calls == 0
    assert info.ended and info.whole
    assert info.fed == info.last == len(lines)


def test_a_random_session_of_a_thousand_events_comes_again(tmp_path):
    chance = random.Random(7)
    journal = JournalWriter()
    journal.type("RequestA", TEXT | REQUEST, "ResponseA")
    journal.type("ResponseA", TEXT | RESPONSE)
    journal.type("Typed", TEXT | NOTICE)
    asked = [journal.event("RequestA", "first")]
    for number in range(999):
        cause = chance.choice(asked)
        kind = chance.randrange(4)
        if kind == 0:
            asked.append(journal.event("RequestA", f"{number}", origin="view"))
        elif kind == 1:
            journal.event("ResponseA", "yes", cause=cause, answers=cause, origin="A", flags=0)
        elif kind == 2:
            journal.fail("ResponseA", "why", answers=cause, origin="A", flags=OUTSIDE)
        else:
            journal.event("Typed", f"key {number}", cause=cause)
    path = journal.end().save(tmp_path / "random")
    seen = []
    with mainstem.Context(raises=True) as context, context.replay(path) as replay:
        context.observe(lambda event: seen.append(event))
        assert replay.to_end() == 1000

    with mainstem.journal_file.Journal(str(path)) as second:
        for event, was in zip(seen, second.events()):
            assert (event.position, event.cause, event.correlation, event.answers, event.time) == (
                was.position,
                was.cause,
                was.correlation,
                was.answers,
                was.time,
            )
            assert (event.data, event.status) == (was.data, was.status)


def test_what_callbacks_send_meanwhile_is_left_out(session):
    path, lines = session
    with mainstem.Context(raises=True) as context, context.replay(path) as replay:
        install(context, Store())

        @context.observe("RequestAdd")
        def meddle(event):
            context.send("Step", "meddled")
            with pytest.raises(mainstem.MainstemError) as refused:
                context.request("RequestAdd", "meddled", then=lambda answer: None)
            assert refused.value.status == Status.CANCELLED

        replay.to_end()
        assert context.stats().events == len(lines)
        assert replay.info.left_out > 0
        with pytest.raises(mainstem.MainstemError) as refused:
            context.send("Step", "from outside")
        assert refused.value.status == Status.BUSY


def test_what_was_not_kept_says_so(tmp_path):
    journal = JournalWriter()
    journal.type("Password", TEXT | NOTICE | 1 << 50)
    journal.type("Changed", TEXT | NOTICE | 1 << 48)
    journal.event("Password", flags=OUTSIDE | 64)
    journal.event("Changed", flags=OUTSIDE | 32)
    path = journal.end().save(tmp_path / "secret")
    seen = []
    with mainstem.Context(raises=True) as context, context.replay(path) as replay:
        context.observe(lambda event: seen.append(event.status))
        replay.to_end()

    assert seen == [Status.WITHHELD, Status.WITHHELD]


@pytest.mark.parametrize("accepted", [1, 2, 3])
def test_what_a_scheduled_observer_found_closing_was_closing_for_what_came_behind(
    accepted, tmp_path
):
    """Its callback is not called again; what was delivered later, though it was accepted before,
    was refused, too."""
    journal = JournalWriter()
    journal.type("A", TEXT | NOTICE)
    journal.type("B", TEXT | NOTICE)
    journal.event("A", "one")
    closing, late = 9, 1 << 54
    journal.say(closing, struct.pack("<QQQ", 1, late + 1, accepted))
    journal.event("B", "two")
    journal.event("B", "three")
    path = journal.end().save(tmp_path / "closing")
    refused = []
    with mainstem.Context() as context, context.replay(path, verify=True) as replay:

        @context.observe("B")
        def send(event):
            with pytest.raises(mainstem.MainstemError) as caught:
                context.send("A", event.text)
            refused.append(caught.value.status)

        replay.to_end()
        assert replay.info.whole

    assert refused == [Status.STALE, Status.STALE]


@pytest.mark.parametrize("delivered", [1, 2, 3])
def test_what_waited_for_its_delivery_when_a_scheduled_observer_found_the_context_closing(
    delivered, tmp_path
):
    """It is in the journal already, as all that a host holds back, and was refused nevertheless."""
    journal = JournalWriter()
    journal.type("A", TEXT | NOTICE)
    journal.type("B", TEXT | NOTICE)
    journal.event("A", "one")
    journal.event("B", "two")
    journal.event("B", "three")
    closing, late = 9, 1 << 54
    journal.say(closing, struct.pack("<QQQQ", 1, late, 3, delivered))
    path = journal.end().save(tmp_path / "closing")
    closed = []
    with mainstem.Context() as context, context.replay(path, verify=True) as replay:

        @context.observe("B")
        def send(event):
            if event.position <= delivered:
                return
            with pytest.raises(mainstem.MainstemError) as caught:
                context.send("A", event.text)
            closed.append((event.position, caught.value.status))

        replay.to_end()
        assert replay.info.whole

    assert closed == [(number, Status.STALE) for number in (2, 3) if number > delivered]


@pytest.mark.parametrize("finds_late", [False, True])
def test_late_events_come_after_the_context_was_found_closing(finds_late, tmp_path):
    """Their positions are before that; what has been delivered tells that they come later."""
    path = tmp_path / "late"

    def install(context):
        """Guests join in the first B: they get what is kept after the second, when it closes."""
        context.add_type("A", str)
        context.add_type("B", str)
        context.keep_history("A", 2)
        gone = context.scope("gone")
        gone.end()
        statuses = []

        def attempt(scope):
            with pytest.raises(mainstem.MainstemError) as caught:
                scope.send("B", "never")
            statuses.append(caught.value.status)

        def find(event):
            """Refused in each session, closing or not: the journal notes the closing here."""
            attempt(gone)

        def join(event):
            if event.text == "first":
                for guest in (find, attempt_here) if finds_late else (attempt_here,):
                    context.observe("A", guest)
            elif not finds_late:
                find(event)

        def attempt_here(event):
            if event.text == "two":
                attempt(context)

        context.observe("B", join)
        return statuses

    context = mainstem.Context(deliver="host")
    context.record(path)
    statuses = install(context)
    context.send("A", "one")
    context.send("A", "two")
    context.drain()
    context.send("B", "first")
    context.send("B", "second")
    context.drain(1)
    context.close()
    assert statuses == [Status.STALE] * (3 if finds_late else 2)

    with mainstem.Context(deliver="host") as context, context.replay(path, verify=True) as replay:
        again = install(context)
        replay.to_end()
        assert replay.info.whole
    assert again == statuses


@pytest.mark.parametrize(
    ("kind", "was", "here", "told"),
    [
        (bool, True, False, "payload is false, in the journal true"),
        (int, 1, -(2**63), "payload is -9223372036854775808, in the journal 1"),
        (int, 40, 42, "payload is 42, in the journal 40"),
        (float, 0.5, -0.0, "payload is -0, in the journal 0.5"),
        (str, "1", "22", "payload differs at byte 0: `22` (2 bytes), in the journal `1` (1 byte)"),
    ],
)
def test_a_difference_shows_scalars_as_scalars(kind, was, here, told, tmp_path):
    def install(context, value):
        context.add_type("Add", str)
        context.add_type("Sum", kind)
        context.observe("Add", lambda event: context.send("Sum", value))

    path = tmp_path / "sums"
    with mainstem.Context() as context:
        context.record(path)
        install(context, was)
        context.send("Add", "all")
    with mainstem.Context() as context, context.replay(path, verify=True) as replay:
        install(context, here)
        with pytest.raises(mainstem.Different) as caught:
            replay.to_end()
    assert caught.value.difference.message == f"#2 Sum: {told}"


def test_a_muted_replay_verifies_nothing(tmp_path):
    path = tmp_path / "muted"
    with mainstem.Context() as context:
        context.record(path)
        context.add_type("A", str)
        context.send("A", "a")
    with mainstem.Context() as context, context.replay(path) as replay:
        replay.to_end()
        assert (replay.info.position, replay.info.verified_until) == (1, 0)


def test_it_goes_as_fast_as_it_was(tmp_path):
    path = tmp_path / "slow"
    with mainstem.Context(clock="virtual") as context:
        context.record(path)
        context.add_type("Tick", str)
        for _ in range(3):
            context.advance(1)
            context.send("Tick", "t")
    seen = []
    with mainstem.Context(clock="virtual") as context, context.replay(path) as replay:
        context.observe(lambda event: seen.append(event.position))
        replay.run(2)
        context.drain()
        assert seen == [1]
        context.advance(0.5)
        assert seen == [1, 2]
        replay.pause()
        context.advance(10)
        assert seen == [1, 2]
        replay.run(0)
        context.drain()
        assert seen == [1, 2, 3]


def test_sessions_come_one_after_the_other_or_one_alone(tmp_path):
    journal = JournalWriter()
    journal.event("A", "one")
    journal.end()
    journal.types = {}
    journal.session()
    journal.event("B", "two", origin="view")
    journal.event("A", "three")
    path = journal.end().save(tmp_path / "two")

    def texts(session):
        seen = []
        with mainstem.Context() as context, context.replay(path, session=session) as replay:
            context.observe(lambda e: seen.append((e.position, e.name, e.origin, e.text)))
            replay.to_end()
        return seen

    one, two = [(1, "A", "", "one")], [(2, "B", "view", "two"), (3, "A", "", "three")]
    assert texts(1) == one
    assert texts(2) == two
    assert texts(0) == one + two


def recorded_greeting(path, greeting):
    with mainstem.Context() as context:
        context.record(path)
        context.serve(RequestGreet, lambda asked: ResponseGreeting(greeting), name="Greeter")
        context.request(RequestGreet("Ada"))


@pytest.mark.parametrize("session, same", [(0, True), (2, True), (1, False)])
def test_verify_takes_the_newest_session_or_the_one_that_is_named(tmp_path, session, same):
    path = tmp_path / "twice.journal"
    for greeting in ("Good day", "Hello"):
        recorded_greeting(path, greeting)
    expected = contextlib.nullcontext() if same else pytest.raises(mainstem.Different, match="#2 ")
    options = {"verify": True, "session": session}
    with mainstem.Context() as context, context.replay(path, **options) as replay:
        context.serve(RequestGreet, lambda asked: ResponseGreeting("Hello"), name="Greeter")
        with expected:
            replay.to_end()
            assert (replay.info.first, replay.info.matched) == (3, 1)


# Verify -------------------------------------------------------------------------------------------


def test_a_session_verifies_and_the_store_is_not_called(session):
    path, lines = session
    info, calls = verified(path)

    assert isinstance(info, mainstem.ReplayInfo)
    assert info.ended and info.digest
    assert info.verified_until == info.last == len(lines)
    assert info.fed + info.matched == len(lines)
    assert calls == 0


@pytest.mark.parametrize("change", ["status", "payload", "more"])
def test_a_change_in_one_server_is_found_where_it_is_first(session, change):
    path, lines = session
    difference, _ = verified(path, change)
    first = {
        "status": lambda line: "ResponseAdd 1001" in line,
        "payload": lambda line: "ResponseAdd ok" in line,
        "more": lambda line: "TodosChanged" in line,
    }[change]
    position = 1 + next(index for index, line in enumerate(lines) if first(line))

    assert difference.position == position + (change == "more")
    assert difference.field == {"more": "type"}.get(change, change)
    assert difference.message.startswith(f"#{difference.position} ")
    assert difference.expected.position == difference.position
    assert difference.chain[0] == difference.actual.cause
    if change == "payload":
        assert (difference.expected.text, difference.actual.text) == ("added", "Added")
        assert difference.offset == 0


PROGRAM = """
import sys
sys.path[:0] = {path!r}
from test_replay import verified
info, calls = verified(sys.argv[1])
print(info.digest, info.fed, info.matched, calls)
"""


def test_fresh_processes_have_the_same_digest(session):
    path, _ = session
    program = PROGRAM.format(path=[folder for folder in sys.path if folder])
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program, str(path)],
            stdout=subprocess.PIPE,
            check=True,
            universal_newlines=True,
        ).stdout
        for _ in range(PROCESSES)
    }
    info, calls = verified(path)

    assert outputs == {f"{info.digest} {info.fed} {info.matched} {calls}\n"}


def test_a_mark_is_recomputed_and_the_digest_tells(tmp_path):
    def verify(path):
        with mainstem.Context() as context, context.replay(path, verify=True) as replay:
            server = context.scope("S")
            server.observe("Key", lambda event: server.send("Changed", "new"))
            try:
                replay.to_end()
            except mainstem.Different as different:
                return different.difference.field
            return replay.info.matched

    path = tmp_path / "marked"
    for text, outcome in (("new", 1), ("old", "digest")):
        made = JournalWriter()
        made.type("Key", JSON | NOTICE)
        made.type("Changed", TEXT | NOTICE | 1 << 48)
        cause = made.event("Key", "{}")
        # The digest knows what the record does not.
        whole = JournalWriter()
        whole.types = made.types
        whole.event("Key", "{}")
        whole.event("Changed", text, cause=1, origin="S", flags=0)
        made.event("Changed", cause=cause, origin="", flags=32, correlation=0, time=0)
        made.digest = whole.digest
        made.end().save(path)
        assert verify(path) == outcome


def test_what_came_in_between_two_outputs_is_fed_between_them(tmp_path):
    journal = JournalWriter()
    first = journal.event("Key", "two")
    journal.event("Note", "1", cause=first, origin="S", flags=0)
    journal.say_digest()
    second = journal.event("Key", "one")
    journal.say_digest()
    journal.event("Note", "2", cause=first, origin="S", flags=0)
    journal.event("Note", "1", cause=second, origin="S", flags=0)
    path = journal.end().save(tmp_path / "between")
    with mainstem.Context(raises=True) as context, context.replay(path, verify=True) as replay:
        server = context.scope("S")

        @server.observe("Key")
        def answer(event):
            server.send("Note", "1")
            if event.text == "two":
                server.send("Note", "2")

        assert replay.to_end() == 1
        assert (replay.info.fed, replay.info.matched) == (2, 3)
