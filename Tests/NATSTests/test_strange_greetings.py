# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Servers that greet, and then let the client wait: it is not left to wait with them, and no
connection is ended but the bridge's own."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading

import pytest
from asking import PATIENCE, RequestTotal, context
from importing import memory, record, ticks
from mainstem import MainstemError, Status, nats
from servers import certificate
from strange import greet, hear, silent

SENTENCE = "no connection to the server: it greets and is then silent"


@pytest.fixture
def path(tmp_path):
    record(tmp_path / "session", ticks(10))
    return tmp_path / "session"


def silent_in_handshake(connection):
    greet(connection, tls_required=True)
    hear(connection)


def babbling(connection):
    """A line that has no end."""
    greet(connection)
    connection.recv(1)
    while True:
        connection.sendall(b"x" * 10_000)


def mumbling(connection):
    """One that has none either, a little at a time."""
    greet(connection)
    pace = threading.Event()
    while not pace.wait(0.1):
        connection.sendall(b"x")


def silent_when_safe(folder):
    """Silent, and encrypted."""
    certificate(folder, "one")
    terms = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    terms.load_cert_chain(folder / "one.pem", folder / "one.key")

    def talk(connection):
        greet(connection, tls_required=True)
        with terms.wrap_socket(connection, server_side=True) as safe:
            hear(safe)

    return talk


def until(bridge, happened):
    """Returns the stats when something happened."""
    for _ in range(PATIENCE * 20):
        stats = bridge.stats
        if happened(stats):
            return stats
        with contextlib.suppress(MainstemError):
            bridge.flush(0.05)
    raise AssertionError(f"it did not happen: {stats}")


def tried_again(server):
    """Whether one connection was given up, and another one has begun."""
    return lambda stats: stats.message and server.connections > 1


@pytest.mark.parametrize("talk", [silent, babbling, mumbling, silent_in_handshake])
def test_it_is_given_up(path, strange, talk):
    server = strange(talk)
    before = memory()
    with nats.mirror(path, server.url) as mirror:
        stats = until(mirror, tried_again(server))
        assert (stats.state, stats.status, stats.message) == ("waiting", Status.IO, SENTENCE)
    assert memory() - before < 1 << 25


def test_it_is_found_by_any_name(path, strange):
    """However its URL is written."""
    names = [
        "127.0.0.1:{}",
        "nats://ada:en@igma@localhost:{}",
        "nats://127.0.0.1:1, nats://localhost:{}",
    ]
    with contextlib.ExitStack() as stack:
        for name in names:
            server = strange(silent)
            url = name.format(server.url.rsplit(":", 1)[1])
            mirror = stack.enter_context(nats.mirror(path, url))
            stack.callback(until, mirror, tried_again(server))


def test_one_that_is_silent_when_it_is_safe(path, strange, tmp_path):
    server = strange(silent_when_safe(tmp_path))
    safe = {"tls": True, "authorities": tmp_path / "one.pem", "host": "localhost"}
    with nats.mirror(path, server.url, **safe) as mirror:
        assert until(mirror, tried_again(server)).message == SENTENCE


def test_all_bridges_give_it_up(path, strange):
    """Also at the same time."""
    server = strange(silent)
    with contextlib.ExitStack() as stack:
        here, there = (stack.enter_context(context()) for _ in range(2))
        here.add_type("Tick", int)
        bridges = [
            nats.import_stream(here, "all", ["Tick"], server.url, durable="own"),
            nats.forward(here, RequestTotal, server.url),
            nats.serve(there, RequestTotal, server.url),
            *(nats.mirror(path, server.url) for _ in range(100)),
        ]
        for bridge in bridges:
            stack.enter_context(bridge)
        for bridge in bridges:
            assert until(bridge, lambda stats: stats.message).message == SENTENCE


def test_a_fetch_gives_it_up(tmp_path, strange):
    with pytest.raises(MainstemError, match=f"IO: .*{SENTENCE}"):
        nats.fetch(tmp_path / "fetched", strange(silent).url, stream="all", timeout=1)


def test_another_server_is_taken(path, strange, server):
    """Those that are named behind a silent one have their turn."""
    with nats.mirror(path, f"{strange(silent).url},{server.url}") as mirror:
        mirror.flush(60)
        assert mirror.stats.done == 10


def test_a_bridge_can_be_closed_meanwhile(path, strange):
    """With many silent servers in its list: then none of them gets its four seconds."""
    servers = [strange(silent) for _ in range(16)]
    mirror = nats.mirror(path, ",".join(server.url for server in servers))
    until(mirror, lambda stats: any(server.connections for server in servers))
    closing = threading.Thread(target=mirror.close)
    closing.start()
    closing.join(20)
    assert not closing.is_alive()


def talk_to(server):
    """The program's own connection to the server."""
    port = int(server.url.rsplit(":", 1)[1])
    return socket.create_connection(("127.0.0.1", port), timeout=60)


def lives(connection):
    """Whether it has a greeting, and no end behind it."""
    connection.setblocking(False)
    heard = []
    with contextlib.suppress(BlockingIOError):
        while not heard or heard[-1]:
            heard.append(connection.recv(1 << 16))
    return heard and heard[0].startswith(b"INFO ") and heard[-1]


def test_other_connections_to_it_live(path, strange):
    """One from before, and one that the program made while the bridge connected. As long as there
    is that one, nobody can tell whose is whose, and none is ended."""
    server = strange(silent)
    with talk_to(server) as before, nats.mirror(path, server.url) as mirror:
        until(mirror, lambda stats: server.connections == 2)
        with talk_to(server) as meanwhile:
            with pytest.raises(MainstemError, match="TIMEOUT"):
                mirror.flush(6)
            assert server.connections == 3
            assert lives(meanwhile)
        until(mirror, lambda stats: stats.message == SENTENCE)
        assert lives(before)
