# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""How values travel in JSON, one by one: types, keys, records, texts, a program's own forms."""

from __future__ import annotations

import base64
import datetime
import decimal
import difflib
import enum
import functools
import json
import math
import pathlib
import re
import struct
import sys
import typing
import uuid
from types import CodeType
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Iterable,
    List,
    NamedTuple,
    Optional,
    Set,
    Tuple,
    Type,
    TypeVar,
    Union,
)

if TYPE_CHECKING:
    from typing_extensions import TypeGuard

__all__ = [
    "OWN_FORMS",
    "TEXTS",
    "USED",
    "Keys",
    "Place",
    "Scalar",
    "bare",
    "decode_own",
    "encode_own",
    "is_a",
    "is_class",
    "is_named_tuple",
    "is_scalar",
    "is_typed_dict",
    "json_form",
    "json_of",
    "keyed",
    "keys_of",
    "meant",
    "packed",
    "record_fields",
    "shown",
    "sortable",
    "spelled",
    "unpacked",
]


# Payloads that are one bool, int or float ---------------------------------------------------------

Scalar = Union[bool, int, float]

_FORMS: Dict[Any, struct.Struct] = {
    bool: struct.Struct("<?"),
    int: struct.Struct("<q"),
    float: struct.Struct("<d"),
}


def is_scalar(kind: object) -> TypeGuard[type]:
    """Whether a payload of this kind is a scalar."""
    return kind in _FORMS


def packed(kind: type, value: Scalar, path: str) -> bytes:
    """Returns the bytes of a value of this kind."""
    try:
        return _FORMS[kind].pack(value)
    except struct.error:
        raise ValueError(f"{path}: {value} does not fit in 64 bits") from None


def unpacked(kind: type, data: bytes) -> Scalar:
    """Returns the value of these bytes; ValueError if they are too few or too many."""
    form = _FORMS[kind]
    if len(data) != form.size:
        raise ValueError(f"expected {form.size} bytes, got {len(data)}")
    value: Scalar = form.unpack(data)[0]
    return value


def shown(value: Scalar) -> str:
    """Returns what a line shows of a value, as mainstem_event_line does."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if value != value:
        return "nan"
    # The fewest digits, from 15 on, that read back as it.
    return next(
        text for text in (f"{value:.{digits}g}" for digits in (15, 16, 17)) if float(text) == value
    )


# How names of view models are spelled on the stream, and what a misspelt one may mean -------------


@functools.lru_cache(maxsize=None)
def spelled(name: str) -> str:
    """Returns a Python name as it is spelled on the stream: `is_valid` is `isValid`."""
    first, *rest = name.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)


def meant(name: str, names: Iterable[str]) -> str:
    """Returns a remark about what a wrong name may mean, and which names there are."""
    known = sorted(names)
    close = difflib.get_close_matches(name, known, 1)
    if close:
        return f" (did you mean {close[0]!r}?)"
    return f": it has {', '.join(known)}" if known else ""


# What a type hint is of, without what says nothing of its values ----------------------------------


def bare(wanted: Any) -> Any:
    """A type without NewType, Annotated and `type Name = …`."""
    while not is_class(wanted):
        inner = getattr(wanted, "__supertype__", None) or getattr(wanted, "__value__", None)
        if inner is None and hasattr(wanted, "__metadata__"):
            inner = wanted.__origin__
        if inner is None:
            return wanted
        wanted = inner
    return wanted


def is_class(wanted: Any) -> bool:
    """Whether it is a class: in some versions of Python, `list[int]` says that it is a type."""
    return isinstance(wanted, type) and typing.get_origin(wanted) is None


# What converters make, as the text of JSON --------------------------------------------------------

_as_text = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def json_of(plain: Any, path: str) -> bytes:
    """Encodes what a converter has made.

    The message about a number that JSON does not have may become an answer, so it is not json's,
    which is another one in another version of Python.
    """
    try:
        return _as_text(plain).encode("utf-8")
    except ValueError as error:
        wrong = None if "ircular" in str(error) else _not_finite(plain, path)
        if wrong is None:
            raise
    raise ValueError(f"{wrong} is no number in JSON: send a finite one, or None")


def _not_finite(plain: Any, path: str) -> Optional[str]:
    """The first infinity or NaN, and where it is; None: there is none."""
    if isinstance(plain, float):
        return None if math.isfinite(plain) else f"{path}: {float(plain)}"
    parts: Iterable[Tuple[Any, str]] = ()
    if isinstance(plain, dict):
        parts = ((item, f"{path}.{key}") for key, item in plain.items())
    elif isinstance(plain, (list, tuple)):
        parts = ((item, f"{path}[{index}]") for index, item in enumerate(plain))
    found = (_not_finite(item, place) for item, place in parts)
    return next((place for place in found if place is not None), None)


def sortable(plain: Any) -> bytes:
    """The bytes of what is written, to sort by."""
    return _as_text(plain).encode("utf-8", "surrogatepass")


# Mappings in JSON: objects where the keys are text or whole numbers, else keys and values ---------

Convert = Callable[[Any, str], Any]

_NUMBER = re.compile(r"0|-?[1-9]\d*", re.ASCII)


class Keys(enum.Enum):
    """How the keys of a mapping travel."""

    #: As the names of an object, in the order of the mapping.
    TEXT = 1
    #: As the names of an object, sorted: an Enum's text.
    NAMES = 2
    #: The same, of whole numbers.
    NUMBERS = 3
    #: In a list of key, value, key, value.
    PAIRS = 4


def keys_of(wanted: Any) -> Keys:
    """How keys of a type travel."""
    if wanted is int:
        return Keys.NUMBERS
    if wanted in (Any, object):
        return Keys.TEXT
    if is_class(wanted) and issubclass(wanted, enum.Enum):
        values = [member.value for member in wanted]
        if all(isinstance(value, str) for value in values):
            return Keys.NAMES
        return Keys.NUMBERS if all(type(value) is int for value in values) else Keys.PAIRS
    if is_class(wanted):
        return Keys.TEXT if issubclass(wanted, str) else Keys.PAIRS
    return Keys.PAIRS if typing.get_origin(wanted) in (tuple, frozenset) else Keys.TEXT


def keyed(kind: Keys, keys: Convert, items: Convert, is_decoded: bool) -> Convert:
    """Returns the function that converts a mapping, given those for its keys and its items."""
    if kind is Keys.PAIRS:
        return functools.partial(_decode_pairs if is_decoded else _encode_pairs, keys, items)
    if kind is Keys.TEXT:
        return functools.partial(_text, keys, items)
    return functools.partial(_decode if is_decoded else _encode, kind, keys, items)


def _checked(value: Any, path: str) -> Dict[Any, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"{path}: expected dict, got {type(value).__name__}")
    return value


def _text(keys: Convert, items: Convert, value: Any, path: str) -> Dict[str, Any]:
    found = _checked(value, path).items()
    return {keys(key, path): items(item, f"{path}.{key}") for key, item in found}


def _encode(kind: Keys, keys: Convert, items: Convert, value: Any, path: str) -> Dict[str, Any]:
    made = {
        str(keys(key, f"{path}: key")): items(item, f"{path}[{key!r}]")
        for key, item in _checked(value, path).items()
    }
    return dict(sorted(made.items()))


def _decode(kind: Keys, keys: Convert, items: Convert, value: Any, path: str) -> Dict[Any, Any]:
    made = {}
    for text, item in _checked(value, path).items():
        key: Any = text
        if kind is Keys.NUMBERS:
            if _NUMBER.fullmatch(text) is None:
                raise TypeError(f"{path}: expected a whole number as key, got {text!r}")
            key = int(text)
        made[keys(key, f"{path}: key")] = items(item, f"{path}[{text}]")
    return made


def _encode_pairs(keys: Convert, items: Convert, value: Any, path: str) -> List[Any]:
    pairs = [
        (keys(key, f"{path}: key"), items(item, f"{path}[{key!r}]"))
        for key, item in _checked(value, path).items()
    ]
    return [part for pair in sorted(pairs, key=lambda pair: sortable(pair[0])) for part in pair]


def _decode_pairs(keys: Convert, items: Convert, value: Any, path: str) -> Dict[Any, Any]:
    if not isinstance(value, (list, tuple)) or len(value) % 2:
        raise TypeError(f"{path}: expected a list of keys and values, got {type(value).__name__}")
    return {
        keys(key, f"{path}: key"): items(item, f"{path}[{place}]")
        for place, (key, item) in enumerate(zip(value[::2], value[1::2]))
    }


# The fields of NamedTuples and TypedDicts ---------------------------------------------------------

#: Name, type, and whether it may be left out.
Fields = Tuple[Tuple[str, Any, bool], ...]


def is_named_tuple(kind: Any) -> bool:
    """Whether a class is a NamedTuple."""
    return is_class(kind) and issubclass(kind, tuple) and hasattr(kind, "_fields")


def is_typed_dict(kind: Any) -> bool:
    """Whether a class is a TypedDict."""
    return is_class(kind) and issubclass(kind, dict) and hasattr(kind, "__total__")


@functools.lru_cache(maxsize=None)
def record_fields(kind: Any) -> Fields:
    """The fields of a NamedTuple or a TypedDict."""
    if is_named_tuple(kind):
        hints = typing.get_type_hints(kind)
        return tuple(
            (name, hints.get(name, Any), name in getattr(kind, "_field_defaults", {}))
            for name in kind._fields
        )
    extras: Dict[str, Any] = {"include_extras": True} if sys.version_info >= (3, 9) else {}
    required = getattr(kind, "__required_keys__", None)
    fields = []
    for name, hint in typing.get_type_hints(kind, **extras).items():
        may_lack = not (kind.__total__ if required is None else name in required)
        wanted, said = _unwrapped(hint)
        fields.append((name, wanted, may_lack if said is None else said))
    return tuple(fields)


def _unwrapped(hint: Any) -> Tuple[Any, Any]:
    """The type in NotRequired[…] or Required[…], and what that says: True, it may be left out."""
    said = None
    while True:
        name = getattr(typing.get_origin(hint), "_name", None) or ""
        if name not in ("NotRequired", "Required", "ReadOnly"):
            return hint, said
        if name != "ReadOnly":
            said = name == "NotRequired"
        hint = typing.get_args(hint)[0]


# Types whose values travel as text in JSON: docs/wire-forms.md has their forms --------------------
#
# Each writer has one way to write a value. A reader refuses with a ValueError what it cannot read
# without a loss.

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


# Where a class is declared ------------------------------------------------------------------------


class Place(NamedTuple):
    """Where a class is declared."""

    #: The code that runs there: a module, a notebook's cell, a function.
    code: CodeType
    line: int

    def __str__(self) -> str:
        return f"{self.code.co_filename}:{self.line}"


# How values of a program's own types travel in JSON: `mainstem.json_form` -------------------------

Kind = TypeVar("Kind")


class OwnForm(NamedTuple):
    """How values of a type travel."""

    encode: Callable[[Any], object]
    decode: Callable[[Any], Any]
    place: Place


_JSON = (str, int, float, bool, type(None), list, tuple, dict, set, frozenset, object)
#: The forms by type.
OWN_FORMS: Dict[type, OwnForm] = {}
#: The types that have been looked up: they have a form, or none, for good.
USED: Set[type] = set()


def json_form(
    kind: Type[Kind], *, encode: Callable[[Kind], object], decode: Callable[[Any], Kind]
) -> None:
    """Says how values of a type travel in events: as JSON that `encode` makes and `decode` reads.

        mainstem.json_form(Money, encode=str, decode=Money.parse)

    `encode` returns text, a number, a bool, None, a list or a dict. Say it before the first event
    class that has such a field. It holds for all events, values and commands of the process.
    """
    if not isinstance(kind, type):
        raise TypeError(f"json_form takes a class, not {kind!r}")
    frame = sys._getframe(1)
    form = OwnForm(encode, decode, Place(frame.f_code, frame.f_lineno))
    before = OWN_FORMS.get(kind)
    if kind in TEXTS or kind in _JSON:
        raise TypeError(f"{kind.__name__} has a form: docs/wire-forms.md has it")
    if before is None and kind in USED:
        raise TypeError(
            f"{kind.__name__} travels already: say json_form before the first class that has it"
        )
    if before is not None and not _is_again(before, form):
        raise TypeError(
            f"{kind.__name__} has two forms, {before.place} and {form.place}: say one for all"
        )
    OWN_FORMS[kind] = form


def _is_again(before: OwnForm, now: OwnForm) -> bool:
    """Whether it is the same form: a notebook's cell was run twice."""
    same = before.place.code.co_name == now.place.code.co_name
    return (before.encode, before.decode) == (now.encode, now.decode) or (
        same
        and getattr(before.encode, "__module__", 0) == getattr(now.encode, "__module__", 1)
        and before.place.code.co_filename == now.place.code.co_filename
    )


def encode_own(kind: type, value: Any, path: str) -> Any:
    """Encodes a value of a type that has its own form."""
    if not isinstance(value, kind):
        raise TypeError(f"{path}: expected {kind.__name__}, got {type(value).__name__}")
    made = OWN_FORMS[kind].encode(value)
    if not _is_json(made):
        raise TypeError(f"{path}: the encode of {kind.__name__} gave what is no JSON: {made!r}")
    return made


def decode_own(kind: type, value: Any, path: str) -> Any:
    """Decodes a value of a type that has its own form."""
    try:
        return OWN_FORMS[kind].decode(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{path}: {error}") from error


def _is_json(made: Any) -> bool:
    if isinstance(made, dict):
        return all(isinstance(key, str) for key in made) and all(map(_is_json, made.values()))
    if isinstance(made, (list, tuple)):
        return all(map(_is_json, made))
    return made is None or isinstance(made, (str, int, float))
