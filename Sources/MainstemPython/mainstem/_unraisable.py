# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Passes an exception to sys.unraisablehook, the place for exceptions that nobody can catch."""

from __future__ import annotations

import weakref


class _Thrower:
    """Raises the exception where the interpreter can only report it: in a weakref's callback.

    The hook takes an argument of a type that Python code cannot make, so the interpreter makes it.
    """

    def __init__(self, exception: BaseException, event: object) -> None:
        self.exception = exception
        self.event = event

    def __call__(self, reference: object) -> None:
        context = self.exception.__context__
        try:
            raise self.exception
        except BaseException:
            # The raise has set the exception being handled as context: it may be the hidden one.
            self.exception.__context__ = context
            raise

    def __repr__(self) -> str:
        return f"mainstem callback for {self.event}"


class _Referent:
    """An object that is released at once."""


def report_unraisable(exception: BaseException, event: object) -> None:
    """Calls sys.unraisablehook with the exception; its `object` has the event."""
    referent = _Referent()
    reference = weakref.ref(referent, _Thrower(exception, event))
    del referent
    del reference
