# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Sessions of the app at random, beside the reference.

python Tests/PythonTests/random_navigation.py COUNT [FIRST]
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from pathlib import Path

import mainstem
from mainstem import LATER, Failure, MainstemError, Status
from mainstem.testing import tree_text
from navigating import App, verified
from navigation_reference import Move, Reference

STEPS = 40
ROUTES = {
    "home": ("screen", ""),
    "diary": ("screen", ""),
    "diary/7": ("screen", ""),
    "broken": ("screen", ""),
    "pick/x": ("dialog", ""),
    "signin": ("dialog", ""),
    "info": ("present", ""),
    "toast": ("overlay", ""),
    "users": ("embed", "users"),
    "drawer": ("embed", "left"),
    "toolbar": ("embed", "top"),
    "compose": ("group", ["drawer", "toolbar"]),
    "onboarding": ("flow", ""),
}
#: How often each step is drawn.
WEIGHTS = {
    "open": 12,
    "replace_root": 1,
    "link": 2,
    "close": 2,
    "pop": 3,
    "pop_to": 1,
    "dismiss": 2,
    "gone": 3,
    "finish": 3,
    "end": 1,
    "cancel": 2,
    "answer": 5,
    "ready": 1,
}


class Stage:
    """Answers at once, later, or with a failure, as it is given; and notes what it does."""

    def __init__(self, answers):
        self.answers, self.told, self.kept, self.urls = list(answers), [], [], {}

    def show(self, component):
        self.told.append(("show", component.url))
        self.urls[component.number] = component.url
        answer = self.answers.pop(0)
        if answer == "later":
            self.kept.append((component.number, component.request.retain()))
            return LATER
        if answer is not None:
            raise Failure("NO_WINDOW", code=answer)
        return None

    def hide(self, components):
        self.told.append(("hide", [self.urls[number] for number in components]))

    def answer(self, error):
        """Answers for what it shows last, if that is still waited for."""
        if self.kept:
            _, kept = self.kept.pop()
            try:
                kept.respond(b"" if error is None else Failure("NO_WINDOW", code=error))
            except MainstemError as refused:
                assert refused.status == Status.STALE
            kept.release()


class Session:
    """One session: the same steps for the library and for the reference."""

    def __init__(self, seed, path):
        self.chance = chance = random.Random(seed)
        answers = [chance.choice([None] * 6 + ["later"] * 2 + [1002]) for _ in range(STEPS * 4)]
        self.context = mainstem.Context(clock="virtual", seed=1, raises=True)
        self.context.record(path)
        self.stage = Stage(answers)
        self.app = App(self.context, self.stage)
        self.reference = Reference(ROUTES, list(answers))
        #: The node of each component, by number, and what each move was told, with its move.
        self.nodes, self.told, self.done = {}, [], []
        self.counts = {}

    # Steps

    def play(self):
        """Plays the session, and compares after each step that lets the stage work."""
        for _ in range(STEPS):
            step = self.chance.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
            self.counts[step] = self.counts.get(step, 0) + 1
            getattr(self, f"_{step}", self._ask)(step)
            if self.chance.random() < 0.7:
                self.drain()
        self.drain()
        self.context.close()
        for told, _, _ in self.told:
            assert len(told) == 1, f"{told}: there is one answer"

    def _open(self, verb):
        asker = self._a_node() if self.chance.random() < 0.7 else None
        target = self._a_node() if self.chance.random() < 0.15 else None
        url = "nowhere" if self.chance.random() < 0.03 else self.chance.choice(list(ROUTES))
        slot = self.chance.choice(["", "", "users", "left"])
        options = {"slot": slot} if slot else {}
        if target is not None:
            options["on"] = self._number(target)
        self._move(verb, asker, Move("open", url, asker, target, slot), url, **options)

    def _link(self, verb):
        url = self.chance.choice(list(ROUTES))
        self._move(verb, None, Move(verb, url), url)

    def _replace_root(self, verb):
        url = self.chance.choice(["home", "diary", "onboarding", "compose", "broken"])
        self._move(verb, None, Move(verb, url), url)

    def _ask(self, verb):
        asker = self._a_node() if self.chance.random() < 0.5 else None
        if verb in ("pop", "dismiss"):
            return self._move(verb, asker, Move(verb, asker=asker))
        target = self._a_node()
        if target is None:
            return None
        return self._move(verb, asker, Move(verb, None, asker, target), self._number(target))

    def _move(self, verb, asker, move, *arguments, **options):
        told = []
        moves = self.app.nav
        if asker is not None:
            moves = moves.of(self.context.find_scope(self._number(asker)))
        pending = getattr(moves, verb)(
            *arguments,
            then=lambda result: told.append(result),
            failed=lambda error: told.append(error.status),
            **options,
        )
        self.told.append((told, move, pending))
        self.reference.ask(move)

    def _gone(self, _):
        node = self._a_node(also_opening=True)
        if node is not None:
            self.app.nav.gone(self._number(node))
            self.reference.gone(node)

    def _finish(self, _):
        node = self._a_node()
        if node is not None:
            word = self.chance.choice(["red", "blue"])
            self.app.nav.of(self.context.find_scope(self._number(node))).finish("Word", word)
            self.reference.finish(node, word)

    def _end(self, _):
        owners = {one.number: one.owner for one in self.app.nav.tree if one.owner}
        if owners:
            number = self.chance.choice(sorted(owners))
            self.context.find_scope(owners[number]).end()
            self.reference.ended(self.nodes[number])

    def _cancel(self, _):
        waiting = [(move, pending) for told, move, pending in self.told if not told]
        if waiting:
            move, pending = self.chance.choice(waiting)
            pending.cancel()
            self.reference.cancel(move)

    def _answer(self, _):
        self.drain()
        error = self.chance.choice([None, None, 1003])
        self.stage.answer(error)
        if self.stage_waits():
            self.reference.answer_late(error)
        self.drain()

    def stage_waits(self):
        """Whether the reference's stage is to answer later."""
        return self.reference.showing() is not None

    def _ready(self, _):
        self.app.nav.ready()
        self.reference.ready()

    # What there is

    def _a_node(self, also_opening=False):
        """A component that both know to be there."""
        self.drain()
        there = list(self.reference.shown())
        showing = self.reference.showing()
        if also_opening and showing is not None:
            there.append(showing)
        return self.chance.choice(there) if there else None

    def _number(self, node):
        return next(number for number, one in self.nodes.items() if one is node)

    # Comparing

    def drain(self):
        """Lets the stage work, and compares everything."""
        before = len(self.stage.told)
        while self.context.drain():
            pass
        wanted = self.reference.drain()
        assert self.stage.told[before:] == wanted, (self.stage.told[before:], wanted)
        tree, shown = self.app.nav.tree, self.reference.shown()
        told = [(one.url, one.kind, one.slot) for one in tree]
        assert told == [(one.url, one.kind, one.slot) for one in shown]
        for component, node in zip(tree, shown):
            assert self.nodes.setdefault(component.number, node) is node
            if node.parent is not None and node.parent.kind == "group":
                self.nodes.setdefault(component.parent, node.parent)
            parent = self.nodes.get(component.parent)
            assert parent is node.parent, f"{component} stands on {parent and parent.url}"
        showing = self.reference.showing()
        if showing is not None:
            self.nodes.setdefault(self.stage.kept[-1][0], showing)
        top = self.reference.top()
        assert (self.app.nav.top and self.app.nav.top.url) == (top and top.url)
        for answers, move, _ in self.told:
            assert answers == move.answers, f"{move.verb} {move.url}: {answers}, {move.answers}"


def play(seed, folder):
    """Plays and verifies a session; returns how often each step was taken."""
    path = str(Path(folder) / f"{seed}.journal")
    session = Session(seed, path)
    try:
        session.play()
        verified(path)
    except Exception as exception:
        raise AssertionError(f"seed {seed}: {exception}\n{tree_text_of(session)}") from exception
    finally:
        session.context.close()
    os.unlink(path)
    return session.counts


def tree_text_of(session):
    return "" if session.context.closed else tree_text(session.app.nav)


if __name__ == "__main__":
    count, first = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    with tempfile.TemporaryDirectory() as folder:
        for each in range(first, first + count):
            play(each, folder)
    print(f"{count} sessions from seed {first} agree and verify")
