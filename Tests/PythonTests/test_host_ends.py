# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A host ends scopes that have values while events wait: verify ends them where the host did."""

from __future__ import annotations

import contextlib

import mainstem
import pytest
from greeting import keep_for_ever
from mainstem import Context, MainstemError
from mainstem.journal_file import Journal as Records
from mainstem.journal_file._record import ENDED


class Home:
    """A room that listens, and is told of its own end."""

    def __init__(self, deliver):
        self.context = context = Context(deliver=deliver)
        for name in ("A", "B"):
            context.add_type(name, str)
        context.add_type("RequestAsk", str, response="ResponseAsk")
        context.add_type("ResponseAsk", str)
        context.add_type("Value", str, role="value")
        context.serve("RequestAsk", keep_for_ever, name="Keeper")
        self.room = context.scope("Room")
        self.room.observe("A", self.listen)
        self.room.observe("MainstemEnded", lambda event: context.send("B", "heard of its end"))

    def listen(self, event):
        self.room.request("RequestAsk", event.text, then=str, failed=self.given_up)
        self.context.send("B", event.text)

    def given_up(self, failure):
        # A context that closes refuses it.
        with contextlib.suppress(MainstemError):
            self.context.send("B", "given up")


def play(path, deliver):
    home = Home(deliver)
    context = home.context
    context.record(path)
    home.room.set("Value", "furnished")
    context.send("A", "heard")
    context.drain()
    context.send("A", "waits")
    home.room.end()
    context.send("A", "later")
    context.drain()
    context.close()
    with mainstem.Journal(path) as journal:
        return [str(event) for event in journal]


def verified(path, deliver):
    home, lines = Home(deliver), []
    home.context.observe(lambda event: lines.append(str(event)))
    with home.context.replay(path, verify=True) as replay:
        replay.to_end()
        assert replay.info.ended
    home.context.close()
    return lines


@pytest.mark.parametrize("deliver", ["host", "immediate"])
def test_verify_ends_a_scope_where_its_host_did(tmp_path, deliver):
    path = tmp_path / "home.journal"
    lines = play(path, deliver)

    # What was heard, and each time that what was asked for it was given up.
    assert sum(" B " in line for line in lines) == {"host": 2, "immediate": 4}[deliver], lines
    assert verified(path, deliver) == lines


def test_the_journal_says_what_had_been_delivered(tmp_path):
    path = tmp_path / "home.journal"
    lines = play(path, "host")

    with Records(str(path)) as records:
        ended = [each.data for each in records.records() if not each.type and each.status == ENDED]
    assert len(ended) == 1
    words = [int.from_bytes(ended[0][at : at + 8], "little") for at in (0, 8, 16, 24)]
    at = next(number for number, line in enumerate(lines, 1) if "MainstemEnded" in line)
    heard = next(number for number, line in enumerate(lines, 1) if line.endswith("A waits")) - 1
    assert words == [at, at, heard, 0]


def test_a_salvaged_journal_says_it_too(tmp_path):
    path, saved = tmp_path / "home.journal", tmp_path / "saved.journal"
    lines = play(path, "host")
    mainstem.salvage(path, saved)

    assert verified(saved, "host") == lines


def test_a_journal_that_was_cut_is_proven_up_to_its_end(tmp_path):
    path, cut = tmp_path / "home.journal", tmp_path / "cut.journal"
    lines = play(path, "host")
    whole = path.read_bytes()
    for length in range(128, len(whole), 40):
        cut.write_bytes(whole[:length])
        with mainstem.Journal(cut) as journal:
            left = sum(1 for _ in journal)
        if left:
            assert verified_so_far(cut)[: left - 1] == lines[: left - 1]


def verified_so_far(path):
    home, lines = Home("host"), []
    home.context.observe(lambda event: lines.append(str(event)))
    with home.context.replay(path, verify=True) as replay:
        replay.to_end()
    home.context.close()
    return lines
