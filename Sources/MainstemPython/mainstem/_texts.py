# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Types whose values travel as text in JSON: docs/wire-forms.md has their forms.

Each writer has one way to write a value. A reader refuses with a ValueError what it cannot read
without a loss.
"""

from __future__ import annotations

import base64
import datetime
import decimal
import pathlib
import re
import uuid
from typing import Any, Callable, Dict, Optional, Tuple

Write = Callable[[Any], str]
Read = Callable[[str], Any]

_MILLION = 10**6
#: The most digits before and behind the point, as in a decimal of 128 bits.
_MOST_DIGITS = 6144

_INSTANT = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))", re.ASCII
)
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
_LENGTH = re.compile(r"(-?)(0|[1-9]\d*)(?:\.(\d{1,18}))?s", re.ASCII)
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", re.ASCII)
_DECIMAL = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?", re.ASCII)


def _matched(pattern: "re.Pattern[str]", text: str, what: str) -> Tuple[Optional[str], ...]:
    found = pattern.fullmatch(text)
    if found is None:
        raise ValueError(f"expected {what}, got {text!r}")
    return found.groups()


def _microseconds(fraction: Optional[str]) -> int:
    """The digits behind a point as microseconds: rounded, half to even."""
    if not fraction:
        return 0
    size: int = 10 ** len(fraction)
    whole, rest = divmod(int(fraction) * _MILLION, size)
    return whole + (2 * rest > size or (2 * rest == size and whole % 2 == 1))


def _fraction(microseconds: int) -> str:
    return f".{microseconds:06d}".rstrip("0") if microseconds else ""


def _write_instant(value: datetime.datetime) -> str:
    if value.utcoffset() is None:
        raise ValueError(
            "it has no time zone: give it one, as in datetime.now(timezone.utc) or"
            " value.astimezone()"
        )
    at = value.astimezone(datetime.timezone.utc)
    return at.replace(tzinfo=None, microsecond=0).isoformat() + _fraction(at.microsecond) + "Z"


def _read_instant(text: str) -> datetime.datetime:
    parts = _matched(_INSTANT, text, "a time as in 2026-11-27T20:21:30Z")
    numbers = [int(part or 0) for part in parts[:6]]
    at = datetime.datetime(*numbers, tzinfo=datetime.timezone.utc)  # type: ignore[misc,arg-type]
    hours, minutes = int(parts[8] or 0), int(parts[9] or 0)
    if hours > 23 or minutes > 59:
        raise ValueError(f"the offset of {text!r} is no time")
    offset = datetime.timedelta(hours=hours, minutes=minutes)
    at = at + offset if parts[7] == "-" else at - offset
    return at + datetime.timedelta(microseconds=_microseconds(parts[6]))


def _read_day(text: str) -> datetime.date:
    year, month, day = _matched(_DAY, text, "a day as in 2026-11-27")
    return datetime.date(int(year or 0), int(month or 0), int(day or 0))


def _write_length(value: datetime.timedelta) -> str:
    total = (value.days * 86400 + value.seconds) * _MILLION + value.microseconds
    seconds, microseconds = divmod(abs(total), _MILLION)
    return f"{'-' if total < 0 else ''}{seconds}{_fraction(microseconds)}s"


def _read_length(text: str) -> datetime.timedelta:
    sign, seconds, fraction = _matched(_LENGTH, text, "a length of time as in 1.5s")
    total = datetime.timedelta(seconds=int(seconds or 0), microseconds=_microseconds(fraction))
    return -total if sign else total


def _read_uuid(text: str) -> uuid.UUID:
    _matched(_UUID, text, "a UUID")
    return uuid.UUID(text)


def _write_bytes(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _read_bytes(text: str) -> bytes:
    data = base64.b64decode(text, validate=True)
    if _write_bytes(data) != text:
        raise ValueError("expected base64")
    return data


def _write_decimal(value: decimal.Decimal) -> str:
    if not value.is_finite():
        raise ValueError(f"{value} is no number in JSON: send a finite one, or None")
    exponent = value.as_tuple().exponent
    if value.adjusted() > _MOST_DIGITS or -int(exponent) > _MOST_DIGITS:
        raise ValueError(f"{value} has more than {_MOST_DIGITS} digits")
    return format(value if value else value.copy_abs(), "f")


def _read_decimal(text: str) -> decimal.Decimal:
    _matched(_DECIMAL, text, "a decimal number as in 12.50")
    return decimal.Decimal(text)


_PATHS = (
    pathlib.PurePath,
    pathlib.PurePosixPath,
    pathlib.PureWindowsPath,
    pathlib.Path,
    pathlib.PosixPath,
    pathlib.WindowsPath,
)

#: How values of these types are written and read.
TEXTS: Dict[Any, Tuple[Write, Read]] = {
    datetime.datetime: (_write_instant, _read_instant),
    datetime.date: (datetime.date.isoformat, _read_day),
    datetime.timedelta: (_write_length, _read_length),
    uuid.UUID: (str, _read_uuid),
    bytes: (_write_bytes, _read_bytes),
    decimal.Decimal: (_write_decimal, _read_decimal),
    **{kind: (str, kind) for kind in _PATHS},
}


def is_a(value: Any, wanted: type) -> bool:
    """Whether a value is of one of these types. A datetime is no date here: its time would go."""
    if wanted is datetime.date and isinstance(value, datetime.datetime):
        return False
    return isinstance(value, wanted)
