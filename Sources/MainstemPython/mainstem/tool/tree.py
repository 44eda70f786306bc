# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`tree`: what caused what, in the terminal."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from typing import Any, Iterator, Tuple

from .._escape import plain
from ..journal_file import Journal
from .dump import add_range
from .forest import LONGEST, Forest, Node, owner_of
from .reading import count, opened, tell

#: How requests of the navigator are answered.
_DONE = {"show": "shown", "hide": "hidden"}


def add_tree(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "tree",
        help="what caused what: each outside event, and below it all that followed",
        description="Shows each event that came from outside, and below it, indented, what it "
        "caused. Requests are paired with their answers; failures are marked; a value is followed "
        "by the one that it replaces.",
    )
    own.add_argument("path", metavar="PATH", help="the journal")
    add_range(own)
    own.set_defaults(run=run_tree)


def run_tree(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    forest = Forest()
    with opened(chosen.path) as journal:
        for record in journal.records():
            forest.take(record)
        _write(journal, forest, chosen)
        return tell(journal)


def _write(journal: Journal, forest: Forest, chosen: argparse.Namespace) -> None:
    style = Style()
    name = plain(os.path.basename(journal.path))
    chains = f"{count(len(forest.nodes), 'event')} in {count(len(forest.roots), 'chain')}"
    print(f"{name}: {chains}. What came from outside, and indented below it what that caused:")
    first = forest.nodes[forest.roots[0]].time if forest.roots else 0
    has_times = any(node.time for node in forest.nodes.values())
    for root in forest.roots:
        if not chosen.first <= root <= chosen.last:
            continue
        print()
        began = forest.nodes[root].time
        for node, above, branch in forest.walk(root):
            when = ""
            if has_times:
                when = _since(node.time - began) if branch else clock(began - first)
                when = style.faint(when.rjust(10)) + "  "
            print(when + style.faint(above + branch) + _told(node, forest, style, len(above)))


class Style:
    """Colors, on a terminal that has them; elsewhere none."""

    def __init__(self) -> None:
        is_terminal = sys.stdout.isatty()
        self._has = (
            is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        )
        #: How many columns the terminal has; 0: no limit.
        self.columns = shutil.get_terminal_size().columns if is_terminal else 0

    def _with(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._has and text else text

    def strong(self, text: str) -> str:
        """Styles a name."""
        return self._with("1", text)

    def faint(self, text: str) -> str:
        """Styles what matters less."""
        return self._with("2", text)

    def bad(self, text: str) -> str:
        """Styles a failure."""
        return self._with("31", text)

    def good(self, text: str) -> str:
        """Styles an answer."""
        return self._with("32", text)


def _told(node: Node, forest: Forest, style: Style, indent: int) -> str:
    """Returns the text of an event, after its branch."""
    mark = "✗ " if node.failed else ""
    title = node.step.title if node.step else node.name
    head = style.bad(mark) + f"#{node.position} {style.strong(title)}"
    notes = list(_notes(node, forest))
    width = len(mark) + len(title) + len(str(node.position)) + 2
    width += sum(len(text) + 2 for _, text in notes)
    former = f" (was {node.former})" if node.former else ""
    payload = node.payload if not (node.opened or node.ended) else ""
    payload = node.step.text if node.step else payload
    room = max(style.columns - indent - width - len(former) - 18, 12) if style.columns else LONGEST
    payload = payload if len(payload) <= room else payload[: room - 1] + "…"
    if node.is_value:
        head += f" = {payload}" + style.faint(former)
    parts = [head, *(getattr(style, kind)(text) for kind, text in notes)]
    if payload and not node.is_value:
        parts.append(style.faint(payload))
    return "  ".join(parts)


def _notes(node: Node, forest: Forest) -> Iterator[Tuple[str, str]]:
    """Yields the notes on an event, each with its style."""
    if node.opened:
        yield "good", f"opened {owner_of(node)}"
    elif node.ended:
        yield "faint", f"ended {node.origin}{_which(node.ended, forest)}"
    elif node.step is None or node.step.kind in ("move", "verdict"):
        yield from _sender(node, forest)
    if node.shared:
        yield "faint", _shared(node, forest)
    if node.progress:
        yield "faint", f"progress of #{node.answers}"
    elif node.answers:
        yield _answer(node)
    elif node.failed:
        yield "bad", node.error
    if node.answers and not node.cause:
        yield "faint", "later"
    elif node.cause and node.cause not in forest.nodes:
        yield "faint", f"caused by #{node.cause}, which is not kept"
    answer = forest.nodes.get(forest.answers.get(node.position, 0))
    if answer is not None:
        yield _answered(node, answer)
    elif forest.has_open(node.position):
        yield "good", "is there still"
    elif node.tracked:
        yield "bad", "✗ no answer"


def _sender(node: Node, forest: Forest) -> Iterator[Tuple[str, str]]:
    """Yields who sent an event, unless its name says so."""
    is_opened = node.origin in forest.namesakes
    which = _which(node.scope, forest) if is_opened else forest.which(node.scope)
    owner = f"{node.origin}{which}" if which or not node.names_origin else ""
    owner = node.step.asker or owner if node.step else owner
    if node.written or node.is_run:
        verb, place = ("run", "on") if node.is_run else ("written", "to")
        yield "faint", verb + (f" {place} {owner}" if owner else "") + " by a view"
    elif owner:
        yield "faint", f"by {owner}"


def _which(scope: int, forest: Forest) -> str:
    """Returns which of several owners it is: the one that the answer at this position opened."""
    position = forest.opened.get(scope)
    return f" of #{position}" if position else forest.which(scope)


def _shared(node: Node, forest: Forest) -> str:
    original = forest.nodes.get(node.cause)
    if node.answers and original is not None and original.name == node.name:
        return f"a copy of #{original.position}"
    return "a copy" if node.answers else "shared"


def _answer(node: Node) -> Tuple[str, str]:
    if node.refused:
        return "faint", f"refuses #{node.answers}: {node.refused}"
    if node.cancelled:
        return "faint", f"cancels #{node.answers}"
    if node.failed:
        return "bad", f"answers #{node.answers} with {node.error}"
    return "good", f"answers #{node.answers}"


def _answered(node: Node, answer: Node) -> Tuple[str, str]:
    after = f" after {short(answer.time - node.time)}" if node.time and answer.time else ""
    if answer.refused:
        return "faint", f"refused by #{answer.position}{after}: {answer.refused}"
    if answer.cancelled and answer.step is not None:
        return "faint", f"cancelled by #{answer.position}{after}: {answer.step.text}"
    if answer.failed:
        return "bad", f"✗ failed by #{answer.position}{after}"
    return "good", f"{_DONE.get(_kind(node), 'answered')} by #{answer.position}{after}"


def _kind(node: Node) -> str:
    return node.step.kind if node.step else ""


def clock(time: int) -> str:
    """Returns nanoseconds since the first event as a clock time."""
    sign, time = ("-", -time) if time < 0 else ("", time)
    minutes, rest = divmod(time // 1_000_000, 60_000)
    hours, minutes = divmod(minutes, 60)
    head = f"{hours}:{minutes:02}" if hours else str(minutes)
    return f"{sign}{head}:{rest // 1000:02}.{rest % 1000:03}"


def _since(time: int) -> str:
    return ("-" if time < 0 else "+") + short(abs(time))


def short(time: int) -> str:
    """Returns a duration in a fitting unit."""
    if time < 0:
        return "-" + short(-time)
    for unit, size in (("s", 10**9), ("ms", 10**6), ("µs", 10**3)):
        if time >= size:
            amount = time / size
            return f"{amount:.0f} {unit}" if amount >= 100 else f"{amount:.3g} {unit}"
    return f"{time} ns"
