# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the reference of the navigator is about: components and moves."""

from __future__ import annotations

#: The URLs of components that a factory makes, with an owner.
FACTORIES = ("broken", "tour", "home", "diary/7", "pick/x")


class Node:
    """A component, with its scope."""

    def __init__(self, url, kind, slot, parent, opener, scope):
        self.url, self.kind, self.slot, self.parent = url, kind, slot, parent
        self.opener, self.is_asked, self.is_shown = opener, False, False
        self.scope, self.owner = scope, None
        #: Of an overlay that stands on nothing: for whom it was opened.
        self.asker = None
        #: When it was shown: the how many-th.
        self.place = 0
        self.is_part = False
        #: Of a flow: its number, and what waits until nothing covers who has said it.
        self.flow, self.waiting = None, []

    def path(self):
        """It and what it stands on, upwards."""
        node = self
        while node is not None:
            yield node
            node = node.parent


class Move:
    """A move: what it is asked for, and its answers, of which there is to be one.

    It is asked by a component, or by the owner of a flow; `then` hears the answer.
    """

    def __init__(self, verb, url=None, asker=None, target=None, slot="", **more):
        self.verb, self.url, self.asker, self.target, self.slot = verb, url, asker, target, slot
        self.answers, self.leader, self.root, self.rest = [], None, None, []
        #: Guards: those that are left, what they were asked, how often they sent it elsewhere.
        self.place, self.leaves, self.waits, self.hops = 0, [], None, more.get("hops", 0)
        self.first, self.then = None, more.get("then")
        #: Its request: as who asks holds it, and as the navigator does.
        self.pending = self.request = None
        #: Whether a flow asks, and whether it is a link for all flows.
        self.is_of_flow, self.is_for_all = more.get("is_of_flow", False), more.get("all", False)

    @property
    def opens(self):
        return self.url is not None

    def answered(self, answer):
        self.answers.append(answer)
        if self.then:
            self.then(answer)
