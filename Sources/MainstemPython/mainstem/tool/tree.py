# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`tree`: what caused what, in the terminal."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from typing import Any, Dict, Iterator, List, NamedTuple, Tuple

from .._escape import plain
from ..journal_file import Journal, Record
from .dump import add_range
from .line import payload_of, status_name
from .reading import count, opened, tell

_LONGEST = 80
#: Effects below this depth are not indented further.
_DEEPEST = 24


def add(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "tree",
        help="what caused what: each outside event, and below it all that followed",
        description="Shows each event that came from outside, and below it, indented, what it "
        "caused. Requests are paired with their answers; failures are marked.",
    )
    own.add_argument("path", metavar="PATH", help="the journal")
    add_range(own)
    own.set_defaults(run=run)


class Node(NamedTuple):
    """What the tree shows of an event."""

    position: int
    cause: int
    answers: int
    time: int
    failed: bool
    outside: bool
    tracked: bool
    progress: bool
    name: str
    origin: str
    status: str
    payload: str

    @property
    def error(self) -> str:
        """The name of a failure."""
        return f"error {self.status}"


class Forest:
    """All events by position, and what each of them caused."""

    def __init__(self) -> None:
        self.nodes: Dict[int, Node] = {}
        self.effects: Dict[int, List[int]] = {}
        self.roots: List[int] = []
        #: The answer of each request.
        self.answers: Dict[int, int] = {}

    def take(self, event: Record) -> None:
        """Takes the next event."""
        node = _node(event)
        self.nodes[node.position] = node
        # An answer given later comes from outside, but still belongs under its request.
        above = node.cause or node.answers
        if above < node.position and above in self.nodes:
            self.effects.setdefault(above, []).append(node.position)
        else:
            self.roots.append(node.position)
        if node.answers and not node.progress:
            self.answers.setdefault(node.answers, node.position)

    def walk(self, root: int) -> Iterator[Tuple[Node, str, str]]:
        """Yields an outside event and everything that followed, each with its branch."""
        waiting = [(root, "", "", 0)]
        while waiting:
            position, above, branch, depth = waiting.pop()
            yield self.nodes[position], above, branch
            effects = self.effects.get(position, [])
            if depth:
                above += "   " if branch.startswith("└") else "│  "
            if depth > _DEEPEST:
                above = above[: 3 * _DEEPEST]
            for effect in reversed(effects):
                sign = "└─ " if effect == effects[-1] else "├─ "
                waiting.append((effect, above, sign, depth + 1))


def _node(event: Record) -> Node:
    return Node(
        event.position,
        event.cause,
        event.answers,
        event.time,
        event.status != 0,
        event.outside,
        event.tracked,
        event.is_progress,
        plain(event.name),
        plain(event.origin_name),
        status_name(event.status) if event.status else "",
        payload_of(event, _LONGEST) or "",
    )


def run(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    forest = Forest()
    with opened(chosen.path) as journal:
        for event in journal.events():
            forest.take(event)
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
    parts = [style.bad(mark) + f"#{node.position} {style.strong(node.name)}"]
    width = len(mark) + len(node.name) + len(str(node.position)) + 2
    notes = list(_notes(node, forest))
    parts += [getattr(style, kind)(text) for kind, text in notes]
    width += sum(len(text) + 2 for _, text in notes)
    if node.payload:
        room = max(style.columns - indent - width - 18, 12) if style.columns else _LONGEST
        text = node.payload if len(node.payload) <= room else node.payload[: room - 1] + "…"
        parts.append(style.faint(text))
    return "  ".join(parts)


def _notes(node: Node, forest: Forest) -> Iterator[Tuple[str, str]]:
    """Yields the notes on an event, each with its style."""
    if node.origin:
        yield "faint", f"by {node.origin}"
    if node.progress:
        yield "faint", f"progress of #{node.answers}"
    elif node.answers:
        how = "bad" if node.failed else "good"
        yield how, f"answers #{node.answers}" + (f" with {node.error}" if node.failed else "")
    elif node.failed:
        yield "bad", node.error
    if node.answers and not node.cause:
        yield "faint", "later"
    elif node.cause and node.cause not in forest.nodes:
        yield "faint", f"caused by #{node.cause}, which is not kept"
    answer = forest.nodes.get(forest.answers.get(node.position, 0))
    if answer is not None:
        yield _answered(node, answer)
    elif node.tracked:
        yield "bad", "✗ no answer"


def _answered(node: Node, answer: Node) -> Tuple[str, str]:
    after = f" after {short(answer.time - node.time)}" if node.time and answer.time else ""
    if answer.failed:
        return "bad", f"✗ failed by #{answer.position}{after}"
    return "good", f"answered by #{answer.position}{after}"


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
