# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`tree`: what caused what, in the terminal."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from bisect import bisect_left, insort
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

from ..failure import Status
from ..journal_file import Journal, Record
from ..journal_file._record import text_of
from ._dump import Owners, add_range, ended_by, opened_by
from ._info import Step, step_of
from ._navigation import Navigation
from ._reading import REFUSALS, count, opened, payload_of, plain, status_name, tell, value_of

__all__ = ["add_tree", "clock", "short"]


# What `tree` keeps of a journal: its events, and what each of them caused -------------------------

LONGEST = 80
#: The longest former value that is shown.
_SHORT = 24
#: Effects below this depth are not indented further.
_DEEPEST = 24
#: The navigator's requests whose lines say that they are done.
_ASKING = ("move", "show", "hide")


class Node(NamedTuple):
    """What the tree shows of an event."""

    position: int
    cause: int
    answers: int
    time: int
    status: int
    outside: bool
    tracked: bool
    progress: bool
    #: Whether a view wrote it, or ran it as a command.
    written: bool
    is_run: bool
    shared: bool
    name: str
    origin: str
    payload: str
    #: The number of the scope it was sent through; 0: the context, or not known.
    scope: int
    #: Whether it is a value; the one before, if that is short.
    is_value: bool
    former: str
    #: The number of the scope that it says was opened, or has ended.
    opened: int
    ended: int
    #: Of the navigator: what it says, in words.
    step: Optional[Step]

    @property
    def refused(self) -> str:
        """How a command refused a run; empty: it did not."""
        return REFUSALS.get(self.status, "")

    @property
    def failed(self) -> bool:
        """Whether it says that something failed."""
        return self.status != 0 and not self.refused and not self.cancelled

    @property
    def cancelled(self) -> bool:
        """Whether it says that a component closed without a result, which is no failure."""
        is_result = self.step is not None and self.step.kind == "result"
        return is_result and self.status == Status.CANCELLED

    @property
    def is_expected(self) -> bool:
        """Whether it only says what the request that it answers tells, too: that it is done."""
        kinds = ("shown", "hidden", "opened")
        return self.step is not None and self.step.kind in kinds and not self.status

    @property
    def error(self) -> str:
        """The name of a failure."""
        return f"error {status_name(self.status)}"

    @property
    def names_origin(self) -> bool:
        """Whether its own name says who sent it, as `Counter.count` does."""
        return bool(self.origin) and self.name.startswith(self.origin + ".")


class Forest:
    """All events by position, and what each of them caused."""

    def __init__(self) -> None:
        self.nodes: Dict[int, Node] = {}
        self.effects: Dict[int, List[int]] = {}
        self.roots: List[int] = []
        #: The answer of each request.
        self.answers: Dict[int, int] = {}
        #: The answer that told of each owner opened, and those whose name several have.
        self.opened: Dict[int, int] = {}
        self.namesakes: Set[str] = set()
        self._owners = Owners()
        self._navigation = Navigation()
        self._names: Set[str] = set()
        self._texts: Dict[bytes, str] = {}
        # The request that each scope has sent to open its owner, and what that is shown below.
        self._opening: Dict[int, Tuple[int, int]] = {}

    def take(self, record: Record) -> None:
        """Takes the next record."""
        if not record.is_event:
            self._owners.learn(record)
            self._navigation.learn(record)
            return
        former, is_value = "", False
        if record.type in self._owners.telling:
            # What a list's event says is not the list.
            is_value = record.type in self._owners.value_types and not record.type_info.is_list
            before = self._owners.take(record)
            former = self._former(record, before) if is_value else ""
        note = self._navigation.take(record)
        step = None if note is None else step_of(record, note, self._navigation)
        node = self._node(record, is_value, former, step)
        self.nodes[node.position] = node
        # An answer given later comes from outside, but still belongs under its request.
        above = node.cause or node.answers
        if step is not None and step.group in self.nodes:
            above = step.group
        if above < node.position and above in self.nodes:
            self._put(node.position, above)
        else:
            self.roots.append(node.position)
        if step is not None and step.component:
            self._gather(step.component, step.group)
        elif node.tracked and node.scope and node.name.startswith("RequestOpen."):
            self._opening[node.scope] = (node.position, above)
        if node.answers and not node.progress:
            self.answers.setdefault(node.answers, node.position)
        if node.opened:
            self._open(node)

    def _node(self, event: Record, is_value: bool, former: str, step: Optional[Step]) -> Node:
        names = (self._shown(event.type_info.name), self._shown(event.origin_bytes))
        return _node(event, names, is_value, former, step)

    def _shown(self, name: bytes) -> str:
        """Returns what is shown of a name: for all events that have it, the same text."""
        if name not in self._texts:
            self._texts[name] = plain(text_of(name))
        return self._texts[name]

    def has_open(self, position: int) -> bool:
        """Whether an event is a move that has opened something which is shown at the end."""
        move = self._navigation.moves.get(position)
        return move is not None and move.opened is not None and not move.opened.closed

    def _put(self, position: int, above: int) -> None:
        insort(self.effects.setdefault(above, []), position)

    def _gather(self, component: int, move: int) -> None:
        """Shows a component's open below the move that wanted it, whoever had to answer before."""
        position, above = self._opening.pop(component, (0, 0))
        effects = self.effects.get(above, [])
        index = bisect_left(effects, position)
        if move in self.nodes and move < position and effects[index : index + 1] == [position]:
            del effects[index]
            self._put(position, move)

    def _former(self, event: Record, former: Optional[Record]) -> str:
        """Returns the value that an event replaces, if that is short, known, and another."""
        if former is None or former.marked or former.data == event.data:
            return ""
        text = self.nodes[former.position].payload
        return text if len(text) <= _SHORT else ""

    def which(self, scope: int) -> str:
        """Which one of its name a scope is: what follows the name."""
        return self._owners.names.of_scope(scope)

    def _open(self, node: Node) -> None:
        self.opened[node.opened] = node.position
        if node.name in self._names:
            self.namesakes.add(owner_of(node))
        self._names.add(node.name)

    def walk(self, root: int) -> Iterator[Tuple[Node, str, str]]:
        """Yields an outside event and everything that followed, each with its branch."""
        waiting = [(root, "", "", 0)]
        while waiting:
            position, above, branch, depth = waiting.pop()
            yield self.nodes[position], above, branch
            effects = [each for each in self.effects.get(position, []) if not self._is_told(each)]
            if depth:
                above += "   " if branch.startswith("└") else "│  "
            if depth > _DEEPEST:
                above = above[: 3 * _DEEPEST]
            for effect in reversed(effects):
                sign = "└─ " if effect == effects[-1] else "├─ "
                waiting.append((effect, above, sign, depth + 1))

    def _is_told(self, position: int) -> bool:
        """Whether an event needs no line: the one that it answers says that it is done."""
        node = self.nodes[position]
        asked = self.nodes.get(node.answers)
        is_said = asked is not None and asked.step is not None and asked.step.kind in _ASKING
        return node.is_expected and is_said and not self.effects.get(position)


def owner_of(node: Node) -> str:
    """Returns the name of the owner that the answer to an open tells of."""
    return node.name.partition(".")[2]


def _node(
    event: Record, names: Tuple[str, str], is_value: bool, former: str, step: Optional[Step]
) -> Node:
    return Node(
        event.position,
        event.cause,
        event.answers,
        event.time,
        event.status,
        event.outside,
        event.tracked,
        event.is_progress,
        event.written,
        event.is_run,
        event.shared,
        *names,
        value_of(event, LONGEST) if is_value else payload_of(event, LONGEST) or "",
        event.session.scopes.get(event.origin, (0, 0))[0],
        is_value,
        former,
        opened_by(event),
        ended_by(event),
        step,
    )


# The tree -----------------------------------------------------------------------------------------

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
