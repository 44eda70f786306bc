# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the header says of components and moves, in the shortest way: a tree, and a queue of moves.

What the navigator asks for and is told takes effect in the order in which it was sent: that is the
stream's, see asking.py.
"""

from __future__ import annotations

from functools import partial

from reference.declarations import d
from reference.navigation.asking import STAGE_MS, Asking
from reference.navigation.closing import DISMISSED, Closing
from reference.navigation.flows import Flows
from reference.navigation.guards import STACK, Guards
from reference.navigation.moves import Move, Node

VIEWS = ("screen", "embed", *DISMISSED)


class Navigator(Asking, Guards, Flows, Closing):
    """The navigator. `routes` has a kind and a slot, or the parts, of each URL."""

    def __init__(self, routes, scripts):
        self.routes, self.scripts = routes, scripts
        self.nodes, self.moves, self.queue = [], [], []
        self.current, self.hides, self.is_ready, self.told = None, 0, False, 0
        self.asked, self.heard, self.flows = [], [], []
        self.open_stream()

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
        move.pending = self._request("Move", move, move.answered, self._scope_of(move))

    def _scope_of(self, move):
        """Through which a move is asked: what ends with that gives it up."""
        asker = move.asker
        return asker and (asker.owner if move.is_of_flow else asker.scope)

    def _take(self, event):
        move = self._carried(event)
        move.request = self._keep(event)
        self.calls.on_settled(event, self._acting(lambda: self._give_up(move)), None)
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
                return d.NO_ROUTE
            return self._aim_replace(move) if move.verb == "replace" else None
        if move.verb == "pop":
            top = self.top_of(move.asker) if move.asker in self.nodes else self.top_of_root()
            if top is None or top.kind not in STACK:
                return d.INVALID
            move.target = top
            below = list(top.path())[1:]
            return None if any(one.kind in VIEWS for one in below) else d.INVALID
        if move.verb == "dismiss":
            path = move.asker.path() if move.asker in self.nodes else ()
            last = [one for one in self.shown() if one.kind in DISMISSED][::-1]
            move.target = ([one for one in path if one.kind in DISMISSED] + last + [None])[0]
            return None if move.target else d.INVALID
        return None if move.target in self.nodes else d.STALE

    def _aim_replace(self, move):
        """Finds the screen that is replaced, or the group that it is a part of."""
        if move.target is not None and move.target not in self.nodes:
            return d.INVALID if self.routes[move.url][0] not in STACK else d.STALE
        base = move.target or (move.asker if move.asker in self.nodes else None)
        top = self.top_of(base) if base else self.top_of_root()
        while top is not None and top.is_part:
            top = top.parent
        if self.routes[move.url][0] not in STACK or top is None:
            return d.INVALID
        move.target = top
        return None if top.kind in ("screen", "group") else d.INVALID

    def ready(self):
        self._soon(self._become_ready)

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
        if isinstance(parent, int):
            return self._answer(move, parent)
        slot = (move.slot or what) if kind == "embed" else ""
        move.root = Node(move.url, kind, slot, parent, move, self._open_scope())
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
            return d.CANCELLED
        if move.verb == "replace":
            return base.parent
        if kind in STACK:
            return self.top_of(base) if base else self.top_of_root()
        if base is not None and base.kind not in VIEWS:
            base = self.top_of(base)
        if kind == "embed" and (base is None or base.kind not in VIEWS):
            return d.INVALID
        return base

    def _next_part(self, move):
        if not move.rest:
            return self._is_there(move)
        url = move.rest.pop(0)
        kind, what = self.routes[url]
        slot = what if kind == "embed" else ""
        part = Node(url, kind, slot, move.root, None, self._open_scope())
        part.is_part = True
        self.nodes.append(part)
        return self._make(move, part)

    def _made(self, move, node):
        if move.waits is not node:
            return
        move.waits = None
        if node.kind == "flow" and move.root is node and self._is_starting(node):
            move.leader, self.current = "starting", None
        elif node.kind in VIEWS:
            node.is_asked = True
            answered = partial(self._answered, node, move)
            self._request("Show", node, answered, timeout_ms=STAGE_MS)
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
        self.calls.pending_cancel(move.pending)

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
            self._respond(one.request, answer)
            self._forget(one)
        self._settle_start(move.asker, answer)

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
