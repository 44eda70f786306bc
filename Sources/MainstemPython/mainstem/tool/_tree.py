# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`tree`: what caused what, in the terminal."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from array import array
from bisect import bisect_right
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple, Union

from ..failure import Status
from ..journal_file import Journal, Record, Session, TypeInfo
from ..journal_file._record import PROGRESS, text_of
from ._dump import Owners, add_range, ended_by, opened_by
from ._info import Step, step_of
from ._navigation import Navigation, scope_of_sender
from ._reading import (
    REFUSALS,
    CheckedJournal,
    count,
    opened,
    payload_of,
    plain,
    status_name,
    tell,
    value_of,
)
from ._runs import Positions, Run

__all__ = ["add_tree", "clock", "short"]


# What `tree` keeps of a journal: its events, and what each of them caused -------------------------

LONGEST = 80
#: The longest former value that is shown.
_SHORT = 24
#: Effects below this depth are not indented further.
_DEEPEST = 24
#: So many events are kept that were read.
_MOST_READ = 4096
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
    """What each event of a journal caused, in 44 bytes for each; what is shown is read again."""

    def __init__(self, journal: CheckedJournal) -> None:
        self._journal = journal
        # Of each event its position, and its offset in its file; and the first one of each file.
        self.positions = Positions()
        self._offsets = array("Q")
        self._files: List[int] = []
        # Its type and its sender, which `_infos` and `_senders` have.
        self._types = array("I")
        self._origins = array("I")
        # What it is shown below, the value that it replaces, and its answer: their index + 1, or 0.
        self._above = array("I")
        self._formers = array("I")
        self._answers = array("I")
        # What was caused by each: the first one, and the next one of the same cause.
        self._first = self._next = array("I")
        self._infos: Dict[TypeInfo, int] = {}
        self._senders: Dict[Tuple[bytes, int], int] = {}
        self._info_list: List[TypeInfo] = []
        self._sender_list: List[Tuple[bytes, int]] = []
        #: Whether any event has a time.
        self.has_times = False
        #: The answer that told of each owner opened, and those whose name several have.
        self.opened: Dict[int, int] = {}
        self.namesakes: Set[str] = set()
        self._owners = Owners()
        self._navigation = Navigation()
        self._names: Set[bytes] = set()
        # What the navigator's events say, and which are values.
        self._steps: Dict[int, Step] = {}
        self._values: Set[int] = set()
        # The request that each scope has sent to open its owner, and what that is shown below.
        self._opening: Dict[int, Tuple[int, int]] = {}
        self._telling: Set[int] = set()
        self._texts: Dict[bytes, str] = {}
        self._nodes: Dict[int, Node] = {}
        # What an event is shown with: its names, as they were.
        self._sessions: Dict[Tuple[int, int], Session] = {}

    def __len__(self) -> int:
        return len(self.positions)

    def take(self, piece: Union[Run, Record]) -> None:
        """Takes what was read next."""
        if isinstance(piece, Run):
            self._take_run(piece)
            return
        self._owners.learn(piece)
        self._navigation.learn(piece)
        openers = (
            number
            for number, info in piece.session.types.items()
            if info.name.startswith(b"RequestOpen.")
        )
        self._telling = self._owners.telling.union(self._navigation.telling, openers)

    def end(self) -> None:
        """All was taken."""
        self._info_list, self._sender_list = list(self._infos), list(self._senders)
        self._first, self._next = (array("I", bytes(4 * len(self))) for _ in range(2))
        for index in range(len(self) - 1, -1, -1):
            above = self._above[index]
            if above:
                self._next[index] = self._first[above - 1]
                self._first[above - 1] = index + 1

    def roots(self) -> Iterator[int]:
        """Yields the indexes of the events that came from outside."""
        return (index for index, above in enumerate(self._above) if not above)

    def count_roots(self) -> int:
        """Returns how many those are."""
        return self._above.count(0)

    # Reading -------------------------------------------------------------------------------------

    def _take_run(self, run: Run) -> None:
        begin, zeros = len(self), bytes(4 * len(run))
        while len(self._files) <= self._journal.file:
            self._files.append(begin)
        self.positions.add(run.first, len(run))
        self._offsets.extend(run.offsets[:-1])
        types, origins = run.column("type"), run.origins
        infos, senders = self._infos, self._senders
        numbers = {kind: infos.setdefault(run.info(kind), len(infos)) for kind in set(types)}
        self._types.extend([numbers[kind] for kind in types])
        numbers = {one: senders.setdefault(run.sender(one), len(senders)) for one in set(origins)}
        self._origins.extend([numbers[one] for one in origins])
        for column in (self._above, self._formers, self._answers):
            column.frombytes(zeros)
        self.has_times = self.has_times or any(run.column("time"))
        columns = (run.column(name) for name in ("type", "cause", "answers", "flags"))
        for at, (kind, cause, answers, flags) in enumerate(zip(*columns)):
            if kind in self._telling:
                self._take_event(run.event(at), begin + at)
            elif cause or answers:
                self._above[begin + at] = self._before(cause or answers, begin + at)
            if answers and not flags & PROGRESS:
                self._answer(answers, begin + at)

    def _take_event(self, event: Record, index: int) -> None:
        if event.type in self._owners.telling:
            former = self._owners.take(event)
            # What a list's event says is not the list.
            if event.type in self._owners.value_types and not event.type_info.is_list:
                self._values.add(self._types[index])
                if former is not None and not former.marked and former.data != event.data:
                    self._formers[index] = self._before(former.position, index)
        note = self._navigation.take(event)
        step = None if note is None else step_of(event, note, self._navigation)
        # An answer given later comes from outside, but still belongs under its request.
        above = event.cause or event.answers
        if step is not None:
            self._steps[index] = step
            if self.positions.index(step.group, index + 1) >= 0:
                above = step.group
        self._above[index] = self._before(above, index)
        scope = scope_of_sender(event)
        if step is not None and step.component:
            self._gather(step.component, step.group, index)
        elif event.tracked and scope and event.type_info.name.startswith(b"RequestOpen."):
            self._opening[scope] = (event.position, above)
        if opened_by(event):
            self._open(event)

    def _before(self, position: int, index: int) -> int:
        """Returns the index + 1 of an event before another one; 0: there is none."""
        return self.positions.index(position, index) + 1

    def _answer(self, request: int, index: int) -> None:
        asked = self._before(request, index)
        if asked and not self._answers[asked - 1]:
            self._answers[asked - 1] = index + 1

    def _gather(self, component: int, move: int, index: int) -> None:
        """Shows a component's open below the move that wanted it, whoever had to answer before."""
        position, above = self._opening.pop(component, (0, 0))
        opener = self._before(position, index)
        wanted = self._before(move, index)
        if not opener or not 0 < wanted < opener:
            return
        if 0 < self._above[opener - 1] == self._before(above, index):
            self._above[opener - 1] = wanted

    def _open(self, event: Record) -> None:
        name = event.type_info.name
        self.opened[opened_by(event)] = event.position
        if name in self._names:
            self.namesakes.add(owner_of(plain(text_of(name))))
        self._names.add(name)

    # Showing -------------------------------------------------------------------------------------

    def has(self, position: int) -> bool:
        """Whether an event was kept."""
        return self.positions.index(position) >= 0

    def at(self, position: int) -> Optional[Node]:
        """Returns the event at a position; None: it was not kept."""
        index = self.positions.index(position)
        return None if index < 0 else self.node(index)

    def answer_of(self, position: int) -> Optional[Node]:
        """Returns the answer of a request; None: there is none."""
        index = self.positions.index(position)
        answer = 0 if index < 0 else self._answers[index]
        return self.node(answer - 1) if answer else None

    def has_open(self, position: int) -> bool:
        """Whether an event is a move that has opened something which is shown at the end."""
        move = self._navigation.moves.get(position)
        return move is not None and move.opened is not None and not move.opened.closed

    def node(self, index: int) -> Node:
        """Reads an event, if it was not read a moment ago."""
        found = self._nodes.get(index)
        if found is None:
            if len(self._nodes) > _MOST_READ:
                self._nodes.clear()
            found = self._nodes[index] = self._read(index)
        return found

    def _read(self, index: int) -> Node:
        is_value = self._types[index] in self._values
        former = self._formers[index]
        before = self._nodes.get(former - 1) if former else None
        text = before.payload if before else ""
        if former and before is None:
            text = value_of(self._event(former - 1), LONGEST)
        event, step = self._event(index), self._steps.get(index)
        names = (self._shown(event.type_info.name), self._shown(event.origin_bytes))
        return _node(event, names, is_value, text if len(text) <= _SHORT else "", step)

    def _shown(self, name: bytes) -> str:
        """Returns what is shown of a name."""
        if name not in self._texts:
            self._texts[name] = plain(text_of(name))
        return self._texts[name]

    def _event(self, index: int) -> Record:
        place = (bisect_right(self._files, index) - 1, self._offsets[index])
        event = self._journal.record_at(place, is_checked=True)
        name, scope = self._sender_list[self._origins[index]]
        key = (self._types[index], self._origins[index])
        if key not in self._sessions:
            if len(self._sessions) > _MOST_READ:
                self._sessions.clear()
            self._sessions[key] = Session()
        event.session = session = self._sessions[key]
        session.types[event.type] = self._info_list[self._types[index]]
        session.origins[event.origin] = name
        session.scopes[event.origin] = (scope, 0)
        return event

    def which(self, scope: int) -> str:
        """Which one of its name a scope is: what follows the name."""
        return self._owners.names.of_scope(scope)

    def walk(self, root: int) -> Iterator[Tuple[Node, str, str]]:
        """Yields an outside event and everything that followed, each with its branch."""
        waiting = [(root, "", "", 0)]
        while waiting:
            index, above, branch, depth = waiting.pop()
            yield self.node(index), above, branch
            effects = list(self._effects(index))
            if depth:
                above += "   " if branch.startswith("└") else "│  "
            if depth > _DEEPEST:
                above = above[: 3 * _DEEPEST]
            for effect in reversed(effects):
                sign = "└─ " if effect == effects[-1] else "├─ "
                waiting.append((effect, above, sign, depth + 1))

    def _effects(self, index: int) -> Iterator[int]:
        effect = self._first[index]
        while effect:
            if not self._is_told(effect - 1):
                yield effect - 1
            effect = self._next[effect - 1]

    def _is_told(self, index: int) -> bool:
        """Whether an event needs no line: the one that it answers says that it is done."""
        step = self._steps.get(index)
        if step is None or self._first[index]:
            return False
        node = self.node(index)
        asked = self._steps.get(self.positions.index(node.answers))
        return node.is_expected and asked is not None and asked.kind in _ASKING


def owner_of(name: str) -> str:
    """Returns the name of the owner that the answer to an open tells of."""
    return name.partition(".")[2]


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
    with opened(chosen.path) as journal:
        forest = Forest(journal)
        for piece in journal.pieces():
            forest.take(piece)
        forest.end()
        _write(journal, forest, chosen)
        return tell(journal)


def _write(journal: Journal, forest: Forest, chosen: argparse.Namespace) -> None:
    style = Style()
    name = plain(os.path.basename(journal.path))
    chains = f"{count(len(forest), 'event')} in {count(forest.count_roots(), 'chain')}"
    print(f"{name}: {chains}. What came from outside, and indented below it what that caused:")
    first = forest.node(0).time if len(forest) else 0
    has_times = forest.has_times
    for root in forest.roots():
        if not chosen.first <= forest.positions[root] <= chosen.last:
            continue
        print()
        began = None
        for node, above, branch in forest.walk(root):
            when = ""
            began = node.time if began is None else began
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
        yield "good", f"opened {owner_of(node.name)}"
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
    elif node.cause and not forest.has(node.cause):
        yield "faint", f"caused by #{node.cause}, which is not kept"
    answer = forest.answer_of(node.position)
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
    original = forest.at(node.cause)
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
