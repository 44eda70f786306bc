# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the steps call that play lists: a part of the player (player.py)."""

from __future__ import annotations

from typing import Any, List, NamedTuple, Sequence

from features import CATALOGUE, LISTS_BEGIN, contract_of
from listed import fit
from reference.declarations import d
from reference.flow.changes import common
from reference.flow.lists import Ends, Window
from reference.flow.values import Row
from script import Step
from steps import UNKNOWN_TYPE, Here

LIST_NAMES = [name for name, _, _ in CATALOGUE[LISTS_BEGIN:]]
#: Keys, by a letter: of one byte and of all that may be, with a zero byte, and wrong ones.
KEYS = {"f": b"f" * 255, "g": "gé".encode(), "h": b"a\0h"}
KEYS.update({"!": b"", "?": b"\xff", "#": b"#" * 256})


class Said(NamedTuple):
    """A list that was accepted."""

    version: int
    rows: Sequence[Row]


class ListSteps:
    """A method for each kind of step, as in Steps."""

    def open_lists(self) -> None:
        #: By scope and type.
        self.said: dict[tuple[int, int], List[Said]] = {}
        #: By callback, type and origin: what it got last.
        self.had: dict[tuple[Any, ...], Sequence[Row]] = {}

    def do_list_set(self, step: Step, here: Here) -> Any:
        scope = self.scope(step, here)
        number, name = self.list_type(scope, step["type"], step["which"])
        return [self.set_list(step, scope, number, name) for _ in range(1 + step["twice"])]

    def list_type(self, scope: int, which: int | str, other: int = 0) -> tuple[int, str]:
        """Number and name of a list; "shown": what a scope shows to its bindings; else any type."""
        known = self.types[self.context_of[scope]]
        if which == "shown":
            known = [each for each in known if each[1] == f"{self.names[scope]}.c"]
        elif which == "other":
            known = known[other % len(known) :] if known else []
        else:
            known = [each for each in known if each[1] in LIST_NAMES]
            known = known[which % len(known) :] if known else []
        return known[0] if known else (UNKNOWN_TYPE, "")

    def set_list(self, step: Step, scope: int, number: int, name: str) -> Any:
        said = self.said.setdefault((scope, number), [])
        before = self.believed(step, said)
        rows = self.wanted(step, said, name)
        ends = self.ends_of(step, before, rows)
        given = rows[ends.first : len(rows) - ends.last] if ends else rows
        if ends and step["ends"] == "many":
            ends.last += 1 + len(before.rows)
        status, version = self.call(
            step,
            self.library.list_set,
            self.scopes[scope],
            number,
            given,
            ends,
            self.window_of(step, rows),
        )
        told = self.told_of(said, ends, status, version)
        if status == d.OK:
            said.append(Said(version if ends else -1, rows))
        return status, told

    def told_of(self, said: list[Said], ends: Ends | None, status: int, version: int) -> str:
        """What the version says that a call gives back."""
        if not ends:
            return "no ends"
        if status:
            return "as it was" if version == ends.version else "another version"
        known = [each.version for each in said]
        return f"version {known.index(version)}" if version in known else "a new version"

    def believed(self, step: Step, said: list[Said]) -> Said:
        """The list whose ends are kept."""
        with_version = [each for each in said if each.version > 0]
        if not with_version or step["ends"] in ("none", "all"):
            return Said(0, ())
        return with_version[-1 if step["ends"] != "stale" else step["which"] % len(with_version)]

    def ends_of(self, step: Step, before: Said, rows: Sequence[Row]) -> Ends | None:
        if step["ends"] == "none":
            return None
        if not before.version:
            return Ends(0, 1, 0) if step["ends"] == "stale" and rows else Ends()
        first = max(0, common(before.rows, rows) - step["less"])
        last = common(before.rows[first:][::-1], rows[first:][::-1])
        return Ends(before.version, first, last)

    def window_of(self, step: Step, rows: Sequence[Row]) -> Window | None:
        """Half of the lists are all of their sequences; few windows end beyond theirs."""
        offset = step["which"] - 5
        if offset < 0:
            return None
        is_wrong = step["which"] == 9 and step["less"]
        return offset, len(rows), len(rows) - 1 if is_wrong else 2 * offset + len(rows)

    def wanted(self, step: Step, said: list[Said], name: str) -> Sequence[Row]:
        """All rows that the list is to have."""
        if "list" in step or not said:
            return [self.row(each, name) for each in step.get("list", ["a1", "b1"])]
        rows = list(said[-1].rows)
        for edit in step["edits"]:
            what, at, to = edit[0], int(edit[1]), edit[2:]
            at = at % len(rows) if rows else 0
            if what == "+":
                rows.insert(at, self.row(to, name))
            elif rows and what == "-":
                del rows[at]
            elif rows and what == ">":
                rows.insert(int(to) % len(rows), rows.pop(at))
            elif rows:
                rows[at] = (rows[at][0], self.row(f"a{to}", name)[1])
        return rows

    def row(self, letters: str, name: str) -> Row:
        key, digit = letters
        data = digit.encode() * int(digit) if digit.isdigit() else b"\xff"
        if name and contract_of(name)[0] & d.PAYLOAD_MASK == d.PAYLOAD_INTEGER and digit != "!":
            data = data.rjust(8)
        return KEYS.get(key, key.encode()), data

    def do_list_read(self, step: Step, here: Here) -> Any:
        """Reads the list of a kept event, whatever has been set since."""
        retained = self.one_of(self.retained, step["which"], here)
        if retained is None:
            return "nothing"
        status, event = self.library.retained_event(retained)
        return status or (self.library.list_status(event), self.facts(event))

    def fits(self, label: str, event: Any) -> tuple[str, ...]:
        """Whether the changes of a list fit what a callback had of it."""
        shown = self.library.shown_list(event)
        if shown is None:
            return ()
        of = (label, event.type, event.origin)
        had, self.had[of] = self.had.get(of), shown.rows
        return (fit(had, shown),)
