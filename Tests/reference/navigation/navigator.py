# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the header says of components and moves, in the shortest way: a tree, a queue, a stage.

What the navigator asks for and is told takes effect in the order in which it was sent: `_soon`.
"""

from __future__ import annotations

from collections import deque

from mainstem import Status

from reference.navigation.closing import DISMISSED, Closing
from reference.navigation.flows import Flows
from reference.navigation.guards import STACK, Guards
from reference.navigation.moves import Move, Node

VIEWS = ("screen", "embed", *DISMISSED)
#: What a factory refuses with.
BROKEN = 1001


class Reference(Guards, Flows, Closing):
    """The navigator. `routes` has a kind and a slot, or the parts, of each URL."""

    def __init__(self, routes, scripts):
        self.routes, self.scripts = routes, scripts
        self.nodes, self.moves, self.sent, self.queue = [], [], [], []
        self.current, self.hides, self.is_ready = None, 0, False
        self.events, self.inbox, self.kept_hides = deque(), [], []
        self.told = 0
        self.asked, self.kept_guards, self.heard, self.flows = [], [], [], []

    def _soon(self, act, *arguments):
        """What is sent: it is done when all that was sent before is done."""
        self.events.append((act, arguments))

    def run(self):
        while self.events:
            act, arguments = self.events.popleft()
            act(*arguments)
            self._advance()

    # The tree

    def shown(self):
        return [node for node in self.nodes if node.is_shown]

    def tree(self):
        """What is shown, in the order in which that was told."""
        return sorted(self.shown(), key=lambda node: node.place)

    def top(self):
        tops = [node for node in self.shown() if node.kind in ("screen", *DISMISSED)]
        return tops[-1] if tops else None

    def top_of(self, node):
        """The topmost of the stack that a component is in."""
        while node.kind == "embed":
            node = node.parent
        for other in self.shown():
            if other.parent is node and other.kind in STACK:
                node = other
        return node

    def top_of_root(self):
        roots = [one for one in self.shown() if one.parent is None and one.kind in STACK]
        return self.top_of(roots[-1]) if roots else None

    # Moves, when they are asked for

    def ask(self, move):
        self.sent.append(move)
        self._soon(self._take, move)

    def _take(self, move):
        self.moves.append(move)
        self._begin(move)

    def _begin(self, move):
        if move.verb == "link" and not self.is_ready:
            move.leader = "ready"
            return None
        move.leader = None
        if move.is_for_all:
            self._soon(self._tell_link, move.url)
            return self._answer(move, None)
        wrong = self._aim(move)
        if wrong:
            return self._answer(move, wrong)
        for other in self.moves:
            if other is not move and self._shares(move, other):
                move.leader = other
                return None
        move.leaves = [
            node for node in reversed(self.nodes) if any(self._closes(move, n) for n in node.path())
        ]
        return self._ask_next(move)

    @staticmethod
    def _shares(move, other):
        """Whether two moves have one answer: they close the same, or guards want the same first."""
        if isinstance(other.leader, Move) or other.leader == "ready":
            return False
        if not move.opens:
            return (other.verb, other.target) == (move.verb, move.target)
        each = other
        while each is not None and each is not move:
            each = each.leader if isinstance(each.leader, Move) else each.first
        return each is None and bool(move.then and other.then) and move.url == other.url

    def _aim(self, move):
        if move.opens:
            if move.url not in self.routes:
                return Status.NO_ROUTE
            return self._aim_replace(move) if move.verb == "replace" else None
        if move.verb == "pop":
            top = self.top_of(move.asker) if move.asker in self.nodes else self.top_of_root()
            if top is None or top.kind not in STACK:
                return Status.INVALID
            move.target = top
            below = list(top.path())[1:]
            return None if any(one.kind in VIEWS for one in below) else Status.INVALID
        if move.verb == "dismiss":
            path = move.asker.path() if move.asker in self.nodes else ()
            last = [one for one in self.shown() if one.kind in DISMISSED][::-1]
            move.target = ([one for one in path if one.kind in DISMISSED] + last + [None])[0]
            return None if move.target else Status.INVALID
        return None if move.target in self.nodes else Status.STALE

    def _aim_replace(self, move):
        """Finds the screen that is replaced, or the group that it is a part of."""
        if move.target is not None and move.target not in self.nodes:
            return Status.INVALID if self.routes[move.url][0] not in STACK else Status.STALE
        base = move.target or (move.asker if move.asker in self.nodes else None)
        top = self.top_of(base) if base else self.top_of_root()
        while top is not None and top.is_part:
            top = top.parent
        if self.routes[move.url][0] not in STACK or top is None:
            return Status.INVALID
        move.target = top
        return None if top.kind in ("screen", "group") else Status.INVALID

    def ready(self):
        self._soon(self._become_ready)
        self.run()

    def _become_ready(self):
        if not self.is_ready:
            self.is_ready = True
            for move in list(self.moves):
                if move.leader == "ready":
                    self._begin(move)

    # Moves, when it is their turn

    def _advance(self):
        while self.current is None and self.hides == 0 and self.queue:
            move = self.queue.pop(0)
            if move in self.moves:
                self.current = move
                self._perform(move)

    def _perform(self, move):
        if not move.opens:
            if not self._close(lambda node: self._closes(move, node), done=move):
                self._answer(move, None)
            return None
        if move.verb == "link" and self._close(lambda node: node.kind in DISMISSED):
            self.current = None
            return self.queue.insert(0, move)
        kind, what = self.routes[move.url]
        parent = self._parent(kind, move)
        if isinstance(parent, Status):
            return self._answer(move, parent)
        slot = (move.slot or what) if kind == "embed" else ""
        move.root = Node(move.url, kind, slot, parent, move)
        move.root.asker = (move.target or move.asker) if move.verb == "open" else None
        self.nodes.append(move.root)
        if kind != "group":
            return self._make(move, move.root)
        move.rest = list(what)
        return self._next_part(move)

    def _parent(self, kind, move):
        if kind == "overlay" or move.verb == "replace_root" and kind != "embed":
            return None
        base = (move.target or move.asker) if move.verb in ("open", "replace") else None
        if base is not None and base not in self.nodes:
            return Status.CANCELLED
        if move.verb == "replace":
            return base.parent
        if kind in STACK:
            return self.top_of(base) if base else self.top_of_root()
        if base is not None and base.kind not in VIEWS:
            base = self.top_of(base)
        if kind == "embed" and (base is None or base.kind not in VIEWS):
            return Status.INVALID
        return base

    def _next_part(self, move):
        if not move.rest:
            return self._is_there(move)
        url = move.rest.pop(0)
        kind, what = self.routes[url]
        part = Node(url, kind, what if kind == "embed" else "", move.root, None)
        part.is_part = True
        self.nodes.append(part)
        return self._make(move, part)

    def _make(self, move, node):
        move.waits = node
        if node.url == "broken":
            self._soon(self._soon, self._failed, move, node, BROKEN)
        elif node.url == "tour":
            self._soon(self._make_flow, move, node)
        elif node.url in ("home", "diary/7", "pick/x"):
            self._soon(self._soon, self._made, move, node)
        else:
            self._made(move, node)

    def _made(self, move, node):
        if move.waits is not node:
            return
        move.waits = None
        if node.kind == "flow" and move.root is node and self._is_starting(node):
            move.leader, self.current = "starting", None
        elif node.kind in VIEWS:
            node.is_asked = True
            self.inbox.append((node, move))
        else:
            self._becomes_shown(node, move)

    def _failed(self, move, node, error):
        if move.waits is node:
            self._fail(move, error)

    def _answered(self, node, move, error):
        """The stage has answered; not, if the move is over."""
        if move not in self.moves or self.current is not move or node not in self.nodes:
            return
        if error is not None:
            self._fail(move, error)
        else:
            self._becomes_shown(node, move)

    def _becomes_shown(self, node, move):
        self._start(move.root.parent)
        self._start(move.asker)
        if move.root.kind == "group":
            self._note(move.root)
        self._note(node)
        if node is not move.root:
            self._next_part(move)
        else:
            self._is_there(move)

    def _note(self, node):
        if not node.is_shown:
            self.told += 1
            node.is_shown, node.place = True, self.told
            self._soon(self._tell_waiting)

    def _is_there(self, move):
        root, move.leader = move.root, "open"
        self._note(root)
        if self.current is move:
            self.current = None
        if move.verb == "replace_root":
            root.opener = None
            if not self._close(lambda node: node.parent is None and node is not root, done=move):
                self._answer(move, None)
        elif move.verb == "replace":
            self._close(lambda node: node is move.target)
        elif root.kind == "embed":
            self._close(lambda node: self._replaces(root, node))

    @staticmethod
    def _replaces(new, old):
        same = (old.parent, old.slot) == (new.parent, new.slot)
        return old is not new and old.kind == "embed" and old.is_shown and same

    # Answers

    def cancel(self, move):
        """Whoever asked gives it up: that is answered at once, and told."""
        if self._settle(move, Status.CANCELLED):
            self._soon(self._give_up, move)

    def _give_up(self, move):
        if move not in self.moves:
            return
        root = move.root
        if root is not None:
            root.opener = None
            if move.leader != "open":
                self._close(lambda node: node is root)
            else:
                self._hand_down(move, root)
        self._forget(move)
        for other in [one for one in self.moves if one.leader is move]:
            if other.leader is move:
                # It was the second to ask for the same, and goes on by itself.
                self._begin(other)

    def _hand_down(self, move, root):
        """What a move has opened is that of the next which shares its answer."""
        heirs = [one for one in self.moves if one.leader is move]
        if heirs:
            root.opener, heirs[0].root, heirs[0].leader = heirs[0], root, "open"
            for other in heirs[1:]:
                other.leader = heirs[0]

    def _answer(self, move, answer):
        if move not in self.moves:
            return
        for one in [move, *[one for one in self.moves if one.leader is move]]:
            self._settle(one, answer)
            self._forget(one)
        self._settle_start(move.asker, answer)

    def _settle(self, move, answer):
        if move not in self.sent:
            return False
        self.sent.remove(move)
        move.answers.append(answer)
        if move.then:
            self._soon(move.then, answer)
        return True

    def _forget(self, move):
        self.moves.remove(move)
        move.waits = None
        if self.current is move:
            self.current = None
        if move.first is not None:
            self.cancel(move.first)

    # The stage

    def showing(self):
        """What the stage is to show, and has not answered for; None: nothing."""
        root = None if self.current is None else self.current.root
        found = [one for one in self.nodes if one.is_asked and not one.is_shown]
        return found[-1] if root and found and root in found[-1].path() else None

    def drain(self):
        """Lets the stage do what it was told; returns what was shown and hidden."""
        done = []
        while self.inbox:
            item = self.inbox.pop(0)
            if isinstance(item, list):
                done.append(("hide", [node.url for node in item]))
                if self.scripts.hides.pop(0) == "later":
                    self.kept_hides.append(item)
                else:
                    self._hidden()
            else:
                node, move = item
                done.append(("show", node.url))
                answer = self.scripts.shows.pop(0)
                if answer != "later":
                    self._answered(node, move, answer)
            self._advance()
            self.run()
        return done

    def _hidden(self):
        self.hides -= 1

    def answer_late(self, error):
        """The stage answers for what it is to show, with an error or None."""
        if self.showing() is not None:
            self._soon(self._answered, self.showing(), self.current, error)
            self.run()

    def answer_hide(self):
        self.kept_hides.pop(0)
        self._soon(self._hidden)
        self.run()

    def time_out(self):
        """All that the stage was asked before, and has not answered, has failed."""
        if self.showing() is not None:
            self._soon(self._answered, self.showing(), self.current, Status.TIMEOUT)
        for _ in self.kept_hides:
            self._soon(self._hidden)
        self.kept_hides.clear()
        self.run()
