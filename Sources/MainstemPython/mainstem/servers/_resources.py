# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Resources: pictures and other bytes, loaded once and shared; the events have only a key."""

from __future__ import annotations

import ctypes
from typing import Any, Optional, Union

from .._library import C
from ..events._catalogue import ScopeLike
from ..events._received import Event, Retained
from ..failure import Status, check, discreet

__all__ = ["Resources"]

_UNSET = int(Status.UNSET)
_LIVE = C.mainstem_resource_release


class _Held:
    """Bytes of the library, until nothing refers to them."""

    __slots__ = ("handle",)

    def __init__(self) -> None:
        self.handle = ctypes.c_void_p()

    def __del__(self) -> None:
        if self.handle:
            _LIVE(self.handle)


class Resources:
    """What `Scope.resources` adds. It ends with its scope. Any thread may use it."""

    __slots__ = ("_handle", "_request", "_scope")

    def __init__(self, scope: ScopeLike, handle: int, request: int) -> None:
        self._scope = scope
        self._handle = handle
        self._request = request

    @discreet
    def put(self, request: Any, data: Union[bytes, bytearray, memoryview]) -> None:
        """Answers a request of these resources with bytes.

        `request` is what the handler of `behind` got, or has retained.
        """
        payload = data if isinstance(data, bytes) else memoryview(data).tobytes()
        event: Event = request.event
        address = request._pointer() if isinstance(request, Retained) else event._live()
        check(C.mainstem_resources_put(self._handle, address, payload, len(payload)))
        event._answered = True
        self._scope.context.thrown.raise_caught()

    def get(self, key: Any) -> Optional[memoryview]:
        """Returns the bytes that are kept for a key, without a copy; None: none are.

        `key` is a request, or its payload. The bytes stay as long as the memoryview, or a slice of
        it, is there, even if the key is dropped.
        """
        encoded = self._encode(key)
        held = _Held()
        status = C.mainstem_resource_get(
            self._handle, encoded, len(encoded), ctypes.byref(held.handle)
        )
        if status == _UNSET:
            return None
        check(status)
        data, size = ctypes.c_void_p(), ctypes.c_size_t()
        check(C.mainstem_resource_read(held.handle, ctypes.byref(data), ctypes.byref(size)))
        if not size.value:
            return memoryview(b"")
        array = (ctypes.c_ubyte * size.value).from_address(data.value or 0)
        array.held = held  # type: ignore[attr-defined]
        return memoryview(array).cast("B").toreadonly()

    def _encode(self, key: Any) -> bytes:
        catalogue = self._scope.context.catalogue
        if hasattr(type(key), "__mainstem__"):
            return catalogue.outgoing(key, None)[1]
        return catalogue.encode_plain(self._request, key, "the key")
