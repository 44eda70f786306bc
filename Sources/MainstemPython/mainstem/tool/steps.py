# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the navigator's events say, in words."""

from __future__ import annotations

from typing import Iterable, NamedTuple, Optional

from .._escape import plain, shortened
from ..journal_file import Record
from .moves import Component, Move, Note, Why
from .navigation import Navigation

#: How much of a URL, of a result and of what closes together is shown.
_URL, _RESULT, _TOGETHER = 60, 60, 6
_WHYS = {
    "gesture": "a gesture",
    "ended": "its owner's end",
    "open": "another took its place",
    "replace": "another took its place",
    "failed": "its own move failed",
    "": "what closed it is not kept",
}


class Step(NamedTuple):
    """An event of navigation in words."""

    kind: str
    title: str
    text: str = ""
    #: The position of the event that it is shown below; 0: of its cause.
    group: int = 0
    #: The number of the component that is to be shown.
    component: int = 0
    #: The URL of the component that asks, if it asks itself.
    asker: str = ""


def short_url(url: str) -> str:
    """Returns as much of a URL, or of another text, as a line has room for."""
    return plain(url if len(url) <= _URL else url[:_URL] + "…")


def told(component: Component) -> str:
    """Returns what a component is called: its kind and its URL."""
    return f"{component.kind} {short_url(component.url)}"


def told_all(components: Iterable[Component]) -> str:
    """Returns the URLs of components, the first of them."""
    urls = [short_url(component.url) for component in components]
    more = len(urls) - _TOGETHER
    return ", ".join(urls[:_TOGETHER]) + (f" and {more:,} more" if more > 0 else "")


def place_of(component: Component, navigation: Navigation) -> str:
    """Returns what a component stands on, in words; "": nothing."""
    slot = f"in {plain(component.slot)} of " if component.slot else "on "
    below = component.below or navigation.shown.get(component.parent)
    if below is None:
        return f"{slot}what is not known" if component.parent else ""
    return slot + short_url(below.url)


def why_of(why: Optional[Why]) -> str:
    """Returns why something closed, in words."""
    if why is None:
        return ""
    if why.what == "result":
        return f"result {plain(why.result)}" if why.result else "finished without a result"
    return _WHYS.get(why.what, why.what)


def title_of(move: Move, navigation: Navigation) -> str:
    """Returns what a move is called: its verb, and the URL of what it is about."""
    if move.url or move.opens:
        return f"{move.verb} {short_url(move.url)}".rstrip()
    target = navigation.shown.get(move.target)
    return f"{move.verb} {short_url(target.url)}" if target else move.verb


def step_of(event: Record, note: Note, navigation: Navigation) -> Step:
    """Puts an event of navigation into words."""
    making = {"move": _move, "result": _result, "guard": _guard, "verdict": _verdict}
    making.update(show=_show, hide=_hide, change=_change, finish=_finish, gone=_gone)
    make = making.get(note.kind)
    if make is not None:
        return make(event, note, navigation)
    titles = {"link": "link to all flows"}
    return Step(note.kind, titles.get(note.kind, note.kind), short_url(note.text), note.group)


def _move(event: Record, note: Note, navigation: Navigation) -> Step:
    move = note.move
    assert move is not None
    target = navigation.shown.get(move.target) if move.opens else None
    text = f"on {short_url(target.url)}" if target else ""
    asker = navigation.asker_of(move) if event.origin_bytes == b"Component" else None
    step = Step("move", title_of(move, navigation), "<marked>" if event.marked else text)
    return step._replace(asker=short_url(asker.url)) if asker else step


def _result(event: Record, note: Note, navigation: Navigation) -> Step:
    move = note.move
    assert move is not None
    title = f"result {plain(note.text)}".rstrip() if move.opens else "done"
    text = _payload(event)
    if event.status:
        why = move.opened.why if move.opened else None
        text = why_of(why) or short_url(event.error[1] or event.error[0])
    return Step("result", title, text, note.group)


def _payload(event: Record) -> str:
    return "" if event.marked else shortened(event.data.partition(b"\0")[2], _RESULT)


def _guard(event: Record, note: Note, navigation: Navigation) -> Step:
    url = "<marked>" if event.marked else shortened(event.data, _URL)
    return Step("guard", f"guard {plain(note.text)}", url, note.group)


def _verdict(event: Record, note: Note, navigation: Navigation) -> Step:
    verdict, _, url = note.text.partition(" ")
    says = {"redirect": "redirects to", "after": "wants first"}.get(verdict)
    text = "<marked>" if event.marked else f"{says} {short_url(url)}" if says else "lets it go on"
    if event.status:
        text = short_url(event.error[1] or event.error[0])
    return Step("verdict", "refuses" if event.status else "verdict", text)


def _show(event: Record, note: Note, navigation: Navigation) -> Step:
    component = note.components[0]
    # A group is shown when its first part is.
    place = place_of(component, navigation) if component.parent in navigation.shown else ""
    return Step("show", f"show {told(component)}", place, note.group, component.number)


def _hide(event: Record, note: Note, navigation: Navigation) -> Step:
    return Step("hide", f"hide {told_all(note.components)}", "", note.group)


def _change(event: Record, note: Note, navigation: Navigation) -> Step:
    change = note.change
    assert change is not None
    words, text = [], ""
    if change.opened is not None:
        words.append(f"opened {told(change.opened)}")
        text = place_of(change.opened, navigation)
    if change.closed:
        words.append(f"closed {told_all(change.closed)}")
        text = text or why_of(change.closed[0].why)
    number = change.opened.number if change.opened else 0
    return Step("change", ", ".join(words) or "nothing changed", text, note.group, number)


def _finish(event: Record, note: Note, navigation: Navigation) -> Step:
    result = f"{plain(note.text)} {_payload(event)}".strip()
    return Step("finish", f"finish {told_all(note.components)}".rstrip(), result)


def _gone(event: Record, note: Note, navigation: Navigation) -> Step:
    return Step("gone", f"gone {told_all(note.components)}".rstrip(), "by a gesture")
