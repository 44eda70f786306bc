# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What others publish to a mirror's stream: it is passed by, counted and said; nothing is lost,
nothing is there twice."""

from __future__ import annotations

import foreign
import mainstem
import pytest
from compared import expect_whole, files_of
from mainstem import nats

WAIT = 60
#: The shortest that a server takes: 100 ms, in which it knows an id again.
SHORT = {"subjects": ["session.>"], "duplicate_window": 100_000_000}


@pytest.fixture
def session(tmp_path):
    """A context that is recorded, and its journal."""
    with mainstem.Context() as context:
        context.record(tmp_path / "session.journal")
        context.add_type("Clicked", str, layer="view")
        yield context, tmp_path / "session.journal"


def identity_of(path):
    with mainstem.Journal(path) as journal:
        list(journal.records())
        return journal.info.id.hex()


def entries(server, are_foreign=False):
    """Those that mirrors made, or the others."""
    with server.client() as client:
        found = list(client.entries("session"))
    return [entry for entry in found if foreign.is_foreign(entry) == are_foreign]


def let_forget(client):
    """Returns when the server no longer knows the ids that it has seen."""
    probe = ("session.probe", {"Nats-Msg-Id": "probe", "Foreign": "1"}, b"")
    while not foreign.publish(client, probe):
        pass
    while not foreign.publish(client, probe):
        pass


@pytest.mark.parametrize("kind", [*foreign.KINDS, "placed"])
def test_a_mirror_passes_by_what_others_published(server, session, kind):
    context, path = session
    with server.client() as client:
        assert "error" not in client.ask("STREAM.CREATE.session", {"name": "session", **SHORT})
        for _ in range(5):
            context.send("Clicked", "before")
        with nats.mirror(path, server.url) as mirror:
            mirror.flush(WAIT)
        let_forget(client)
        identity, there = identity_of(path), entries(server)
        messages = [foreign.message(kind, "session", identity, there, seed) for seed in range(1, 4)]
        taken = [foreign.publish(client, each) for each in messages]
        assert any(taken)

        with nats.mirror(path, server.url) as mirror:
            for _ in range(5):
                context.send("Clicked", "behind")
            mirror.flush(WAIT)
            stats = mirror.stats
        assert (stats.state, stats.entries, stats.done) == ("running", 5, 10)
        if kind not in ("bare event", "other id"):
            assert stats.refused >= 1
            assert "no mirror made" in stats.message

        assert expect_whole(path, iter(entries(server))) == 10
    fetched = path.parent / "fetched.journal"
    report = nats.fetch(fetched, server.url, prefix="session", stream="session", journal=identity)
    assert report.is_whole == (kind != "placed")
    if not report.is_whole:
        assert (report.first, report.last, report.events) == (1, 10, 10)
        return
    assert list(files_of(fetched).values()) == list(files_of(path).values())


def test_what_comes_while_it_works_is_counted_once(server, session):
    context, path = session
    with server.client() as client, nats.mirror(path, server.url) as mirror:
        for turn in range(1, 11):
            context.send("Clicked", "one")
            mirror.flush(WAIT)
            assert foreign.publish(
                client, (f"session._journal.{identity_of(path)}", None, b"x" * turn)
            )
        context.send("Clicked", "last")
        mirror.flush(WAIT)
        assert len(entries(server, are_foreign=True)) == 10
        assert expect_whole(path, iter(entries(server))) == 11
        assert mirror.stats.refused >= 10
    # A mirror that begins anew looks behind the journal's own last entry, and counts each once.
    own = f"session._journal.{identity_of(path)}"
    with server.client() as client, nats.mirror(path, server.url) as mirror:
        counts = []
        for _ in range(3):
            mirror.flush(WAIT)
            counts.append(mirror.stats.refused)
            assert foreign.publish(client, (own, None, b"x"))
            context.send("Clicked", "behind it")
        assert counts[0] == 0 and counts[1] >= 11
        # One more, and what the server has refused meanwhile.
        assert 1 <= counts[2] - counts[1] < 10
