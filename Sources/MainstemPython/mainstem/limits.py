# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What one context may use."""

from __future__ import annotations

from typing import NamedTuple

from ._library import whole
from ._library._header import ContextOptions


class Limits(NamedTuple):
    """The limits of a context (law 9): `Context(limits=Limits(payload=10000))`. 0: the default."""

    #: Subscriptions at a time, including server handlers.
    observers: int = 0
    #: Bytes per payload.
    payload: int = 0
    #: Causes from an event back to its outside event (65,536). For a longer chain, use a timer.
    cascade: int = 0
    #: Waiting events: sent in callbacks or while another thread delivers.
    events: int = 0
    #: Bytes of their payloads; a lone event may exceed it.
    bytes: int = 0
    #: Posted events not yet taken in.
    posts: int = 0
    #: Bytes of their payloads; like `bytes`.
    post_bytes: int = 0


def write_limits(limits: Limits, options: ContextOptions) -> None:
    """Writes limits into a context's options."""
    for name, value in zip(limits._fields, limits):
        setattr(options, f"limit_{name}", whole(value, f"limits.{name}"))
