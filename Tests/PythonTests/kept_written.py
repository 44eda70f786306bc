# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The program of Tests/journals/written-3.journal. It never changes: the journal must verify.

python kept_written.py PATH records it: one session a scene, with every text and number that the
library itself writes into events. Tests/journals/written.txt lists them, and says why a few are
not here.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any, List, Type

import kept_written_face
import kept_written_moves
import kept_written_shown
import mainstem
from kept_scene import Scene
from mainstem import LATER, Failure, Limits
from mainstem._library import C
from mainstem._library import _header as d
from mainstem.failure import check


def add_types(context: mainstem.Context) -> None:
    context.add_type("ResponseWork", str)
    for name in ("RequestWork", "RequestSlow", "RequestLost", "RequestOne", "RequestTwo"):
        context.add_type(name, str, response="ResponseWork")


class NoServers(Scene):
    """A request that no server handles, in a context that has none."""

    def prepare(self) -> None:
        add_types(self.context)

    def act(self) -> None:
        self.ask("RequestLost")


class ManyServers(Scene):
    """The same, where the servers have more names than there is room for."""

    def prepare(self) -> None:
        add_types(self.context)
        for number in range(20):
            name = f"Server{number}" + "x" * 60
            self.context.serve("RequestWork", lambda event: "done", name=name, several=True)

    def act(self) -> None:
        self.ask("RequestLost")


class Answers(Scene):
    """What the library answers itself."""

    def prepare(self) -> None:
        context = self.context
        add_types(context)
        self.kept: List[Any] = []
        context.serve("RequestWork", self.work, name="Server")
        context.serve("RequestSlow", self.keep, name="Slow")
        self.server = context.serve("RequestOne", self.keep, name="One")
        self.room = context.scope("Room")

    def work(self, event: Any) -> Any:
        """Forgets the request, or fails first."""
        if event.text == "fail":
            C.mainstem_fail(event._live(), 1007, b"own: broken")
        return LATER

    def keep(self, event: Any) -> Any:
        self.kept.append(event.retain())
        return LATER

    def act(self) -> None:
        context = self.context
        self.ask("RequestLost")
        for letters in ("return", "return", "fail"):
            self.ask("RequestWork", letters)
        self.ask("RequestSlow", "release")
        self.kept.pop().release()
        context.drain()
        self.ask("RequestSlow", "late", timeout=0.5)
        context.advance(1)
        self.ask("RequestSlow", "given up").cancel()
        self.ask("RequestSlow", "scope", through=self.room)
        self.room.end()
        context.drain()
        self.ask("RequestOne", "server")
        self.server.end()
        context.drain()
        first = self.ask("RequestSlow", "shared", share=True)
        second = self.ask("RequestSlow", "shared", share=True)
        first.cancel()
        second.cancel()
        context.drain()
        self.ask("RequestSlow", "close")


class LongNames(Scene):
    """A handler that forgets, where no name has room in the answer."""

    def prepare(self) -> None:
        context = self.context
        context.add_type("ResponseWork", str)
        context.add_type("Request" + "t" * 240, str, response="ResponseWork")
        context.serve("Request" + "t" * 240, lambda event: LATER, name="s" * 250)

    def act(self) -> None:
        self.ask("Request" + "t" * 240)


#: Functions that C keeps.
_kept: List[Any] = []


def unconfirmed(context: mainstem.Context, name: str) -> None:
    """An observer that never says that it has returned."""
    options = d.ObserveOptions(size=ctypes.sizeof(d.ObserveOptions))
    options.flags = d.OBSERVE_CONFIRM
    options.types = (ctypes.c_uint32 * 1)(context.catalogue.number_of(name))
    options.type_count = 1
    function = d.EVENT_FN(lambda user_data, address: None)
    _kept.append(function)
    none = ctypes.cast(None, d.RELEASE_FN)
    made = ctypes.byref(ctypes.c_void_p())
    check(
        C.mainstem_observe_with(context.handle, ctypes.byref(options), function, None, none, made)
    )


class Reports(Scene):
    """What the library reports."""

    limits = Limits(cascade=4)

    def prepare(self) -> None:
        context = self.context
        add_types(context)
        context.add_type("Said", str, layer="model")
        context.add_type("Again", str)
        context.add_type("Seen", str, layer="view")
        context.observe("Said", self.raises)
        unconfirmed(context, "Seen")
        again = context.scope("Again")
        again.observe("Again", lambda event: again.send("Again"))
        context.server("Shows", {"RequestOne": lambda event: "one"}, show=self.raises)
        self.late = context.server(
            "Late", {}, own={"Seen": lambda event: None}, on="host", policy="reject", limit=1
        )
        self.kept: List[Any] = []
        context.serve("RequestSlow", self.keep, name="Slow")
        context.report_activity("RequestSlow")

    def keep(self, event: Any) -> Any:
        self.kept.append(event.retain())
        return LATER

    def raises(self, what: Any) -> None:
        raise Failure("own: it failed", code=1013)

    def act(self) -> None:
        context = self.context
        context.send("Said", "hello")
        context.send("Seen", "unconfirmed")
        context.send("Again")
        self.ask("RequestOne", "1")
        self.ask("RequestSlow", "activity")
        self.kept.pop().respond("done")
        context.drain()
        for _ in range(3):
            self.late.send_after(0, "Seen", "late")
        context.drain()


class Undrained(Scene):
    """A context that nobody drains."""

    def prepare(self) -> None:
        self.context.add_type("Said", str)
        self.context.observe("Said", self.note, on="host")

    def act(self) -> None:
        self.context.send("Said", "hello")


class Rights(Scene):
    """What a scope may not do: each its own scope, since not every denial is reported."""

    def prepare(self) -> None:
        context = self.context
        context.add_type("Said", str, layer="model")
        context.add_type("ResponseSaid", str, layer="model")
        context.add_type("RequestSaid", str, layer="model", response="ResponseSaid")
        context.add_type("RequestSeen", str, layer="view", response="ResponseSaid")
        context.serve("RequestSaid", lambda event: "said", name="Says")

    def narrow(self, name: str) -> Any:
        return self.context.scope(name, sends=["view"], observes=["view"])

    def act(self) -> None:
        self.refused(self.narrow("send").send, "Said", "too much")
        self.refused(self.narrow("request").request, "RequestSaid", "x", then=self.note)
        self.refused(self.narrow("observe").observe, "Said", self.note)
        self.refused(self.narrow("handle").serve, "RequestSaid", self.note, name="Other")
        self.refused(self.narrow("respond").serve, "RequestSeen", self.note, name="Sees")
        handle, number = self.narrow("register").handle, ctypes.c_uint32()
        layer = ctypes.c_uint64()
        C.mainstem_type_add(handle, b"New", d.PAYLOAD_TEXT, None, ctypes.byref(number))
        C.mainstem_layer_add(self.narrow("add").handle, b"new", ctypes.byref(layer))
        self.context.drain()


SCENES: List[Type[Scene]] = [
    NoServers,
    ManyServers,
    Answers,
    LongNames,
    Reports,
    Undrained,
    Rights,
    *kept_written_shown.SCENES,
    *kept_written_moves.SCENES,
    *kept_written_face.SCENES,
]


def record(path: str) -> None:
    for scene in SCENES:
        one = scene()
        one.context.record(path)
        one.act()
        one.close()


if __name__ == "__main__":
    record(sys.argv[1])
