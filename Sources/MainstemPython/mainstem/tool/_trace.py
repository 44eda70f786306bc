# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`trace`: a journal in the trace format of Chrome, which Perfetto opens.

A journal says when each event was accepted, not how long its callbacks ran. So an event is an
instant on the track of its sender, and a request a slice from when it was sent to when it was
answered.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from array import array
from bisect import bisect_right
from typing import Any, Dict, List, NamedTuple, Optional, TextIO, Tuple, Union

from ..journal_file import Record, TypeInfo
from ..journal_file._record import PROGRESS, SESSION, text_of
from ._dump import CONTEXT, Namesakes
from ._info import moment
from ._reading import (
    UNREADABLE,
    CheckedJournal,
    count,
    has_time,
    is_one_of,
    opened,
    payload_of,
    plain,
    role_of,
    say,
    status_name,
    tell,
)
from ._runs import Run

__all__ = ["add_trace"]

#: How many bytes of a payload are in a trace.
_LONGEST = 120
#: What a request without an answer ends with.
_UNANSWERED = "no answer"


# The tracks: a process for each session, a thread for each sender ---------------------------------


class Track(NamedTuple):
    """The track of a sender."""

    #: The numbers of its process and of its thread; no two tracks or processes have the same.
    process: int
    thread: int
    name: str


class Tracks:
    """The tracks of a journal, given its records in order."""

    def __init__(self) -> None:
        #: How many sessions there were, and how many tracks.
        self.sessions = self.count = 0
        #: The process of the session, and the last number given: Perfetto tells threads apart only
        #: by their numbers.
        self.process = self.last = 0
        self._names = Namesakes()
        self._tracks: Dict[Tuple[int, bytes], Track] = {}

    @staticmethod
    def begins(record: Record) -> bool:
        """Whether another session begins with a record."""
        return record.kind == SESSION and not record.session.continues

    def learn(self, record: Record) -> None:
        """Takes the next record, if that is no event."""
        self._names.learn(record)
        if self.begins(record):
            self._begin()

    def of(self, run: Run) -> Dict[int, Track]:
        """Returns the track of each origin in a run."""
        if not self.process:
            self._begin()
        return {origin: self._of_origin(run, origin) for origin in dict.fromkeys(run.origins)}

    def _begin(self) -> None:
        self.sessions += 1
        self.process = self.last = self.last + 1
        self._tracks = {}

    def _of_origin(self, run: Run, origin: int) -> Track:
        name, scope = run.sender(origin)
        key = (scope, b"" if scope else name)
        if key not in self._tracks:
            self.count += 1
            self.last += 1
            told = (plain(text_of(name)) or CONTEXT) + self._names.of_origin(origin)
            self._tracks[key] = Track(self.process, self.last, told)
        return self._tracks[key]


# What must be known before the first event is written ---------------------------------------------

#: Marks of an event: it caused another one on another track; it has an answer. And the thread.
LEADS, ANSWERED = 1 << 31, 1 << 30
THREAD = ANSWERED - 1


class Plan:
    """When a journal began, and the thread of each event with its marks, in four bytes for each."""

    def __init__(self) -> None:
        #: The earliest time, in nanoseconds; None: no event has one.
        self.began: Optional[int] = None
        self._tracks = Tracks()
        # The first position of each part without a gap, and where that part begins in the array.
        self._firsts: List[int] = []
        self._begins: List[int] = []
        self._next = 0
        self._events = array("I")

    def take(self, piece: Union[Run, Record]) -> None:
        """Takes what was read next."""
        if isinstance(piece, Record):
            self._tracks.learn(piece)
            return
        events, begin = self._events, len(self._events)
        if piece.first != self._next:
            self._firsts.append(piece.first)
            self._begins.append(begin)
        self._next = piece.first + len(piece)
        tracks = self._tracks.of(piece)
        events.extend([tracks[origin].thread for origin in piece.origins])
        columns = (piece.column(name) for name in ("cause", "answers", "flags"))
        for at, (cause, answers, flags) in enumerate(zip(*columns), begin):
            if cause and (events[at] ^ self.of(cause)) & THREAD:
                self._mark(cause, LEADS)
            if answers and not flags & PROGRESS:
                self._mark(answers, ANSWERED)
        self._look_at_times(piece)

    def of(self, position: int) -> int:
        """Returns the thread of an event, with its marks; 0: the event is not in the journal."""
        index = self._index(position)
        return self._events[index] if index >= 0 else 0

    def _mark(self, position: int, mark: int) -> None:
        index = self._index(position)
        if index >= 0:
            self._events[index] |= mark

    def _index(self, position: int) -> int:
        part = bisect_right(self._firsts, position) - 1
        if part < 0:
            return -1
        end = self._begins[part + 1] if part + 1 < len(self._begins) else len(self._events)
        index = self._begins[part] + position - self._firsts[part]
        return index if index < end else -1

    def _look_at_times(self, run: Run) -> None:
        times = run.column("time")
        if 0 in times:
            both = zip(times, run.column("flags"))
            times = [time for time, flags in both if has_time(time, flags)]
        if times:
            first = min(times)
            self.began = first if self.began is None else min(self.began, first)


# The trace ----------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """A request that has no answer yet."""

    #: Its name, as JSON.
    name: str
    time: int
    track: Track


class Trace:
    """Writes a trace, one event of the journal after the other."""

    def __init__(self, plan: Plan, file: TextIO, name: str) -> None:
        self.tracks = Tracks()
        #: How many events and requests it has.
        self.events = self.requests = 0
        self._plan = plan
        self._file = file
        self._name = name
        self._began = plan.began or 0
        #: The time of the last event.
        self._time = self._began
        self._asked: Dict[int, Asked] = {}
        # The last process and the last thread that were named.
        self._process = self._thread = 0
        # For each type of the session: its name, its layer and its role, as JSON.
        self._types: Dict[TypeInfo, Tuple[str, str, str]] = {}
        self._comma = "\n"

    def write(self, journal: CheckedJournal) -> None:
        """Writes all of it."""
        # Perfetto does not read beyond a key that it does not know: the events come first.
        self._file.write('{"traceEvents":[')
        for piece in journal.pieces():
            if isinstance(piece, Run):
                self._run(piece)
                continue
            if self.tracks.begins(piece):
                self._end_session()
            self.tracks.learn(piece)
            self._types = {}
        self._end_session()
        began = self._plan.began
        about = {"journal": self._name, "began": moment(began) if began else ""}
        self._file.write(f'\n],"otherData":{json.dumps(about)}}}\n')

    def _run(self, run: Run) -> None:
        tracks = self.tracks.of(run)
        if self.tracks.last > self._thread:
            self._say_names(tracks)
        for event in run.records():
            self._event(event, tracks[event.origin])

    def _say_names(self, tracks: Dict[int, Track]) -> None:
        if self.tracks.process != self._process:
            self._process = self.tracks.process
            number = self.tracks.sessions
            name = f"{self._name}, session {number}" if number > 1 else self._name
            self._put(
                "M", '"process_name"', f',"pid":{self._process}', f'"name":{json.dumps(name)}'
            )
        for track in tracks.values():
            if track.thread > self._thread:
                ids = f',"pid":{track.process},"tid":{track.thread}'
                self._put("M", '"thread_name"', ids, f'"name":{json.dumps(track.name)}')
        self._thread = self.tracks.last

    def _event(self, event: Record, track: Track) -> None:
        self.events += 1
        if has_time(event.time, event.flags):
            self._time = event.time
        time, position = self._time, event.position
        name, layer, role = self._type(event)
        at = self._at(time, track)
        args = _args(event, layer, role)
        self._put("i", name, f',"cat":{layer},"s":"t"{at}', args)
        marks = self._plan.of(position)
        if marks & LEADS:
            self._put("s", '"cause"', f',"cat":"cause","id":"{position:#x}"{at}')
        if event.cause and self._plan.of(event.cause) & THREAD not in (0, track.thread):
            self._put("f", '"cause"', f',"cat":"cause","bp":"e","id":"{event.cause:#x}"{at}')
        if event.tracked or marks & ANSWERED:
            self.requests += 1
            self._asked[position] = Asked(name, time, track)
            self._slice("b", position, name, at, args)
            self._count()
        if event.answers in self._asked:
            self._answer(event, name, track, args)

    def _answer(self, event: Record, name: str, track: Track, args: str) -> None:
        asked = self._asked[event.answers]
        # If the clock was set back, a slice still does not end before it begins.
        at = self._at(max(self._time, asked.time), asked.track)
        if event.is_progress:
            self._slice("n", event.answers, name, at, args)
            return
        del self._asked[event.answers]
        by = f',"answer":{event.position},"by":{json.dumps(track.name)}'
        self._slice("e", event.answers, asked.name, at, f'"status":"{_status(event)}"{by}')
        self._count()

    def _end_session(self) -> None:
        """Ends what has no answer: no other session has one."""
        for position, asked in self._asked.items():
            at = self._at(max(self._time, asked.time), asked.track)
            self._slice("e", position, asked.name, at, f'"status":"{_UNANSWERED}"')
        if self._asked:
            self._asked = {}
            self._count()

    # What a trace consists of --------------------------------------------------------------------

    def _at(self, time: int, track: Track) -> str:
        """Returns where and when something is, as JSON fields: in microseconds."""
        return f',"pid":{track.process},"tid":{track.thread}{self._when(time)}'

    def _when(self, time: int) -> str:
        micro, nano = divmod(time - self._began, 1000)
        return f',"ts":{micro}.{nano:03}'

    def _slice(self, phase: str, position: int, name: str, at: str, args: str) -> None:
        self._put(phase, name, f',"cat":"request","id":"{position:#x}"{at}', args)

    def _count(self) -> None:
        """Writes how many requests have no answer yet."""
        at = f',"pid":{self.tracks.process}{self._when(self._time)}'
        self._put("C", '"open requests"', at, f'"open":{len(self._asked)}')

    def _put(self, phase: str, name: str, fields: str, args: str = "") -> None:
        more = f',"args":{{{args}}}' if args else ""
        self._file.write(f'{self._comma}{{"ph":"{phase}","name":{name}{fields}{more}}}')
        self._comma = ",\n"

    def _type(self, event: Record) -> Tuple[str, str, str]:
        info = event.type_info
        known = self._types.get(info)
        if known is None:
            layer = plain(text_of(event.session.layers.get(info.layer, b"")))
            known = (json.dumps(plain(event.name)), json.dumps(layer), json.dumps(role_of(info)))
            self._types[info] = known
        return known


def _args(event: Record, layer: str, role: str) -> str:
    """Returns what is shown of an event that was chosen, as JSON fields."""
    parts = [f'"position":{event.position}']
    if event.cause:
        parts.append(f'"cause":{event.cause}')
    if event.answers:
        parts.append(f'"answers":{event.answers}')
    parts.append(f'"correlation":{event.correlation},"status":"{_status(event)}"')
    parts.append(f'"layer":{layer},"role":{role}')
    payload = payload_of(event, _LONGEST)
    if payload is not None:
        parts.append(f'"payload":{json.dumps(payload)}')
    return ",".join(parts)


def _status(event: Record) -> str:
    return status_name(event.status) if event.status else "ok"


# The command --------------------------------------------------------------------------------------


def add_trace(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "trace",
        help="what happened when, as a trace for Perfetto or Chrome",
        description="Writes the JSON that ui.perfetto.dev and chrome://tracing open: a track for "
        "each sender with its events, each request from when it was sent to when it was answered, "
        "arrows from causes to effects on other tracks, and how many requests were open.",
    )
    own.add_argument("path", metavar="PATH", help="the journal")
    own.add_argument(
        "-o", dest="to", metavar="FILE", default="-", help="the file to write; else it is printed"
    )
    own.set_defaults(run=run_trace)


def run_trace(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    with opened(chosen.path) as journal:
        if chosen.to != "-" and is_one_of(chosen.to, journal.paths):
            say(f"{plain(chosen.to)} is the journal itself: choose another name for the trace")
            return UNREADABLE
        plan = Plan()
        for piece in journal.pieces():
            plan.take(piece)
        name = plain(os.path.basename(journal.path))
        if chosen.to == "-":
            Trace(plan, sys.stdout, name).write(journal)
        else:
            with open(chosen.to, "w", encoding="ascii") as file:
                trace = Trace(plan, file, name)
                trace.write(journal)
            what = f"{count(trace.requests, 'request')}, {count(trace.tracks.count, 'track')}"
            print(f"{plain(chosen.to)}: {count(trace.events, 'event')}, {what}")
        return tell(journal)
