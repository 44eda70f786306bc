# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the header says in words: limits, names, and what a payload must be."""

from __future__ import annotations

from reference.declarations import d

#: The flags of a handler that say what it does to the values of its server.
EFFECTS = {
    "fetch": d.HANDLER_FETCH,
    "reload": d.HANDLER_RELOAD,
    "loadMore": d.HANDLER_LOAD_MORE,
    "update": d.HANDLER_UPDATE,
    "perform": d.HANDLER_PERFORM,
}
QUEUE_EVENTS, QUEUE_BYTES = 65536, 64 << 20
CASCADE, WAITING_EVENTS, POSTS, PAYLOAD = 65536, 1 << 20, 1 << 20, 0xFFFFFFFF

SIZE_MASK = 0xFFFFFFFF
LAYER_NAMES = {1: "app", 1 << 1: "model", 1 << 2: "viewmodel", 1 << 3: "view", 1 << 5: "system"}
LAYER_SHIFT = 40

FAILURE_TYPE, FAILURE_NAME = 1, "MainstemFailure"
DENIED_TYPE, DENIED_NAME = 2, "MainstemDenied"
LIMIT_TYPE, LIMIT_NAME = 3, "MainstemLimit"
ACTIVITY_TYPE, ACTIVITY_NAME = 4, "MainstemActivity"
ENDED_NAME = "MainstemEnded"
REPORTS = (FAILURE_TYPE, DENIED_TYPE, LIMIT_TYPE)
GAP_NAME, GAP_SIZE = "MainstemGap", 24


def with_role(name: str, contract: int) -> int:
    """The contract with the role that follows from the name where none is given."""
    if contract & d.ROLE_MASK:
        return contract
    if name.startswith("Request"):
        return contract | d.ROLE_REQUEST
    return contract | (d.ROLE_RESPONSE if name.startswith("Response") else d.ROLE_NOTICE)


def layer_bit(contract: int) -> int:
    """The bit of the contract's layer in a filter."""
    return 1 << ((contract & d.LAYER_MASK) >> LAYER_SHIFT)


def keeps(contract: int, data: bytes) -> bool:
    """Whether a payload keeps the contract."""
    payload = contract & d.PAYLOAD_MASK
    if payload == d.PAYLOAD_NONE:
        return not data
    if payload == d.PAYLOAD_STRUCT:
        return len(data) == contract & SIZE_MASK
    if payload == d.PAYLOAD_BOOL:
        return data in (b"\0", b"\1")
    if payload in (d.PAYLOAD_INTEGER, d.PAYLOAD_NUMBER):
        return len(data) == 8
    if payload == d.PAYLOAD_BYTES:
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
