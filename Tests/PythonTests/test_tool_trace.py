# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`mainstem trace`: the JSON that Perfetto opens has what the journal has, and is well formed."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from counter_session import FIRST, SECOND, counter_session
from diary_session import diary_session
from journal_writer import MARKED, MS, OUTSIDE, PROGRESS, TRACKED, WITHHELD, JournalWriter, flipped
from mainstem.journal_file import Journal
from mainstem.tool import main
from mainstem.tool._reading import payload_of
from mixed_session import mixed_session
from test_tool_kept import journals
from test_tool_sizes import most_memory, recorded
from tool import run

KEPT = dict(journals())


class Trace:
    """What a trace has; making one checks that it is well formed."""

    def __init__(self, text):
        made = json.loads(text)
        assert list(made) == ["traceEvents", "otherData"]
        assert text.isascii()
        self.events, self.about = made["traceEvents"], made["otherData"]
        self.instants = self.of("i")
        #: The names of processes and threads, by number.
        self.processes = self._names("process_name", "pid")
        self.threads = self._names("thread_name", "tid")
        assert not self.processes.keys() & self.threads.keys()
        assert all(each["ts"] >= 0 for each in self.events if each["ph"] != "M")
        self._check_tracks()
        #: Each slice: its begin, its progress and its end, by the position of the request.
        self.slices = self._slices()
        #: Each arrow, as the positions of cause and effect.
        self.arrows = self._arrows()
        self._check_counters()

    def of(self, phase):
        return [each for each in self.events if each["ph"] == phase]

    def _names(self, what, number):
        said = [each for each in self.of("M") if each["name"] == what]
        names = {each[number]: each["args"]["name"] for each in said}
        assert len(names) == len(said)
        return names

    def _check_tracks(self):
        named = set()
        for each in self.events:
            assert each["pid"] in self.processes
            if each["ph"] == "M":
                named.add(each.get("tid"))
            elif each["ph"] != "C":
                assert each["tid"] in named, "a track is named before it is used"

    def _slices(self):
        begun, slices = {}, {}
        for each in self.events:
            if each["ph"] not in "bne":
                continue
            position = int(each["id"], 16)
            if each["ph"] == "b":
                assert position not in slices and position not in begun
                begun[position] = [each]
                continue
            begin = begun[position][0]
            assert (each["cat"], each["pid"], each["tid"]) == (
                begin["cat"],
                begin["pid"],
                begin["tid"],
            )
            assert each["ts"] >= begin["ts"]
            begun[position].append(each)
            if each["ph"] == "e":
                assert each["name"] == begin["name"]
                slices[position] = begun.pop(position)
        assert begun == {}
        return slices

    def _arrows(self):
        """An arrow begins and ends at the instant before it on its track, as Perfetto binds it."""
        arrows, begun, last = [], {}, {}
        for each in self.events:
            if each["ph"] == "i":
                last[each["tid"]] = each
            elif each["ph"] in "sf":
                instant = last[each["tid"]]
                assert instant["ts"] == each["ts"]
                if each["ph"] == "s":
                    assert each["id"] not in begun
                    begun[each["id"]] = instant
                else:
                    assert each["bp"] == "e"
                    cause = begun[each["id"]]
                    assert cause["tid"] != each["tid"]
                    arrows.append((cause["args"]["position"], instant["args"]["position"]))
        assert {cause for cause, _ in arrows} == {int(number, 16) for number in begun}
        return arrows

    def _check_counters(self):
        open_now = Counter()
        for each in self.events:
            if each["ph"] in "be":
                open_now[each["pid"]] += 1 if each["ph"] == "b" else -1
            elif each["ph"] == "C":
                assert each["args"] == {"open": open_now[each["pid"]]}
        assert not any(open_now.values())

    def at(self, position):
        """The instant of an event."""
        return next(each for each in self.instants if each["args"]["position"] == position)

    def sender(self, position):
        return self.threads[self.at(position)["tid"]]


@pytest.fixture
def trace(capsys):
    def get(path, status=0):
        assert main(["trace", str(path)]) == status
        return Trace(capsys.readouterr().out)

    return get


# What is in it -----------------------------------------------------------------------------------


def test_a_request_is_a_slice_until_its_answer(trace, tmp_path):
    made = trace(counter_session().save(tmp_path / "counter.journal"))

    begin, end = made.slices[19]
    assert (begin["name"], end["args"]) == (
        "RequestSave",
        {"status": "ok", "answer": 24, "by": "Store"},
    )
    assert end["ts"] - begin["ts"] == pytest.approx(63_000)
    assert begin["args"]["payload"] == "1"
    assert made.slices[22][1]["args"]["status"] == "executing"
    assert made.threads[begin["tid"]] == "Counter"
    counts = [each["args"]["open"] for each in made.of("C")]
    assert max(counts) == 3 and counts[-1] == 0


def test_an_event_is_an_instant_on_the_track_of_its_sender(trace, tmp_path):
    made = trace(counter_session().save(tmp_path / "counter.journal"))

    assert made.at(17) == {
        "ph": "i",
        "s": "t",
        "name": "Counter.label",
        "cat": "view",
        "pid": 1,
        "tid": made.at(12)["tid"],
        "ts": 1_214_000,
        "args": {
            "position": 17,
            "correlation": 17,
            "status": "ok",
            "layer": "view",
            "role": "value",
            "payload": "eggs",
        },
    }
    assert made.sender(17) == "Counter" and made.sender(1) == "View"
    assert made.at(1)["ts"] == 0
    assert made.processes == {1: "counter.journal"}
    assert made.about == {"journal": "counter.journal", "began": "2026-09-21 14:13:21 UTC"}


def test_arrows_go_from_a_cause_to_other_tracks_only(trace, tmp_path):
    made = trace(counter_session().save(tmp_path / "counter.journal"))

    assert (1, 3) in made.arrows and (24, 25) in made.arrows and (21, 22) in made.arrows
    assert (12, 13) not in made.arrows, "both are of the counter"
    assert len(made.arrows) == len(set(made.arrows))


def test_progress_is_in_the_slice(trace, tmp_path):
    made = JournalWriter()
    asked = made.event("RequestLoad", origin="View")
    for part in ("1 of 2", "2 of 2"):
        made.event("Loaded", part, cause=asked, answers=asked, flags=PROGRESS, origin="Disk")
    made.event("ResponseLoad", cause=asked, answers=asked, origin="Disk")
    late = made.event("Loaded", "3 of 2", answers=asked, flags=PROGRESS, origin="Disk")
    shown = trace(made.save(tmp_path / "a.journal"))

    steps = [(each["ph"], each["name"], each["ts"]) for each in shown.slices[asked]]
    assert steps == [
        ("b", "RequestLoad", 0),
        ("n", "Loaded", 1000),
        ("n", "Loaded", 2000),
        ("e", "RequestLoad", 3000),
    ]
    assert shown.slices[asked][1]["args"]["payload"] == "1 of 2"
    assert shown.at(late)["args"]["answers"] == asked


def test_a_request_without_an_answer_ends_with_its_session(trace, tmp_path):
    made = JournalWriter()
    first = made.event("RequestLoad", origin="View")
    made.event("Noted")
    made.session()
    second = made.event("RequestLoad", origin="View", after=5000 * MS)
    untracked = made.event("RequestLook", origin="View", flags=OUTSIDE)
    made.event("ResponseLook", cause=untracked, answers=untracked, origin="Disk")
    unasked = made.event("RequestLook", origin="View", flags=OUTSIDE)
    shown = trace(made.save(tmp_path / "a.journal"))

    assert shown.processes == {1: "a.journal", 4: "a.journal, session 2"}
    begin, end = shown.slices[first]
    assert (begin["ts"], end["ts"], end["args"]) == (0, 1000, {"status": "no answer"})
    begin, end = shown.slices[second]
    assert (begin["pid"], begin["ts"], end["ts"]) == (4, 5_001_000, 5_004_000)
    assert shown.at(first)["tid"] != shown.at(second)["tid"], "a session has its own tracks"
    assert shown.slices[untracked][1]["args"]["by"] == "Disk"
    assert unasked not in shown.slices, "nobody has to answer it"


def test_the_first_session_may_have_begun_before_the_journal(trace, tmp_path):
    made = JournalWriter(session=False, first=7)
    made.session(continues=True)
    made.event("Noted")
    made.session()
    made.event("Noted")
    shown = trace(made.save(tmp_path / "a.journal"))

    assert shown.processes == {1: "a.journal", 3: "a.journal, session 2"}


def test_a_secret_has_the_time_of_the_event_before(trace, tmp_path):
    made = JournalWriter()
    made.event("Password", flags=OUTSIDE | WITHHELD, time=0)
    made.event("Noted", "a")
    made.event("Password", flags=OUTSIDE | WITHHELD, time=0)
    made.event("Seen", flags=OUTSIDE | MARKED)
    shown = trace(made.save(tmp_path / "a.journal"))

    assert [each["ts"] for each in shown.instants] == [0, 0, 0, 2000]
    payloads = [each["args"].get("payload") for each in shown.instants]
    assert payloads == ["<secret>", "a", "<secret>", "<marked>"]


def test_a_clock_that_was_set_back_makes_no_negative_times(trace, tmp_path):
    made = JournalWriter()
    asked = made.event("RequestLoad", origin="View")
    made.event("ResponseLoad", cause=asked, answers=asked, origin="Disk", after=-3_000_500_001)
    shown = trace(made.save(tmp_path / "a.journal"))

    begin, end = shown.slices[asked]
    assert (begin["ts"], end["ts"]) == (3_000_500.001, 3_000_500.001)
    assert shown.at(2)["ts"] == 0


def test_scopes_of_one_name_are_told_apart(trace, tmp_path):
    made = counter_session()
    made.close(FIRST)
    made.open(SECOND)
    shown = trace(made.save(tmp_path / "a.journal"))

    assert list(shown.threads.values()) == [
        "View",
        "Counter",
        "RequestOpen.Counter",
        "(the context)",
        "Store",
        "Counter[2]",
    ]


def test_a_track_goes_on_in_the_next_file(trace, tmp_path):
    made = JournalWriter()
    made.name_origin(1, "View", 42)
    asked = made.event("RequestLoad", origin="View")
    made.rotate()
    made.name_origin(1, "Disk", 43)
    made.name_origin(2, "View", 42)
    made.event("ResponseLoad", cause=asked, answers=asked, origin="Disk")
    made.event("Noted", cause=asked, origin="View")
    shown = trace(made.save(tmp_path / "a.journal"))

    assert sorted(shown.threads.values()) == ["Disk", "View"]
    assert shown.arrows == [(1, 2)]
    assert shown.slices[asked][1]["args"]["by"] == "Disk"


def test_positions_may_have_gaps(trace, tmp_path):
    made = JournalWriter(first=1 << 40)
    first = made.event("Noted", origin="View")
    made.skip(1 << 50)
    second = made.event("Seen", cause=first, origin="Disk")
    made.event("Lost", cause=second - 1, origin="View")
    shown = trace(made.save(tmp_path / "a.journal"))

    assert shown.arrows == [(first, second)]


def test_text_cannot_end_the_json_or_control_a_terminal(trace, tmp_path, capsys):
    made = JournalWriter()
    made.event('Noted"}]', '"}]\x1b[2J\u202e' + "x" * 500, origin='View"\x1b')
    made.event("Noted", b"\xff\xfe")
    path = made.save(tmp_path / "a.journal")
    main(["trace", str(path)])
    text = capsys.readouterr().out
    shown = trace(path)

    assert not [letter for letter in text if ord(letter) < 32 and letter != "\n"]
    assert shown.at(1)["name"] == 'Noted"}]'
    payload = shown.at(1)["args"]["payload"]
    assert payload.startswith('"}]\\u001b[2J\\u202exxx') and payload.endswith("x…")
    assert len(payload) < 150


# What the library records ------------------------------------------------------------------------


def test_what_was_recorded(trace, tmp_path):
    """Requests, progress, failures, cancellations, secrets, scopes, values and lists."""
    path = tmp_path / "mixed.journal"
    mixed_session(str(path))
    shown = trace(path)

    slices = {
        position: [each["ph"] for each in steps] + [steps[-1]["args"]["status"]]
        for position, steps in shown.slices.items()
    }
    assert slices == {
        8: ["b", "n", "n", "e", "ok"],
        12: ["b", "e", "1000"],
        14: ["b", "e", "cancelled"],
        16: ["b", "e", "no answer"],  # A journal does not say what a secret answers.
        18: ["b", "e", "cancelled"],
        20: ["b", "e", "ok"],
        29: ["b", "e", "ok"],
    }
    assert [each["ts"] for each in shown.slices[14]] == [0, 2_000_000]
    names = ["Shelf", "View", "read", "(the context)", "sign_in", "Cell"]
    assert list(shown.threads.values()) == [*names, "Cell[2]", "Cell[3]", "Cell[4]"]
    payloads = {each["args"]["position"]: each["args"].get("payload") for each in shown.instants}
    assert payloads[13] == '"GONE"'
    assert payloads[16] == payloads[17] == payloads[19] == "<secret>"
    assert payloads[26] == "+3 -0 ~0 of 3"
    assert [each["ts"] for each in shown.instants][16:20] == [2_000_000] * 4
    for secret in ("hunter2", "t0ken", "1234"):
        assert secret not in json.dumps(shown.events)


def test_a_diary_with_screens(trace, tmp_path):
    path = diary_session(str(tmp_path / "diary.journal"))
    shown = trace(path)
    with Journal(path) as journal:
        events = list(journal.events())

    assert [each["args"]["position"] for each in shown.instants] == [
        event.position for event in events
    ]
    tracked = {event.position for event in events if event.tracked}
    assert tracked == shown.slices.keys()
    steps = [event for event in events if event.is_progress]
    assert len(steps) == len(shown.of("n")) > 0
    crossing = [
        (event.cause, event.position)
        for event in events
        if event.cause and shown.at(event.cause)["tid"] != shown.at(event.position)["tid"]
    ]
    assert shown.arrows == crossing
    assert "Navigator" in shown.threads.values()


@pytest.mark.parametrize("name", KEPT)
def test_a_kept_journal(trace, tmp_path, name):
    path = tmp_path / name
    path.write_bytes(KEPT[name])
    shown = trace(path)
    with Journal(str(path)) as journal:
        events = list(journal.events())

    assert len(shown.instants) == len(events)
    for event, instant in zip(events, shown.instants):
        args = instant["args"]
        assert (args["position"], args.get("cause", 0)) == (event.position, event.cause)
        assert (args["correlation"], args.get("answers", 0)) == (event.correlation, event.answers)
        assert args.get("payload") == payload_of(event, 120)
    answers = {}
    for event in events:
        if event.answers and not event.is_progress:
            answers.setdefault(event.answers, event.position)
    ends = {position: steps[-1]["args"].get("answer") for position, steps in shown.slices.items()}
    assert {position: end for position, end in ends.items() if end} == answers


# The command -------------------------------------------------------------------------------------


def test_it_writes_a_file(tmp_path, capsys):
    path = counter_session().save(tmp_path / "counter.journal")
    assert main(["trace", str(path)]) == 0
    printed = capsys.readouterr().out
    to = tmp_path / "counter.json"
    assert main(["trace", str(path), "-o", str(to)]) == 0

    assert capsys.readouterr().out == f"{to}: 26 events, 5 requests, 5 tracks\n"
    assert to.read_text() == printed
    assert run("trace", path) == (0, printed, "")


def test_it_never_overwrites_the_journal(tmp_path):
    path = counter_session().save(tmp_path / "counter.journal")
    before = path.read_bytes()
    status, output, said = run("trace", path, "-o", path)

    assert (status, output) == (2, "")
    assert "is the journal itself: choose another name for the trace" in said
    assert path.read_bytes() == before


def test_of_damage_it_shows_what_comes_before(trace, tmp_path, capsys):
    made = counter_session()
    path = tmp_path / "a.journal"
    path.write_bytes(flipped(made.bytes, (made.offsets[-8] + 70) * 8))
    shown = trace(path, status=1)
    assert 0 < len(shown.instants) < 26

    path.write_bytes(made.bytes[:-9])
    assert len(trace(path).instants) == 25


def test_a_journal_without_events_is_a_trace(trace, tmp_path):
    shown = trace(JournalWriter().save(tmp_path / "a.journal"))

    assert (shown.events, shown.about) == ([], {"journal": "a.journal", "began": ""})


def test_many_events_take_little_memory(tmp_path):
    few, many = recorded(tmp_path / "few", 10_000), recorded(tmp_path / "many", 100_000)
    to = ("-o", tmp_path / "trace.json")
    # Four bytes for each event, and what the readers of both have.
    assert most_memory("trace", many, *to) < most_memory("trace", few, *to) + (2 << 20)


@pytest.mark.parametrize("is_answered", [True, False])
def test_only_open_requests_take_memory(tmp_path, is_answered):
    def made(events):
        journal = JournalWriter()
        for _ in range(events // 2):
            asked = journal.event("RequestLoad", "x", flags=OUTSIDE | TRACKED * is_answered)
            answers = asked if is_answered else 0
            journal.event("ResponseLoad", cause=asked, answers=answers)
        return journal.save(tmp_path / f"{events}.journal")

    few, many = made(2_000), made(40_000)
    to = ("-o", tmp_path / "trace.json")
    assert most_memory("trace", many, *to) < most_memory("trace", few, *to) + (2 << 20)
