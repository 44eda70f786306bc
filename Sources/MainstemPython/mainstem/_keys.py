# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Mappings in JSON: objects where the keys are text or whole numbers, else keys and values."""

from __future__ import annotations

import enum
import functools
import re
import typing
from typing import Any, Callable, Dict, List

from ._bare import is_class
from ._json_text import sortable

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
