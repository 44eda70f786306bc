# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Servers that are not there, slow, full, closed to us, or lie: the host does not notice, memory
is bounded, and the mirror says what is wrong."""

from __future__ import annotations

import contextlib
import os
import random

import mainstem
import pytest
from compared import HEADER, expect_whole
from mainstem import MainstemError, Status, nats
from servers import certificate
from strange import Liar, Mangler

WAIT = 60
SEED = int(os.environ.get("MAINSTEM_TURN", "1"))


@pytest.fixture
def path(tmp_path):
    """A journal of a thousand events."""
    with mainstem.Context() as context:
        context.record(tmp_path / "session")
        context.add_type("Tick", bytes)
        for number in range(1000):
            context.send("Tick", b"t" * number)
    return tmp_path / "session"


def until(mirror, happened):
    """Returns the stats when something happened."""
    while not happened(mirror.stats):
        with contextlib.suppress(MainstemError):
            mirror.flush(0.01)
    return mirror.stats


def waits(stats):
    return stats.state == "waiting" and stats.message


def test_no_server(path):
    with nats.mirror(path, "nats://127.0.0.1:1") as mirror:
        stats = until(mirror, waits)
        assert (stats.status, stats.begun) == (Status.IO, 0)
        assert stats.message.startswith("no connection to the server: ")
        with pytest.raises(MainstemError, match=r"TIMEOUT: flush: the mirror is at"):
            mirror.flush(0)


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"\0" * 100_000,
        b"INFO {}\r\n",
        b"INFO {\r\n",
        b"INFO " + b"[" * 100_000 + b"\r\n",
        b"INFO {}\r\nPONG\r\nMSG x 1 -5\r\n",
        b"INFO {}\r\nPONG\r\nHMSG x 1 99999999999 5\r\nNATS",
        b"-ERR 'no'\r\n" * 1000,
    ],
)
def test_nonsense(path, strange, said):
    """Each time another connection is tried."""

    def talk(connection):
        connection.sendall(said)
        while connection.recv(1 << 16):
            connection.sendall(said or b"x")

    server = strange(talk)
    with nats.mirror(path, server.url) as mirror:
        stats = until(mirror, lambda stats: waits(stats) and server.connections > 1)
        assert (stats.begun, stats.entries) == (0, 0)


def mark(position, number=1):
    """The data of an entry of a type with that number; 0: of the journal's own."""
    return HEADER.pack(position, 0, 0, 0, 0, 0, 64, number, 0, 0, number)


@pytest.mark.parametrize(
    "acknowledge",
    [
        lambda count, sequence: {"stream": "session", "seq": sequence + 1},
        lambda count, sequence: {"stream": "session", "seq": 0},
        lambda count, sequence: {"stream": "session", "seq": 1 << 63},
        lambda count, sequence: {"stream": "session", "seq": sequence, "duplicate": True},
        lambda count, sequence: {"stream": "another", "seq": sequence},
        lambda count, sequence: {"seq": sequence},
        lambda count, sequence: b"",
        lambda count, sequence: b"{" * 10_000,
        lambda count, sequence: b"\xff\0",
        lambda count, sequence: {"error": {"code": 503, "err_code": 10077, "description": "full"}},
    ],
)
def test_lies_about_entries(path, strange, acknowledge):
    """Nothing counts as mirrored, and each is counted as refused."""
    liar = Liar(acknowledge)
    with nats.mirror(path, strange(liar.talk).url) as mirror:
        stats = until(mirror, lambda stats: stats.refused > 1)
    assert (stats.done, stats.entries) == (0, 0)


def test_a_flush_waits_for_the_answers(path, strange):
    liar = Liar(lambda count, sequence: None)
    with nats.mirror(path, strange(liar.talk).url) as mirror:
        until(mirror, lambda stats: liar.count > 1000)
        with pytest.raises(MainstemError, match="TIMEOUT"):
            mirror.flush(0.2)
        assert (mirror.stats.read, mirror.stats.done) == (1000, 0)


def test_a_server_that_hangs_up_is_not_waited_for(path, strange):
    """Also while the window is full: the mirror begins again at once."""

    class Short(Liar):
        def _answer(self, subject, data):
            answer = super()._answer(subject, data)
            if self.count == 4:
                self.count = 0
                raise EOFError
            return answer

    liar = Short(lambda count, sequence: None)
    with nats.mirror(path, strange(liar.talk).url, window=4) as mirror:
        stats = until(mirror, waits)
        assert stats.message == "the connection to the server has ended"
        assert stats.status == Status.IO


def test_a_server_that_never_answers_is_given_up(strange, tmp_path):
    """It gets 8 MiB and not one more event; after 10 seconds it is told."""
    with mainstem.Context() as context:
        context.record(tmp_path / "session")
        context.add_type("Bulk", bytes)
        for _ in range(40):
            context.send("Bulk", b"b" * 1_000_000)
    liar = Liar(lambda count, sequence: None)
    with nats.mirror(tmp_path / "session", strange(liar.talk).url) as mirror:
        stats = until(mirror, waits)
        assert (stats.status, stats.done) == (Status.IO, 0)
        assert stats.message == "the server has not answered for 10 seconds"
        assert liar.count < 12 * stats.begun


def test_entries_that_are_taken_but_not_kept_are_sent_again(path, strange):
    """A thousand entries are acknowledged; the stream still has none of them."""
    liar = Liar(lambda count, sequence: {"stream": "session", "seq": sequence})
    server = strange(liar.talk)
    with nats.mirror(path, server.url) as mirror:
        mirror.flush(WAIT)
        assert (mirror.stats.done, liar.count) == (1000, records_of(path))
        liar.sequence = 0
    with nats.mirror(path, server.url) as mirror:
        mirror.flush(WAIT)
        assert liar.count == 2 * records_of(path)


def records_of(path):
    """How many entries the stream gets."""
    with mainstem.Journal(path) as journal:
        return len(list(journal.every_record()))


def identity(path, text):
    with mainstem.Journal(path) as journal:
        return f"{journal.info.id.hex()}-{text}"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("5", Status.DIFFERENT),
        ("1000", Status.DIFFERENT),
        ("1001", Status.DIFFERENT),
        ("9223372036854775807", Status.DIFFERENT),
        ("0-1-0", Status.DIFFERENT),
        ("256-1-1", Status.DIFFERENT),
        ("256-1-2", Status.DIFFERENT),
        ("1000-2-0", Status.DIFFERENT),
        ("1001-0-0-mark", Status.DIFFERENT),
    ],
)
def test_a_stream_that_differs_stops_the_mirror(path, strange, text, status):
    """It has another event at that position, or one that the journal has not."""
    number, *others = text.split("-")
    headers = {"Nats-Msg-Id": identity(path, text), "Nats-Expected-Last-Sequence": "6"}
    last = (headers, mark(int(number), 0 if others else 1))
    liar = Liar(lambda count, sequence: None, last, sequence=7)
    with nats.mirror(path, strange(liar.talk).url) as mirror:
        stats = until(mirror, lambda stats: stats.state == "stopped")
        assert stats.status == status and f"position {number} " in stats.message
        with pytest.raises(MainstemError, match="DIFFERENT"):
            mirror.flush(WAIT)
    assert liar.count == 0


@pytest.mark.parametrize(
    "text",
    ["", "-1", "999999999999999999999", "1x", "17-1", "17-1-1-1", "17-1-1-marks", "0x10", " 5"],
)
def test_an_identity_that_is_none_is_a_strangers(path, strange, text):
    last = ({"Nats-Msg-Id": identity(path, text)}, b"")
    liar = Liar(lambda count, sequence: {"stream": "session", "seq": sequence}, last, sequence=1)
    with nats.mirror(path, strange(liar.talk).url) as mirror:
        mirror.flush(WAIT)
    assert liar.count == records_of(path)


def test_what_a_server_says_cannot_control_a_terminal(path, strange):
    class Refusing(Liar):
        def _answer(self, subject, data):
            return super()._answer("$JS.API.NO", data)

    with nats.mirror(path, strange(Refusing(lambda *_: None).talk).url) as mirror:
        stats = until(mirror, waits)
        assert "such" in stats.message and stats.message.isprintable()


def test_bytes_are_turned_over(server, path, strange):
    """Whatever becomes of what the server says, the stream has each event once, in order."""
    mangler = Mangler(server.port, random.Random(SEED), 0.2)
    between = strange(mangler.talk)
    while mangler.mangled < 25:
        with nats.mirror(path, between.url, window=16) as mirror, contextlib.suppress(
            MainstemError
        ):
            mirror.flush(0.5)
    with nats.mirror(path, server.url) as mirror:
        mirror.flush(WAIT)
    with server.client() as client:
        assert expect_whole(path, client.entries("session")) == 1000


def test_a_full_stream_is_tried_again(server, path):
    with server.client() as client:
        config = {"name": "session", "subjects": ["session.>"], "max_msgs": 300, "discard": "new"}
        client.ask("STREAM.CREATE.session", config)
        with nats.mirror(path, server.url) as mirror:
            stats = until(mirror, waits)
            assert stats.status == Status.NO_SPACE and "maximum messages exceeded" in stats.message
            until(mirror, lambda stats: stats.done == 300 - 4)
            client.ask("STREAM.UPDATE.session", {**config, "max_msgs": -1})
            mirror.flush(WAIT)
            assert mirror.stats.refused > 0
        assert expect_whole(path, client.entries("session")) == 1000


def test_a_host_does_not_wait_for_a_server_that_hangs(server, tmp_path):
    """And the mirror's memory does not grow with what it has not sent."""
    with mainstem.Context() as context:
        context.record(tmp_path / "session")
        context.add_type("Bulk", bytes)
        context.send("Bulk", b"first")
        with nats.mirror(tmp_path / "session", server.url) as mirror:
            mirror.flush(WAIT)
            server.stop()
            before = memory()
            for _ in range(2000):
                context.send("Bulk", b"b" * 50_000)
            with pytest.raises(MainstemError, match="TIMEOUT"):
                mirror.flush(0.5)
            assert memory() - before < 40 << 20
            server.go_on()
            mirror.flush(WAIT)
    with server.client() as client:
        assert expect_whole(tmp_path / "session", client.entries("session")) == 2001


def memory():
    """Bytes of this process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_who_may_not_enter_is_told(make_server, path):
    server = make_server("authorization { user: ada, password: enigma }")
    for user, password in ((None, None), ("ada", "wrong")):
        with nats.mirror(path, server.url, user=user, password=password) as mirror:
            stats = until(mirror, waits)
            assert stats.status == Status.DENIED
            assert "enigma" not in stats.message and "wrong" not in stats.message
    with nats.mirror(path, server.url, user="ada", password="enigma") as mirror:
        mirror.flush(WAIT)
    with server.client(user="ada", **{"pass": "enigma"}) as client:
        assert expect_whole(path, client.entries("session")) == 1000


def test_who_may_not_publish_is_told(make_server, path):
    user = "{ user: a, password: a, permissions: { publish: ['$JS.API.>'] } }"
    server = make_server(f"authorization {{ users: [{user}] }}")
    with nats.mirror(path, server.url, user="a", password="a") as mirror:
        # libnats may have forgotten the server's words when it is asked; the next attempt has them.
        stats = until(mirror, lambda now: waits(now) and "Permissions Violation" in now.message)
        assert stats.status == Status.DENIED


def test_a_server_without_jetstream_is_told(tmp_path, path, make_server):
    server = make_server("accounts { A { users: [{user: a, password: a}] } }")
    with nats.mirror(path, server.url, user="a", password="a") as mirror:
        stats = until(mirror, waits)
        assert stats.state == "waiting" and stats.entries == 0


def test_a_server_with_a_certificate(make_server, path, tmp_path):
    """The connection is encrypted, and a certificate of another is refused."""
    for name in ("one", "two"):
        certificate(tmp_path, name)
    server = make_server(
        f'tls {{ cert_file: "{tmp_path}/one.pem", key_file: "{tmp_path}/one.key" }}'
    )
    url = f"tls://localhost:{server.port}"
    with nats.mirror(path, url, tls=True, authorities=tmp_path / "two.pem") as mirror:
        assert until(mirror, waits).entries == 0
    with nats.mirror(
        path, url, tls=True, authorities=tmp_path / "one.pem", host="localhost"
    ) as mirror:
        mirror.flush(WAIT)
        assert mirror.stats.done == 1000
