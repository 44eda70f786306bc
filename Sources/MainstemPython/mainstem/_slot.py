# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""One value of a live view model: what was shown of it last."""

from __future__ import annotations

from typing import Any, Callable, List, Tuple

from ._library import C
from ._library._header import VIEWMODEL_WRITABLE
from .events._codec import changes_in_place
from .failure import check
from .model import Row

_set = C.mainstem_value_set
#: What nothing is equal to.
_NOTHING: Any = object()


class Slot:
    """One value of a live view model."""

    __slots__ = (
        "_ask",
        "_by",
        "_copy",
        "_encode",
        "_is_written",
        "_kept",
        "_made_of",
        "data",
        "path",
        "type",
    )

    def __init__(self, row: Row, number: int, ask: Callable[[Any], Any]) -> None:
        self.type = number
        self.path = row.path
        self._ask = ask
        self._by: Tuple[str, ...] = getattr(row.member, "by", ())
        self._copy = row.form.copy
        self._encode = row.form.encode
        #: Whether views write it, too: then only the library knows what is there.
        self._is_written = row.kind == VIEWMODEL_WRITABLE
        #: What was set last, to compare with, and its bytes.
        self._kept = _NOTHING
        self.data = b""
        #: What the value was made of when it was asked last.
        self._made_of: List[Any] = []

    def show(self, instance: Any, handle: int) -> None:
        """Sets the value if it differs."""
        if self._by and not self._differs(instance):
            return
        value = self._ask(instance)
        kept, copy = self._kept, self._copy
        if copy is not None and (value is kept or (type(value) is type(kept) and value == kept)):
            if not self._is_written:
                return
            data = self.data
        else:
            data = self._encode(value, self.path)
        status = _set(handle, self.type, data, len(data))
        if status:
            self._made_of = []
            check(status)
        self.data = data
        self._kept = _NOTHING if copy is None else copy(value)

    def _differs(self, instance: Any) -> bool:
        """Whether one of the fields that the value is made of has another value now."""
        made_of = [getattr(instance, name) for name in self._by]
        before = self._made_of
        if len(before) == len(made_of) and all(
            old is new or (type(old) is type(new) and old == new)
            for old, new in zip(before, made_of)
        ):
            return False
        for name, value in zip(self._by, made_of):
            if changes_in_place(value):
                kind = type(value).__name__
                raise TypeError(
                    f"{self.path} is asked again when {name!r} has another value, but a {kind} may"
                    " change and stay the same object: use a tuple, or what else is frozen"
                )
        self._made_of = made_of
        return True
