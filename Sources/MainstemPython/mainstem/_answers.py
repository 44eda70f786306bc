# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""How a request is answered, and hears that somebody else has settled it."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, Union

from ._library import C
from ._library import _header as d
from ._protocols import ScopeLike
from ._scalar import Scalar
from .failure import Failure, check, refuse_async
from .value import Value

#: What answers a request: a value, bytes, text or a scalar, or a Failure.
Answer = Union[Value, bytes, str, Scalar, Failure]


def respond(scope: ScopeLike, address: int, request_type: int, answer: Any) -> None:
    """Answers a request with a value, bytes or text, or a Failure."""
    if isinstance(answer, Failure):
        check(C.mainstem_respond_error_with(address, ctypes.byref(error_of(answer))))
        return
    data = scope.context.catalogue.encode_answer(request_type, answer)
    status = C.mainstem_respond(address, data, len(data))
    if status:
        check(status)


def tell(scope: ScopeLike, address: int, step: Any, data: Any) -> None:
    """Reports progress of a request, before its answer."""
    number, payload = scope.context.catalogue.outgoing(step, data)
    check(C.mainstem_respond_progress(address, number, payload, len(payload)))


def error_of(failure: Failure) -> d.ErrorStruct:
    """Returns a failure as the C struct."""
    texts = [_shown(text) for text in (failure.message, failure.text, failure.subject)]
    return d.ErrorStruct(ctypes.sizeof(d.ErrorStruct), int(failure.code), *texts)


def _shown(text: str) -> bytes:
    """Encodes an error's text for C; what cannot be encoded is replaced: errors must arrive."""
    return str(text).replace("\0", "\\0").encode("utf-8", "replace")


class Settled:
    """A function that the library calls when somebody else has settled a request."""

    __slots__ = ("_event", "_function", "_scope")

    def __init__(self, scope: ScopeLike, function: Callable[[], object], event: Any) -> None:
        refuse_async(function, "on_settled's function")
        self._scope = scope
        self._function = function
        self._event = event

    def deliver(self, _: int) -> None:
        """Runs the function for the library."""
        thrown = self._scope.context.thrown
        depth = thrown.depth()
        try:
            thrown.enter(depth)
            self._function()
        except BaseException as exception:
            thrown.report(exception, self._event)
        finally:
            thrown.leave(depth)
