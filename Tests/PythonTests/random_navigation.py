# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Sessions of the app at random, beside the reference.

PYTHONPATH=Sources/MainstemPython:Tests python Tests/PythonTests/random_navigation.py COUNT [FIRST]
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import threading
from pathlib import Path

import mainstem
from mainstem import LATER, Failure
from mainstem.testing import tree_text
from reference.navigation.moves import Move
from reference.navigation.navigator import Navigator
from reference.navigation.scripts import ROUTES, Scripts
from wandering import Wandering, answer_late

STEPS = 40
#: What is opened: flows with screens on them more often than the rest.
OPENED = [*ROUTES, "tour", "tour", "home", "diary", "diary"]
#: How often each step is drawn.
WEIGHTS = {
    "open": 14,
    "replace_root": 1,
    "replace": 4,
    "link": 2,
    "link_all": 1,
    "close": 2,
    "pop": 3,
    "pop_to": 1,
    "dismiss": 2,
    "gone": 3,
    "finish": 3,
    "end": 1,
    "end_scope": 1,
    "cancel": 2,
    "answer": 5,
    "answer_hide": 2,
    "answer_guard": 3,
    "time_out": 1,
    "say": 8,
    "ready": 1,
}


class Stage:
    """Answers at once, later, or with a failure, as it is given; and notes what it does."""

    def __init__(self, scripts):
        self.scripts, self.told, self.kept, self.urls = scripts, [], [], {}
        self.kept_hides = []

    def show(self, component):
        self.told.append(("show", component.url))
        self.urls[component.number] = component.url
        answer = self.scripts.shows.pop(0)
        if answer == "later":
            self.kept.append((component.number, component.request.retain()))
            return LATER
        if answer is not None:
            raise Failure("NO_WINDOW", code=answer)
        return None

    def hide(self, components):
        self.told.append(("hide", [self.urls[number] for number in components]))
        answer = self.scripts.hides.pop(0)
        if answer == "later":
            self.kept_hides.append(components.request.retain())
            return LATER
        if answer is not None:
            raise Failure("NO_WINDOW", code=answer)
        return None


class Session:
    """One session: the same steps for the library and for the reference."""

    def __init__(self, seed, path, reference=Navigator):
        self.chance = random.Random(seed)
        self.context = mainstem.Context(clock="virtual", seed=1, raises=True)
        self.context.record(path)
        scripts = Scripts(seed)
        self.stage = Stage(scripts)
        self.app = Wandering(self.context, self.stage, scripts)
        self.reference = reference(ROUTES, Scripts(seed))
        #: The node of each component, by number, and what each move was told, with its move.
        self.nodes, self.told = {}, []
        #: The numbers of what is shown, as the navigator tells of changes.
        self.numbers = []
        self.context.observe("MainstemTree", self._tell)
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
        if self.chance.random() < 0.7:
            self.drain()
        self.context.close()
        for told, _, _ in self.told:
            assert len(told) == 1, f"{told}: there is one answer"

    def _open(self, verb):
        asker = self._a_node() if self.chance.random() < 0.7 else None
        target = self._a_node() if self.chance.random() < 0.15 else None
        url = "nowhere" if self.chance.random() < 0.03 else self.chance.choice(OPENED)
        slot = self.chance.choice(["", "", "users", "left"])
        options = {"slot": slot} if slot else {}
        if target is not None:
            options["on"] = self._number(target)
        self._move(verb, asker, Move("open", url, asker, target, slot), url, **options)

    def _link(self, verb):
        url = self.chance.choice(list(ROUTES))
        self._move(verb, None, Move(verb, url), url)

    def _link_all(self, _):
        self._move("link", None, Move("link", "hello", all=True), "hello", all_flows=True)

    def _replace_root(self, verb):
        url = self.chance.choice(["home", "diary", "onboarding", "tour", "compose", "broken"])
        self._move(verb, None, Move(verb, url), url)

    def _replace(self, verb):
        asker = self._a_node() if self.chance.random() < 0.7 else None
        target = self._a_node() if self.chance.random() < 0.15 else None
        options = {} if target is None else {"on": self._number(target)}
        url = self.chance.choice(OPENED)
        self._move(verb, asker, Move(verb, url, asker, target), url, **options)

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
            moves = moves.of(self._scope(asker))
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
            self.app.nav.of(self._scope(node)).finish("Word", word)
            self.reference.finish(node, word)

    def _end(self, _):
        self.drain()
        owners = {one.number: one.owner for one in self.app.nav.tree if one.owner}
        if owners:
            number = self.chance.choice(sorted(owners))
            self.context.find_scope(owners[number]).end()
            self.reference.owner_ended(self.nodes[number])

    def _end_scope(self, _):
        node = self._a_node(also_opening=True)
        if node is not None:
            self._scope(node).end()
            self.reference.ended(node)

    def _cancel(self, _):
        waiting = [(move, pending) for told, move, pending in self.told if not told]
        if waiting:
            move, pending = self.chance.choice(waiting)
            pending.cancel()
            self.reference.cancel(move)

    def _answer(self, _):
        self.drain()
        error = self.chance.choice([None, None, 1003])
        if self.stage.kept:
            _, kept = self.stage.kept.pop()
            self._here_or_elsewhere(answer_late, kept, _said(error))
        self.reference.answer_late(error)
        self.drain()

    def stage_waits(self):
        """Whether the stage has not answered for what it is to show."""
        return self.reference.showing() is not None

    def _answer_hide(self, _):
        self.drain()
        if self.stage.kept_hides:
            self._here_or_elsewhere(answer_late, self.stage.kept_hides.pop(0), b"")
            self.reference.answer_hide()
            self.drain()

    def _answer_guard(self, _):
        self.drain()
        assert len(self.app.kept) == len(self.reference.kept_guards)
        if self.app.kept:
            verdict = self.chance.choice(["", "", "no"])
            self._here_or_elsewhere(self.app.answer_guard, verdict)
            self.reference.answer_guard(verdict)
            self.drain()

    def _here_or_elsewhere(self, act, *arguments):
        """Calls a function, or has another thread call it."""
        if self.chance.random() < 0.5:
            act(*arguments)
        else:
            beside = threading.Thread(target=act, args=arguments)
            beside.start()
            beside.join()

    def _time_out(self, _):
        self.drain()
        # What is asked while time moves on is not too late.
        late, self.stage.kept_hides = self.stage.kept_hides, []
        self.context.advance(10)
        self.reference.time_out()
        for kept in late:
            kept.release()
        self.drain()

    def _say(self, _):
        node = self._a_node()
        self.drain()
        of_flows = [one for one in self.reference.shown() if self.reference.speaks(one)]
        if of_flows and self.chance.random() < 0.9:
            node = self.chance.choice(of_flows)
        if node is not None:
            kind = self.chance.choice(["Picked", "Queued", "Queued", "Allowed"])
            text = self.chance.choice(["nothing", "nothing", f"open {self.chance.choice(OPENED)}"])
            text = "finish" if self.chance.random() < 0.05 else text
            self._scope(node).send(kind, text)
            self.reference.say(node, kind, text)

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

    def _scope(self, node):
        return self.context.find_scope(self._number(node))

    # Comparing

    def _tell(self, event):
        told = json.loads(event.text)
        self.numbers = [one for one in self.numbers if one not in told["closed"]]
        self.numbers += [told["component"]] if "component" in told else []

    def drain(self):
        """Lets the stage work, and compares everything."""
        while self.context.drain():
            pass
        told, wanted = self.stage.told, self.reference.drain()
        assert told == wanted, (told, wanted)
        told.clear()
        tree, shown = self.app.nav.tree, self.reference.tree()
        assert [one.number for one in tree] == self.numbers
        told = [(one.url, one.kind, one.slot, one.hidden) for one in tree]
        covers = self.reference.covers
        wanted = [(one.url, one.kind, one.slot, covers(one)) for one in shown]
        assert told == wanted, (told, wanted)
        for component, node in zip(tree, shown):
            assert self.nodes.setdefault(component.number, node) is node
            if node.parent is not None:
                self.nodes.setdefault(component.parent, node.parent)
            parent = self.nodes.get(component.parent)
            assert parent is node.parent, f"{component} stands on {parent and parent.url}"
        showing = self.reference.showing()
        if showing is not None:
            self.nodes.setdefault(self.stage.kept[-1][0], showing)
        top = self.reference.top()
        assert (self.app.nav.top and self.app.nav.top.url) == (top and top.url)
        assert self.app.asked == self.reference.asked
        assert self.app.heard == self.reference.heard
        for answers, move, _ in self.told:
            assert answers == move.answers, f"{move.verb} {move.url}: {answers}, {move.answers}"


def _said(error):
    return b"" if error is None else Failure("NO_WINDOW", code=error)


def verified(path, seed):
    """Verifies a session: its stage is not called."""
    stage = Stage(Scripts(seed))
    context = mainstem.Context(clock="virtual", seed=1, on_exception=lambda *thrown: None)
    with context, context.replay(path, verify=True) as replay:
        Wandering(context, stage, Scripts(seed))
        replay.to_end()
        assert replay.info.position == context.stats().events
    assert stage.urls == {}


def play(seed, folder, reference=Navigator):
    """Plays and verifies a session; returns how often each step was taken."""
    path = str(Path(folder) / f"{seed}.journal")
    session = Session(seed, path, reference)
    try:
        session.play()
        verified(path, seed)
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
