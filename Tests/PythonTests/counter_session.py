# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A session of a counter as a journal: values, commands, what a view writes, owners that end."""

from __future__ import annotations

import struct

from journal_writer import (
    BOOL,
    EXECUTING,
    INTEGER,
    MODEL,
    MS,
    NONE,
    NOTICE,
    OUTSIDE,
    REQUEST,
    RESPONSE,
    SYSTEM,
    TEXT,
    TRACKED,
    VALUE,
    VIEW,
    VIEWMODEL,
    WRITTEN,
    JournalWriter,
)

COMMAND, DONE, SHOWS = NONE | REQUEST | VIEW, NONE | RESPONSE | VIEWMODEL, VALUE | VIEWMODEL
TYPES = (
    ("RequestOpen.Counter", NONE | REQUEST, "ResponseOpen.Counter"),
    ("ResponseOpen.Counter", INTEGER | RESPONSE, ""),
    ("MainstemEnded", INTEGER | NOTICE | SYSTEM, ""),
    ("Counter.count", INTEGER | SHOWS, ""),
    ("Counter.label", TEXT | VALUE | VIEW, ""),
    ("Counter.isDirty", BOOL | SHOWS, ""),
    *(
        row
        for name in ("Counter.up", "Counter.save")
        for row in (
            (name, COMMAND, name + ".done"),
            (name + ".done", DONE, ""),
            (name + ".enabled", BOOL | SHOWS, ""),
            (name + ".executing", BOOL | SHOWS, ""),
            (name + ".error", TEXT | SHOWS, ""),
        )
    ),
    ("RequestSave", INTEGER | MODEL, "ResponseSaved"),
    ("ResponseSaved", NONE | MODEL, ""),
    ("KeyPressed", TEXT | NOTICE | VIEW, ""),
)
#: The numbers of two owners' scopes and of the view's; the first is negative as an INTEGER.
FIRST, SECOND, WINDOW = 0xC0FFEE00C0FFEE00, 0x0123456789ABCDEF, 0x42


class Session(JournalWriter):
    """A journal that a counter's model writes, as the library does."""

    def __init__(self):
        super().__init__()
        for name, contract, response in TYPES:
            self.type(name, contract, response)
        self.name_origin(1, "View", WINDOW)

    def open(self, scope, origin=2):
        """A view opens a counter; the position of the answer."""
        asked = self.event("RequestOpen.Counter", origin="View", after=1000 * MS)
        number = struct.pack("<Q", scope)
        fields = {"cause": asked, "answers": asked, "origin": "RequestOpen.Counter"}
        self.name_origin(origin, "Counter", scope, WINDOW)
        self.show(asked, count=0, label="", isDirty=False)
        for name, enabled in (("up", True), ("save", False)):
            values = {"enabled": enabled, "executing": False, "error": ""}
            self.show(asked, **{f"{name}.{key}": value for key, value in values.items()})
        return self.event("ResponseOpen.Counter", number, **fields)

    def show(self, cause, **values):
        """Sets values of the counter opened last."""
        for name, value in values.items():
            form = {bool: "<?", int: "<q"}.get(type(value))
            data = struct.pack(form, value) if form else value
            self.event(f"Counter.{name}", data, cause=cause, origin="Counter")

    def write(self, name, text):
        """A view writes a value."""
        fields = {"flags": OUTSIDE | WRITTEN, "origin": "Counter", "after": 700 * MS}
        return self.event(f"Counter.{name}", text, **fields)

    def run(self, name, cause=0, after=500 * MS):
        """A view runs a command."""
        fields = {"flags": OUTSIDE | TRACKED, "origin": "Counter", "cause": cause}
        return self.event(f"Counter.{name}", after=after, **fields)

    def done(self, name, run, cause):
        """The answer to a run."""
        fields = {"cause": cause, "answers": run, "origin": "Counter"}
        return self.event(f"Counter.{name}.done", **fields)

    def refuse(self, name, run, status, message):
        """The answer to a run that is refused."""
        fields = {"cause": run, "answers": run, "origin": "Counter", "status": status}
        return self.fail(f"Counter.{name}.done", message, **fields)

    def close(self, scope):
        """Ends a counter; its origin is the one opened last."""
        data = struct.pack("<Q", scope)
        return self.event("MainstemEnded", data, origin="Counter", after=900 * MS)


def counter_session():
    """It counts, gets a label and saves; it refuses to save twice at a time."""
    made = Session()
    made.open(FIRST)
    up = made.run("up")
    made.show(up, count=1, isDirty=True, **{"save.enabled": True})
    made.done("up", up, up)
    made.write("label", "eggs")
    save = made.run("save")
    fields = {"cause": save, "flags": TRACKED, "origin": "Counter"}
    asked = made.event("RequestSave", struct.pack("<q", 1), **fields)
    made.show(save, **{"save.executing": True})
    pressed = made.event("KeyPressed", "Ctrl+S", after=20 * MS)
    again = made.run("save", cause=pressed, after=MS)
    made.refuse("save", again, EXECUTING, "is executing already")
    fields = {"answers": asked, "flags": OUTSIDE, "origin": "Store", "after": 40 * MS}
    saved = made.event("ResponseSaved", **fields)
    done = made.done("save", save, saved)
    made.show(done, **{"save.executing": False})
    return made
