# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`dump`: each event as a line of text, or of JSON."""

from __future__ import annotations

import argparse
import base64
import json
import re
import sys
from math import isfinite
from typing import Any, Dict, List

from .._escape import plain_json
from ..events._wire import shown
from ..journal_file import Record, TypeInfo
from .line import line_of, role_of, scalar_of, status_name
from .namesakes import Namesakes
from .reading import opened, tell

_FLAGS = (
    (1, "outside"),
    (2, "tracked"),
    (4, "progress"),
    (32, "marked"),
    (64, "withheld"),
    (128, "secret"),
    (256, "timer"),
    (512, "written"),
    (1024, "shared"),
)


def add_dump(commands: Any) -> None:
    """Adds its arguments."""
    own = commands.add_parser(
        "dump",
        help="each event as a line of text, or of JSON",
        description="Writes each event as a line: position, type, status of responses, cause, "
        "origin, payload. It is the line that mainstem_trace writes; of several scopes of one "
        "name, all but the first are numbered, as in Cell[2].",
    )
    own.add_argument("path", metavar="PATH", help="the journal")
    own.add_argument("--json", action="store_true", help="JSON, one object a line, payloads whole")
    add_range(own)
    own.add_argument("--type", metavar="NAME", action="append", help="only this type; repeatable")
    own.set_defaults(run=run_dump)


def add_range(own: argparse.ArgumentParser) -> None:
    """Adds the arguments that choose positions."""
    own.add_argument(
        "--from", dest="first", metavar="N", type=int, default=0, help="from position N on"
    )
    own.add_argument(
        "--to", dest="last", metavar="N", type=int, default=1 << 64, help="up to position N"
    )


def run_dump(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    names = Namesakes()
    with opened(chosen.path) as journal:
        for event in journal.records():
            if not event.is_event:
                names.learn(event)
                continue
            if event.position > chosen.last:
                break
            if event.position < chosen.first or (chosen.type and event.name not in chosen.type):
                continue
            line = json_of(event) if chosen.json else line_of(event, names.of_origin(event.origin))
            sys.stdout.write(line + "\n")
        return tell(journal)


def json_of(event: Record) -> str:
    """Returns an event as a JSON object on one line; `time` is in nanoseconds since 1970."""
    info = event.type_info
    fields: Dict[str, Any] = {
        "position": event.position,
        "type": event.name,
        "role": role_of(info),
        "status": status_name(event.status) if event.status else "ok",
        "cause": event.cause,
        "correlation": event.correlation,
        "answers": event.answers,
        "time": event.time,
        "origin": event.origin_name,
        "flags": flags_of(event),
    }
    scope = event.session.scopes.get(event.origin, (0, 0))[0]
    if scope:
        fields["scope"] = scope
    if event.status and not (event.marked or info.is_secret):
        fields["error"] = dict(zip(("message", "user_message", "subject"), event.error))
    text = json.dumps(fields, ensure_ascii=False)[:-1] + payload_json(event, info)
    return plain_json(text) + "}"


def flags_of(event: Record) -> List[str]:
    """Returns the names of an event's flags."""
    return [name for bit, name in _FLAGS if event.flags & bit]


def payload_json(event: Record, info: TypeInfo) -> str:
    """Returns the payload of an event, if it has one and it was kept, as a further JSON field."""
    form = info.payload
    if form == "none" or event.status or event.marked or info.is_secret:
        return ""
    scalar = scalar_of(event)
    if scalar is not None:
        # JSON has neither infinities nor NaN.
        return f', "value": {shown(scalar) if isfinite(scalar) else json.dumps(shown(scalar))}'
    try:
        text = event.data.decode("utf-8") if form in ("text", "json") else None
    except UnicodeDecodeError:
        text = None
    if text is None:
        return f', "base64": "{base64.b64encode(event.data).decode()}"'
    if form == "json" and is_json(text):
        # Not parsed, so that no number loses digits. Line ends can only be between its tokens.
        return ', "json": ' + re.sub(r"[\r\n\t]", " ", text)
    return ', "text": ' + json.dumps(text, ensure_ascii=False)


def is_json(text: str) -> bool:
    """Whether a text is JSON as the standard defines it."""
    try:
        json.loads(text, parse_int=str, parse_float=str, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return False
    return True


def _refuse(name: str) -> None:
    raise ValueError(name)
