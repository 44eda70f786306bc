# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Writes journals of a navigator for tests, also of wrong ones: what it says, whoever says it."""

from __future__ import annotations

import json
import struct

from journal_writer import (
    BYTES,
    INTEGER,
    JSON,
    MARKED,
    NAVIGATION,
    NONE,
    NOTICE,
    OUTSIDE,
    REQUEST,
    RESPONSE,
    SYSTEM,
    TEXT,
    TRACKED,
    JournalWriter,
)

#: The types of a navigator, as the library registers them.
TYPES = {
    "MainstemResult": BYTES | RESPONSE,
    "MainstemShown": NONE | RESPONSE,
    "MainstemHidden": NONE | RESPONSE,
    "MainstemMove": JSON | REQUEST,
    "MainstemShow": JSON | REQUEST,
    "MainstemHide": JSON | REQUEST,
    "MainstemOpened": INTEGER | NOTICE,
    "MainstemTree": JSON | NOTICE,
    "MainstemReady": NONE | NOTICE,
    "MainstemGone": INTEGER | NOTICE,
    "MainstemFinish": BYTES | NOTICE,
    "MainstemLink": TEXT | NOTICE,
    "RequestGuard.a": TEXT | REQUEST,
    "ResponseGuard.a": TEXT | RESPONSE,
}
#: The scope of the navigator.
HOME = 7


class NavigatorWriter(JournalWriter):
    """A journal in which a navigator says what it is told to say."""

    def __init__(self, **options):
        super().__init__(**options)
        self.name_all()

    def name_all(self):
        """Names all types, and the navigator's scope: once for each session."""
        for name, contract in TYPES.items():
            self.type(name, contract | NAVIGATION)
        self.type("MainstemEnded", INTEGER | NOTICE | SYSTEM)
        self.name_origin(1, "Navigator", HOME)

    def move(self, url="", verb="open", **fields):
        """A move of the host's; its position."""
        said = json.dumps({"verb": verb, "url": url})
        return self.event("MainstemMove", said, flags=OUTSIDE | TRACKED, **fields)

    def tree(self, by, closed=(), origin="Navigator", flags=0, cause=None, **component):
        """A change of the tree; its position."""
        said = {"move": by, "top": 0, "closed": list(closed)}
        if component:
            said.update(owner=0, parent=0, name="", kind="screen", slot="", route="r")
            said.update(component)
        data = b"" if flags & MARKED else json.dumps(said)
        return self.event(
            "MainstemTree", data, cause=by if cause is None else cause, origin=origin, flags=flags
        )

    def opens(self, number, url, **fields):
        """A move, and what it opens; the position of the move."""
        move = self.move(url)
        self.tree(move, component=number, url=url, **fields)
        return move

    def gone(self, number):
        """A gesture; its position."""
        return self.event("MainstemGone", struct.pack("<Q", number), flags=OUTSIDE)
