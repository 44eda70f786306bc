# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Beyond one process: journals and streams of NATS JetStream, and requests that others answer. See
mainstem/nats.h.

with nats.mirror("session.journal", to="nats://archive:4222", prefix="todo") as mirror:
    ...  # the program runs, and records to session.journal
    mirror.flush()

nats.fetch("session.journal", "nats://archive:4222", prefix="todo")  # on another machine

with nats.forward(context, RequestTotal, to="nats://shop:4222", prefix="shop"):
    total = context.request(RequestTotal(basket="7"))

with nats.import_stream(context, "todo", ["Moved"], to="nats://archive:4222", durable="board"):
    ...  # the context drains, and gets what others moved
"""

from ._nats_bridge import Bridge, BridgeStats
from ._nats_fetch import Fetched, fetch
from ._nats_import import import_stream
from ._nats_mirror import mirror
from ._nats_requests import forward, serve

__all__ = [
    "Bridge",
    "BridgeStats",
    "Fetched",
    "fetch",
    "forward",
    "import_stream",
    "mirror",
    "serve",
]
