# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What one context may use."""

from __future__ import annotations

from typing import NamedTuple

from ._declarations import ContextOptions


class Limits(NamedTuple):
    """The limits of a context (law 9): `Context(limits=Limits(payload=10000))`; 0: the default."""

    #: Subscriptions at a time, the handlers of servers included.
    observers: int = 0
    #: Bytes of a payload.
    payload: int = 0
    #: Causes from an event back to the outside one (65,536). A longer chain goes on from a timer.
    cascade: int = 0
    #: Events that wait: sent in callbacks, or while another thread delivers.
    events: int = 0
    #: Bytes of their payloads.
    bytes: int = 0
    #: Events posted and not taken in yet.
    posts: int = 0
    #: Bytes of their payloads.
    post_bytes: int = 0


def write_limits(limits: Limits, options: ContextOptions) -> None:
    """Writes limits into a context's options."""
    for name, value in zip(limits._fields, limits):
        if value < 0:
            raise ValueError(f"limits.{name} is {value}")
        setattr(options, f"limit_{name}", value)
