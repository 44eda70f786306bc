# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A stream that has not all of a journal: what is left can be read, and says what is missing."""

from __future__ import annotations

import mainstem
import pytest
from compared import HEADER, is_own, mirrored
from mainstem import nats
from mainstem.journal_file import Journal


def record(path, count=1000):
    """Events of three types, through a scope and a layer of the program's own."""
    with mainstem.Context() as context:
        context.record(path)
        context.add_type("Größe %41", int, layer="weather.%")
        context.add_type("RequestRain", str, response="ResponseRain", layer="view")
        context.add_type("ResponseRain", str, layer="view")
        scope = context.scope("Cl ouds%")
        for number in range(count):
            if number % 3:
                scope.send("Größe %41", number)
            else:
                context.send("RequestRain", f"rain {number}")
    return path


def events_of(path):
    """Each event with all its names; by its position."""
    with mainstem.Journal(path) as journal:
        return {
            event.position: (event.name, event.origin, event.value, str(event.type_info))
            for event in journal
        }


def pieces(server, tmp_path, name="session", **options):
    """Fetches what is not whole. It has an id of its own, and no digests."""
    fetched = nats.fetch(tmp_path / "pieces", server.url, prefix=name, **options)
    assert not fetched.is_whole
    with Journal(str(tmp_path / "pieces")) as journal:
        kinds = [record.kind for record in journal.records()]
        assert journal.ending.kind == "clean" and 5 not in kinds
        assert journal.headers[0].journal != fetched.id
    return fetched, events_of(tmp_path / "pieces")


def of_layer(path, name):
    with mainstem.Journal(path) as journal:
        return {each.type_info.layer_name for each in journal} == {name}


def test_a_stream_that_has_forgotten_its_beginning(server, tmp_path):
    path = record(tmp_path / "session")
    with server.client() as client:
        config = {"name": "session", "subjects": ["session.>"], "max_msgs": 200}
        client.ask("STREAM.CREATE.session", config)
        mirrored(path, server)
        there = [entry for entry in client.entries("session") if not is_own(entry)]
    first = HEADER.unpack_from(there[0].data)[0]
    fetched, events = pieces(server, tmp_path)
    wanted = {at: event for at, event in events_of(path).items() if at >= first}
    assert events == wanted and len(events) == len(there)
    assert (fetched.first, fetched.last, fetched.events) == (first, 1000, len(there))
    assert fetched.missing == first - 1


@pytest.mark.parametrize(
    "chosen",
    [{"layers": ["view"]}, {"types": ["Größe %41"]}, {"types": ["Nothing"]}],
    ids=["layer", "type", "none"],
)
def test_chosen_events(server, tmp_path, chosen):
    """Of the others, no name leaves."""
    path = record(tmp_path / "session")
    mirrored(path, server, **chosen)
    fetched, events = pieces(server, tmp_path)
    name = {"layers": "RequestRain", "types": chosen.get("types", [""])[0]}[next(iter(chosen))]
    wanted = {at: event for at, event in events_of(path).items() if event[0] == name}
    assert [event[:3] for event in events.values()] == [event[:3] for event in wanted.values()]
    assert list(events) == list(wanted)
    assert fetched.missing == max(wanted, default=0) - len(wanted)
    if wanted:
        assert of_layer(tmp_path / "pieces", "view" if "layers" in chosen else "weather.%")
    with server.client() as client:
        everything = b"".join(entry.data for entry in client.entries("session"))
    assert (b"rain 3" in everything) == (name == "RequestRain")
    assert "Cl ouds".encode() not in everything


def test_a_payload_that_was_left_out(make_server, tmp_path):
    server = make_server("max_payload: 2048")
    with mainstem.Context() as context:
        context.record(tmp_path / "session")
        context.add_type("Image", bytes)
        for size in (100, 5000, 200):
            context.send("Image", b"i" * size)
    mirrored(tmp_path / "session", server)
    fetched, events = pieces(server, tmp_path)
    assert [event[2] for event in events.values()] == [b"i" * 100, None, b"i" * 200]
    assert (fetched.events, fetched.left_out, fetched.missing) == (3, 1, 0)


@pytest.mark.parametrize(
    ("position", "own"), [(500, False), (1, False), (0, True), (256, True), (512, True)]
)
def test_an_entry_that_was_removed_by_hand(server, tmp_path, position, own):
    """An event is named as missing. Another record is not, but its absence is noticed."""
    path = record(tmp_path / "session")
    mirrored(path, server)
    with server.client() as client:
        for entry in client.entries("session"):
            if is_own(entry) == own and HEADER.unpack_from(entry.data)[0] == position:
                break
        client.ask("STREAM.MSG.DELETE.session", {"seq": entry.sequence})
        assert client.state("session").get("num_deleted") == 1 or entry.sequence == 1
    fetched, events = pieces(server, tmp_path)
    wanted = {at: event for at, event in events_of(path).items() if own or at != position}
    assert events == wanted
    assert fetched.missing == (not own)


def test_the_last_of_several_files_can_do_without_the_others(server, tmp_path):
    """The beginning was forgotten, and the header of a later file is there."""
    path = tmp_path / "session"
    with mainstem.Context() as context:
        context.record(path, segment_size=20_000)
        context.add_type("Tick", int)
        for number in range(1000):
            context.send("Tick", number)
    with server.client() as client:
        config = {"name": "session", "subjects": ["session.>"], "max_msgs": 600}
        client.ask("STREAM.CREATE.session", config)
        mirrored(path, server)
    fetched, events = pieces(server, tmp_path)
    wanted = {at: event for at, event in events_of(path).items() if at >= fetched.first}
    assert events == wanted and 500 < len(events) <= 600
    assert fetched.missing == fetched.first - 1


def test_pieces_can_be_drawn(server, tmp_path):
    from mainstem import tool as command

    mirrored(record(tmp_path / "session"), server, layers=["view"])
    pieces(server, tmp_path)
    for name in ("tree", "dump", "info"):
        assert command.main([name, str(tmp_path / "pieces")]) == 0, name
    page = tmp_path / "page.html"
    assert command.main(["diagram", "-o", str(page), str(tmp_path / "pieces")]) == 0
