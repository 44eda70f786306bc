# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The events that several tests use."""

from __future__ import annotations

import ctypes

import mainstem
from mainstem import Notice, Request, Response
from mainstem._library import C


@mainstem.event
class ResponseGreeting(Response):
    text: str


@mainstem.event
class RequestGreet(Request[ResponseGreeting]):
    name: str


@mainstem.event(payload=str)
class Said(Notice):
    words: str


@mainstem.event(layer="view")
class Tapped(Notice):
    x: int
    y: int = 0


@mainstem.event
class Started(Notice):
    pass


def keep_for_ever(request):
    """A handler that never answers: its request stays open, and no object keeps it."""
    kept = ctypes.c_void_p()
    assert not C.mainstem_event_retain(request.event._live(), ctypes.byref(kept))
    return mainstem.LATER
