# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Sessions of the app at random, beside the reference.

PYTHONPATH=Sources/MainstemPython:Tests python Tests/PythonTests/random_navigation.py COUNT [FIRST]
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import mainstem
from mainstem import LATER, Failure
from mainstem.testing import tree_text
from reference.navigation.moves import Move
from reference.navigation.navigator import Navigator
from reference.navigation.scripts import ROUTES, Author, Scripts
from reference.shrink import shrink
from sessions import on_another_thread
from wandering import Wandering, answer_late

STEPS = 40


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
        self.author = Author(seed, self)
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
        #: The steps that were taken.
        self.steps = []

    # Steps

    def play(self, steps=None):
        """Plays the session, and compares after each step that lets the stage work."""
        for number in range(STEPS if steps is None else len(steps)):
            step = self.author.step() if steps is None else steps[number]
            self.steps.append(step)
            getattr(self, f"do_{step['kind']}", self.do_move)(step)
            if step.setdefault("drains", steps is None and self.author.drains()):
                self.drain()
        if steps is not None or self.author.drains():
            self.drain()
        self.context.close()
        for told, _, _ in self.told:
            assert len(told) == 1, f"{told}: there is one answer"

    def do_open(self, step):
        options = {"slot": step["slot"]} if step["slot"] else {}
        self._ask(step, step["url"], slot=step["slot"], options=options)

    def do_replace(self, step):
        self._ask(step, step["url"])

    def _ask(self, step, url, slot="", options=None):
        asker, target = self._node(step["asker"]), self._node(step["target"])
        on = {} if target is None else {"on": self._number(target)}
        move = Move(step["kind"], url, asker, target, slot)
        self._move(move, url, **(options or {}), **on)

    def do_link(self, step):
        self._move(Move(step["kind"], step["url"]), step["url"])

    do_replace_root = do_link

    def do_link_all(self, _):
        self._move(Move("link", "hello", all=True), "hello", all_flows=True)

    def do_move(self, step):
        asker, verb = self._node(step["asker"]), step["kind"]
        if verb in ("pop", "dismiss"):
            return self._move(Move(verb, asker=asker))
        target = self._node(step["target"])
        if target is None:
            return None
        return self._move(Move(verb, None, asker, target), self._number(target))

    def _move(self, move, *arguments, **options):
        told = []
        moves = self.app.nav
        if move.asker is not None:
            moves = moves.of(self._scope(move.asker))
        pending = getattr(moves, move.verb)(
            *arguments,
            then=lambda result: told.append(result),
            failed=lambda error: told.append(error.status),
            **options,
        )
        self.told.append((told, move, pending))
        self.reference.ask(move)

    def do_gone(self, step):
        node = self._node(step["target"], also_opening=True)
        if node is not None:
            self.app.nav.gone(self._number(node))
            self.reference.gone(node)

    def do_finish(self, step):
        node = self._node(step["target"])
        if node is not None:
            self.app.nav.of(self._scope(node)).finish("Word", step["word"])
            self.reference.finish(node, step["word"])

    def do_end(self, step):
        owners = self.owners()
        if owners:
            number, owner = owners[step["which"] % len(owners)]
            self.context.find_scope(owner).end()
            self.reference.owner_ended(self.nodes[number])

    def do_end_scope(self, step):
        node = self._node(step["target"], also_opening=True)
        if node is not None:
            self._scope(node).end()
            self.reference.ended(node)

    def do_cancel(self, step):
        waiting = self.waiting()
        if waiting:
            move, pending = waiting[step["which"] % len(waiting)]
            pending.cancel()
            self.reference.cancel(move)

    def do_answer(self, step):
        self.drain()
        if self.stage.kept:
            _, kept = self.stage.kept.pop()
            self._here_or_elsewhere(step, answer_late, kept, _said(step["error"]))
        self.reference.answer_late(step["error"])
        self.drain()

    def stage_waits(self):
        """Whether the stage has not answered for what it is to show."""
        return self.reference.showing() is not None

    def do_answer_hide(self, step):
        self.drain()
        if self.stage.kept_hides:
            self._here_or_elsewhere(step, answer_late, self.stage.kept_hides.pop(0), b"")
            self.reference.answer_hide()
            self.drain()

    def do_answer_guard(self, step):
        self.drain()
        assert len(self.app.kept) == len(self.reference.kept_guards)
        if self.app.kept:
            self._here_or_elsewhere(step, self.app.answer_guard, step["verdict"])
            self.reference.answer_guard(step["verdict"])
            self.drain()

    def _here_or_elsewhere(self, step, act, *arguments):
        """Calls a function, or has another thread call it."""
        if not step["elsewhere"]:
            act(*arguments)
        else:
            on_another_thread(lambda: act(*arguments))

    def do_time_out(self, _):
        self.drain()
        # What is asked while time moves on is not too late.
        late, self.stage.kept_hides = self.stage.kept_hides, []
        self.context.advance(10)
        self.reference.time_out()
        for kept in late:
            kept.release()
        self.drain()

    def do_say(self, step):
        node, in_flows = self._node(step["asker"]), self.in_flows()
        if step["of_flow"] is not None and in_flows:
            node = in_flows[step["of_flow"] % len(in_flows)]
        if node is not None:
            self._scope(node).send(step["type"], step["text"])
            self.reference.say(node, step["type"], step["text"])

    def do_ready(self, _):
        self.app.nav.ready()
        self.reference.ready()

    # What there is

    def there(self, also_opening=False):
        """The components that both know to be there."""
        self.drain()
        showing = [self.reference.showing()] if also_opening and self.stage_waits() else []
        return [*self.reference.shown(), *showing]

    def _node(self, index, also_opening=False):
        there = self.there(also_opening) if index is not None else []
        return there[index % len(there)] if there else None

    def in_flows(self):
        """The components that a flow hears."""
        self.drain()
        return [one for one in self.reference.shown() if self.reference.speaks(one)]

    def owners(self):
        """The components that have owners, with these."""
        self.drain()
        return sorted((one.number, one.owner) for one in self.app.nav.tree if one.owner)

    def waiting(self):
        return [(move, pending) for told, move, pending in self.told if not told]

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


def difference(seed, folder, reference=Navigator, steps=None):
    """Plays and verifies a session: the steps until it differs, and how; or None."""
    path = Path(folder) / f"{seed}.journal"
    session = Session(seed, str(path), reference)
    try:
        session.play(steps)
        verified(str(path), seed)
    except Exception as exception:
        tree = "" if session.context.closed else tree_text(session.app.nav)
        return session.steps, f"{exception}\n{tree}"
    finally:
        session.context.close()
        path.unlink()
    return None


def play(seed, folder):
    """Plays and verifies a session; what differs is shown with the fewest steps that were found."""
    found = difference(seed, folder)
    if found:
        found = smallest(seed, folder, found)
        steps = "\n".join(map(str, found[0]))
        raise AssertionError(f"seed {seed}: {found[1]}\n{steps}")


def smallest(seed, folder, found, reference=Navigator):
    """The same, shrunk."""

    def differs(script):
        return bool(difference(seed, folder, reference, script["steps"]))

    steps = shrink({"steps": found[0]}, differs, most=500)["steps"]
    return difference(seed, folder, reference, steps) or found


if __name__ == "__main__":
    count, first = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    with tempfile.TemporaryDirectory() as folder:
        for each in range(first, first + count):
            play(each, folder)
    print(f"{count} sessions from seed {first} agree and verify")
