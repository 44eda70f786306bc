# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Fetching from servers that lie: what comes of it is a journal that can be read, or nothing.

A lying server is a stream to which forged entries were added, or one whose answers are changed on
their way.
"""

from __future__ import annotations

import contextlib
import os
import random
import struct

import mainstem
import pytest
from client import Entry
from compared import HEADER, files_of, is_own, mirrored
from mainstem import MainstemError, nats
from mainstem.observers._subscription import EventHeader
from strange import Liar, Mangler, Strange

SEED = int(os.environ.get("MAINSTEM_TURN", "1"))


@pytest.fixture
def entries(server, tmp_path):
    """What a mirror makes of a journal of several files with a little of everything."""
    path = tmp_path / "true"
    with mainstem.Context() as context:
        context.record(path, segment_size=30_000)
        context.add_type("Tick", int, layer="weather")
        context.add_type("RequestRain", str, response="ResponseRain")
        context.add_type("ResponseRain", str)
        scope = context.scope("Clouds")
        for number in range(400):
            scope.send("Tick", number)
            context.send("RequestRain", "r" * (number % 90))
    assert len(files_of(path)) > 2
    mirrored(path, server)
    with server.client() as client:
        return [entry._replace(headers=own(entry.headers)) for entry in client.entries("true")]


def own(headers):
    """Without what places an entry in its stream."""
    return {key: value for key, value in headers.items() if "Expected" not in key}


def forge(server, entries, name):
    """A stream of these entries, each as often as it is there."""
    with server.client() as client:
        config = {"name": name, "subjects": [f"{name}.>"], "storage": "memory"}
        client.ask(f"STREAM.CREATE.{name}", config)
        for index, entry in enumerate(entries):
            client.publish(f"{name}.{index}", entry.data, headers=entry.headers)
        client.publish(f"{name}.end", b"")
        while "error" in client.ask(f"STREAM.MSG.GET.{name}", {"last_by_subj": f"{name}.end"}):
            pass
        return client.state(name)["messages"] == len(entries) + 1


def read(path):
    """The positions of a journal that can be read to its end."""
    with mainstem.Journal(path) as journal:
        found = [event.position for event in journal]
        assert journal.info.torn_bytes == 0 and found == sorted(set(found))
        return found


def fetched(server, tmp_path, name):
    """What comes of a stream, read; None: it was refused, and nothing is left."""
    try:
        made = nats.fetch(tmp_path / name, server.url, prefix=name, timeout=0)
    except MainstemError as error:
        assert list(tmp_path.glob(f"*{name}*")) == [], error
        return None
    assert len(read(tmp_path / name)) == made.events
    return made


def changed(entry, **fields):
    """The same entry with another header in its data."""
    header = EventHeader._make(HEADER.unpack_from(entry.data))._replace(**fields)
    return entry._replace(data=HEADER.pack(*header) + entry.data[HEADER.size :])


def called(entry, suffix):
    """The same entry with another place in the journal."""
    identity = entry.headers["Nats-Msg-Id"][:32]
    return entry._replace(headers={**entry.headers, "Nats-Msg-Id": identity + suffix})


def again(entry):
    """The same entry once more: the server does not see that its id is the same."""
    identity = entry.headers.get("Nats-Msg-Id", "x" * 33)
    return entry._replace(
        headers={**entry.headers, "Nats-Msg-Id": f"{identity[:33]}0{identity[33:]}"}
    )


FORGERIES = {
    "as it is": lambda all_: all_,
    "short": lambda all_: [all_[0], *(each._replace(data=each.data[:60]) for each in all_[1:])],
    "empty": lambda all_: [all_[0], *(each._replace(data=b"") for each in all_[1:])],
    "cut": lambda all_: [each._replace(data=each.data[:-1]) for each in all_],
    "longer": lambda all_: [each._replace(data=each.data + b"x") for each in all_],
    "sizes": lambda all_: [changed(each, size=0xFFFFFFFF) for each in all_],
    "no headers": lambda all_: [each._replace(headers={"A": "b"}) for each in all_],
    "backwards": lambda all_: all_[::-1],
    "doubled": lambda all_: [every for each in all_ for every in (each, again(each))],
    "twice": lambda all_: [*all_, *map(again, all_)],
    "no events": lambda all_: [each for each in all_ if is_own(each)],
    "only events": lambda all_: [each for each in all_ if not is_own(each)],
    "no names": lambda all_: [
        each._replace(headers={"Nats-Msg-Id": each.headers["Nats-Msg-Id"]}) for each in all_[5:]
    ],
    "long names": lambda all_: [
        each._replace(headers={**each.headers, "Mainstem-Type": "%F" * 9000, "Mainstem-Layer": "%"})
        for each in all_
        if not is_own(each)
    ],
    "names that are no text": lambda all_: [
        each._replace(headers={**each.headers, "Mainstem-Type": "%FF%C0", "Mainstem-Origin": "%FF"})
        for each in all_
        if not is_own(each)
    ],
    "flags": lambda all_: [changed(each, flags=0xFFFFFFFF) for each in all_],
    "causes": lambda all_: [changed(each, cause=1 << 63) for each in all_],
    "errors": lambda all_: [changed(each, status=1000) for each in all_],
    "kinds": lambda all_: [
        changed(each, status=each.sequence % 14) if is_own(each) else each for each in all_
    ],
    "links": lambda all_: [changed(each, offset=7) if is_own(each) else each for each in all_],
    "types": lambda all_: [changed(each, type=each.sequence % 3) for each in all_],
    "positions": lambda all_: [
        called(changed(each, position=(1 << 64) - 900 + index), f"-{(1 << 64) - 900 + index}")
        for index, each in enumerate(all_)
        if not is_own(each)
    ],
    "files": lambda all_: [
        called(each, f"-{index}-{index}-0") for index, each in enumerate(all_) if is_own(each)
    ],
    "a header again": lambda all_: [all_[0], called(all_[0], "-0-2-0"), *all_[1:]],
    "skipped": lambda all_: [
        *all_[:20],
        called(
            Entry(0, "", all_[0].headers, b"")._replace(
                data=HEADER.pack(9, 0, 0, 0, 0, 24, 0, 0, 6, 0, 0)
                + struct.pack("<QQQ", 10, (1 << 64) - 2, 0)
            ),
            "-9-1-90",
        ),
        *all_[20:],
    ],
}

#: All entries are there, and others.
ADDED = ("as it is", "doubled", "twice", "skipped")


@pytest.mark.parametrize("name", FORGERIES)
def test_forged_entries(server, tmp_path, entries, name):
    assert forge(server, FORGERIES[name](entries), "forged")
    made = fetched(server, tmp_path, "forged")
    # What is only added is skipped. Nothing else is called whole.
    assert (made is not None and made.is_whole) == (name in ADDED)
    if name in ADDED:
        true, copy = files_of(tmp_path / "true"), files_of(tmp_path / "forged")
        assert list(copy.values()) == list(true.values())
    if name in ("doubled", "twice", "only events", "no names", "kinds", "links"):
        assert made and made.events > 0


def mangled(entries, chance):
    """Some of them removed, doubled, moved, or changed."""
    made = []
    for entry in entries:
        data, headers = bytearray(entry.data), dict(entry.headers)
        what = chance.randrange(40)
        if what == 0:
            continue
        if what == 1:
            made.insert(chance.randrange(len(made) + 1), again(entry))
        if what in (2, 3, 4) and data:
            data[chance.randrange(min(len(data), 200))] = chance.choice((0, 1, 127, 128, 255))
        if what == 5:
            del data[chance.randrange(len(data) + 1) :]
        if what == 6:
            data += bytes(chance.randrange(200))
        if what == 7:
            key = chance.choice(list(headers))
            headers[key] = headers[key][: chance.randrange(len(headers[key]) + 1)] or "x"
        if what == 8:
            numbers = "-".join(str(chance.randrange(800)) for _ in range(chance.choice((1, 3))))
            headers["Nats-Msg-Id"] = headers.get("Nats-Msg-Id", "")[:33] + numbers
        if what == 9:
            headers["Nats-Msg-Id"] = "".join(chance.choices("0123456789abcdef-", k=40))
        made.append(entry._replace(data=bytes(data), headers=headers))
    return made


def test_random_forgeries(server, tmp_path, entries):
    chance = random.Random(SEED)
    made = []
    for turn in range(40):
        forge(server, mangled(entries[: chance.choice((20, 200, 1000))], chance), f"f{turn}")
        made.append(fetched(server, tmp_path, f"f{turn}"))
    assert sum(each is not None and each.events > 0 for each in made) > 20


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({}, "the entries of the stream: "),
        ({"num_pending": 1 << 63}, "the entries of the stream: "),
        ({"name": "c" * 600}, "the entries of the stream: "),
        ({"name": ""}, "the entries of the stream: "),
        ({"name": "a b"}, "the entries of the stream: "),
        ({"name": "late", "num_pending": 0}, "the server does not have all entries yet"),
    ],
)
def test_a_consumer_that_is_none(strange, tmp_path, said, message):
    """The server does not say how its consumer is called, or what nobody can ask for; or it has
    less than the stream."""

    class Nameless(Liar):
        def _answer(self, subject, data):
            if "MSG.GET" in subject:
                return {"message": {"subject": "session.app.Tick", "seq": 5, "data": "AA=="}}
            return said if "CONSUMER." in subject else super()._answer(subject, data)

    liar = Nameless(lambda count, sequence: None, sequence=5)
    with pytest.raises(MainstemError, match=f"IO: fetch: {message}"):
        nats.fetch(tmp_path / "fetched", strange(liar.talk).url, prefix="session", timeout=0)
    assert not (tmp_path / "fetched").exists()


def test_bytes_are_turned_over(server, tmp_path, entries):
    """Whatever becomes of what the server says, a file that is there can be read, and if it is
    whole, it is the journal."""
    mangler = Mangler(server.port, random.Random(SEED), 0.05)
    between = Strange(mangler.talk)
    whole, turn = files_of(tmp_path / "true"), 0
    while mangler.mangled < 25:
        turn += 1
        path = tmp_path / f"fetched{turn}"
        with contextlib.suppress(MainstemError):
            made = nats.fetch(path, between.url, prefix="true", timeout=1)
            assert len(read(path)) == made.events
            if made.is_whole and made.last == 800:
                assert len(files_of(path)) == len(whole)
    between.close()
    nats.fetch(tmp_path / "last", server.url, prefix="true")
    assert files_of(tmp_path / "last") == whole
