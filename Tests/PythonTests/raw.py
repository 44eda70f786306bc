# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The library as C sees it: handles and statuses, no exceptions."""

from __future__ import annotations

import ctypes
import threading
from ctypes import byref, c_uint32, c_void_p

from mainstem._library import C
from mainstem._library import _header as d

OK, INVALID, STALE, WRONG_KIND, WRONG_THREAD, BUSY = 0, 1, 2, 3, 4, 5
TIMEOUT = 12
BYTES = d.PAYLOAD_BYTES
NO_RELEASE = ctypes.cast(None, d.RELEASE_FN)

#: Every callback ever given to the library: a test of a broken one must not crash for want of it.
_kept = []


class Seen:
    """What a callback got, copied."""

    def __init__(self, address):
        struct = d.EventStruct.from_address(address)
        self.address = address
        for name in ("position", "cause", "correlation", "answers", "time", "size", "offset"):
            setattr(self, name, getattr(struct, name))
        for name in ("type", "status", "origin", "flags", "context", "reply"):
            setattr(self, name, getattr(struct, name))
        self.data = ctypes.string_at(struct.data, struct.size) if struct.data else None
        self.text = ctypes.string_at(struct.user_message) if struct.user_message else None


def event_fn(function):
    """A C callback; an exception in it is kept and shown by Stream.check."""

    def call(user_data, address):
        try:
            function(Seen(address))
        except BaseException as exception:
            Stream.failures.append(exception)

    callback = d.EVENT_FN(call)
    _kept.append(callback)
    return callback


def release_fn(function):
    """A C release hook."""

    def call(user_data):
        try:
            function()
        except BaseException as exception:
            Stream.failures.append(exception)

    callback = d.RELEASE_FN(call)
    _kept.append(callback)
    return callback


class Stream:
    """A context and short names for its calls; each returns the status unless it says otherwise."""

    failures = []

    def __init__(self):
        Stream.failures.clear()
        options = d.ContextOptions(size=ctypes.sizeof(d.ContextOptions))
        handle = c_void_p()
        assert C.mainstem_context_create(byref(options), byref(handle)) == OK
        self.handle = handle.value

    @staticmethod
    def let_go():
        """Between tests, when the library has no callback of the last one."""
        _kept.clear()

    def close(self):
        status = C.mainstem_context_close(self.handle)
        self.check()
        return status

    def check(self):
        """Raises what a callback raised."""
        if Stream.failures:
            raise Stream.failures.pop(0)

    def type(self, name, contract=BYTES, response=None):
        """The number of a new type."""
        number = c_uint32()
        assert C.mainstem_type_add(self.handle, name, contract, response, byref(number)) == OK
        return number.value

    def send(self, number, data=b"", through=None):
        return C.mainstem_send(through or self.handle, number, data, len(data))

    def post(self, number, data=b""):
        return C.mainstem_post(self.handle, number, data, len(data))

    def observe(self, number, function, release=None, through=None):
        """The handle of the subscription."""
        subscription = c_void_p()
        status = C.mainstem_observe(
            through or self.handle,
            number,
            event_fn(function),
            None,
            release_fn(release) if release else NO_RELEASE,
            byref(subscription),
        )
        assert status == OK, C.mainstem_last_error()
        return subscription.value

    def server(self, rows, name=b"Server", release=None):
        """The handle of a new server; rows are (name of a type, function)."""
        table = (d.HandlerRow * len(rows))(*(d.HandlerRow(n, event_fn(f)) for n, f in rows))
        server = c_void_p()
        hook = release_fn(release) if release else NO_RELEASE
        size = ctypes.sizeof(d.HandlerRow)
        status = C.mainstem_server_add(
            self.handle, name, table, size, len(rows), None, hook, byref(server)
        )
        assert status == OK, C.mainstem_last_error()
        return server.value

    def request(self, number, data, function, through=None):
        """The handle of the request."""
        pending = c_void_p()
        status = C.mainstem_request(
            through or self.handle,
            number,
            data,
            len(data),
            event_fn(function),
            None,
            byref(pending),
        )
        assert status == OK, C.mainstem_last_error()
        return pending.value


def on_thread(function):
    """Runs a function on another thread and returns its result."""
    results = []
    thread = threading.Thread(target=lambda: results.append(function()))
    thread.start()
    thread.join(30)
    assert not thread.is_alive(), "the other thread did not come back within 30 s"
    assert results, "the other thread raised"
    return results[0]
