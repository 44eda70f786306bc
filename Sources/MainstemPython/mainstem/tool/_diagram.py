# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`diagram`: who sends and who handles each event type, as one page for a browser."""

from __future__ import annotations

import argparse
import os
import sys
from html import escape
from statistics import median
from typing import Any, List

from ..journal_file import Journal
from ._info import moment
from ._map import section_of, table_of
from ._picture import ANSWERS, ASKED, REACTS, SIGNS, Cast, Kind, Picture, Timeline, listed, told
from ._reading import (
    UNREADABLE,
    count,
    ending_of,
    is_one_of,
    messages,
    opened,
    plain,
    say,
    tell,
)
from ._screens import Places
from ._tree import clock, short

__all__ = ["STYLE", "add_diagram"]


# The style of a diagram's page, light and dark ----------------------------------------------------

STYLE = """\
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --ink: #1b2430; --faint: #5b6777; --line: #d9dee6;
  --life: #c3cbd6; --work: #dfe5ee; --wire: #6b7888;
  --request: #1d5fbf; --request-fill: #e8f1fd; --response: #17734a; --response-fill: #e5f5ec;
  --notice: #8a5a00; --notice-fill: #fdf3dc; --value: #0b6470; --value-fill: #e0f3f5;
  --command: #952467; --command-fill: #fbe8f3; --bad: #c0272d; --bar: #4b7fc4; --focus: #7a3cc8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161c; --card: #1a2029; --ink: #e6ebf2; --faint: #9aa7b8; --line: #2d3644;
    --life: #3c4757; --work: #2b3544; --wire: #8c9aad;
    --request: #8bbcff; --request-fill: #16294a; --response: #7fd8a8; --response-fill: #123324;
    --notice: #f0c56a; --notice-fill: #3a2c0c; --value: #72d4df; --value-fill: #0f3136;
    --command: #f09ccb; --command-fill: #3f1a30; --bad: #ff8a85; --bar: #6ea4ec; --focus: #c9a2ff;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 1440px; margin: 0 auto; padding: 28px 20px 60px; }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 18px; margin: 0 0 4px; }
p { margin: 0 0 12px; color: var(--faint); max-width: 76ch; }
header p { max-width: none; }
section { margin-top: 28px; }
.bad { color: var(--bad); }
.faint { color: var(--faint); }
.frame { background: var(--card); border: 1px solid var(--line); border-radius: 12px;
  padding: 14px; overflow-x: auto; }
.frame svg { display: block; margin: 0 auto; }
.key { display: flex; flex-wrap: wrap; gap: 6px 22px; list-style: none; margin: 0 0 12px;
  padding: 0; font-size: 14px; color: var(--faint); }
.key b { display: inline-block; width: 22px; height: 22px; margin-right: 6px; border-radius: 6px;
  border: 1.5px solid; text-align: center; line-height: 19px; vertical-align: 1px; }
.request b { color: var(--request); background: var(--request-fill); }
.response b { color: var(--response); background: var(--response-fill); }
.notice b { color: var(--notice); background: var(--notice-fill); }
.value b { color: var(--value); background: var(--value-fill); }
.command b { color: var(--command); background: var(--command-fill); }
.failing b { color: var(--bad); border-width: 2.5px; }
svg text { fill: var(--ink); font-size: 13px; text-anchor: middle; }
.life { stroke: var(--life); stroke-width: 1.5; fill: none; }
.work { fill: var(--work); stroke: var(--life); }
.part rect { fill: var(--ink); }
.part text { fill: var(--card); font-weight: 600; font-size: 13px; }
.wire { stroke: var(--wire); stroke-width: 2; fill: none; }
.wire.thin { stroke-width: 1.2; }
.response .wire { stroke-dasharray: 6 4; }
marker path { fill: var(--wire); }
.from { fill: var(--card); stroke: var(--wire); stroke-width: 1.5; }
.box { stroke-width: 1.5; }
.request .box { fill: var(--request-fill); stroke: var(--request); }
.response .box { fill: var(--response-fill); stroke: var(--response); }
.notice .box { fill: var(--notice-fill); stroke: var(--notice); }
.value .box { fill: var(--value-fill); stroke: var(--value); }
.command .box { fill: var(--command-fill); stroke: var(--command); }
.failing .box { stroke: var(--bad); stroke-width: 2.5; }
.name { font-weight: 600; }
.sign { font-weight: 700; font-size: 14px; }
.request .sign { fill: var(--request); }
.response .sign { fill: var(--response); }
.notice .sign { fill: var(--notice); }
.value .sign { fill: var(--value); }
.command .sign { fill: var(--command); }
a.place { outline: none; }
svg .about, svg .often, svg .label { font-size: 11px; }
.place .label, .place .about { text-anchor: start; }
.place .name { text-anchor: start; }
.place .often { text-anchor: end; font-weight: 600; }
.place .about { fill: var(--faint); }
.place .bad { fill: var(--bad); }
.app .box { fill: var(--card); stroke: var(--ink); }
.screen .box { fill: var(--request-fill); stroke: var(--request); }
.screen .sign { fill: var(--request); }
.dialog .box { fill: var(--notice-fill); stroke: var(--notice); }
.dialog .sign { fill: var(--notice); }
.present .box, .overlay .box { fill: var(--command-fill); stroke: var(--command); }
.present .sign, .overlay .sign { fill: var(--command); }
.embed .box { fill: var(--value-fill); stroke: var(--value); }
.embed .sign { fill: var(--value); }
.group .box, .flow .box { fill: var(--response-fill); stroke: var(--response); }
.group .sign, .flow .sign { fill: var(--response); }
.screen b { color: var(--request); background: var(--request-fill); }
.dialog b { color: var(--notice); background: var(--notice-fill); }
.present b, .overlay b { color: var(--command); background: var(--command-fill); }
.embed b { color: var(--value); background: var(--value-fill); }
.group b, .flow b { color: var(--response); background: var(--response-fill); }
.wire.sent { stroke-dasharray: 6 4; }
.done { fill: var(--response); }
.gone { fill: var(--life); }
.dialog .gone, .present .gone { fill: var(--bad); }
a.place:hover .box, a.place:focus-visible .box { stroke: var(--focus); stroke-width: 3; }
svg .next { fill: var(--faint); font-size: 11px; text-anchor: start; }
svg .next[text-anchor=end] { text-anchor: end; }
svg .facts { fill: var(--faint); font-size: 11px; }
svg .facts .bad { fill: var(--bad); font-weight: 600; }
a.kind { outline: none; }
a.kind:hover .wire, a.kind:focus-visible .wire { stroke: var(--focus); stroke-width: 3; }
a.kind:hover .box, a.kind:focus-visible .box { stroke: var(--focus); stroke-width: 3; }
svg:has(a.kind:hover) a.kind:not(:hover) { opacity: .4; }
.frame:focus-visible, a:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
svg a:focus-visible { outline: none; }
svg .label { text-anchor: end; }
svg .place .label { text-anchor: start; }
svg .tick { fill: var(--faint); font-size: 11px; }
.grid { stroke: var(--line); }
.bar { fill: var(--bar); }
.bar.bad { fill: var(--bad); }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { text-align: left; padding: 6px 10px; border-bottom: 1px solid var(--line);
  vertical-align: top; overflow-wrap: break-word; }
thead th { color: var(--faint); font-weight: 600; }
tbody th { font-weight: 600; min-width: 17em; }
tbody th b { display: inline-block; width: 20px; height: 20px; margin-right: 6px;
  border-radius: 5px; text-align: center; line-height: 20px; }
tbody th small { display: block; margin-left: 26px; font-weight: 400; }
tbody tr:last-child > * { border-bottom: 0; }
tr:target { background: var(--notice-fill); }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
@media print { body { background: none; } .frame { border: 0; padding: 0; } }
"""


# The page of a diagram: one file, no network, no script -------------------------------------------

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
    first = min(filter(None, cast.times), default=0)
    last = max(filter(None, cast.times), default=0)
    facts = [
        count(cast.events, "event"),
        count(len(cast.types), "type"),
        f"sent by {count(len(cast.parts), 'part')} of the program",
    ]
    if first:
        facts.append(f"{clock(last - first)} from {moment(first)} on")
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


# The command --------------------------------------------------------------------------------------


def add_diagram(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "diagram",
        help="who sends and who handles each event type, as a page for a browser",
        description="Draws which part of the program sends each type of event, which parts react "
        "to it, and when: one HTML page that needs no network. Parts that only observe and send "
        "nothing leave no trace in a journal.",
    )
    own.add_argument("path", metavar="PATH", help="the journal")
    own.add_argument(
        "-o", dest="to", metavar="FILE.html", required=True, help="the page to write; - to print it"
    )
    own.set_defaults(run=run_diagram)


def run_diagram(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    with opened(chosen.path) as journal:
        if chosen.to != "-" and is_one_of(chosen.to, journal.paths):
            say(f"{plain(chosen.to)} is the journal itself: choose another name for the page")
            return UNREADABLE
        cast, places = Cast(), Places()
        for record in journal.records():
            places.take(record)
            if record.is_event:
                cast.take(record)
        places.end()
        text = page_of(plain(os.path.basename(journal.path)), cast, places, journal)
        if chosen.to == "-":
            sys.stdout.write(text)
        else:
            with open(chosen.to, "w", encoding="utf-8") as file:
                file.write(text)
            what = f"{count(len(cast.types), 'event type')} of {count(len(cast.parts), 'part')}"
            print(f"{plain(chosen.to)}: {count(cast.events, 'event')}, {what}")
        return tell(journal)
