# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""An event as one line of text: that of mainstem_event_line, from a journal."""

from __future__ import annotations

import re
from typing import Optional

from ..journal_file import Record
from ..status import Status

#: So many bytes of a payload are shown.
LONGEST = 240
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_STATUSES = {int(status): status.name.lower() for status in Status if status != Status.APP}


def _escape(found: "re.Match[str]") -> str:
    control = found.group()
    return _SHORT.get(control) or f"\\u{ord(control):04x}"


def plain(text: str) -> str:
    """Text whose control characters are escaped: it cannot command a terminal or begin a line."""
    return _CONTROL.sub(_escape, text)


def shortened(data: bytes, longest: int = LONGEST) -> str:
    """Bytes of text on one line, cut at a whole character."""
    if len(data) <= longest:
        return plain(data.decode("utf-8", "backslashreplace"))
    end = longest
    while end > longest - 4 and data[end] & 0xC0 == 0x80:
        end -= 1
    return plain(data[:end].decode("utf-8", "backslashreplace")) + "…"


def status_name(status: int) -> str:
    """What a line calls a status: its name, or the number of the app's own."""
    return _STATUSES.get(status, str(status))


def payload_of(event: Record, longest: int = LONGEST) -> Optional[str]:
    """What a line shows of a payload; None: nothing."""
    if event.withheld or event.type_info.is_secret:
        return "<secret>"
    if event.marked:
        return "<marked>"
    if event.status:
        sentence, text = (event.data.split(b"\0") + [b"", b""])[:2]
        return f'"{shortened(sentence or text, longest)}"'
    form = event.type_info.payload
    if form in ("text", "json"):
        return shortened(event.data, longest) if event.data else None
    if form == "none":
        return None
    return f"<{event.size} byte>" if event.size == 1 else f"<{event.size} bytes>"


def line_of(event: Record) -> str:
    """Position, type, status of responses, cause, origin, payload."""
    info = event.type_info
    parts = [f"#{event.position} {plain(event.name)}"]
    if event.status or info.role == "response":
        parts.append(status_name(event.status))
    if event.cause:
        parts.append(f"← #{event.cause}")
    if event.origin_bytes:
        parts.append(shortened(event.origin_bytes))
    payload = payload_of(event)
    if payload is not None:
        parts.append(payload)
    return " ".join(parts)
