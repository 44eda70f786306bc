# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the navigator asks and is asked, on the stream of the reference.

Moves, guards, components and what the stage does are requests there; so who asks is answered once,
in order, and gives up with its scope.
"""

from __future__ import annotations

from reference.declarations import d
from reference.flow.calls import Calls
from reference.flow.values import Asked, Filter
from reference.navigation.moves import FACTORIES

REQUESTS = ("Move", "Guard", "Show", "Hide")
#: How long the stage may take.
STAGE_MS = 10_000


class Asking:
    """The part of the navigator that speaks with the stream. `done` has what the stage did."""

    calls_class = Calls

    def open_stream(self):
        self.calls = self.calls_class()
        self.root = self.calls.create({"clock": d.CLOCK_VIRTUAL})
        #: What events carry: their payloads are places here.
        self.carried = []
        self.kept_guards, self.kept_shows, self.kept_hides, self.done = [], [], [], []
        self.types = {"Step": self._type("Step")}
        for name in REQUESTS:
            self._type(f"Response{name}")
            self.types[name] = self._type(f"Request{name}", f"Response{name}")
        self.calls.factory_add(self.root, "Owner", d.PAYLOAD_BYTES, self._make_owner, None)
        self._observe(self.types["Step"], self._step)
        self._observe(self.root.stream.number("MainstemEnded"), self._owner_ended)
        self._serve("Navigator", Filter(), Move=self._take, Guard=self._guard_asked)
        on_host = Filter(scheduler=d.SCHEDULER_HOST)
        self._serve("Stage", on_host, Show=self._stage_shows, Hide=self._stage_hides)

    def _type(self, name, response=None):
        return self.calls.type_add(self.root, name, d.PAYLOAD_BYTES, response)[1]

    def _observe(self, number, act):
        self.calls.observe(self.root, Filter(types=[number]), self._acting(act), None)

    def _serve(self, name, how, **acts):
        rows = [(f"Request{each}", self._acting(act), 0) for each, act in acts.items()]
        self.calls.server_add(self.root, name, rows, None, how)

    def _acting(self, act):
        """A function that goes on with the moves after what it does."""

        def run(*event):
            act(*event)
            self._advance()

        return run

    def _carry(self, what):
        self.carried.append(what)
        return b"%d" % (len(self.carried) - 1)

    def _carried(self, event):
        return self.carried[int(event.payload)]

    # Steps

    def _soon(self, act, *arguments):
        """What is sent: it is done when all that was sent before is done."""
        self.calls.send(self.root, self.types["Step"], self._carry((act, arguments)))

    def _step(self, event):
        act, arguments = self._carried(event)
        act(*arguments)

    # Requests

    def _request(self, name, what, then, scope=None, timeout_ms=0):
        """Asks; `then` gets an error, a word, or None."""
        number, how = self.types[name], Asked(timeout_ms=timeout_ms)
        through, data = scope or self.root, self._carry(what)
        return self.calls.request(through, number, data, self._answered_by(then), how)[1]

    def _answered_by(self, then):
        return self._acting(lambda event: then(event.status or event.payload.decode() or None))

    def _keep(self, event):
        return self.calls.retain(event)[1].event

    def _respond(self, event, answer):
        if isinstance(answer, int):
            self.calls.respond_error(event, answer, "")
        else:
            self.calls.respond(event, (answer or "").encode())

    # Components

    def _open_scope(self):
        return self.calls.scope_add(self.root, f"component {len(self.carried)}")[1]

    def _end(self, scope):
        """A scope has ended, and who asks through it: an owner, when that is told."""
        if scope is not None:
            self.calls.scope_end(scope)

    def _make(self, move, node):
        """Has a component made, by its factory if it has one."""
        move.waits = node
        if node.url not in FACTORIES:
            return self._made(move, node)
        data = self._carry((move, node))

        def answered(event):
            if event.status:
                self._failed(move, node, event.status)
            else:
                self._made(move, node)

        return self.calls.instance_open(self.root, "Owner", data, self._acting(answered))

    def _make_owner(self, scope, event):
        move, node = self._carried(event)
        if move.waits is not node:
            return d.CANCELLED
        node.owner = scope
        return self._fill(node)

    def _owner_ended(self, event):
        for node in [one for one in self.nodes if one.owner is event.ends]:
            self._is_gone(node, None)

    # The stage

    def drain(self):
        """Lets the stage do what it was told; returns what was shown and hidden."""
        while self.calls.drain(self.root, 0)[1]:
            pass
        done, self.done = self.done, []
        return done

    def _stage_shows(self, event):
        self.done.append(("show", self._carried(event).url))
        self._answer_as(self.scripts.shows.pop(0), event, self.kept_shows)

    def _stage_hides(self, event):
        self.done.append(("hide", [node.url for node in self._carried(event)]))
        self._answer_as(self.scripts.hides.pop(0), event, self.kept_hides)

    def _answer_as(self, answer, event, kept):
        """Answers a request, or keeps it."""
        if answer == "later":
            kept.append(self._keep(event))
        else:
            self._respond(event, answer)

    def answer_late(self, error):
        """The stage answers what it was to show last, with an error or None."""
        if self.kept_shows:
            self._respond(self.kept_shows.pop(), error)

    def answer_hide(self):
        self._respond(self.kept_hides.pop(0), None)

    def time_out(self):
        """All that the stage was asked before, and has not answered, has failed."""
        self.kept_hides.clear()
        self.calls.advance(self.root, STAGE_MS)
