# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the real library calls, and the events that it shows."""

from __future__ import annotations

import ctypes
import threading
from ctypes import byref, c_char_p
from typing import Any, Callable

from reference.declarations import d


class EventView:
    """An event as a callback or a kept event shows it, read at once."""

    def __init__(self, library: Callbacks, address: int) -> None:
        event = d.EventStruct.from_address(address)
        self.address = address
        self.position, self.cause = event.position, event.cause
        self.correlation, self.answers = event.correlation, event.answers
        self.type, self.status, self.flags = event.type, event.status, event.flags
        self.payload = ctypes.string_at(event.data, event.size)
        self.text = ctypes.string_at(event.user_message).decode()
        self.context, self.time = event.context, event.time
        self.origin = library.origin_name(event.context, event.origin)


class RecordView:
    """A record of a mailbox, with what an event says."""

    def __init__(self, header: d.EventHeaderStruct, payload: bytes, origin: str) -> None:
        self.position, self.cause = header.position, header.cause
        self.correlation, self.answers = header.correlation, header.answers
        self.type, self.status, self.flags = header.type, header.status, header.flags
        self.payload, self.origin, self.time = payload, origin, header.time
        message, text = (payload.split(b"\0") + [b""])[:2] if header.status else (b"", b"")
        self.text = (text or message).decode()


class Callbacks:
    """Numbers, Python functions and C functions of what may be called."""

    def keep(self, fn: Callable[[Any], None] | None, hook: Callable[[], None] | None) -> int:
        """A number for user_data: one more than the index of what is called for it."""
        self.callbacks.append((fn, hook))
        return len(self.callbacks)

    def run(self, call: Callable[..., Any], *given: Any, failed: int = 0) -> Any:
        """Runs what the library calls: nothing may cross into C."""
        try:
            return call(*given)
        except BaseException as error:
            self.escaped.append(error)
            return failed

    def on_event(self, user_data: int, address: int) -> None:
        self.run(lambda: self.callbacks[user_data - 1][0](EventView(self, address)))

    def on_release(self, user_data: int) -> None:
        self.run(lambda: self.callbacks[user_data - 1][1]())

    def on_settled_call(self, user_data: int) -> None:
        self.run(lambda: self.callbacks[user_data - 1][0]())

    def on_changes(self, user_data: int, names: Any, count: int) -> None:
        changed = [names[index].decode() for index in range(count)]
        self.run(self.callbacks[user_data - 1][0], changed)

    def hook_of(self, hook: Any) -> Any:
        return self.release_fn if hook else d.RELEASE_FN()

    def origin_name(self, scope: int, origin: int) -> str:
        """The name of an origin; asked of the root, since a scope may have ended."""
        root = self.roots.get(scope, scope)
        if (root, origin) not in self.names:
            name = c_char_p()
            status = self.functions["origin_name"](root, origin, byref(name))
            if status:
                return f"no name: {status}"
            self.names[root, origin] = (name.value or b"").decode()
        return self.names[root, origin]

    def foreign(self, call: Callable[[], Any]) -> Any:
        """Makes a call on another thread and waits for it."""
        results: list[Any] = []
        thread = threading.Thread(target=lambda: results.append(call()))
        thread.start()
        thread.join()
        return results[0]

    def shower(self, show: Any) -> Any:
        """A show function of C: it gives the status that the script says."""

        return lambda _, scope, __: self.run(show, scope)

    def handler(self, fn: Any) -> Any:
        key = self.keep(fn, None)
        return lambda _, address: self.on_event(key, address)
