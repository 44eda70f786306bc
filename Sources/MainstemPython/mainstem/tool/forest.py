# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What `tree` keeps of a journal: its events, and what each of them caused."""

from __future__ import annotations

from bisect import bisect_left, insort
from typing import Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

from .._escape import plain
from .._journal.record import text_of
from ..failure import Status
from ..journal_file import Record
from .line import REFUSALS, payload_of, status_name, value_of
from .navigation import Navigation
from .owners import Owners, ended_by, opened_by
from .steps import Step, step_of

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
            is_value = record.type in self._owners.value_types
            former = self._former(record, self._owners.take(record))
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
