# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the steps call that set children: a part of the player (player.py)."""

from __future__ import annotations

import struct
import sys
from typing import Any

from list_steps import KEYS, Said
from reference.declarations import d
from reference.flow.children import NOBODY, Given
from reference.flow.values import Row
from script import Step
from steps import Here

#: What "$" has; a key in upper case is that of a child that is opened anew.
UNKNOWN_FLAG = 2


class ChildSteps:
    """A method for each kind of step, as in Steps."""

    def open_children(self) -> None:
        #: By scope: those that scripts have added below it.
        self.below: dict[int, list[int]] = {}
        #: By scope and type: the numbers of its children, by key.
        self.children: dict[tuple[int, int], dict[bytes, bytes]] = {}

    def do_children_set(self, step: Step, here: Here) -> Any:
        scope = self.scope(step, here)
        number, _ = self.list_type(scope, step["type"], step["which"])
        left = list(step["opens"])
        count = 1 + step["twice"]
        self.end_one(step, self.said.get((scope, number), []))
        return [self.set_children(step, scope, number, here, left) for _ in range(count)]

    def end_one(self, step: Step, said: list[Said]) -> None:
        """Before the call, a program ends one of the children."""
        if "before" not in step or not said or not said[-1].rows:
            return
        _, number = self.one_of(list(said[-1].rows), step["before"], Here())
        child = int.from_bytes(number, sys.byteorder)
        if child in self.numbers[1:]:
            self.ends += 1
            ended = self.library.scope_end(self.scopes[self.numbers.index(child)])
            self.log.append(("ended before", step["id"], ended))

    def set_children(
        self, step: Step, scope: int, number: int, here: Here, left: list[Step]
    ) -> Any:
        said = self.said.setdefault((scope, number), [])
        before = self.believed(step, said)
        wanted = self.wanted_children(step, said)
        # What stays at the ends is compared by keys: those opened anew do not stay.
        compared = [(key, flags and b"anew") for key, flags in wanted]
        ends = self.ends_of(
            step, Said(before.version, [(key, 0) for key, _ in before.rows]), compared
        )
        given = wanted[ends.first : len(wanted) - ends.last] if ends else wanted
        if ends and step["ends"] == "many":
            ends.last += 1 + len(before.rows)
        known = self.children.setdefault((scope, number), {})
        opened: dict[bytes, bytes] = {}

        def open_child(index: int) -> tuple[int, Any]:
            status, child = self.open_child(step, scope, here, index, left)
            if child is None:
                return status, None
            opened[given[index][0]] = struct.pack("Q", self.numbers[child])
            return status, self.scopes[child]

        arguments = (self.scopes[scope], number, given, ends, open_child)
        status, version = self.call(step, self.library.children_set, *arguments)
        told = self.told_of(said, ends, status, version)
        if status == d.OK:
            known.update(opened)
            rows: list[Row] = [(key, known.get(key, NOBODY)) for key, _ in wanted]
            said.append(Said(version if ends else -1, rows))
        return status, told

    def wanted_children(self, step: Step, said: list[Said]) -> list[Given]:
        """All children that there are to be."""
        if "list" in step or not said:
            return [self.given(each) for each in step.get("list", "ab")]
        wanted: list[Given] = [(key, 0) for key, _ in said[-1].rows]
        for edit in step["edits"]:
            what, at, to = edit[0], int(edit[1]), edit[2:]
            at = at % len(wanted) if wanted else 0
            if what == "+":
                wanted.insert(at, self.given(to))
            elif wanted and what == "-":
                del wanted[at]
            elif wanted and what == ">":
                wanted.insert(int(to) % len(wanted), wanted.pop(at))
            elif wanted:
                wanted[at] = (wanted[at][0], d.CHILD_ANEW)
        return wanted

    def given(self, letter: str) -> Given:
        flags = UNKNOWN_FLAG if letter == "$" else d.CHILD_ANEW * letter.isupper()
        key = letter.lower()
        return KEYS.get(key, key.encode()), flags

    def open_child(
        self, step: Step, scope: int, here: Here, index: int, left: list[Step]
    ) -> tuple[int, int | None]:
        """Does what the script says of the first, second … child that is opened."""
        label = f"children {step['id']}"
        self.log.append(("called", label, index))
        what = left.pop(0) if left else {"child": "plain", "calls": [], "status": 0}
        child = self.child(what, scope, here)
        inside = scope if child is None else child
        self.run(what["calls"], Here(here.event, here.observer, inside, here.inside, self.ends))
        self.log.append(("left", label, child))
        return what["status"], child

    def child(self, what: Step, scope: int, here: Here) -> int | None:
        """Which scope is to be the child: one that is made, or is there; None: none."""
        if what["child"] == "plain":
            return self.plain_child(scope)
        if what["child"] == "made":
            known = len(self.scopes)
            self.run([what["make"]], Here(here.event, here.observer, scope, here.inside, self.ends))
            return len(self.scopes) - 1 if len(self.scopes) > known else None
        if what["child"] == "below":
            return self.one_of(self.below.get(scope, []), what["which"], here)
        if what["child"] == "any":
            return self.one_of(range(len(self.scopes)), what["which"], here)
        return None

    def plain_child(self, scope: int) -> int | None:
        """A scope with a name of its own."""
        name = f"child {len(self.scopes)}"
        status, child = self.library.scope_add(self.scopes[scope], name)
        if status:
            return None
        self.add_scope(child, self.context_of[scope], name)
        return len(self.scopes) - 1
