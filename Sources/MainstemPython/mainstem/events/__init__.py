# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Events: their classes and types, how they travel, and as they come from the stream."""

from ._declaration import (
    MainstemActivity,
    MainstemDenied,
    MainstemFailure,
    MainstemJournalFailed,
    MainstemLimit,
    Notice,
    Request,
    Response,
    event,
)
from ._payload import EventType
from ._queries import Query, Selection, order_key, order_keys
from ._received import Event, Gap, Retained
from ._rows import RowChange, Rows, RowSpan
from ._wire import json_form

__all__ = [
    "Event",
    "EventType",
    "Gap",
    "MainstemActivity",
    "MainstemDenied",
    "MainstemFailure",
    "MainstemJournalFailed",
    "MainstemLimit",
    "Notice",
    "Query",
    "Request",
    "Response",
    "Retained",
    "RowChange",
    "RowSpan",
    "Rows",
    "Selection",
    "event",
    "json_form",
    "order_key",
    "order_keys",
]
