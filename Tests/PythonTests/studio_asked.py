# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the page of `mainstem studio` is told of a journal, without a server."""

from __future__ import annotations

from mainstem.journal_file import Journal
from mainstem.tool._answers import Answers
from mainstem.tool._live import Live


class Asked(Answers):
    """Answers of a journal that was read as far as it goes."""

    def __init__(self, path, reads=True):
        self.live = Live(str(path))
        if reads:
            self.live.read()
        super().__init__(self.live)

    def close(self):
        """Closes the journal, unless that was done."""
        if not self.live._thread.ident:
            with self.live:
                pass

    def all_rows(self):
        """All rows."""
        return self.rows(0, 1000)["rows"]

    def titles(self):
        """What each row says."""
        return [
            " ".join(filter(None, (row["verb"], row["what"], row["text"], row["by"])))
            for row in self.all_rows()
        ]

    def owner(self, name, at, row):
        """One owner, after an event."""
        owners = self.shown(at, row)["owners"]
        return next(owner for owner in owners if owner["owner"] + owner["which"] == name)

    def find(self, text):
        """All positions that a search finds, going on until there is nothing more."""
        found, begin = [], 0
        while begin is not None:
            told = self.search(text, begin)
            found += [int(each["at"]) for each in told["found"]]
            assert not told["next"] or int(told["next"]) > begin
            begin = int(told["next"]) if told["next"] else None
        return found


def differences(asked, path):
    """In what rows and chains differ from a simple count of the records, and what they are."""
    with Journal(str(path)) as journal:
        events = list(journal.events())
    roots = {event.position for event in events if event.correlation == event.position}
    expected = {event.position for event in events if event.correlation in roots}
    wrong, told = [], []
    for row in asked.all_rows():
        chain = asked.chain(row["row"])
        positions = [int(event["at"]) for event in chain["events"]]
        told += positions
        mine = [event for event in events if event.position in set(positions)]
        values = sum(event.type_info.role == "value" for event in mine)
        if (row["events"], row["values"]) != (len(positions), values):
            wrong.append(row)
        begun = [position for position in positions if position in roots]
        if (row["count"], row["at"]) != (len(begun), str(min(begun))):
            wrong.append(row)
        for event in chain["events"]:
            if event["cause"] and int(event["cause"]) >= int(event["at"]):
                wrong.append(event)
    if sorted(told) != sorted(expected):
        wrong.append(set(told) ^ expected)
    return wrong
