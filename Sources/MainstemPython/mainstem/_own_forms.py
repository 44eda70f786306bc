# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""How values of a program's own types travel in JSON: `mainstem.json_form`."""

from __future__ import annotations

import sys
from typing import Any, Callable, Dict, NamedTuple, Set, Type, TypeVar

from ._place import Place
from ._texts import TEXTS

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
