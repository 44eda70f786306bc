# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""An event of a journal as one line of text, as mainstem_event_line writes it."""

from __future__ import annotations

from typing import Optional

from .._escape import plain, shortened
from ..events._wire import Scalar, shown, unpacked
from ..failure import Status
from ..journal_file import Record, TypeInfo

#: How many bytes of a payload are shown.
LONGEST = 240
#: How a command refuses a run: it is disabled now, or executing already.
REFUSALS = {int(one): one.name.lower() for one in (Status.DISABLED, Status.EXECUTING)}
_STATUSES = {int(status): status.name.lower() for status in Status if status != Status.APP}


def is_failure(event: Record) -> bool:
    """Whether an event says that something failed: a refused run is none, nor what a user left."""
    return is_failed(event.status, event.session.types.get(event.type))


def is_failed(status: int, info: Optional[TypeInfo]) -> bool:
    """The same, given the status of an event, and its type if the journal names that."""
    left = status == Status.CANCELLED and info is not None and info.name == b"MainstemResult"
    return status != 0 and status not in REFUSALS and not left


def status_name(status: int) -> str:
    """Returns what a line calls a status: its name, or the number of the app's own code."""
    return _STATUSES.get(status, str(status))


_SCALARS = {"bool": bool, "integer": int, "number": float}


def scalar_of(event: Record) -> Optional[Scalar]:
    """Returns the scalar of an event that was kept in full; None: it has none of the right size."""
    kind = _SCALARS.get(event.type_info.payload)
    try:
        return None if kind is None else unpacked(kind, event.data)
    except ValueError:
        return None


def payload_of(event: Record, longest: int = LONGEST) -> Optional[str]:
    """Returns what a line shows of a payload; None: nothing."""
    if event.withheld or event.type_info.is_secret:
        return "<secret>"
    if event.marked:
        return "<marked>"
    if event.status:
        message, text = (event.data.split(b"\0") + [b"", b""])[:2]
        return f'"{shortened(message or text, longest)}"'
    form = event.type_info.payload
    if form in ("text", "json"):
        return shortened(event.data, longest) if event.data else None
    if form == "none":
        return None
    scalar = scalar_of(event)
    if scalar is not None:
        return shown(scalar)
    return f"<{event.size} byte>" if event.size == 1 else f"<{event.size} bytes>"


def value_of(event: Record, longest: int) -> str:
    """Returns what an owner shows by a value: like payload_of, with a text in quotes."""
    payload = payload_of(event, longest)
    hidden = event.marked or event.type_info.is_secret or event.status
    if event.type_info.payload == "text" and not hidden:
        return f'"{payload or ""}"'
    return "set" if payload is None else payload


def role_of(info: TypeInfo) -> str:
    """Returns what the tools call the role of a type."""
    role = info.role
    return "command" if role == "request" and info.is_command else role


def line_of(event: Record, which: str = "") -> str:
    """Returns the line: position, type, status of responses, cause, request, origin, payload.

    `which` follows the origin: which one of its name that is.
    """
    info = event.type_info
    parts = [f"#{event.position} {plain(event.name)}"]
    if event.status or info.role == "response":
        parts.append(status_name(event.status))
    if event.cause:
        parts.append(f"← #{event.cause}")
    if event.answers not in (0, event.cause):
        parts.append(f"answers #{event.answers}")
    if event.origin_bytes:
        parts.append(shortened(event.origin_bytes, LONGEST) + which)
    payload = payload_of(event)
    if payload is not None:
        parts.append(payload)
    return " ".join(parts)
