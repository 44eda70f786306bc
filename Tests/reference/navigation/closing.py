# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the header says of how components close."""

from __future__ import annotations

from reference.declarations import d
from reference.navigation.asking import STAGE_MS

DISMISSED = ("dialog", "present", "overlay")


class Closing:
    """The part of the reference that closes components."""

    @staticmethod
    def _closes(move, node):
        """Whether a move closes a component, and with that what stands on it."""
        if move.verb == "link":
            return node.kind in DISMISSED
        if move.verb == "replace_root":
            return True
        if move.verb == "pop_to":
            return node.parent is move.target and node.kind != "embed"
        return move.verb != "open" and node is move.target

    def _close(self, is_meant, finished=None, answer=None, gone=None, done=None):
        """Closes components, the last opened first; the move that is done by it is answered."""
        closing = {node for node in self.nodes if any(is_meant(one) for one in node.path())}
        if not closing:
            return False
        self._add_wholes(closing, finished)
        order = [node for node in reversed(self.nodes) if node in closing]
        hidden = [node for node in order if node.is_asked and node is not gone]
        if hidden:
            self.hides += 1
            self._request("Hide", hidden, self._hidden, timeout_ms=STAGE_MS)
        if any(node.is_shown for node in order):
            self._soon(self._tell_waiting)
        self.nodes = [node for node in self.nodes if node not in closing]
        for node in order:
            opener, node.opener = node.opener, None
            if opener is not None:
                self._answer(opener, answer if node is finished else d.CANCELLED)
        if done is not None:
            self._answer(done, None)
        for node in order:
            self._end(node.scope)
            self._end(node.owner)
        return True

    def _hidden(self, _):
        self.hides -= 1

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

    def _fail(self, move, error):
        if move.root is None:
            self._answer(move, error)
        else:
            self._close(lambda node: node is move.root, move.root, error)

    def gone(self, node):
        self._soon(self._is_gone, node, node)

    def ended(self, node):
        """Its scope was ended: who asks through that gives up."""
        self._soon(self._scope_ended, node)

    def _scope_ended(self, node):
        self._end(node.scope)
        self._soon(self._is_gone, node, None)

    def owner_ended(self, node):
        """The same, of its owner, which ends when that is told."""
        self._end(node.owner)

    def _is_gone(self, node, gone):
        self._close(lambda one: one is node, gone=gone)

    def finish(self, node, result):
        self._soon(self._finished, node, result)

    def _finished(self, node, result):
        if node in self.nodes:
            while node.is_part:
                node = node.parent
            self._close(lambda one: one is node, node, result)
