# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Runs an async test with a context that is tied to the loop."""

from __future__ import annotations

import asyncio

import mainstem


def run(main):
    """Runs a coroutine function with an async context; 30 s are more than any needs."""

    async def inner():
        async with mainstem.Context(raises=True) as context:
            return await asyncio.wait_for(main(context), 30)

    return asyncio.run(inner())
