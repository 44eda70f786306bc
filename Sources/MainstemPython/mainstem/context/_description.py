# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a running context consists of: scopes, types, and who handles and observes each type."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple

__all__ = ["DescribedPart", "DescribedScope", "DescribedType", "Description", "described"]


class DescribedScope(NamedTuple):
    """A scope of a description."""

    name: str
    #: "context", "scope", "server" or "service".
    kind: str
    #: As `Scope.number`.
    number: int
    #: The index of the scope that it is in; None: the one that was described.
    parent: Optional[int] = None
    #: The layers it may send on and observe; None: every layer.
    sends: Optional[Tuple[str, ...]] = None
    observes: Optional[Tuple[str, ...]] = None


@dataclasses.dataclass(frozen=True)
class DescribedPart:
    """A scope that handles, observes or has sent events, and how."""

    #: The index of the scope.
    scope: int
    #: Its name.
    name: str
    #: "own": a handler of what its own scope sends; "one scope": an observer of what one scope
    #: sends; "binding": a view's. Empty: any other.
    kind: str = ""
    #: Where it is called: "host", "mailbox" or the name of a scheduler. Empty: at once.
    on: str = ""
    #: How many alike ones the scope has.
    count: int = 1
    #: Of an observer of no types in particular: the role and the layers that it observes.
    role: str = ""
    layers: Optional[Tuple[str, ...]] = None


class DescribedType(NamedTuple):
    """An event type of a description, and who takes part in its events."""

    name: str
    role: str
    layer: str
    #: The name of the type that answers it.
    response: str = ""
    handlers: Tuple[DescribedPart, ...] = ()
    observers: Tuple[DescribedPart, ...] = ()
    #: The scopes that have set the value.
    senders: Tuple[DescribedPart, ...] = ()


class Description(NamedTuple):
    """The result of `describe`. What is in it is in the order in which it was added."""

    scopes: Tuple[DescribedScope, ...]
    types: Tuple[DescribedType, ...]
    #: The observers of every type, of a role or of layers.
    observers: Tuple[DescribedPart, ...]
    #: All of it as one line of JSON, the same in each language.
    json: str

    def path(self, scope: int) -> str:
        """Returns the names of a scope and of those that it is in: "Diary/Page"."""
        names: List[str] = []
        index: Optional[int] = scope
        while index is not None and self.scopes[index].kind != "context":
            names.append(self.scopes[index].name)
            index = self.scopes[index].parent
        return "/".join(reversed(names)) or "context"

    def mermaid(self) -> str:
        """Draws it as a flowchart for Mermaid. Scopes with the same path are drawn as one.

        A thick arrow leads from a type to its handlers, a dotted one to its observers, a thin one
        to a type from those that answer with it or have set it.
        """
        return "\n".join(["flowchart LR", *_Drawing(self).lines(), ""])


def described(text: str) -> Description:
    """Reads what the library writes."""
    found = json.loads(text)
    return Description(
        tuple(DescribedScope(**_with_tuples(each)) for each in found["scopes"]),
        tuple(_type(each) for each in found["types"]),
        _parts(found.get("observers", ())),
        text,
    )


def _with_tuples(members: Dict[str, Any]) -> Dict[str, Any]:
    return {name: tuple(to) if isinstance(to, list) else to for name, to in members.items()}


def _parts(found: Any) -> Tuple[DescribedPart, ...]:
    return tuple(DescribedPart(**_with_tuples(each)) for each in found)


def _type(members: Dict[str, Any]) -> DescribedType:
    known: Dict[str, Any] = {
        name: _parts(to) if isinstance(to, list) else to for name, to in members.items()
    }
    return DescribedType(**known)


# The flowchart ------------------------------------------------------------------------------------

_BOXES = {
    "request": ("{{", "}}"),
    "response": ("(", ")"),
    "notice": ("[", "]"),
    "value": ("[(", ")]"),
    "scope": ("([", "])"),
    "every": ("((", "))"),
}
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 ._-/:,")


def _shown(text: str) -> str:
    """Text that Mermaid draws as it is, and that is plain on a terminal."""
    return "".join(each if each in _PLAIN else f"#{ord(each)};" for each in text)


class _Drawing:
    """The lines of a flowchart: each box before the first arrow that it has."""

    def __init__(self, description: Description) -> None:
        self._description = description
        self._boxes: Dict[Tuple[str, str], str] = {}
        self._new: List[str] = []
        self._answers: Dict[str, List[DescribedPart]] = {}
        for kind in description.types:
            if kind.response:
                self._answers.setdefault(kind.response, []).extend(kind.handlers)

    def lines(self) -> Iterator[str]:
        for kind in self._description.types:
            senders = (*kind.senders, *self._answers.get(kind.name, ()))
            yield from self._arrows(kind.name, kind.role, kind.handlers, "==>")
            yield from self._arrows(kind.name, kind.role, kind.observers, "-.->")
            yield from self._sent(kind, senders)
        for part in self._description.observers:
            every = f"every {part.role or 'event'}"
            if part.layers is not None:
                every += f" of {', '.join(part.layers)}"
            yield from self._arrows(every, "every", (part,), "-.->")

    def _arrows(
        self, name: str, role: str, parts: Iterable[DescribedPart], arrow: str
    ) -> Iterator[str]:
        counts: Dict[Tuple[str, str, str], int] = {}
        for part in parts:
            key = (self._description.path(part.scope), part.kind, part.on)
            counts[key] = counts.get(key, 0) + part.count
        for (path, kind, on), count in counts.items():
            told = [kind, f"on {on}" if on else "", f"{count} times" if count > 1 else ""]
            label = _shown(", ".join(each for each in told if each))
            mark = f'{arrow}|"{label}"|' if label else arrow
            yield from self._arrow(self._box(name, role), mark, self._box(path, "scope"))

    def _sent(self, kind: DescribedType, senders: Iterable[DescribedPart]) -> Iterator[str]:
        for path in dict.fromkeys(self._description.path(each.scope) for each in senders):
            end = self._box(kind.name, kind.role)
            yield from self._arrow(self._box(path, "scope"), "-->", end)

    def _arrow(self, begin: str, mark: str, end: str) -> Iterator[str]:
        yield from self._new
        self._new = []
        yield f"  {begin} {mark} {end}"

    def _box(self, name: str, role: str) -> str:
        key = ("scope" if role == "scope" else "every" if role == "every" else "type", name)
        if key not in self._boxes:
            self._boxes[key] = f"n{len(self._boxes)}"
            left, right = _BOXES[role]
            self._new.append(f'  {self._boxes[key]}{left}"{_shown(name)}"{right}')
        return self._boxes[key]
