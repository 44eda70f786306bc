# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Who asks, who answers and what lies between may lie: nothing breaks, memory is bounded, and each
request still has one answer."""

from __future__ import annotations

import os
import random

import mainstem
import pytest
from asking import PATIENCE, Asked, RequestTotal, ResponseTotal, context, echo, keeping, pair, until
from mainstem import Failure, Status, nats
from strange import Mangler

SEED = int(os.environ.get("MAINSTEM_TURN", "1"))
KILLS = int(os.environ.get("MAINSTEM_NATS_KILLS", "6"))
SUBJECT = "$MAINSTEM.request.mainstem.RequestTotal"
CANCELS = "$MAINSTEM.cancel.mainstem.RequestTotal"


def memory():
    """Bytes of this process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Liar:
    """Answers what one context asks, as a test wants it."""

    def __init__(self, server, here, **options):
        self.here, self.client = here, server.client()
        self.client.subscribe(SUBJECT)
        self.client.ask("INFO")
        self.forward = nats.forward(here, RequestTotal, server.url, **options)
        self.forward.flush(PATIENCE)

    def asked(self):
        """A request, and the one who hears it."""
        asked = Asked(self.here, RequestTotal(b"milk"))
        self.here.drain()
        return asked, self.client.next().reply

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.forward.close()
        self.client.__exit__()

    def until_refused(self, count):
        until(lambda: self.forward.stats.refused == count, self.here)


@pytest.fixture
def liar(server):
    with context() as here, Liar(server, here) as made:
        yield made


@pytest.mark.parametrize("status", ["0", "-1", "", "x", "2147483648", "99999999999", "1 1", "0x1"])
def test_a_status_that_is_none_is_ignored(liar, status):
    asked, reply = liar.asked()
    liar.client.publish(reply, b"", headers={"Mainstem-Status": status})
    liar.until_refused(1)
    liar.client.publish(reply, b"truth")
    until(lambda: asked.answers, liar.here)
    assert asked.answers == [ResponseTotal(b"truth")]


@pytest.mark.parametrize("status", [1, 11, 31, 999, 1000, 2147483647])
def test_a_status_of_a_newer_library_passes(liar, status):
    asked, reply = liar.asked()
    liar.client.publish(reply, b"why\0you\0who\0", headers={"Mainstem-Status": str(status)})
    until(lambda: asked.answers, liar.here)
    assert asked.failure == Failure("why", user_message="you", code=status, subject="who")


@pytest.mark.parametrize(
    "texts",
    [b"x", b"x\0", b"x\0\0", b"x\0\0\0\0", b"\xff\0\0\0", b"\0\0\xed\xa0\x80\0", b"\xc3\0\0\0"],
)
def test_texts_that_are_none_are_a_failure_of_their_own(liar, texts):
    asked, reply = liar.asked()
    liar.client.publish(reply, texts, headers={"Mainstem-Status": "1001"})
    until(lambda: asked.answers, liar.here)
    assert asked.failure.status == Status.INVALID
    assert liar.forward.stats.refused == 1 and liar.here.first_error() is None


def test_a_failure_without_texts(liar):
    asked, reply = liar.asked()
    liar.client.publish(reply, b"", headers={"Mainstem-Status": "1001"})
    until(lambda: asked.answers, liar.here)
    assert asked.failure.status == 1001


def test_a_second_answer_is_ignored(liar):
    asked, reply = liar.asked()
    for answer in (b"one", b"two", b"three"):
        liar.client.publish(reply, answer)
    liar.until_refused(2)
    until(lambda: asked.answers, liar.here)
    assert asked.answers == [ResponseTotal(b"one")]


def test_a_late_answer_is_not_taken_for_another_s(liar):
    given_up, late = liar.asked()
    given_up.pending.cancel()
    asked, reply = liar.asked()
    liar.client.publish(late, b"late")
    liar.until_refused(1)
    liar.client.publish(reply, b"right")
    until(lambda: asked.answers, liar.here)
    assert asked.answers == [ResponseTotal(b"right")]


def test_answers_to_nobody_are_ignored(liar):
    asked, reply = liar.asked()
    inbox, number, terms = reply.rsplit(".", 2)
    others = [
        f"{inbox}.{int(number) + 1}.{terms}",
        f"{inbox}.{int(number) + 4096}.{terms}",
        f"{inbox}.0.{terms}",
        f"{inbox}.{'9' * 19}.{terms}",
        f"{inbox}.{'9' * 40}.{terms}",
        f"{inbox}.{number}",
        f"{inbox}.x.{terms}",
        f"{inbox}.-{number}.{terms}",
    ]
    for other in others:
        liar.client.publish(other, b"lie")
    liar.until_refused(len(others))
    assert not asked.answers


PROGRESS = ["Step", "", "%", "%2", "%0", "%00", "%zz", "Nothing", "RequestTotal", "ResponseTotal"]
PROGRESS += ["MainstemFailure", "MainstemGap", "Shop.count", "x" * 300, "%41" * 300]


@pytest.mark.parametrize("name", PROGRESS, ids=range(len(PROGRESS)))
def test_progress_that_is_none_is_ignored(liar, name):
    """Of no type, of no notice, of the library's, or with a payload that breaks the contract."""
    liar.here.add_type("Shop.count", int, role="value")
    asked, reply = liar.asked()
    liar.client.publish(reply, b"12345", headers={"Mainstem-Progress": name})
    liar.until_refused(1)
    liar.client.publish(reply, b"truth")
    until(lambda: asked.answers, liar.here)
    assert asked.answers == [ResponseTotal(b"truth")] and not asked.steps
    assert liar.here.first_error() is None


def test_progress_without_an_end(server):
    with context() as here, Liar(server, here, timeout=0.5) as liar:
        asked, reply = liar.asked()
        step = {"Mainstem-Progress": "Step"}
        while not asked.answers:
            for _ in range(100):
                liar.client.publish(reply, b"\0" * 8, headers=step)
            here.drain()
        assert asked.failure.status == Status.TIMEOUT and len(asked.steps) > 100
        liar.client.ask("INFO")
        until(lambda: liar.forward.stats.refused > 0, here)


@pytest.mark.parametrize("payload", [b"\xff", b"\xc0\x80", b"\xf4\x90\x80\x80", b"a\xe2\x82"])
def test_an_answer_that_breaks_the_contract(server, payload):
    with mainstem.Context() as here, server.client() as client:
        here.add_type("RequestTotal", str, response="ResponseTotal")
        here.add_type("ResponseTotal", str)
        client.subscribe(SUBJECT)
        client.ask("INFO")
        with nats.forward(here, "RequestTotal", server.url) as forward:
            forward.flush(PATIENCE)
            for answer, status in ((payload, Status.INVALID), ("größer €".encode(), Status.OK)):
                answers = []
                here.request("RequestTotal", "x", then=answers.append)
                here.drain()
                client.publish(client.next().reply, answer)
                until(lambda answers=answers: answers, here)
                assert answers[0].status == status
        assert here.first_error() is None


def done(bridge):
    """How many requests were answered or refused."""
    return bridge.stats.entries + bridge.stats.refused


def test_requests_that_are_none(server):
    """Nobody to answer; a name too long; contracts that differ; payloads that break them."""
    with mainstem.Context() as there, server.client() as client:
        there.add_type("RequestTotal", str, response="ResponseTotal")
        there.add_type("ResponseTotal", str)
        there.serve("RequestTotal", lambda request: request.text)
        with nats.serve(there, "RequestTotal", server.url) as serving:
            serving.flush(PATIENCE)
            client.publish(SUBJECT, b"nobody")
            client.publish(SUBJECT, b"nobody", "r." + "x" * 300)
            until(lambda: serving.stats.refused == 2)
            for reply, data, status in (
                ("r.one", b"\xff", "1"),
                ("r.1.2-3-4", b"x", "1"),
                ("r.1.200000000-300000000-ffffffff", b"x", "1"),
                ("r.1.200000000-200000000-1ffffffff", b"x", None),
                ("r.1.200000000-200000000-0", b"x", None),
                ("r.1.200000000-200000000-", b"x", None),
                ("r.1.-", b"x", None),
            ):
                before = done(serving)
                client.subscribe(reply)
                client.publish(SUBJECT, data, reply)
                until(lambda before=before: done(serving) > before, there)
                message = client.next()
                assert message.headers.get("Mainstem-Status") == status, (reply, message)
            assert there.first_error() is None


def test_one_who_asks_twice_in_one_name(server):
    keep = keeping()
    with pair(server.url, keep) as both, server.client() as client:
        for _ in range(3):
            client.publish(SUBJECT, b"x", "r.twice")
        both.until(lambda: both.serving.stats.refused == 2 and keep.kept)
        assert len(keep.kept) == 1 and both.serving.stats.open == 1


def test_cancels_of_nothing(server):
    keep = keeping()
    with pair(server.url, keep) as both, server.client() as client:
        asked = both.ask(b"x")
        both.until(lambda: keep.kept)
        for who in (b"", b"nobody", b"\xff", b"x" * 300, b"\0"):
            client.publish(CANCELS, who)
        client.ask("INFO")
        both.serving.flush(PATIENCE)
        keep.kept[0].respond(ResponseTotal(b"y"))
        both.until(lambda: asked.answers)
        assert asked.answers == [ResponseTotal(b"y")] and both.serving.stats.refused == 2


def test_a_flood_of_requests(server):
    """More than there is room for: each has an answer, and memory is bounded."""
    keep = keeping()
    with context() as there, server.client() as client:
        there.serve(RequestTotal, keep)
        with nats.serve(there, RequestTotal, server.url, window=100) as serving:
            serving.flush(PATIENCE)
            client.subscribe("r.*")
            before = memory()
            for number in range(3000):
                client.publish(SUBJECT, b"x" * 20_000, f"r.{number}")
            refused = [client.next() for _ in range(2900)]
            assert {message.headers["Mainstem-Status"] for message in refused} == {"8"}
            assert memory() - before < 60 << 20
            until(lambda: len(keep.kept) == 100, there)
            assert serving.stats.open == 100


def test_a_host_does_not_wait_for_a_server_that_hangs(server):
    """Requests without room are refused; the others are answered when the server goes on."""
    with pair(server.url, echo) as both:
        server.stop()
        before = memory()
        asked = []
        for _ in range(2000):
            asked.append(both.ask(b"x" * 50_000))
            both.here.drain()
        full = [each for each in asked if each.answers]
        assert {each.failure.status for each in full} == {Status.FULL}
        assert 600 < len(full) < 1000
        assert memory() - before < 300 << 20
        server.go_on()
        both.until(lambda: all(each.answers for each in asked))
        assert sum(isinstance(each.answers[0], ResponseTotal) for each in asked) == 2000 - len(full)


INFO = b'INFO {"server_id":"S","version":"2.9.10","headers":true,"max_payload":%s}\r\nPONG\r\n'
NONSENSE = [
    b"",
    b"\0" * 100_000,
    b"INFO {}\r\n",
    b"INFO {\r\n",
    b"INFO " + b"[" * 100_000 + b"\r\n",
    INFO % b"1048576" + b"MSG x 1 -5\r\n",
    INFO % b"1048576" + b"HMSG x 1 99999999999 5\r\nNATS",
    INFO % b"1048576" + b"MSG x 1 5\r\nhelloMSG x 1 5\r\nhello" * 1000,
    INFO % b"1048576" + b"MSG _INBOX.x 1 0\r\n\r\n" * 1000,
    INFO % b"1048576" + b"HMSG _INBOX.x 1 12 12\r\nNATS/1.0\r\n\r\n\r\n" * 1000,
    INFO % b"1048576" + b"HMSG x 2 5 5\r\nNATSX\r\n" * 100,
    INFO % b"-5",
    INFO % b"0",
    INFO % b"99999999999999999999",
    b"-ERR 'no'\r\n" * 1000,
]


@pytest.mark.parametrize("said", NONSENSE, ids=range(len(NONSENSE)))
@pytest.mark.parametrize("begin", [nats.forward, nats.serve])
def test_nonsense(strange, said, begin):
    """Each time another connection is tried, and a request has its answer in time."""

    def talk(connection):
        connection.sendall(said)
        while connection.recv(1 << 16):
            connection.sendall(said or b"x")

    server = strange(talk)
    with context() as here, begin(here, RequestTotal, server.url, timeout=0.2) as bridge:
        asked = Asked(here, RequestTotal(b"x"), timeout=5)
        until(lambda: asked.answers, here)
        assert asked.failure.status in (Status.TIMEOUT, Status.UNHANDLED)
        until(lambda: server.connections > 0)
        assert bridge.stats.open == 0


def test_bytes_are_turned_over(server, strange):
    """On both ways of both sides, among them the ways of the client's own protocol."""
    chance = random.Random(SEED)
    mangler = Mangler(server.port, chance, 0.02)
    between = strange(mangler.talk)
    with context() as here, context() as there:
        there.serve(RequestTotal, echo)
        with nats.serve(there, RequestTotal, between.url, timeout=0.5), nats.forward(
            here, RequestTotal, between.url, timeout=0.5
        ) as forward:
            everything = []
            while mangler.mangled < KILLS * 2:
                asked = [Asked(here, RequestTotal(b"%d" % n * 100)) for n in range(50)]
                until(lambda asked=asked: all(each.answers for each in asked), here, there)
                everything += asked
            assert all(len(each.answers) == 1 for each in everything)
            assert forward.stats.open == here.stats().requests == 0
    print(len(everything), "requests")


def garbage(chance):
    """Headers and data that may be anything, mostly nearly right."""
    names = ["Mainstem-Status", "Mainstem-Progress", "Status", "Nats-Msg-Id", "x"]
    values = ["0", "1", "1001", "Step", "%53tep", "-1", "503", "9" * 30, "%", "x" * 1000]
    headers = {chance.choice(names): chance.choice(values) for _ in range(chance.randrange(3))}
    data = bytes(chance.randrange(256) for _ in range(chance.choice([0, 1, 8, 12, 300])))
    return headers or None, chance.choice(
        [data, b"why\0you\0who\0", b"\0\0\0", b"\x07" + b"\0" * 7]
    )


def mutated(chance, text):
    """A subject that may be another one."""
    at = chance.randrange(len(text))
    other = chance.choice("0123456789abcdef.-xZ")
    changed = text[:at] + other + text[at + chance.randrange(2) :]
    return text if chance.random() < 0.6 or ".." in changed or changed[-1] == "." else changed


def test_random_messages(server):
    """To both sides, with the names of open requests; what is asked properly is answered, once."""
    chance = random.Random(SEED)
    keep = keeping()
    with pair(
        server.url, lambda r: keep(r) if r.what == b"keep" else echo(r)
    ) as both, server.client() as client:
        client.subscribe(SUBJECT)
        client.ask("INFO")
        for _ in range(KILLS * 8):
            asked = [both.ask(b"keep") for _ in range(3)]
            both.here.drain()
            replies = [client.next().reply for _ in range(3)]
            for _ in range(30):
                headers, data = garbage(chance)
                reply = mutated(chance, chance.choice(replies))
                where = chance.choice([reply, SUBJECT, CANCELS])
                client.publish(where, data, reply if chance.random() < 0.7 else "", headers)
                if where == SUBJECT:
                    client.next()
            for each in asked:
                each.pending.cancel()
            both.until(lambda asked=asked: all(each.answers for each in asked))
            assert all(len(each.answers) == 1 for each in asked)
            for kept in keep.kept:
                kept.release()
            keep.kept.clear()
            assert both.answer(b"still") == ResponseTotal(b"still")
            assert client.next().data == b"still"
        assert both.forward.stats.open == 0
        assert both.here.first_error() is None and both.there.first_error() is None
