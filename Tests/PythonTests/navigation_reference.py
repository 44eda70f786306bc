# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the header says of components and moves, in the shortest way: a tree, a queue, a stage."""

from __future__ import annotations

from mainstem import Status

STACK = ("screen", "group", "flow")
DISMISSED = ("dialog", "present", "overlay")
#: What a factory refuses with.
BROKEN = 1001
VIEWS = ("screen", "embed", *DISMISSED)


class Node:
    """A component."""

    def __init__(self, url, kind, slot, parent, opener):
        self.url, self.kind, self.slot, self.parent = url, kind, slot, parent
        self.opener, self.is_asked, self.is_shown = opener, False, False
        self.is_part = False

    def path(self):
        """It and what it stands on, upwards."""
        node = self
        while node is not None:
            yield node
            node = node.parent


class Move:
    """A move: what it is asked for, and its answers, of which there is to be one."""

    def __init__(self, verb, url=None, asker=None, target=None, slot=""):
        self.verb, self.url, self.asker, self.target, self.slot = verb, url, asker, target, slot
        self.answers, self.leader, self.root, self.rest = [], None, None, []


class Reference:
    """The navigator. `routes` has a kind and a slot, or the parts, of each URL."""

    def __init__(self, routes, answers):
        self.routes, self.answers = routes, answers
        self.nodes, self.moves, self.queue, self.inbox = [], [], [], []
        self.current, self.hides, self.is_ready = None, 0, False
        self.told = []

    # The tree

    def shown(self):
        return [node for node in self.nodes if node.is_shown]

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
        self.moves.append(move)
        self._begin(move)
        self._advance()

    def _begin(self, move):
        if move.verb == "link" and not self.is_ready:
            move.leader = "ready"
            return None
        move.leader = None
        wrong = self._aim(move)
        if wrong:
            return self._answer(move, wrong)
        for other in self.moves:
            same = (other.verb, other.target) == (move.verb, move.target)
            if other is not move and same and move.url is None and other.leader is None:
                move.leader = other
                return None
        return self.queue.append(move)

    def _aim(self, move):
        if move.url is not None:
            return None if move.url in self.routes else Status.NO_ROUTE
        if move.verb == "pop":
            top = self.top_of(move.asker) if move.asker else self.top_of_root()
            if top is None or top.kind not in STACK:
                return Status.INVALID
            move.target = top
            return (
                None if any(one.kind in VIEWS for one in list(top.path())[1:]) else Status.INVALID
            )
        if move.verb == "dismiss":
            above = (
                [one for one in move.asker.path() if one.kind in DISMISSED] if move.asker else []
            )
            last = [one for one in self.shown() if one.kind in DISMISSED][::-1]
            move.target = (above + last + [None])[0]
            return None if move.target else Status.INVALID
        return None if move.target in self.nodes else Status.STALE

    def ready(self):
        self.is_ready = True
        for move in list(self.moves):
            if move.leader == "ready":
                self._begin(move)
        self._advance()

    # Moves, when it is their turn

    def _advance(self):
        while self.current is None and self.hides == 0 and self.queue:
            move = self.queue.pop(0)
            if move in self.moves:
                self.current = move
                self._perform(move)

    def _perform(self, move):
        if move.url is None:
            return self._close(lambda node: self._closes(move, node), done=move)
        if move.verb == "link" and [node for node in self.nodes if self._is_dialog(node)]:
            self.current = None
            self.queue.insert(0, move)
            return self._close(self._is_dialog)
        kind, what = self.routes[move.url]
        parent = self._parent(kind, move)
        if isinstance(parent, Status):
            return self._answer(move, parent)
        slot = (move.slot or what) if kind == "embed" else ""
        move.root = Node(move.url, kind, slot, parent, move)
        if kind != "group":
            return self._show(move, move.root)
        self.nodes.append(move.root)
        move.rest = list(what)
        return self._next_part(move)

    def _parent(self, kind, move):
        if kind == "overlay" or move.verb == "replace_root":
            return None
        base = (move.target or move.asker) if move.verb == "open" else None
        if base is not None and base not in self.nodes:
            return Status.CANCELLED
        if kind in STACK:
            return self.top_of(base) if base else self.top_of_root()
        if base is not None and base.kind not in VIEWS:
            base = self.top_of(base)
        is_in = base is not None and base.kind in VIEWS
        return Status.INVALID if kind == "embed" and not is_in else base

    def _next_part(self, move):
        if not move.rest:
            return self._is_there(move)
        url = move.rest.pop(0)
        kind, what = self.routes[url]
        part = Node(url, kind, what if kind == "embed" else "", move.root, None)
        part.is_part = True
        return self._show(move, part)

    def _show(self, move, node):
        self.nodes.append(node)
        if node.url == "broken":
            self._fail(move, BROKEN)
        elif node.kind in VIEWS:
            node.is_asked = True
            self.inbox.append((node, move))
        else:
            self._answered(node, move, None)

    def _answered(self, node, move, error):
        """The stage has answered; not, if the move is over."""
        if move not in self.moves or self.current is not move or node not in self.nodes:
            return
        if error is not None:
            self._fail(move, error)
            return
        node.is_shown = True
        if move.root.kind == "group":
            move.root.is_shown = True
            self._next_part(move)
        else:
            self._is_there(move)

    def _is_there(self, move):
        root, self.current, move.leader = move.root, None, "open"
        root.is_shown = True
        if move.verb == "replace_root":
            root.opener = None
            self._close(lambda node: root not in node.path(), done=move)
        elif root.kind == "embed":
            self._close(lambda node: any(self._replaces(root, one) for one in node.path()))

    @staticmethod
    def _replaces(new, old):
        same = (old.parent, old.slot) == (new.parent, new.slot)
        return old is not new and old.kind == "embed" and old.is_shown and same

    # Closing

    @staticmethod
    def _is_dialog(node):
        return any(one.kind in DISMISSED for one in node.path())

    @staticmethod
    def _closes(move, node):
        path = list(node.path())
        if move.verb != "pop_to":
            return move.target in path
        return move.target in path[1:] and path[path.index(move.target) - 1].kind != "embed"

    def _close(self, is_meant, finished=None, answer=None, gone=None, done=None):
        """Closes components, the last opened first; the move that is done by it is answered."""
        closing = {node for node in self.nodes if is_meant(node)}
        self._add_wholes(closing, finished)
        order = [node for node in reversed(self.nodes) if node in closing]
        hidden = [node for node in order if node.is_asked and node is not gone]
        if hidden:
            self.hides += 1
            self.inbox.append(hidden)
        self.nodes = [node for node in self.nodes if node not in closing]
        for node in order:
            opener, node.opener = node.opener, None
            if opener is not None:
                self._answer(opener, answer if node is finished else Status.CANCELLED)
        if done is not None:
            self._answer(done, None)
        # Their scopes have ended, and who asks through them.
        self._give_up([move for node in order for move in self.moves if move.asker is node])

    def _add_wholes(self, closing, finished):
        """Adds the groups of which a part closes, and the flows whose last component does."""
        for node in reversed(self.nodes):
            parent = node.parent
            if node not in closing or parent is None or parent in closing:
                continue
            if node.is_part:
                closing |= {one for one in self.nodes if parent in one.path()}
            left = [one for one in self.nodes if one.parent is parent and one not in closing]
            if parent.kind == "flow" and node is not finished and not left:
                closing.add(parent)

    def showing(self):
        """What the stage is to show, and has not answered for; None: nothing."""
        root = None if self.current is None else self.current.root
        found = [one for one in self.nodes if one.is_asked and not one.is_shown]
        return found[-1] if root and found and root in found[-1].path() else None

    def _fail(self, move, error):
        self._close(lambda node: move.root in node.path(), move.root, error)

    def gone(self, node):
        if node in self.nodes:
            self._close(lambda one: node in one.path(), gone=node)
        self._advance()

    def ended(self, node):
        if node in self.nodes:
            self._close(lambda one: node in one.path())
        self._advance()

    def finish(self, node, result):
        if node not in self.nodes:
            return
        while node.is_part:
            node = node.parent
        self._close(lambda one: node in one.path(), node, result)
        self._advance()

    # Answers

    def cancel(self, move):
        """Whoever asked gives it up."""
        self._give_up([move])
        self._advance()

    def _give_up(self, moves):
        moves = [move for move in moves if move in self.moves]
        for move in moves:
            self._forget(move, Status.CANCELLED)
        for move in moves:
            for other in [one for one in self.moves if one.leader is move]:
                # It was the second to ask for the same, and goes on by itself.
                self._begin(other)
            root = move.root
            if root is not None:
                root.opener = None
                if move.leader != "open":
                    self._close(lambda node, root=root: root in node.path())

    def _answer(self, move, answer):
        if move not in self.moves:
            return
        self._forget(move, answer)
        for other in [one for one in self.moves if one.leader is move]:
            self._forget(other, answer)

    def _forget(self, move, answer):
        move.answers.append(answer)
        self.moves.remove(move)
        if self.current is move:
            self.current = None

    # The stage

    def drain(self):
        """Lets the stage do what it was told; returns what was shown and hidden."""
        done = []
        while self.inbox:
            item = self.inbox.pop(0)
            if isinstance(item, list):
                done.append(("hide", [node.url for node in item]))
                self.hides -= 1
            else:
                node, move = item
                done.append(("show", node.url))
                answer = self.answers.pop(0)
                if answer != "later":
                    self._answered(node, move, answer)
            self._advance()
        return done

    def answer_late(self, error):
        """The stage answers for what it is to show, with an error or None."""
        if self.showing() is not None:
            self._answered(self.showing(), self.current, error)
            self._advance()
