# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a program can call, with its parameters and defaults, is what public.txt lists.

A change of it is a change for users: see it in the diff, and say it in CHANGELOG. To write the list
anew: python Tests/PythonTests/test_public.py
"""

from __future__ import annotations

import enum
import importlib
import inspect
import re
from pathlib import Path
from typing import Any, Iterator, List, Optional

LIST = Path(__file__).with_name("public.txt")
MODULES = ("mainstem", "mainstem.journal_file", "mainstem.testing")


def parameters(function: Any) -> str:
    """Names, kinds and defaults, without annotations."""
    signature = inspect.signature(function)
    plain = [
        one.replace(annotation=inspect.Parameter.empty) for one in signature.parameters.values()
    ]
    text = str(signature.replace(parameters=plain, return_annotation=inspect.Signature.empty))
    return re.sub(r" at 0x[0-9a-f]+", "", re.sub(r"^\((self|cls|_cls)(, )?", "(", text))


def lines_of(name: str, value: Any) -> Iterator[str]:
    """What a program can do with it."""
    if isinstance(value, type) and issubclass(value, enum.Enum):
        yield from (f"{name}.{member} = {value[member].value}" for member in value.__members__)
    elif isinstance(value, type):
        made, above = maker(value), public_base(value)
        kind = f" is a {above.__name__}" if above else ""
        yield name + (parameters(made) if made else "") + kind
        inherited = set(above.__mro__ if above else ())
        for base in reversed(value.__mro__):
            if base.__module__.startswith("mainstem") and base not in inherited:
                for own, member in vars(base).items():
                    if not own.startswith("_"):
                        yield from lines_of_member(f"{name}.{own}", member)
    elif callable(value):
        yield name + parameters(value)
    else:
        yield name


def public_base(value: type) -> Optional[type]:
    """The nearest class above it that is public, too: what it inherits is listed there."""
    public = [getattr(module, name) for module in loaded() for name in module.__all__]
    return next((base for base in value.__mro__[1:] if any(base is one for one in public)), None)


def loaded() -> List[Any]:
    return [importlib.import_module(name) for name in MODULES]


def maker(value: type) -> Any:
    """What makes it, if that is its own: how Python's own classes are made differs by version."""
    if hasattr(value, "_fields"):
        return value.__new__
    is_own = "mainstem" in str(getattr(value.__init__, "__module__", ""))
    return value.__init__ if is_own else None


def lines_of_member(name: str, member: Any) -> Iterator[str]:
    """A function or a property of a class."""
    if isinstance(member, (staticmethod, classmethod)):
        member = member.__func__
    if inspect.isfunction(member):
        yield name + parameters(member)
    elif isinstance(member, property):
        yield name


def public() -> str:
    """The list."""
    lines = []
    for module in loaded():
        for name in sorted(module.__all__):
            # Private classes above a public one may say the same of a function: once is enough.
            found = dict.fromkeys(lines_of(f"{module.__name__}.{name}", getattr(module, name)))
            lines += sorted(found)
    return "".join(f"{line}\n" for line in lines)


def test_what_is_public_is_what_is_listed() -> None:
    assert public() == LIST.read_text(encoding="utf-8"), __doc__


def test_each_option_may_be_left_out() -> None:
    module = importlib.import_module("mainstem.servers._server")
    named = [one for one in vars(module).values() if hasattr(one, "__total__")]
    options = [one for one in named if one.__module__ == module.__name__]

    assert len(options) > 5
    assert [one.__name__ for one in options if one.__total__] == []


if __name__ == "__main__":
    LIST.write_text(public(), encoding="utf-8")
