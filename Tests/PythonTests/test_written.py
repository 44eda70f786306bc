# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the library writes into journals never changes by accident: Tests/journals/written.txt.

A listed text or number that changes makes sessions of earlier versions differ. The API around it
may get other names: see docs/journal-format.md, "What never changes".
"""

from __future__ import annotations

import ctypes
import json
import resource

import kept_written
import kept_written_shown
import mainstem
import pytest
import written
from mainstem._library import C

JOURNALS = [written.JOURNALS / f"written-{name}.journal" for name in ("3", "3-narrow")]
LISTED = written.listed()
#: Sections about what is in no journal.
LIVE = ("statuses", "layers", "in no journal")
SCENES = list(enumerate(kept_written.SCENES, 1))
#: What verifies: the value of children has another contract since decision 0087.
SAME = [each for each in SCENES if each[1] is not kept_written_shown.Children]


@pytest.mark.parametrize(("journal", "name"), written.LISTS.items())
def test_the_list_has_what_the_journal_has(journal, name):
    found, listed = written.written_in(written.JOURNALS / journal), written.listed(name)
    assert list(found) == [section for section in listed if section not in LIVE]
    for section, lines in found.items():
        assert lines == listed[section], section


@pytest.mark.parametrize("journal", JOURNALS, ids=["wide", "narrow"])
@pytest.mark.parametrize(("session", "scene"), SAME, ids=[scene.__name__ for _, scene in SAME])
def test_each_session_verifies(session, scene, journal):
    one = scene()
    with one.context.replay(journal, verify=True, session=session, secrets=one.secret) as replay:
        replay.to_end()
        info = replay.info
    one.context.close()

    assert info.ended
    assert info.verified_until == info.last


def test_the_program_still_writes_the_same(tmp_path):
    """Also what verify takes as it is: inputs, such as reports of what a host did."""
    again = tmp_path / "again.journal"
    kept_written.record(str(again))

    kept, now = written.events_of(JOURNALS[-1]), written.events_of(again)
    assert len(kept) == len(now) == len(SCENES)
    for session, scene in SAME:
        pairs = zip(kept[session - 1], now[session - 1])
        assert [pair for pair in pairs if pair[0] != pair[1]][:1] == [], scene
        assert len(kept[session - 1]) == len(now[session - 1])
    assert but_children(written.written_in(again)) == but_children(written.written_in(JOURNALS[-1]))


def but_children(sections):
    """All lines but that of the value of children."""
    return {
        name: [line for line in lines if not line.startswith("Shelf.cells:")]
        for name, lines in sections.items()
    }


@pytest.mark.parametrize("journal", JOURNALS, ids=["wide", "narrow"])
def test_a_session_with_children_of_an_earlier_version_says_why_it_is_refused(journal):
    session = next(number for number, scene in SCENES if scene is kept_written_shown.Children)
    one = kept_written_shown.Children()
    with pytest.raises(mainstem.MainstemError, match="Shelf.cells carries another payload"):
        one.context.replay(journal, verify=True, session=session)
    one.context.close()


def test_statuses_keep_their_names_and_numbers():
    unknown = C.mainstem_status_name(999)
    names = ((number, C.mainstem_status_name(number)) for number in range(64))
    found = [f"{number} {name.decode()}" for number, name in names if name != unknown]
    found += [f"{number} {C.mainstem_status_name(number).decode()}" for number in (999, 1000)]
    assert found == LISTED["statuses"]


def test_layers_keep_their_names_and_numbers(context):
    found = []
    for line in LISTED["layers"]:
        bits = ctypes.c_uint64()
        name = line.split(" ")[1].encode()
        assert C.mainstem_layer_add(context.handle, name, ctypes.byref(bits)) == 0
        found.append(f"{bits.value >> 40} {name.decode()}")
    assert found == LISTED["layers"]


def test_a_gap_keeps_its_form(context):
    gaps = []
    context.add_type("Said", str)
    context.observe("Said", print, on="host", policy="drop-oldest", limit=1, on_gap=gaps.append)
    for text in ("one", "two", "three"):
        context.send("Said", text)
    about = context.read_type("MainstemGap")
    assert f"MainstemGap: contract {about.contract:#x}" in LISTED["in no journal"]


def test_the_report_of_a_failed_journal_keeps_its_form(context, tmp_path):
    told, path = [], tmp_path / "full.journal"
    context.record(path, continue_unrecorded=True)
    context.add_type("Said", bytes)
    context.observe("MainstemJournalFailed", told.append)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size, before[1]))
    try:
        context.send("Said", bytes(1 << 24))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    about, said = context.read_type("MainstemJournalFailed"), json.loads(told[0].text)
    assert said == {"path": str(path), "status": "NO_SPACE", "written": 0}
    line = f"MainstemJournalFailed: contract {about.contract:#x}, members {' '.join(said)}"
    assert line in LISTED["in no journal"]
