# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What secrets carried: a replay asks for it, since a journal does not keep it."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, NamedTuple, Optional

from ._library import C
from ._library import _header as d
from .events._catalogue import ContextLike
from .events._received import Event, error_of
from .failure import Failure, check, discreet


class Secret(NamedTuple):
    """What a secret carried, for a response that must name its request."""

    #: An object of the event's class, bytes or text; for a failed response, a Failure.
    value: Any
    #: The position of the request it answers; 0: the oldest open request with that response type.
    answers: int = 0


def asking(context: ContextLike, replay: Optional[int], function: Callable[[Event], Any]) -> Any:
    """Makes the callback that asks a function about a secret, and supplies what it returns."""

    def ask(address: int) -> None:
        event = Event(context, address)
        thrown = context.thrown
        depth = thrown.depth()
        try:
            thrown.enter(depth)
            known = function(event)
            if known is not None:
                supply(context, replay, event, known)
        except BaseException as exception:
            thrown.report(exception, event)
        finally:
            thrown.leave(depth)
            event._address = 0

    return ask


@discreet
def supply(context: ContextLike, replay: Optional[int], event: Event, known: Any) -> None:
    """Supplies what an event carried."""
    value, answers = known if isinstance(known, Secret) else (known, 0)
    secret = d.SecretStruct(size=ctypes.sizeof(d.SecretStruct), answers=answers)
    if isinstance(value, Failure):
        secret.error = ctypes.pointer(error_of(value))
    else:
        data = context.catalogue.encode(event.type, value)
        secret.data, secret.data_size = data, len(data)
    check(C.mainstem_replay_supply(replay, ctypes.byref(secret)))
