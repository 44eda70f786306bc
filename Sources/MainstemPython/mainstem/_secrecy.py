# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What an exception may keep of a secret: nothing (docs/privacy.md).

This is not only about its text: a UnicodeEncodeError has the whole text, a JSONDecodeError the
whole document. Every exception has a context, a cause and notes, and the frames of its traceback
have variables, which error reporters show.
"""

from __future__ import annotations

import functools
from types import CodeType, FrameType, TracebackType
from typing import Any, Callable, List, Optional, Set, TypeVar

from ._interrupts import is_ours

Function = TypeVar("Function", bound=Callable[..., Any])


def refusal(exception: BaseException, what: str) -> Exception:
    """Makes the exception to raise instead of one that may quote a secret.

    Raise it after the `except` block: inside the block, Python adds the original as its context.
    """
    kind = TypeError if isinstance(exception, TypeError) else ValueError
    return kind(f"{what}: <secret> ({type(exception).__name__})")


def hidden(exception: BaseException) -> BaseException:
    """Makes a printable form of an exception: only its class, and the lines it came from."""
    shown = RuntimeError(f"{type(exception).__name__}: <secret>")
    return shown.with_traceback(_bare(exception.__traceback__))


def discreet(function: Function) -> Function:
    """Wraps a function so that its exceptions keep no arguments in this package's frames."""

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except BaseException as exception:
            arguments, named = (), {}
            empty(exception)
            raise

    return call  # type: ignore[return-value]


def empty(exception: BaseException) -> None:
    """Clears the variables in this package's frames of an exception and of those that led to it."""
    waiting: List[Optional[BaseException]] = [exception]
    seen: Set[int] = set()
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        waiting += [one.__context__, one.__cause__]
        traceback = one.__traceback__
        while traceback is not None:
            _empty(traceback.tb_frame)
            traceback = traceback.tb_next


def _empty(frame: FrameType) -> None:
    if is_ours(frame):
        try:
            frame.clear()
        except RuntimeError:
            return  # The frame is still running: its caller clears it.


def _bare(traceback: Optional[TracebackType]) -> Optional[TracebackType]:
    """Makes a traceback with the same lines, in frames without variables."""
    lines = []
    while traceback is not None:
        lines.append((traceback.tb_frame, traceback.tb_lineno))
        traceback = traceback.tb_next
    made: Optional[TracebackType] = None
    for frame, line in reversed(lines):
        bare = _frame_like(frame.f_code, line)
        if bare is not None:
            made = TracebackType(made, bare.tb_frame, bare.tb_lasti, line)
    return made


def _frame_like(code: CodeType, line: int) -> Optional[TracebackType]:
    """Makes the traceback of a program that raises at the given line, under the code's name."""
    program = compile("\n" * (line - 1) + "raise there", code.co_filename, "exec")
    try:
        exec(program.replace(co_name=code.co_name), {"there": _There, "__builtins__": {}}, {})
    except _There as raised:
        return raised.__traceback__.tb_next if raised.__traceback__ else None
    return None


class _There(Exception):
    """A place in a traceback."""
