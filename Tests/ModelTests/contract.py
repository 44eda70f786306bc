# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The numbers of the header that the model and the driver both speak."""

from __future__ import annotations

OK, INVALID, STALE, WRONG_KIND, WRONG_THREAD, BUSY = 0, 1, 2, 3, 4, 5
DENIED, TOO_BIG, FULL, LIMIT, NO_MEMORY, UNSUPPORTED, UNSET = 6, 7, 8, 9, 10, 17, 26
DISABLED, EXECUTING = 27, 28
UNHANDLED, TIMEOUT, CANCELLED, INCOMPLETE, APP = 11, 12, 13, 18, 1000

OUTSIDE, TRACKED, PROGRESS, LATE, GAP, TIMER, WRITTEN = 1, 2, 4, 8, 16, 256, 512
SHARED = 1024
OBSERVE_FAILED, OBSERVE_SUCCEEDED, CONFIRM, OBSERVE_NEW, ON_DEMAND = 1, 2, 4, 8, 16
OBSERVE_WRITTEN = 32
TWO_WAY, ON_HOST = 1, 2
#: The flags of a handler that say what it does to the values of its server.
EFFECTS = {"fetch": 4, "reload": 8, "loadMore": 16, "update": 32, "perform": 64}
FETCH = EFFECTS["fetch"]
#: Of a handler of a type that has several on purpose.
SEVERAL = 128
IMMEDIATE, HOST = 0, 1
REJECT, BLOCK, DROP_OLDEST, DROP_NEWEST, LATEST = range(5)
QUEUE_EVENTS, QUEUE_BYTES = 65536, 64 << 20
CASCADE, WAITING_EVENTS, POSTS, PAYLOAD = 65536, 1 << 20, 1 << 20, 0xFFFFFFFF
CONTEXT_TIMES, DELIVER_ON_HOST, CONTEXT_INTERRUPTS = 1, 2, 8
CLOCK_MONOTONIC, CLOCK_VIRTUAL = 0, 1
SENDS_NOTHING, OBSERVES_NOTHING = 1, 2
INTERRUPT_PAYLOAD, INTERRUPT_EVENTS = 48, 256

PAYLOAD_NONE, PAYLOAD_BYTES, PAYLOAD_TEXT, PAYLOAD_JSON, PAYLOAD_STRUCT = (
    kind << 32 for kind in range(5)
)
PAYLOAD_BOOL, PAYLOAD_INTEGER, PAYLOAD_NUMBER = (kind << 32 for kind in (5, 6, 7))
PAYLOAD_MASK = 0xF << 32
SIZE_MASK = 0xFFFFFFFF
ROLE_REQUEST, ROLE_RESPONSE, ROLE_NOTICE, ROLE_VALUE = (role << 36 for role in (1, 2, 3, 4))
ROLE_MASK = 0xF << 36
LAYER_MODEL, LAYER_VIEWMODEL, LAYER_VIEW, LAYER_SYSTEM = 1 << 40, 2 << 40, 3 << 40, 5 << 40
LAYER_NAMES = {1: "app", 1 << 1: "model", 1 << 2: "viewmodel", 1 << 3: "view", 1 << 5: "system"}
LAYER_SHIFT, LAYER_MASK = 40, 0x3F << 40

FAILURE_TYPE, FAILURE_NAME = 1, "MainstemFailure"
DENIED_TYPE, DENIED_NAME = 2, "MainstemDenied"
LIMIT_TYPE, LIMIT_NAME = 3, "MainstemLimit"
ACTIVITY_TYPE, ACTIVITY_NAME = 4, "MainstemActivity"
ENDED_NAME = "MainstemEnded"
REPORTS = (FAILURE_TYPE, DENIED_TYPE, LIMIT_TYPE)
GAP_NAME, GAP_SIZE = "MainstemGap", 24


def with_role(name: str, contract: int) -> int:
    """The contract with the role that follows from the name where none is given."""
    if contract & ROLE_MASK:
        return contract
    if name.startswith("Request"):
        return contract | ROLE_REQUEST
    return contract | (ROLE_RESPONSE if name.startswith("Response") else ROLE_NOTICE)


def layer_bit(contract: int) -> int:
    """The bit of the contract's layer in a filter."""
    return 1 << ((contract & LAYER_MASK) >> LAYER_SHIFT)


def keeps(contract: int, data: bytes) -> bool:
    """Whether a payload keeps the contract."""
    payload = contract & PAYLOAD_MASK
    if payload == PAYLOAD_NONE:
        return not data
    if payload == PAYLOAD_STRUCT:
        return len(data) == contract & SIZE_MASK
    if payload == PAYLOAD_BOOL:
        return data in (b"\0", b"\1")
    if payload in (PAYLOAD_INTEGER, PAYLOAD_NUMBER):
        return len(data) == 8
    if payload == PAYLOAD_BYTES:
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
