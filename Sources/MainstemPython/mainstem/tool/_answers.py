# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the page asks for, as JSON: what happened, what followed, what was shown then, and why.

Positions are texts, because a script has no whole numbers of 64 bits.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import Any, Dict, List, Optional

from ..journal_file import JournalError, Record
from ..journal_file._record import text_of
from ._contrast import contrast, words_in
from ._dump import CONTEXT, Owner, Owners, flags_of, name_in, payload_json
from ._followed import LONGEST, Chain, Changes, Link, between, told_of, words_of
from ._gestures import Gesture
from ._host import Host
from ._info import moment
from ._live import Live
from ._proof import Proof, actual_of, field_of
from ._reading import is_failure, line_of, payload_of, plain, role_of, status_name, value_of
from ._search import Search

__all__ = ["Answers", "Wrong"]

#: How much the page shows of a payload; so many rows at once.
_WHOLE, _ROWS = 1 << 16, 1000
#: So many findings at once, in so many seconds.
_FOUND, _PATIENCE = 100, 0.05


class Wrong(Exception):
    """What was asked for is not there."""


class Answers:
    """Answers what the page asks."""

    def __init__(
        self,
        live: Live,
        at: Optional[int] = None,
        proof: Optional[Proof] = None,
        host: Optional[Host] = None,
    ) -> None:
        self._live = live
        self._at = at
        #: What acts: a program that verifies, and one that follows the page.
        self.proof = proof or Proof(live.journal.path, [])
        self.host = host or Host(live.journal.path, [])

    # The journal ---------------------------------------------------------------------------------

    def status(self) -> Dict[str, Any]:
        """Answers how far the journal is read, and what it is."""
        live = self._live
        journal, sessions = live.journal, live.names.sessions
        size = max(journal.size, 1)
        return {
            "name": plain(os.path.basename(journal.path)),
            "path": plain(journal.path),
            "events": str(live.count),
            "rows": len(live.gestures),
            "first": str(live.first),
            "last": str(live.last),
            "done": min(journal.read / size, 1) if live.is_reading else 1,
            "reading": live.is_reading,
            "live": live.is_live,
            "closed": live.is_closed,
            "sessions": live.names.count,
            "library": plain(sessions[-1].version) if sessions else "",
            "duration": max(live.ended - live.began, 0),
            "failure": live.gestures.failure,
            "opens": "" if self._at is None else str(self._at),
            "notes": live.notes,
            "proof": self.proof.state,
            "proofs": self.proof.turn,
            "host": self.host.state,
            "host_text": self.host.text,
        }

    def rows(self, begin: int, count: int) -> Dict[str, Any]:
        """Answers with rows of what happened."""
        gestures = self._live.gestures
        end = min(begin + min(count, _ROWS), len(gestures))
        rows = [self._row(gestures[row]) for row in range(max(begin, 0), end)]
        return {"rows": rows, "rows_in_all": len(gestures)}

    def band(self) -> Dict[str, Any]:
        """Answers with what was on the screen when, and with marks where something happened."""
        live = self._live
        marks = [
            {
                "row": mark.row,
                "at": str(mark.position),
                "time": mark.time - live.began if mark.time else 0,
                "failed": mark.failed,
                "many": mark.is_one_of_many,
            }
            for mark in live.gestures.marks(_ROWS)
        ]
        return {"lanes": live.gestures.band.lanes(live.began), "marks": marks}

    def moment(self, time: int, at: int) -> Dict[str, Any]:
        """Answers with the last event at or before a position; 0: a time since the first event."""
        live = self._live
        time += live.began
        begin, end = (live.first, at + 1) if at else live.gestures.around(time)
        first, last = begin or live.first, min(end - 1, live.last) if end else live.last
        while first < last:
            middle = (first + last + 1) // 2
            row = live.row(middle)
            if at or row is None or row.time <= time:
                first = middle
            else:
                last = middle - 1
        while live.row(first) is None and first > max(begin, live.first):
            first -= 1
        event = self._event(first)
        return {"at": str(first), "row": live.gestures.row_of(event.correlation)}

    def _row(self, gesture: Gesture) -> Dict[str, Any]:
        kind, text = gesture.kind, ""
        # Of a journal that was cut off, there are still rows.
        with suppress(JournalError):
            event = self._live.event(gesture.last) if kind.has_text else None
            text = "" if event is None else words_in(event, LONGEST) or _payload(event, LONGEST)
        return {
            "row": gesture.row,
            "at": str(gesture.first),
            "last": str(gesture.last),
            "count": gesture.many,
            "time": gesture.time - self._live.began if gesture.time else 0,
            "session": gesture.session,
            "verb": kind.verb,
            "what": kind.what,
            "text": text,
            "by": gesture.by,
            "events": gesture.events,
            "values": gesture.values,
            "failed": gesture.failed,
        }

    def _gesture(self, row: int) -> Gesture:
        try:
            return self._live.gestures[row]
        except IndexError:
            raise Wrong(f"there is no row {row}") from None

    # What followed -------------------------------------------------------------------------------

    def chain(self, number: int, at: int = 0) -> Dict[str, Any]:
        """Answers with all that followed a gesture, as a tree; if that is much, with an event."""
        gesture = self._gesture(number)
        chain, row = Chain(self._live, gesture, at), self._row(gesture)
        return {
            "row": row,
            "say": [*told_of(gesture, chain, row["text"]), *between(self._live, gesture, chain)],
            "events": [self._link(link, chain) for link in chain.walk()],
            "left_out": max(gesture.events - len(chain), 0),
        }

    def _link(self, link: Link, chain: Chain) -> Dict[str, Any]:
        event, began = link.event, chain.began
        info = event.type_info
        answer = chain.answers.get(event.position)
        begin = event.time - began if event.time else 0
        is_value = info.role == "value"
        return {
            "at": str(event.position),
            "depth": link.depth,
            "name": plain(event.name),
            "by": self._by(event),
            "layer": plain(text_of(event.session.layers.get(info.layer, b""))),
            "kind": role_of(info),
            "status": status_name(event.status) if event.status else "",
            "failed": is_failure(event),
            "payload": (value_of if is_value else _payload)(event, LONGEST),
            "begin": begin,
            "end": max(answer.time - began, begin) if answer is not None and answer.time else begin,
            "cause": str(event.cause or ""),
            "answers": str(event.answers or ""),
        }

    def _by(self, event: Record) -> str:
        return self._live.names.sender(event.position, event.origin).title

    # What was shown ------------------------------------------------------------------------------

    def shown(self, at: int, row: int) -> Dict[str, Any]:
        """Answers with what every owner shows after an event, and what the gesture has changed."""
        live = self._live
        gesture = self._gesture(row)
        at = min(max(at, live.first), live.last)
        after, _ = live.owners(at)
        changes = Changes(live, gesture, at)
        owners = [self._owner(owner, after, changes) for owner in after]
        owners += [self._gone(owner, changes.before) for owner in changes.gone(after)]
        return {"at": str(at), "owners": sorted(owners, key=lambda owner: not owner["changes"])}

    def _owner(self, owner: Owner, owners: Owners, changes: Changes) -> Dict[str, Any]:
        values = []
        for event in owner.values.values():
            said = self._value(owner, owners, event)
            said["changed"] = changes.made(event)
            old = changes.old(owner, event)
            if old is not None:
                said["old"], said["text"] = contrast(old, (owners, owner, event), LONGEST)
            values.append(said)
        values.sort(key=lambda said: not said["changed"])
        return {
            "owner": plain(owner.name) or CONTEXT,
            "which": owners.which(owner.scope),
            "scope": str(owner.scope),
            "isNew": changes.opened(owner),
            "isGone": False,
            "changes": sum(said["changed"] for said in values),
            "values": values,
        }

    def _gone(self, owner: Owner, before: Owners) -> Dict[str, Any]:
        return {
            "owner": plain(owner.name) or CONTEXT,
            "which": before.which(owner.scope),
            "scope": str(owner.scope),
            "isNew": False,
            "isGone": True,
            "changes": 1,
            "values": [self._value(owner, before, event) for event in owner.values.values()],
        }

    def _value(self, owner: Owner, owners: Owners, event: Record) -> Dict[str, Any]:
        return {
            "name": plain(name_in(owner.name, event.name)),
            "type": plain(event.name),
            "at": str(event.position),
            "text": owners.shown(owner, event, LONGEST),
            "changed": False,
            "old": None,
        }

    # Why -----------------------------------------------------------------------------------------

    def why(self, at: int) -> Dict[str, Any]:
        """Answers with the way from a gesture to an event."""
        event = self._event(at)
        row = self._live.gestures.row_of(event.correlation)
        way = [event]
        while way[-1].cause or way[-1].answers:
            before = self._live.event(way[-1].cause or way[-1].answers)
            if before is None or len(way) >= _ROWS:
                break
            way.append(before)
        way.reverse()
        steps = [{"at": str(each.position), "text": self._step(each)} for each in way]
        if row >= 0 and way[0].position == event.correlation:
            steps[0]["text"] = words_of(self._live.gestures[row])
        is_value = event.type_info.role == "value"
        return {
            "at": str(at),
            "row": row,
            "time": event.time - self._live.began if event.time else 0,
            "name": plain(event.name),
            "isValue": is_value,
            "text": (value_of if is_value else _payload)(event, LONGEST),
            "steps": steps,
        }

    def _step(self, event: Record) -> str:
        if event.answers and event.type_info.role == "response":
            by = self._by(event) or CONTEXT
            return f"{by} {'failed' if is_failure(event) else 'answered'}"
        return plain(event.name)

    def _event(self, at: int) -> Record:
        event = self._live.event(at)
        if event is None:
            raise Wrong(f"#{at} is not in the journal, or was not read yet")
        return event

    def event(self, at: int) -> Dict[str, Any]:
        """Answers with an event whole, in words."""
        event = self._event(at)
        info, session = event.type_info, event.session
        fields = [
            ("type", plain(event.name)),
            ("role", role_of(info)),
            ("status", status_name(event.status) if event.status else "ok"),
            ("sent by", self._by(event) or CONTEXT),
            ("layer", plain(text_of(session.layers.get(info.layer, b"")))),
            ("time", moment(event.time) if event.time else ""),
            ("cause", f"#{event.cause}" if event.cause else ""),
            ("answers", f"#{event.answers}" if event.answers else ""),
            ("root", f"#{event.correlation}"),
            ("flags", ", ".join(flags_of(event))),
        ]
        return {
            "at": str(at),
            "line": line_of(event, self._live.names.sender(at, event.origin).which),
            "fields": [field for field in fields if field[1]],
            "payload": self._whole(event),
        }

    @staticmethod
    def _whole(event: Record) -> str:
        info = event.type_info
        if event.status and not (event.marked or info.is_secret):
            return "\n".join(plain(text) for text in event.error if text)[:_WHOLE]
        if info.is_list and not event.marked and not info.is_secret:
            return payload_json(event, info)[2:][:_WHOLE]
        return payload_of(event, _WHOLE) or ""

    # Proof ---------------------------------------------------------------------------------------

    def proved(self) -> Dict[str, Any]:
        """Answers whether the program would do it again; at a difference, with both events."""
        proof = self.proof
        told: Dict[str, Any] = {"state": proof.state, "text": proof.text}
        report = proof.report
        if "field" not in report:
            return told
        at = report["at"]
        was, now = self._live.event(at), actual_of(report)
        told.update(
            at=str(at),
            # An event that the journal lacks is looked for where its cause is.
            goes=str(at if was else report.get("cause") or self._live.last),
            field=field_of(report),
            recorded=self._side(was, self._by(was) if was else ""),
            actual=self._side(now, plain(now.origin_name) if now else ""),
        )
        return told

    def _side(self, event: Optional[Record], by: str) -> Optional[Dict[str, Any]]:
        if event is None:
            return None
        return {
            "name": plain(event.name),
            "status": status_name(event.status) if event.status else "ok",
            "by": by or CONTEXT,
            "cause": f"#{event.cause}" if event.cause else "",
            "answers": f"#{event.answers}" if event.answers else "",
            "payload": self._whole(event),
        }

    # Search --------------------------------------------------------------------------------------

    def search(self, query: str, begin: int) -> Dict[str, Any]:
        """Answers with events that have a text; `next` says where to go on."""
        if not query.strip():
            return {"found": [], "next": ""}
        search = Search(self._live, query)
        found: List[Dict[str, Any]] = []
        values: Dict[int, Record] = {}
        after = ""
        until = time.monotonic() + _PATIENCE
        for block in self._live.index.blocks(begin, self._live.last):
            for position in search.positions(block, max(begin, block.first)):
                event = self._live.event(position)
                if event is None or not search.has(event):
                    continue
                found.append(self._finding(event))
                if search.is_history:
                    self._compare(found[-1], values.get(event.origin), event)
                    values[event.origin] = event
                if len(found) >= _FOUND:
                    return {"found": found, "next": str(position + 1)}
            if time.monotonic() > until and block.first + len(block) <= self._live.last:
                after = str(block.first + len(block))
                break
        return {"found": found, "next": after}

    @staticmethod
    def _compare(found: Dict[str, Any], former: Optional[Record], event: Record) -> None:
        """Says what a value was, too."""
        if former is not None and not event.type_info.is_list:
            found["payload"] = " → ".join(
                contrast((None, None, former), (None, None, event), LONGEST)
            )

    def _finding(self, event: Record) -> Dict[str, Any]:
        is_value = event.type_info.role == "value"
        return {
            "at": str(event.position),
            "name": plain(event.name),
            "by": self._by(event),
            "payload": (value_of if is_value else _payload)(event, LONGEST),
            "failed": is_failure(event),
            "row": self._live.gestures.row_of(event.correlation),
        }


def _payload(event: Record, longest: int) -> str:
    return payload_of(event, longest) or ""
