# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the header says of guards: requests of the app's, one after the other, for each move."""

from __future__ import annotations

from reference.declarations import d
from reference.navigation.moves import Move
from reference.navigation.scripts import GUARDS, REFUSED

STACK = ("screen", "group", "flow")


class Guards:
    """The part of the reference that asks guards. `asked` has what they were asked."""

    most_hops = 16

    def _ask_next(self, move):
        """Asks the next guard; behind the last, the move waits for its turn."""
        while move.leaves:
            node = move.leaves[0]
            name = self._next(move, node.url, True) if node in self.nodes else None
            if name is not None:
                return self._ask_guard(move, name, node.url, True)
            move.leaves.pop(0)
            move.place = 0
        name = self._next(move, move.url, False) if move.opens else None
        if name is not None:
            return self._ask_guard(move, name, move.url, False)
        return self.queue.append(move)

    @staticmethod
    def _next(move, url, is_leaving):
        while move.place < len(GUARDS):
            name, urls, leaving = GUARDS[move.place]
            move.place += 1
            if leaving == is_leaving and url in urls:
                return name
        return None

    def _ask_guard(self, move, name, url, is_leaving):
        move.waits = question = object()
        self._request("Guard", (name, url), lambda word: self._guard_answered(move, question, word))

    def _guard_asked(self, event):
        name, url = self._carried(event)
        self.asked.append((name, url))
        verdict = self.scripts.verdict(name)
        self._answer_as(REFUSED if verdict == "no" else verdict, event, self.kept_guards)

    def answer_guard(self, verdict):
        self._respond(self.kept_guards.pop(0), REFUSED if verdict == "no" else verdict)

    def _guard_answered(self, move, question, verdict):
        if move.waits is not question:
            return None
        move.waits = None
        if verdict == REFUSED:
            return self._answer(move, d.DENIED)
        if not verdict:
            return self._ask_next(move)
        word, _, url = verdict.partition(" ")
        move.hops += 1
        if move.hops > self.most_hops:
            return self._answer(move, d.LIMIT)
        if word == "after":
            return self._open_first(move, url)
        move.url, move.place = url, 0
        if url not in self.routes:
            return self._answer(move, d.NO_ROUTE)
        if move.verb == "replace" and self.routes[url][0] not in STACK:
            return self._answer(move, d.INVALID)
        return self._ask_next(move)

    def _open_first(self, move, url):
        """A guard wants something else first: the navigator opens it on who has asked."""
        target = move.target or move.asker

        def then(answer):
            if move not in self.moves or move.first is not first:
                return
            move.first = None
            if isinstance(answer, int) and answer != d.OK:
                error = d.LIMIT if answer == d.LIMIT else d.DENIED
                self._answer(move, error)
            else:
                move.place = 0
                self._ask_next(move)

        first = Move("open", url, None, target, hops=move.hops, then=then)
        move.first = first
        self.ask(first)
