# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The part of a diagram's page that is about screens: the map, and a table of all places."""

from __future__ import annotations

from html import escape
from typing import List

from .picture import listed
from .places import Place, Places
from .places_layout import CARDS
from .places_picture import SIGNS, Map
from .places_words import told
from .reading import count

_ROWS, _LIST = 1000, 400


def section_of(places: Places) -> str:
    """Returns the map, with what its signs mean; "" if there is nothing to map."""
    if len(places.places) < 2 and not places.moves:
        return ""
    left_out = len(places.places) - CARDS
    more = ""
    if left_out > 0:
        more = f" The {CARDS - 1} that were shown most are drawn; the table has all of them."
    return f"""\
<section aria-labelledby="screens">
<h2 id="screens">How the screens were reached</h2>
<p>Each card is a route. Each line on it is a way from there: what led to it, how often, which
guards were asked. The bar says how it was left: green with a result; without one grey, or red if it
is a dialog.{more}</p>
<ul class="key">
{_key(places)}
</ul>
<div class="frame" role="region" tabindex="0" aria-labelledby="screens">
{Map(places).svg()}
</div>
</section>"""


def _key(places: Places) -> str:
    there = {place.kind for place in places.places}
    lines = [
        f'<li class="{kind}"><b>{sign}</b> {kind}</li>'
        for kind, sign in SIGNS.items()
        if kind in there and kind != "app"
    ]
    return "\n".join([*lines, '<li class="failing"><b>✗</b> nothing was opened</li>'])


def table_of(places: Places) -> str:
    """Returns the table of all places; "" if there are none."""
    shown = places.places[1 : _ROWS + 1]
    # A card of the map leads to its row.
    rows = "\n".join(_row(place, places) for place in [places.app, *shown])
    left = len(places.places) - 1 - len(shown)
    more = f"<p>And {count(left, 'more route')}.</p>" if left > 0 else ""
    if len(places.places) < 2 and not places.moves:
        return ""
    return f"""\
<section aria-labelledby="routes">
<h2 id="routes">The routes, in the order in which they were first shown</h2>
<div class="frame" role="region" tabindex="0" aria-labelledby="routes">
<table>
<thead><tr><th>route</th><th>owner</th><th class="number">shown</th><th>results</th>
<th>without a result</th><th class="number">there still</th><th>ways from it</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
</div>{more}
</section>"""


def _row(place: Place, places: Places) -> str:
    ways = [
        f"{way.label} → {way.target.route if way.target else '✗ ' + way.refusal} {way.count:,}"
        for way in place.ways.values()
    ]
    cells = [
        f'<th scope="row" class="{place.kind}"><b>{SIGNS[place.kind]}</b> '
        f"{escape(place.route)}</th>",
        f"<td>{escape(listed(list(place.names), _LIST))}</td>",
        _number(place.count),
        f"<td>{_counts(place.results)}</td>",
        f"<td>{_counts(place.cancels)}</td>",
        _number(place.open),
        f"<td>{escape(listed(ways, _LIST))}</td>",
    ]
    title = escape(told(place))
    return f'<tr id="place-{place.number}" title="{title}">{"".join(cells)}</tr>'


def _counts(counts: "dict[str, int]") -> str:
    names: List[str] = [f"{name} {much:,}" for name, much in counts.items()]
    return escape(listed(names, _LIST))


def _number(number: int) -> str:
    return f'<td class="number">{number:,}</td>' if number else '<td class="number"></td>'
