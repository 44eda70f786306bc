# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The page of a diagram: one file, no network, no script."""

from __future__ import annotations

from html import escape
from statistics import median
from typing import List

from ..journal_file import Journal
from .cast import ANSWERS, ASKED, REACTS, Cast, Kind
from .info import moment
from .picture import SIGNS, Picture, listed, told
from .places import Places
from .places_page import section_of, table_of
from .reading import count, ending_of, messages
from .style import STYLE
from .timeline import Timeline
from .tree import clock, short

_MEANINGS = {
    "request": "request: asks",
    "response": "response: goes back to the part that asked",
    "notice": "notice: tells",
    "value": "values: what a part shows, all in one box",
    "command": "command: what a part can be told to do",
}
_ROWS = 1000
# How many letters the list of an owner's values has.
_LIST = 400

_HEAD = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main>
"""


def page_of(name: str, cast: Cast, places: Places, journal: Journal) -> str:
    """Returns the page."""
    parts = [_HEAD.format(title=escape(name), style=STYLE), _top(name, cast, journal)]
    if cast.events:
        parts += [_picture(cast), section_of(places), _timeline(cast), _table(cast)]
        parts.append(table_of(places))
    return "\n".join([*filter(None, parts), "</main>\n</body>\n</html>\n"])


def _top(name: str, cast: Cast, journal: Journal) -> str:
    times = [time for time, *_ in cast.times if time]
    facts = [
        count(cast.events, "event"),
        count(len(cast.types), "type"),
        f"sent by {count(len(cast.parts), 'part')} of the program",
    ]
    if times:
        facts.append(f"{clock(max(times) - min(times))} from {moment(min(times))} on")
    if cast.failed:
        facts.append(f'<span class="bad">{cast.failed:,} failed</span>')
    lines = [f"<header><h1>{escape(name)}</h1>", f"<p>{' · '.join(facts)}</p>"]
    lines += [f'<p class="bad">{escape(one)}.</p>' for one in messages(ending_of(journal))]
    return "\n".join([*lines, "</header>"])


def _picture(cast: Cast) -> str:
    picture = Picture(cast)
    left_out = len(cast.kinds) - len(picture.kinds)
    more = ""
    if left_out:
        more += f" The {len(picture.kinds)} most frequent types are drawn; the table has them all."
    if len(cast.parts) > len(picture.parts):
        more += (
            f" Of {len(cast.parts)} parts, the {len(picture.parts)} that send most have a column."
        )
    return f"""\
<section aria-labelledby="who">
<h2 id="who">Who sends, and who reacts</h2>
<p>Read it from top to bottom. Each column is a part of the program. Each box is a type of event; it
stands in the column of the part that sends it, and its arrow ends at the parts that reacted to it.
A bar on a column means that the part took one event and sent the next. If the next event stands
further up, its name is written there.{more}</p>
<ul class="key">
{_key(cast)}
<li class="failing"><b>✗</b> some failed, or had no answer</li>
</ul>
<div class="frame" role="region" tabindex="0" aria-labelledby="who">
{picture.svg()}
</div>
</section>"""


def _key(cast: Cast) -> str:
    """Returns what the signs mean; those of values and commands only where there are any."""
    there = {kind.role for kind in cast.kinds} | {"request", "response", "notice"}
    return "\n".join(
        f'<li class="{role}"><b>{SIGNS[role]}</b> {what}</li>'
        for role, what in _MEANINGS.items()
        if role in there
    )


def _timeline(cast: Cast) -> str:
    timeline = Timeline(cast)
    how = "time" if timeline.has_times else "order (the journal has no times)"
    return f"""\
<section aria-labelledby="when">
<h2 id="when">When</h2>
<p>From left to right: {how}. Each bar stands for events that a part sent: the taller, the more.
Red: the events that failed.</p>
<div class="frame" role="region" tabindex="0" aria-labelledby="when">
{timeline.svg()}
</div>
</section>"""


def _table(cast: Cast) -> str:
    kinds = cast.kinds[:_ROWS]
    rows = "\n".join(_row(cast, kind) for kind in kinds)
    more = ""
    if len(cast.kinds) > len(kinds):
        more = f"<p>And {len(cast.kinds) - len(kinds):,} more types.</p>"
    return f"""\
<section aria-labelledby="types">
<h2 id="types">The event types, in the order of their first event</h2>
<div class="frame" role="region" tabindex="0" aria-labelledby="types">
<table>
<thead><tr><th>type</th><th>layer</th><th class="number">events</th><th class="number">failed</th>
<th class="number">no answer</th><th class="number">answered after</th><th>sent by</th>
<th>goes to</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
</div>{more}
</section>"""


def _row(cast: Cast, kind: Kind) -> str:
    waited = short(int(median(kind.durations))) if kind.durations else ""
    cells = [
        f'<th scope="row" class="{kind.role}"><b>{SIGNS[kind.role]}</b> {escape(kind.name)}'
        f"{_values(kind)}</th>",
        f"<td>{escape(', '.join(kind.layers))}</td>",
        f'<td class="number">{kind.count:,}</td>',
        _number(kind.failed),
        _number(max(kind.open, 0)),
        f'<td class="number">{waited}</td>',
        f"<td>{_senders(cast, kind)}</td>",
        f"<td>{_takers(cast, kind)}</td>",
    ]
    return f'<tr id="type-{kind.number}" title="{escape(told(cast, kind))}">{"".join(cells)}</tr>'


def _values(kind: Kind) -> str:
    """Returns the names of the values that a row stands for."""
    names = [f"{name} {much:,}" for name, much in kind.values.items()]
    return f'<small class="faint">{escape(listed(names, _LIST))}</small>' if names else ""


def _number(number: int) -> str:
    return f'<td class="number bad">{number:,}</td>' if number else '<td class="number"></td>'


def _senders(cast: Cast, kind: Kind) -> str:
    often = sorted(kind.senders.items(), key=lambda item: -item[1])
    if len(often) == 1:
        return escape(cast.parts[often[0][0]].name)
    return escape(", ".join(f"{cast.parts[part].name} ({much:,})" for part, much in often))


def _takers(cast: Cast, kind: Kind) -> str:
    who = {ANSWERS: ", who answers", ASKED: ", who asked", REACTS: ""}
    takers: List[str] = [
        cast.parts[part].name + who[how] for part, how in sorted(kind.takers.items())
    ]
    return escape("; ".join(takers)) or '<span class="faint">nobody reacted</span>'
