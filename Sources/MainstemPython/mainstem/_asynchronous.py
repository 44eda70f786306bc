# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Async functions: they are awaited in a loop, or refused where nothing would await them."""

from __future__ import annotations

import inspect
from typing import Any


def is_async(function: Any) -> bool:
    """Whether its call only makes something to await: an `async def`, or an object called so."""
    call = getattr(function, "__call__", None)  # noqa: B004
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)


def refuse_async(function: Any, what: str) -> None:
    """Raises a TypeError for an async function where a plain one is called."""
    if is_async(function) or inspect.isasyncgenfunction(function):
        raise TypeError(f"{what} is called, not awaited: give a plain function, not an async def")
