# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`routes`: the routes in a file, and which of them a URL takes, and why."""

from __future__ import annotations

import argparse
import re
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from .._escape import plain
from ..failure import MainstemError
from ..navigation._router import Match, Router
from .reading import UNREADABLE, count, say

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
