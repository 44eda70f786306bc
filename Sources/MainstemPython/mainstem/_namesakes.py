# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Two classes of one name, and whether they are one class that is declared again."""

from __future__ import annotations

import os

from ._payload import fields_of
from .declaration import Declaration


def is_again(before: Declaration, now: Declaration) -> bool:
    """Whether a class is the one of before, declared again: a cell was run twice, or a reload.

    A function may make classes of one name with different fields: these are two.
    """
    one, other = before.kind, now.kind
    if (one.__module__, one.__qualname__) != (other.__module__, other.__qualname__):
        return False
    return before.place.code is not now.place.code or _fields_of(before) == _fields_of(now)


def _fields_of(declared: Declaration) -> object:
    kind: type = declared.kind
    try:
        fields: object = fields_of(kind)
    except Exception:  # A type that is not known yet.
        fields = kind.__dict__.get("__annotations__")
    return declared.payload, fields


def two_of(before: Declaration, now: Declaration) -> str:
    """Says which two classes have one name, and what to do."""
    both = " and ".join(
        f"{one.kind.__module__}.{one.kind.__qualname__} ({one.place})" for one in (before, now)
    )
    if _is_one_file(before, now):
        name = next(each.kind.__module__ for each in (before, now) if not _is_program(each))
        return (
            f"{now.name} is declared twice, as {both}: the file runs as the program and is imported"
            f" as {name}, too. Move its events into a module that both import"
        )
    return (
        f"{now.name} is the name of two classes, {both}: a context has one class for a name."
        ' Give one of them another: @mainstem.event(name="…")'
    )


def _is_one_file(before: Declaration, now: Declaration) -> bool:
    """Whether one class was declared by the program's file and by an import of the same file."""
    if before.kind.__qualname__ != now.kind.__qualname__ or before.place.line != now.place.line:
        return False
    if _is_program(before) == _is_program(now):
        return False
    files = [os.path.basename(each.place.code.co_filename) for each in (before, now)]
    return files[0] == files[1]


def _is_program(declared: Declaration) -> bool:
    return declared.kind.__module__ == "__main__"
