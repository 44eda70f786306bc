# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The commands about files: `verify`, `salvage`, `mirror`, `fetch`, `routes`."""

from __future__ import annotations

import argparse
import os
import re
import signal
from typing import TYPE_CHECKING, Any, Callable, Dict, List, NamedTuple, Optional, Set, Tuple

from ..failure import MainstemError
from ..journal_file import Journal, JournalError, Proof, Record
from ..journal_file._record import SESSION
from ..navigation._router import Match, Router
from ..recording._journal import Salvaged, salvage
from ._reading import (
    CLEAN,
    DAMAGED,
    TORN,
    UNREADABLE,
    count,
    ending_of,
    messages,
    opened,
    plain,
    say,
)

if TYPE_CHECKING:
    from ..nats import Bridge, BridgeStats, Fetched

__all__ = ["add_fetch", "add_mirror", "add_routes", "add_salvage", "add_verify"]


# `verify`: whether a journal is as it was written; if not, what is wrong and where ----------------


def add_verify(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "verify",
        help="whether it is as it was written; if not, what is wrong and where",
        description="Checks every checksum, link and position, recomputes the digest from the "
        "events, and reports each thing that is wrong and where. "
        "Exit status: 0 clean, 1 damaged or inconsistent, 3 a torn tail and nothing else.",
    )
    own.add_argument("path", metavar="PATH", help="the journal")
    which = own.add_mutually_exclusive_group()
    which.add_argument(
        "--session", metavar="N", type=int, default=0, help="prove only session N, from 1"
    )
    which.add_argument("--all", action="store_true", help="prove all sessions: the default")
    own.set_defaults(run=run_verify)


class Names:
    """Types and origins that no record names."""

    def __init__(self) -> None:
        self.findings: List[str] = []
        self._told: Set[Tuple[int, str, int]] = set()

    def look(self, event: Record) -> None:
        """Takes the next event."""
        session = event.session
        for what, number, known in (
            ("type", event.type, session.types),
            ("origin", event.origin, session.origins),
        ):
            if number in known or (id(session), what, number) in self._told:
                continue
            self._told.add((id(session), what, number))
            self.findings.append(f"{place(event)}: no record says what {what} {number} is")


def place(record: Record) -> str:
    """Returns where a record is."""
    return f"{plain(record.path)}, byte {record.offset}, position {record.position}"


class Part:
    """A session: where it is, and what was proven of it."""

    def __init__(self, first: int, is_wanted: bool, agreed: int) -> None:
        self.first = self.last = first
        self.is_wanted = is_wanted
        self.events = 0
        #: How many digests agreed before it, and by its end.
        self.before = self.agreed = agreed

    def line(self, number: int) -> str:
        """What is said of it."""
        where = f", positions {self.first} to {self.last}" if self.events else ""
        line = f"session {number}{where}: {count(self.events, 'event')}, "
        if not self.is_wanted:
            return line + f"not proven: --session {number} does, or --all"
        return line + f"{count(self.agreed - self.before, 'digest')} recomputed"


def run_verify(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    proof, names, events = Proof(), Names(), 0
    parts: List[Part] = []
    with opened(chosen.path) as journal:
        for record in journal.records():
            if record.kind == SESSION and (not record.session.continues or not parts):
                is_wanted = chosen.session in (0, len(parts) + 1)
                parts.append(Part(record.position + 1, is_wanted, proof.agreed))
            part = parts[-1] if parts else Part(0, not chosen.session, 0)
            if part.is_wanted:
                proof.take(record)
                part.agreed = proof.agreed
            if record.is_event:
                events += 1
                part.events += 1
                part.last = record.position
                if part.is_wanted:
                    names.look(record)
        ending = ending_of(journal)
        if chosen.session and not 0 < chosen.session <= len(parts):
            raise JournalError(f"{chosen.path} has {count(len(parts), 'session')}")
        findings = [f"{place(record)}: {message}" for record, message in proof.findings]
        findings += names.findings + messages(ending)
        for finding in findings:
            print(finding)
        print(_summary(journal, ending.kind, events, proof))
        if len(parts) > 1:
            for number, part in enumerate(parts, 1):
                print(f"  {part.line(number)}")
        if ending.kind == "damaged" or proof.findings or names.findings:
            return DAMAGED
        return TORN if ending.kind == "torn" else CLEAN


def _summary(journal: Journal, kind: str, events: int, proof: Proof) -> str:
    what = f"{plain(journal.path)}: {kind}: {count(events, 'event')} in "
    what += f"{count(len(journal.headers), 'file')}; "
    what += f"{count(proof.agreed, 'digest')} recomputed, over {count(proof.events, 'event')}"
    if proof.open:
        what += f"; {proof.open} could not be, since not everything they cover is in the file"
    return what


# `salvage`: copies every intact event of a journal into a new one, and lists what is lost ---------

_CALLED = re.compile(r"\A(?:mainstem_journal_)?salvage: (?:path: |to: )?")


def add_salvage(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "salvage",
        help="every intact event of a damaged journal, in a new one",
        description="Writes every intact event of PATH to the new journal TO, and says what is "
        "lost between them. PATH is not changed; TO must not exist yet. In TO, lost positions "
        "count as skipped, and there are no digests. Exit status: 0 nothing is lost, 1 something "
        "is, 2 nothing was written.",
    )
    own.add_argument("path", metavar="PATH", help="the damaged journal")
    own.add_argument("to", metavar="TO", help="where to write the new one")
    own.set_defaults(run=run_salvage)


def run_salvage(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    # It says what cannot be read in the words of the other commands.
    Journal(chosen.path, tolerant=True).close()
    try:
        kept = salvage(chosen.path, chosen.to)
    except MainstemError as error:
        # What was called, and with which argument, is not what was typed.
        raise JournalError(_CALLED.sub("", error.message)) from None
    for line in _lost(kept):
        print(line)
    is_whole = not (kept.lost_positions or kept.lost_bytes)
    lost = f"{count(kept.lost_positions, 'event')} and {count(kept.lost_bytes, 'byte')} lost"
    print(
        f"{plain(chosen.to)}: {count(kept.events, 'event')} kept, "
        f"{'nothing lost' if is_whole else lost}"
    )
    return CLEAN if is_whole else DAMAGED


def _lost(kept: Salvaged) -> List[str]:
    lines = [
        f"lost: position {each.first}"
        if each.first == each.last
        else f"lost: positions {each.first} to {each.last} ({count(each.count, 'event')})"
        for each in kept.lost
    ]
    more = kept.lost_positions - sum(each.count for each in kept.lost)
    return lines + ([f"lost: {count(more, 'more event')}"] if more > 0 else [])


# How commands connect to a server of NATS: their arguments in common ------------------------------

_NAMES = "user credentials tls authorities certificate key"


def add_connection(own: Any) -> None:
    """Adds them."""
    own.add_argument("--user", help="who connects")
    own.add_argument("--credentials", metavar="FILE", help="a file of credentials")
    own.add_argument("--tls", action="store_true", help="only encrypted")
    own.add_argument("--authorities", metavar="FILE", help="certificates to trust")
    own.add_argument("--certificate", metavar="FILE", help="this side's certificate")
    own.add_argument("--key", metavar="FILE", help="and its key")


def connection_of(chosen: argparse.Namespace) -> Dict[str, Any]:
    """What was chosen, as the functions of mainstem.nats take it."""
    made = {name: getattr(chosen, name) for name in _NAMES.split()}
    made.update(password=os.environ.get("MAINSTEM_NATS_PASSWORD") if chosen.user else None)
    return made


# `mirror`: sends each event of a journal to a stream of NATS JetStream, behind the writer ---------

_ENDING = {signal.SIGINT, signal.SIGTERM}


def add_mirror(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "mirror",
        help="each event, sent to a stream of NATS JetStream",
        description="Sends each event of PATH to a stream, behind the program that writes it, "
        "until it is interrupted. Run again, it goes on behind the last event that the stream has. "
        "A password is taken from the variable MAINSTEM_NATS_PASSWORD. Exit status: 0 interrupted, "
        "or with --once everything is there; 1 the journal is damaged, or the stream has another "
        "event; 2 not begun.",
    )
    own.add_argument("path", metavar="PATH", help="the journal")
    own.add_argument("--to", metavar="URL", required=True, help="the servers: nats://host:4222,…")
    own.add_argument(
        "--once", action="store_true", help="end when the stream has what is there now"
    )
    own.add_argument("--prefix", help="how subjects begin (the file's name up to its first dot)")
    own.add_argument("--stream", help="the stream (the prefix, with _ for each dot)")
    own.add_argument("--replicas", type=int, default=1, help="of a stream that it makes (1)")
    own.add_argument(
        "--layer", action="append", default=[], help="only this layer, and others given"
    )
    own.add_argument("--type", action="append", default=[], help="only this type, and others given")
    add_connection(own)
    own.set_defaults(run=run_mirror)


def run_mirror(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    try:
        from .. import nats
    except ImportError as error:
        say(plain(str(error).splitlines()[0]))
        return UNREADABLE
    options = connection_of(chosen)
    options.update({name: getattr(chosen, name) for name in ("prefix", "stream", "replicas")})
    options.update(layers=chosen.layer, types=chosen.type)
    # The thread of the mirror leaves them blocked, so that this one gets them.
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        with nats.mirror(chosen.path, chosen.to, **options) as mirror:
            return _watch(mirror, chosen)
    except MainstemError as error:
        say(plain(error.message))
        return UNREADABLE


def _watch(mirror: Bridge, chosen: argparse.Namespace) -> int:
    """Says what changes, until the end."""
    said = ("running", "")
    while True:
        is_done = chosen.once and _is_flushed(mirror)
        ended = is_done or signal.sigtimedwait(_ENDING, 0 if chosen.once else 0.5)
        stats = mirror.stats
        now = (stats.state, stats.message)
        if now != said:
            what = ": ".join(now)
            if stats.state == "running":
                what = stats.message if stats.message != said[1] else stats.state
            say(plain(f"{chosen.path}: {what}"))
        said = now
        if ended or stats.state == "stopped":
            return _end(chosen, stats)


def _is_flushed(mirror: Bridge) -> bool:
    try:
        mirror.flush(0.5)
    except MainstemError:
        return False
    return True


def _end(chosen: argparse.Namespace, stats: BridgeStats) -> int:
    left_out = f", {count(stats.left_out, 'payload')} left out" if stats.left_out else ""
    lost = f", {count(stats.lost, 'position')} lost" if stats.lost else ""
    sent = count(stats.entries, "event")
    print(f"{plain(chosen.path)}: {sent} sent, up to position {stats.done}{left_out}{lost}")
    return DAMAGED if stats.state == "stopped" else CLEAN


# `fetch`: makes a journal of what a stream of NATS JetStream has of it ----------------------------


def add_fetch(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "fetch",
        help="a journal, made of what a stream of NATS JetStream has of it",
        description="Makes the journal PATH of what a stream has, as `mirror` sent it: byte for "
        "byte if everything is there, else what is left, as `salvage` does. PATH must not exist "
        "yet. A password is taken from the variable MAINSTEM_NATS_PASSWORD. Exit status: 0 it is "
        "the journal itself; 1 something is missing; 2 nothing was written.",
    )
    own.add_argument("path", metavar="PATH", help="where to write it")
    own.add_argument(
        "--from",
        dest="source",
        metavar="URL",
        required=True,
        help="the servers: nats://host:4222,…",
    )
    own.add_argument(
        "--prefix",
        "--subject",
        type=_prefix,
        help="how subjects begin (the file's name up to its first dot)",
    )
    own.add_argument("--stream", help="the stream (the prefix, with _ for each dot)")
    own.add_argument("--journal", metavar="ID", help="which journal, if the stream has several")
    own.add_argument(
        "--wait", type=float, default=10, metavar="SECONDS", help="for a silent server (10)"
    )
    add_connection(own)
    own.set_defaults(run=run_fetch)


def _prefix(text: str) -> str:
    """A prefix, also where it is given as the subjects below it."""
    return text[:-2] if text.endswith(".>") else text


def run_fetch(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    try:
        from .. import nats
    except ImportError as error:
        say(plain(str(error).splitlines()[0]))
        return UNREADABLE
    options = connection_of(chosen)
    options.update({name: getattr(chosen, name) for name in ("prefix", "stream", "journal")})
    try:
        fetched = nats.fetch(chosen.path, chosen.source, timeout=chosen.wait, **options)
    except MainstemError as error:
        say(plain(error.message))
        return UNREADABLE
    print(f"{plain(chosen.path)}: {_told(fetched)}")
    return CLEAN if fetched.is_whole else DAMAGED


def _told(fetched: Fetched) -> str:
    events = count(fetched.events, "event")
    where = f", positions {fetched.first} to {fetched.last}" if fetched.events else ""
    if fetched.is_whole:
        return f"{events}{where}: the whole journal {fetched.id.hex()}"
    missing = f", {count(fetched.missing, 'position')} missing" if fetched.missing else ""
    left_out = f", {count(fetched.left_out, 'payload')} left out" if fetched.left_out else ""
    return f"{events}{where}{missing}{left_out}: what is left of journal {fetched.id.hex()}"


# `routes`: the routes in a file, and which of them a URL takes, and why ---------------------------

NONE = 1
_HOLE = re.compile("<(?:([^<>:]+):)?([^<>:]+)>")
_TYPED = ("uuid", "int", "float")
#: What a segment may be: the first wins.
_CLASSES = (
    "literal text",
    "a typed part of a segment",
    "a part of a segment",
    "a uuid",
    "an int",
    "a float",
    "a type of the app's",
    "any text",
    "a path",
)


class _Line(NamedTuple):
    """A route of the file: its pattern, and what is written behind it."""

    pattern: str
    name: str
    kind: str


class _Segment(NamedTuple):
    """A segment of a pattern, in the order in which segments win."""

    place: int
    #: Of a part: how much literal text it has, and how much of it in front, both below 0.
    literal: int
    front: int
    type_place: int
    type_name: str


def add_routes(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "routes",
        help="the routes in a file; which of them a URL takes, and why",
        description="Shows the routes in a file: a line for each, with its pattern and, if you "
        "like, a name and a kind behind it. '#' begins a comment. With a URL: all routes that "
        "match it, the winner first, and what decides between each and the next.",
        epilog="exit status: 0 the URL takes a route; 1 it takes none, or is malformed; 2 the file "
        "cannot be read, or has a pattern that is none",
    )
    own.add_argument("path", metavar="FILE", help="the routes")
    own.add_argument("url", metavar="URL", nargs="?", help="which route does this URL take?")
    own.add_argument(
        "--type",
        action="append",
        default=[],
        metavar="NAME=REGEX",
        help="a type of the app's: what it accepts",
    )
    own.set_defaults(run=run_routes)


def run_routes(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    with Router() as router:
        try:
            for each in chosen.type:
                router.type(*_type_in(each))
            routes = _read(chosen.path, router)
        except UnicodeDecodeError:
            say(f"{plain(chosen.path)}: is not UTF-8")
            return UNREADABLE
        except (MainstemError, ValueError, re.error) as error:
            say(plain(str(error)))
            return UNREADABLE
        if chosen.url is None:
            _show_table(chosen.path, list(routes.values()))
            return 0
        return _explain(router, routes, chosen.url)


def _type_in(argument: str) -> Tuple[str, Callable[[str], Optional[str]]]:
    name, equals, pattern = argument.partition("=")
    if not equals:
        raise ValueError(f"--type {argument}: write NAME=REGEX")
    accepted = re.compile(pattern)
    return name, lambda text: text if accepted.fullmatch(text) else None


def _read(path: str, router: Router) -> Dict[int, _Line]:
    routes: Dict[int, _Line] = {}
    with open(path, encoding="utf-8") as file:
        for number, text in enumerate(file, start=1):
            words = text.partition("#")[0].split(None, 2)
            if not words:
                continue
            line = _Line(words[0], *(words[1:] + ["", ""])[:2])
            line = line._replace(kind=line.kind.strip())
            try:
                routes[router.add(line.pattern)] = line
            except MainstemError as error:
                raise ValueError(f"{path}:{number}: {error.message}") from None
    return routes


def _show_table(path: str, lines: List[_Line]) -> None:
    print(f"{plain(path)}: {count(len(lines), 'route')}")
    rows = [tuple(map(plain, line)) for line in lines]
    widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
    for pattern, name, kind in rows:
        print(f"  {pattern:{widths[0]}}  {name:{widths[1]}}  {kind}".rstrip())


def _explain(router: Router, routes: Dict[int, _Line], url: str) -> int:
    try:
        match = router.match(url)
    except MainstemError as error:
        say(plain(str(error)))
        return NONE
    if match is None:
        print(f"{plain(url)} takes none of {count(len(routes), 'route')}")
        return NONE
    line = routes[match.route]
    what = ", ".join(plain(each) for each in line[1:] if each)
    print(f"{plain(url)} takes {plain(line.pattern)}" + (f" ({what})" if what else ""))
    _show_values(match)
    candidates = _in_order(router, routes, url, match)
    if len(candidates) > 1:
        print("what else matches, and what decides:")
    for before, after in zip(candidates, candidates[1:]):
        print(f"  {plain(after)}: {_why(before, after)}")
    return 0


def _show_values(match: Match) -> None:
    for name, value in match.parameters.items():
        print(f"  {plain(name)} = {plain(str(value))}")
    for key, text in match.items:
        print(f"  ?{plain(key)} = {plain(text)}")
    if match.fragment is not None:
        print(f"  #{plain(match.fragment)}")


def _in_order(router: Router, routes: Dict[int, _Line], url: str, first: Match) -> List[str]:
    """The patterns that match, the winner first: each wins when those before it are gone."""
    found: List[str] = []
    match: Optional[Match] = first
    while match is not None:
        found.append(routes[match.route].pattern)
        router.remove(match.route)
        match = router.match(url)
    return found


def _why(before: str, after: str) -> str:
    """What decides between two patterns that match the same URL."""
    one, two = _segments(before), _segments(after)
    literals = [sum(each.place == 0 for each in segments) for segments in (one, two)]
    if literals[0] != literals[1]:
        return f"{count(literals[1], 'literal segment')}, {plain(before)} has {literals[0]}"
    for index, (winner, loser) in enumerate(zip(one, two), start=1):
        if winner != loser:
            return f"at segment {index}, {_difference(winner, loser)}"
    return "nothing"


def _difference(winner: _Segment, loser: _Segment) -> str:
    if winner.place != loser.place:
        return f"{_CLASSES[loser.place]} comes after {_CLASSES[winner.place]}"
    if winner.literal != loser.literal:
        return "it has less literal text"
    if winner.front != loser.front:
        return "it has less literal text in front"
    return f"{loser.type_name} comes after {winner.type_name}"


def _segments(pattern: str) -> List[_Segment]:
    path = pattern.partition("://")[2] or pattern
    return [_segment(part) for part in path.split("/") if part]


def _segment(part: str) -> _Segment:
    hole = _HOLE.search(part)
    if hole is None:
        return _Segment(0, 0, 0, 0, "")
    kind = hole[1] or "string"
    untyped = {"string": 7, "path": 8}
    type_place = untyped.get(kind, 3 + _TYPED.index(kind) if kind in _TYPED else 6)
    # In bytes, as the router counts them.
    front, behind = len(part[: hole.start()].encode()), len(part[hole.end() :].encode())
    place = type_place
    if front or behind:
        place = 2 if kind == "string" else 1
    return _Segment(place, -front - behind, -front, type_place, kind)
