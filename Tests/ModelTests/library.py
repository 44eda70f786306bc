# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The real library, called through ctypes.

The project's Python face is not used, only what is generated from the header: a fault in the face
must not hide a fault in the core.
"""

from __future__ import annotations

import ctypes
import select
from ctypes import byref, c_size_t, c_uint32, c_void_p, sizeof
from typing import Any

from callbacks import Callbacks, EventView, RecordView
from list_calls import ListCalls
from reactor_calls import ReactorCalls
from reference.declarations import d, load
from reference.flow.values import Asked, Filter
from state_calls import StateCalls


class Library(Callbacks, StateCalls, ReactorCalls, ListCalls):
    """The calls of the header, in the language of reference/model.py."""

    functions: dict[str, Any] = {}

    def __init__(self) -> None:
        if not Library.functions:
            Library.functions = load()
        self.callbacks: list[Any] = []
        self.escaped: list[BaseException] = []
        self.roots: dict[int, int] = {}
        self.scope_of: dict[int, int] = {}
        self.names: dict[tuple[int, int], str] = {}
        self.event_fn = d.EVENT_FN(self.on_event)
        self.release_fn = d.RELEASE_FN(self.on_release)
        self.settled_fn = d.RELEASE_FN(self.on_settled_call)
        self.changes_fn = d.CHANGES_FN(self.on_changes)

    def __getattr__(self, name: str) -> Any:
        """A function of the header: see `called`."""
        return lambda *given: self.called(name, *given)

    def called(self, name: str, *given: Any) -> Any:
        """Calls a function of the header: bytes go with their size, and what it gives through its
        last argument comes back behind the status.
        """
        function, arguments = Library.functions[name], []
        for each in given:
            if isinstance(each, bytes):
                arguments += [each, len(each)]
            elif isinstance(each, str):
                arguments.append(each.encode())
            else:
                arguments.append(each.address if isinstance(each, EventView) else each)
        if len(arguments) == len(function.argtypes):
            return function(*arguments)
        out = function.argtypes[-1]._type_()
        status = function(*arguments, byref(out))
        return status, 0 if status and not isinstance(out, c_void_p) else out.value

    def follow(self, log: list[Any]) -> None:
        """The library needs no advice."""

    # Contexts and types -------------------------------------------------------------------------

    def create(self, how: dict[str, int]) -> int:
        """A context whose options are named as in the header."""
        options = d.ContextOptions(size=sizeof(d.ContextOptions), **how)
        status, context = self.context_create(byref(options))
        assert status == 0
        self.roots[context] = context
        return context

    def close(self, context: int) -> int:
        return self.context_close(context)

    def stats(self, context: int) -> Any:
        stats = d.ContextStatsStruct(size=sizeof(d.ContextStatsStruct))
        status = self.context_stats_read(context, byref(stats))
        names = [name for name, _ in d.ContextStatsStruct._fields_ if name != "size"]
        return status, {} if status else {name: getattr(stats, name) for name in names}

    # Send, post, request ------------------------------------------------------------------------

    def send_many(self, scope: int, rows: list[tuple[int, bytes]]) -> Any:
        """A batch: headers from the front, payloads behind them."""
        headers = (d.EventHeaderStruct * len(rows))()
        payloads = b""
        for header, (number, data) in zip(headers, rows):
            header.type, header.size = number, len(data)
            header.offset = sizeof(headers) + len(payloads)
            payloads += data
        batch, accepted = bytes(headers) + payloads, c_size_t(77)
        return self.called("send_many", scope, batch, len(rows), byref(accepted)), accepted.value

    def request(
        self, scope: int, number: int, data: bytes, fn: Any, how: Asked | None = None
    ) -> Any:
        called = self.event_fn if fn else d.EVENT_FN()
        if how is None:
            return self.called("request", scope, number, data, called, self.keep(fn, None))
        options, key = d.RequestOptions(size=sizeof(d.RequestOptions)), self.keep(fn, how.hook)
        options.timeout_ms, options.scheduler = how.timeout_ms, how.scheduler
        options.share = how.share
        if how.progress:
            step = d.EVENT_FN(self.handler(how.progress))
            self.callbacks.append(step)
            options.progress = step
        hook = self.hook_of(how.hook)
        return self.request_with(scope, number, data, byref(options), called, key, hook)

    # Observe, cancel ----------------------------------------------------------------------------

    def scheduler_add(self, scope: int, name: str) -> Any:
        return self.called("scheduler_add", scope, name, 0)

    def observe(self, scope: int, what: Filter, fn: Any, hook: Any) -> Any:
        called = self.event_fn if fn else d.EVENT_FN()
        rest = (called, self.keep(fn, hook), self.hook_of(hook))
        if what == Filter(types=what.types) and len(what.types or [0]) == 1:
            made = self.called("observe", scope, what.types[0] if what.types else 0, *rest)
        else:
            lines = {name: value for name, value in vars(what).items() if name != "types"}
            options = d.ObserveOptions(size=sizeof(d.ObserveOptions), **lines)
            if what.types is not None:
                options.types = (c_uint32 * len(what.types))(*what.types)
                options.type_count = len(what.types)
            made = self.observe_with(scope, byref(options), *rest)
        self.scope_of[made[1]] = scope
        return made

    def subscription_stats(self, subscription: int) -> Any:
        stats = d.SubscriptionStatsStruct(size=sizeof(d.SubscriptionStatsStruct))
        status = self.subscription_stats_read(subscription, byref(stats))
        names = ("flags", "delivered", "failed", "dropped", "waiting", "waiting_bytes")
        return status, {} if status else {name: getattr(stats, name) for name in names}

    def mailbox_take(self, subscription: int, size: int) -> Any:
        """What was fetched, as the header's fields and the payload, and what the next one needs."""
        buffer = ctypes.create_string_buffer(size) if size else None
        count, left = c_size_t(), c_size_t()
        outs = (byref(count), byref(left))
        status = self.called("mailbox_take", subscription, buffer, size, *outs)
        records = []
        for index in range(count.value):
            header = d.EventHeaderStruct.from_buffer(buffer, index * sizeof(d.EventHeaderStruct))
            payload = buffer.raw[header.offset : header.offset + header.size]
            assert header.offset % 8 == 0 and header.offset + header.size <= size
            root = self.roots[self.scope_of[subscription]]
            assert not header.flags & d.EVENT_LIST  # its bytes alone are no list
            if self.is_list(root, header.type):
                header.flags |= d.EVENT_LIST
            records.append(RecordView(header, payload, self.origin_name(root, header.origin)))
        return status, records, left.value

    def is_list(self, context: int, number: int) -> bool:
        info = d.TypeInfoStruct(size=sizeof(d.TypeInfoStruct))
        assert self.called("type_read", context, number, byref(info)) == 0
        return bool(info.contract & d.LIST)

    # In a callback ------------------------------------------------------------------------------

    def retain(self, event: EventView) -> Any:
        return self.event_retain(event)

    def retained_event(self, retained: int) -> Any:
        status, address = self.called("retained_event", retained)
        return status, None if status else EventView(self, address)

    def on_settled(self, event: EventView, fn: Any, hook: Any) -> int:
        rest = (self.keep(fn, hook), self.hook_of(hook))
        return self.event_on_settled(event, self.settled_fn, *rest)

    # Scopes and servers -------------------------------------------------------------------------

    def scope_add(self, parent: int, name: str) -> Any:
        return self.child(parent, self.called("scope_add", parent, name, None))

    def child(self, parent: int, made: Any) -> Any:
        """Notes the context of a scope that was made."""
        self.roots[made[1]] = self.roots[parent]
        return made

    def scope_number(self, scope: int) -> int:
        status, number = self.called("scope_number", scope)
        return number if status == 0 else 1

    def scope_find(self, scope: int, number: int) -> Any:
        found = c_void_p()
        status = self.called("scope_find", scope, number, byref(found), None)
        return status, found.value

    def factory_add(self, scope: int, name: str, contract: int, make: Any, hook: Any) -> int:
        rest = (self.maker(scope, make), self.keep(make, hook), self.hook_of(hook))
        return self.called("factory_add", scope, name, contract, *rest)

    def maker(self, scope: int, make: Any) -> Any:
        """A function of C that fills a scope."""

        def fill(_: Any, made: int, address: Any) -> int:
            self.roots[made] = self.roots[scope]
            event = EventView(self, address) if address else None
            return self.run(make, made, event, failed=-1)

        self.callbacks.append(d.MAKE_FN(fill))
        return self.callbacks[-1]

    def service_add(
        self, scope: int, name: str, types: Any, contract: int, make: Any, hook: Any
    ) -> int:
        table = (ctypes.c_char_p * len(types))(*(each.encode() for each in types))
        rest = (self.maker(scope, make), self.keep(make, hook), self.hook_of(hook))
        return self.called("service_add", scope, name, table, len(types), contract, *rest)

    def instance_open(self, scope: int, name: str, data: bytes, fn: Any) -> Any:
        called = self.event_fn if fn else d.EVENT_FN()
        return self.called("instance_open", scope, name, data, called, self.keep(fn, None))

    def scope_add_with(self, parent: int, name: str, how: dict[str, int]) -> Any:
        options = d.ScopeOptions(size=sizeof(d.ScopeOptions), **how)
        return self.child(parent, self.called("scope_add", parent, name, byref(options)))

    def server_add(
        self,
        parent: int,
        name: str | None,
        rows: Any,
        hook: Any,
        how: Filter | None = None,
        show: Any = None,
    ) -> Any:
        """The handlers of a server share user_data: each row gets a C function of its own."""
        table = (d.HandlerRow * len(rows))()
        for index, (type_name, fn, is_own) in enumerate(rows):
            called = d.EVENT_FN(self.handler(fn))
            table[index] = d.HandlerRow(type_name.encode(), called, is_own)
        what = (parent, name, table, sizeof(d.HandlerRow), len(rows))
        rest = (self.keep(table, hook), self.hook_of(hook))
        if how is None and show is None:
            return self.child(parent, self.called("server_add", *what, *rest))
        options, how = d.ServerOptions(size=sizeof(d.ServerOptions)), how or Filter()
        if show:
            shown = d.SHOW_FN(self.shower(show))
            self.callbacks.append(shown)
            options.show = shown
        options.scheduler, options.policy = how.scheduler, how.policy
        options.limit_events, options.limit_bytes = how.limit_events, how.limit_bytes
        return self.child(parent, self.server_add_with(*what, byref(options), *rest))

    # Drain, wait, flush -------------------------------------------------------------------------

    def wait(self, scope: int) -> int:
        return self.called("wait", scope, 0)

    # Time ---------------------------------------------------------------------------------------

    def send_later(self, kind: str, scope: int, number: int, data: bytes, ms: int) -> Any:
        return self.send_after(scope, number, data, ms, ms if kind == "send_every" else 0)

    def advance(self, scope: int, ms: int) -> int:
        return self.context_advance(scope, ms)

    def now(self, scope: int) -> Any:
        return self.context_now(scope)

    def next_timeout(self, scope: int) -> Any:
        return self.context_next_timeout(scope)

    def readable(self, scope: int) -> Any:
        """Whether the descriptor of a context is readable."""
        status, descriptor = self.context_fd(scope)
        return status, not status and bool(select.select([descriptor], [], [], 0)[0])
