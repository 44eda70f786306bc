# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The refusals that a declaration does not imply: each is a case, written down by its status."""

from __future__ import annotations

from .generic import Misuse

#: By function: the misuses that are cases of their own.
CASES = {}


def case(status, argument, *functions, **more):
    """Makes the function below, `change(world, arguments)`, a case of those functions."""

    def add(change):
        message = change.__name__.replace("_", " ")
        for name in functions:
            made = Misuse(message, {status}, argument, change, **more)
            CASES.setdefault(f"mainstem_{name}", []).append(made)
        return change

    return add
