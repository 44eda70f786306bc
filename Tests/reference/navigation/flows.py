# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the header says of flows: when they are ready, and what they are told."""

from __future__ import annotations

from reference.declarations import d
from reference.navigation.moves import Move
from reference.navigation.scripts import BROKEN, FAILED


class Flows:
    """The part of the reference about flows. `heard` has what they were told."""

    def _fill(self, node):
        """What a factory does: that of a flow opens what the script says first."""
        if node.url != "tour":
            return BROKEN if node.url == "broken" else d.OK
        node.flow = len(self.flows)
        self.flows.append(node)
        firsts = self.scripts.firsts.pop(0)
        if firsts == ["fail"]:
            return FAILED
        for url in firsts:
            self.ask(self._move_of(node, url))
        return d.OK

    @staticmethod
    def _move_of(node, url, target=None):
        return Move("open", url, node, target, is_of_flow=True)

    # Being ready

    def _is_starting(self, node):
        """Whether a flow has asked for something that is not answered."""
        return any(move.asker is node and move.opens for move in self.moves)

    def _start(self, node):
        """Something is shown that stands on a flow, or that a flow has asked for."""
        move = node and node.opener
        if move and move.leader == "starting" and move.root is node:
            self._becomes_shown(node, move)

    def _settle_start(self, node, answer):
        """What a flow has asked for is over."""
        if node is None or node.kind != "flow" or node not in self.nodes or self._is_starting(node):
            return
        move = node.opener
        if move is None or move.root is not node:
            return
        if not (isinstance(answer, int) and answer != d.OK):
            self._start(node)
            return
        is_alone = all(one.parent is not node for one in self.nodes)
        if is_alone and (move.leader == "starting" or move.waits is node):
            self._fail(move, answer)

    # Being told

    def covers(self, node):
        """Whether a screen covers a component: one that stands on what it belongs to."""
        path = list(node.path())
        for each in path if node.kind not in ("group", "flow") else path[1:]:
            beside = [one for one in self.nodes if one.parent is each and one not in path]
            stack = [one for one in beside if one.kind in ("screen", "group", "flow")]
            if any(one.kind == "screen" and set(stack) & set(one.path()) for one in self.nodes):
                return True
            if each.kind in ("screen", "overlay"):
                return False
        return False

    def speaks(self, node):
        """Whether a flow hears what a component says."""
        return self._flow_of(node) is not None

    def _flow_of(self, node):
        """The flow that a component is in: an overlay is in that of who has opened it."""
        node = self._above(node)
        while node is not None and node.kind != "flow":
            node = self._above(node)
        return node if node is not None and node.flow is not None else None

    def _above(self, node):
        if node.parent is None and node.kind == "overlay":
            return node.asker if node.asker in self.nodes else None
        return node.parent

    def say(self, node, kind, text):
        self._soon(self._said, node, kind, text)

    def _said(self, node, kind, text):
        flow = self._flow_of(node) if node in self.nodes else None
        if flow is None:
            return
        if not self.covers(node) or kind == "Allowed":
            self._hear(flow, node, kind, text)
        elif kind == "Queued":
            flow.waiting.append((node, kind, text))

    def _hear(self, flow, node, kind, text):
        self.heard.append((flow.flow, kind, text))
        word, _, url = text.partition(" ")
        if word == "open":
            self.ask(self._move_of(flow, url, node))
        elif word == "finish":
            self.finish(flow, "bye")

    def _tell_waiting(self):
        """The tree has changed: what is not covered any more is heard."""
        for flow in list(self.flows):
            waiting, flow.waiting = flow.waiting, []
            for node, kind, text in waiting:
                if flow not in self.nodes or node not in self.nodes:
                    continue
                if self.covers(node):
                    flow.waiting.append((node, kind, text))
                else:
                    self._hear(flow, node, kind, text)

    def _tell_link(self, url):
        for flow in list(self.flows):
            if flow in self.nodes:
                self.heard.append((flow.flow, "MainstemLink", url))
