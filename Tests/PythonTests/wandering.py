# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The app for sessions at random: guards, and a flow with intents, do what scripts say."""

from __future__ import annotations

import ctypes

from mainstem import LATER, Failure, MainstemError, Status
from mainstem._library import C, _callbacks
from mainstem._library import _header as d
from mainstem.events._received import Event
from navigating import TEXT, App
from reference.navigation.scripts import FAILED, GUARDS, REFUSED, ROUTES

#: The types of intents, and what becomes of one that is covered.
INTENTS = {
    "Picked": 0,
    "Queued": d.INTENT_QUEUED,
    "Allowed": d.INTENT_ALLOWED,
    "MainstemLink": 0,
}


class Wandering(App):
    """The app. `asked` and `heard` say what guards and flows were asked and told."""

    def __init__(self, context, stage, scripts):
        super().__init__(context, stage)
        self.scripts, self.asked, self.heard, self.flows = scripts, [], [], []
        #: The requests of guards that are to be answered later.
        self.kept = []
        for name in ("Picked", "Queued", "Allowed"):
            context.add_type(name, TEXT)
        self._add_guards()
        context.factory("Tour", self._tour, str)
        self.nav._names.add("Tour")
        self.nav._route("tour", self._tour, "flow", "", "Tour")
        for url in ("loop", "", "app://help"):
            self.nav.route(url, None)
        self.nav.group("both", ROUTES["both"][1])

    # Guards

    def _add_guards(self):
        patterns = {"pick/x": "pick/<what>", "diary/7": "diary/<int:id>"}
        for name, urls, leaving in GUARDS:
            for url in ("*",) if name == "all" else urls:
                pattern = patterns.get(url, url).encode()
                handle = self.context.handle
                assert not C.mainstem_guard_add(handle, pattern, name.encode(), int(leaving))
        self.context.server(
            "Guards", {f"RequestGuard.{name}": self._guard for name, _, _ in GUARDS}
        )

    def _guard(self, event):
        name = event.name.partition(".")[2]
        self.asked.append((name, event.text))
        verdict = self.scripts.verdict(name)
        if verdict == "later":
            self.kept.append(event.retain())
            return LATER
        if verdict == "no":
            raise Failure("NO", code=REFUSED)
        return verdict

    def answer_guard(self, verdict):
        """Answers a guard that was to answer later, if anybody still waits for it."""
        answer_late(self.kept.pop(0), Failure("NO", code=REFUSED) if verdict == "no" else verdict)

    # Flows

    def _tour(self, scope, request):
        flow = len(self.flows)
        self.flows.append(scope)
        firsts = self.scripts.firsts.pop(0)
        rows = (d.IntentRow * len(INTENTS))(
            *(
                d.IntentRow(name.encode(), None, _callbacks.on_event, flags, 0)
                for name, flags in INTENTS.items()
            )
        )
        number = _callbacks.keep(lambda address: self._hear(flow, Event(scope, address), address))
        size = ctypes.sizeof(d.IntentRow)
        assert not C.mainstem_intents_add(
            scope.handle, rows, size, len(rows), number, _callbacks.on_release
        )
        if firsts == ["fail"]:
            raise Failure("NO", code=FAILED)
        for url in firsts:
            self._open(scope, url)

    def _open(self, scope, url, **options):
        self.nav.of(scope).open(url, then=lambda _: None, failed=lambda _: None, **options)

    def _hear(self, flow, event, address):
        speaker = ctypes.c_uint64()
        status = C.mainstem_event_component(address, ctypes.byref(speaker))
        self.heard.append((flow, event.name, event.text))
        scope = self.flows[flow]
        word, _, url = event.text.partition(" ")
        if word == "open":
            assert status == Status.OK
            self._open(scope, url, on=speaker.value)
        elif word == "finish":
            self.nav.of(scope).finish("Word", "bye")


def answer_late(kept, answer):
    """Answers a request that was retained, if that is not too late."""
    try:
        kept.respond(answer)
    except MainstemError as refused:
        assert refused.status == Status.STALE
    kept.release()
