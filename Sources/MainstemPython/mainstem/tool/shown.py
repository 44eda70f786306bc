# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`shown`: what every owner showed at one moment of a session."""

from __future__ import annotations

import argparse
import json
import os
from typing import Any, Dict, List

from .._escape import plain, plain_json
from .._journal.record import SESSION
from ..journal_file import Journal, Record
from .dump import flags_of, payload_json
from .info import moment
from .line import value_of
from .owners import CONTEXT, Owner, Owners, name_in
from .reading import count, opened, tell

_LONGEST = 80


def add_shown(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "shown",
        help="what every owner showed after an event, or at the end",
        description="Shows the values of every owner as they were after an event: what was on "
        "the screens then. Owners whose end is in the journal are left out.",
    )
    own.add_argument("path", metavar="PATH", help="the journal")
    own.add_argument(
        "--at", metavar="N", type=int, default=1 << 64, help="after position N; else at the end"
    )
    own.add_argument("--json", action="store_true", help="JSON, one owner a line, payloads whole")
    own.set_defaults(run=run_shown)


def run_shown(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    owners = Owners()
    with opened(chosen.path) as journal:
        last = None
        for record in journal.records():
            if record.position > chosen.at or _is_over(record, chosen.at):
                break
            if not record.is_event:
                owners.learn(record)
                continue
            last = record
            if record.type in owners.telling:
                owners.take(record)
        if chosen.json:
            lines = [_owner_json(owner, owners) for owner in owners]
        else:
            lines = _owners_text(journal, owners, last)
        print("\n".join(lines), end="\n" if lines else "")
        return tell(journal)


def _is_over(record: Record, position: int) -> bool:
    """Whether another session begins there, after this position."""
    is_next = record.kind == SESSION and not record.session.continues
    return is_next and record.position >= position > 0


def _owners_text(journal: Journal, owners: Owners, last: "Record | None") -> List[str]:
    name = plain(os.path.basename(journal.path))
    if last is None:
        return [f"{name}: no events"]
    when = f", {moment(last.time)}" if last.time else ""
    lines = [f"{name} after #{last.position}{when}: {count(len(owners), 'owner')} with values"]
    for owner in owners:
        name = (plain(owner.name) or CONTEXT) + owners.which(owner.scope)
        lines += ["", name, *_values(owner)]
    return lines


def _values(owner: Owner) -> List[str]:
    names = [plain(name_in(owner.name, event.name)) for event in owner.values.values()]
    width = max(map(len, names))
    return [
        f"  {name.ljust(width)} = {value_of(event, _LONGEST)}  #{event.position}"
        + ("  written by a view" if event.written else "")
        for name, event in zip(names, owner.values.values())
    ]


def _owner_json(owner: Owner, owners: Owners) -> str:
    fields: Dict[str, Any] = {"owner": owner.name, "scope": owner.scope, "parent": owner.parent}
    if owner.scope in owners.opened:
        fields["opened"] = owners.opened[owner.scope]
    values = ", ".join(
        f"{json.dumps(event.name)}: {_value(event)}" for event in owner.values.values()
    )
    return plain_json(json.dumps(fields, ensure_ascii=False)[:-1] + f', "values": {{{values}}}}}')


def _value(event: Record) -> str:
    fields = {"position": event.position, "flags": flags_of(event)}
    return json.dumps(fields)[:-1] + payload_json(event, event.type_info) + "}"
