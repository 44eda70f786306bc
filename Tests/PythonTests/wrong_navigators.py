# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Navigators that are wrong in one rule each: sessions at random must see every one."""

from __future__ import annotations

from reference.declarations import d
from reference.flow.calls import Calls
from reference.flow.stream import Stream
from reference.navigation.navigator import Navigator


class AnswersTwice(Navigator):
    """A second pop closes one more."""

    def _begin(self, move):
        before = [one.leader for one in self.moves]
        super()._begin(move)
        if move.leader in self.moves and before:
            move.leader = None
            self._ask_next(move)


class DialogsStay(Navigator):
    """A link closes no dialogs."""

    @staticmethod
    def _closes(move, node):
        return move.verb != "link" and Navigator._closes(move, node)


class LinksDoNotWait(Navigator):
    """A link does not wait until the app is ready."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.is_ready = True


class PopsEmbeds(Navigator):
    """A pop to a component closes what is in its slots."""

    @staticmethod
    def _closes(move, node):
        if move.verb == "pop_to":
            return node.parent is move.target
        return Navigator._closes(move, node)


class SlotsHoldTwo(Navigator):
    """An embed takes nobody's place."""

    @staticmethod
    def _replaces(new, old):
        return False


class PartsCloseAlone(Navigator):
    """A part of a group closes without the others."""

    def _add_wholes(self, closing, finished):
        parts = [node for node in self.nodes if node.is_part]
        for node in parts:
            node.is_part = False
        super()._add_wholes(closing, finished)
        for node in parts:
            node.is_part = True


class FlowsStay(Navigator):
    """A flow stays when its last component has closed without a result."""

    def _add_wholes(self, closing, finished):
        flows = {node for node in self.nodes if node.kind == "flow"} - closing
        super()._add_wholes(closing, finished)
        closing -= flows - {one for one in flows if any(n in closing for n in list(one.path())[1:])}


class FlowsEndWithResults(Navigator):
    """A flow ends with its last component also when that has a result."""

    def _add_wholes(self, closing, finished):
        super()._add_wholes(closing, None)


class FlowsAreReadyAtOnce(Navigator):
    """A flow is ready although what it opens first is not shown."""

    def _is_starting(self, node):
        return False


class FlowsDoNotFail(Navigator):
    """A flow waits on when what it opens first has failed."""

    def _settle_start(self, node, answer):
        if not (isinstance(answer, int) and answer != d.OK):
            super()._settle_start(node, answer)


class FlowsWaitForTheirOwn(Navigator):
    """A flow is not ready with what it has opened elsewhere."""

    def _start(self, node):
        if node is None or any(one.parent is node for one in self.nodes):
            super()._start(node)


class CoveredOnesAreHeard(Navigator):
    """An intent is heard although a screen covers who says it."""

    def _said(self, node, kind, text):
        flow = self._flow_of(node) if node in self.nodes else None
        if flow is not None:
            self._hear(flow, node, kind, text)


class QueuedOnesAreLost(Navigator):
    """A queued intent is never heard."""

    def _tell_waiting(self):
        pass


class StrangersAreHeard(Navigator):
    """A flow hears what is said in a flow on it."""

    def _flow_of(self, node):
        above = [one for one in list(node.path())[1:] if one.flow is not None]
        return above[-1] if above else None


class GuardsAreAskedOnce(Navigator):
    """After what a guard wanted first, the guards are not asked again."""

    def _open_first(self, move, url):
        super()._open_first(move, url)
        then = move.first.then

        def skip(answer):
            ask, self._next = self._next, lambda *_: None
            then(answer)
            self._next = ask

        move.first.then = skip


class RefusalsLetGo(Navigator):
    """A move goes on when what a guard wanted first was cancelled."""

    def _open_first(self, move, url):
        super()._open_first(move, url)
        then = move.first.then
        move.first.then = lambda answer: then(None)


class HomeIsNotGuarded(Navigator):
    """A guard of everything is not asked about the home page."""

    @staticmethod
    def _next(move, url, is_leaving):
        if not url and not is_leaving and move.place == 0:
            move.place = 1
        return Navigator._next(move, url, is_leaving)


class ReplacedOnesStay(Navigator):
    """A replace leaves what it was to replace."""

    def _is_there(self, move):
        if move.verb == "replace":
            move.verb = "open"
        super()._is_there(move)


class ReplacesOnTop(Navigator):
    """A replace puts the new screen on the old one, with which it closes."""

    def _parent(self, kind, move):
        parent = super()._parent(kind, move)
        return parent if move.verb != "replace" or parent == d.CANCELLED else move.target


class LeavingIsNotAsked(Navigator):
    """Nobody is asked before a component is left."""

    def _begin(self, move):
        nodes, self.nodes = self.nodes, self.nodes if not move.opens else []
        super()._begin(move)
        self.nodes = nodes


class SeventeenHops(Navigator):
    """Guards may send a move elsewhere 17 times."""

    most_hops = 17


class HidesHoldNobody(Navigator):
    """Moves do not wait until the stage has hidden what has closed."""

    def _advance(self):
        hides, self.hides = self.hides, 0
        super()._advance()
        self.hides += hides


class GesturesHide(Navigator):
    """What is gone by a gesture is hidden."""

    def _is_gone(self, node, gone):
        super()._is_gone(node, None)


class OwnersEndAlone(Navigator):
    """The end of an owner leaves its component."""

    def _owner_ended(self, event):
        pass


class AskersAreKept(Navigator):
    """A move goes on whose asker has ended."""

    def _scope_of(self, move):
        return None


class NewestFirst(Navigator):
    """What was sent last is delivered first: a rule of the stream."""

    class calls_class(Calls):
        class stream_class(Stream):
            def enqueue(self, event):
                self.queue.appendleft(event)


class AnswersToTheEndedAreLeft(Navigator):
    """What was asked through a scope is not answered at its end: a rule of the stream, too."""

    class calls_class(Calls):
        class stream_class(Stream):
            def cancel_open(self, servers, scopes):
                super().cancel_open(servers, [])


WRONG = [
    value
    for value in list(globals().values())
    if isinstance(value, type) and issubclass(value, Navigator) and value is not Navigator
]
