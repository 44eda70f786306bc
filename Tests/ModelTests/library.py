# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The real library, called through ctypes.

The project's Python face is not used, only what is generated from the header: a fault in the face
must not hide a fault in the core.
"""

from __future__ import annotations

import ctypes
import select
from ctypes import byref, c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p, sizeof
from typing import Any

from callbacks import Callbacks, EventView, RecordView
from reactor_calls import ReactorCalls
from reference.declarations import d, load
from reference.flow.values import Asked, Filter
from state_calls import StateCalls


class Library(Callbacks, StateCalls, ReactorCalls):
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
        return Library.functions[name]

    def follow(self, log: list[Any]) -> None:
        """The library needs no advice."""

    # Contexts and types -------------------------------------------------------------------------

    def create(self, how: dict[str, int]) -> int:
        """A context whose options are named as in the header."""
        options, context = d.ContextOptions(size=sizeof(d.ContextOptions)), c_void_p()
        for name, value in how.items():
            setattr(options, name, value)
        assert self.context_create(byref(options), byref(context)) == 0
        self.roots[context.value] = context.value
        return context.value

    def close(self, context: int) -> int:
        return self.context_close(context)

    def stats(self, context: int) -> Any:
        stats = d.ContextStatsStruct(size=sizeof(d.ContextStatsStruct))
        status = self.context_stats_read(context, byref(stats))
        names = [name for name, _ in d.ContextStatsStruct._fields_ if name != "size"]
        return status, {} if status else {name: getattr(stats, name) for name in names}

    def type_add(self, scope: int, name: str, contract: int, response: str | None) -> Any:
        number = c_uint32()
        answer = response.encode() if response else None
        add = self.functions["type_add"]
        status = add(scope, name.encode(), contract, answer, byref(number))
        return status, 0 if status else number.value

    # Send, post, request ------------------------------------------------------------------------

    def send(self, scope: int, number: int, data: bytes) -> int:
        return self.functions["send"](scope, number, data, len(data))

    def post(self, scope: int, number: int, data: bytes) -> int:
        return self.functions["post"](scope, number, data, len(data))

    def send_many(self, scope: int, rows: list[tuple[int, bytes]]) -> Any:
        """A batch: headers from the front, payloads behind them."""
        headers = (d.EventHeaderStruct * len(rows))()
        payloads = b""
        for header, (number, data) in zip(headers, rows):
            header.type, header.size = number, len(data)
            header.offset = sizeof(headers) + len(payloads)
            payloads += data
        batch, accepted = bytes(headers) + payloads, c_size_t(77)
        send = self.functions["send_many"]
        return send(scope, batch, len(batch), len(rows), byref(accepted)), accepted.value

    def post_from_interrupt(self, scope: int, number: int, data: bytes) -> int:
        return self.functions["post_from_interrupt"](scope, number, data, len(data))

    def request(
        self, scope: int, number: int, data: bytes, fn: Any, how: Asked | None = None
    ) -> Any:
        pending = c_void_p()
        called = self.event_fn if fn else d.EVENT_FN()
        if how is None:
            key = self.keep(fn, None)
            ask = self.functions["request"]
            status = ask(scope, number, data, len(data), called, key, byref(pending))
            return status, pending.value
        options, key = d.RequestOptions(size=sizeof(d.RequestOptions)), self.keep(fn, how.hook)
        options.timeout_ms, options.scheduler = how.timeout_ms, how.scheduler
        options.share = how.share
        if how.progress:
            step = d.EVENT_FN(self.handler(how.progress))
            self.callbacks.append(step)
            options.progress = step
        ask, hook = self.functions["request_with"], self.hook_of(how.hook)
        arguments = (scope, number, data, len(data), byref(options), called, key, hook)
        return ask(*arguments, byref(pending)), pending.value

    def pending_position(self, pending: int) -> Any:
        position = c_uint64()
        status = self.functions["pending_position"](pending, byref(position))
        return status, 0 if status else position.value

    def respond(self, event: EventView, data: bytes) -> int:
        return self.functions["respond"](event.address, data, len(data))

    def respond_error(self, event: EventView, code: int, message: str) -> int:
        return self.functions["respond_error"](event.address, code, message.encode())

    def respond_progress(self, event: EventView, number: int, data: bytes) -> int:
        return self.functions["respond_progress"](event.address, number, data, len(data))

    def request_count(self, scope: int, number: int) -> Any:
        count = c_uint64()
        status = self.functions["request_count"](scope, number, byref(count))
        return status, 0 if status else count.value

    # Observe, cancel ----------------------------------------------------------------------------

    def scheduler_add(self, scope: int, name: str) -> Any:
        number = c_uint32()
        status = self.functions["scheduler_add"](scope, name.encode(), 0, byref(number))
        return status, 0 if status else number.value

    def observe(self, scope: int, what: Filter, fn: Any, hook: Any) -> Any:
        subscription, key = c_void_p(), self.keep(fn, hook)
        called = self.event_fn if fn else d.EVENT_FN()
        rest = (called, key, self.hook_of(hook), byref(subscription))
        if what == Filter(types=what.types) and len(what.types or [0]) == 1:
            number = what.types[0] if what.types else 0
            status = self.functions["observe"](scope, number, *rest)
            self.scope_of[subscription.value] = scope
            return status, subscription.value
        options = d.ObserveOptions(size=sizeof(d.ObserveOptions))
        if what.types is not None:
            options.types = (c_uint32 * len(what.types))(*what.types)
            options.type_count = len(what.types)
        options.flags, options.role = what.flags, what.role
        options.layers, options.count = what.layers, what.count
        options.scheduler, options.policy = what.scheduler, what.policy
        options.limit_events, options.limit_bytes = what.limit_events, what.limit_bytes
        options.of = what.of
        status = self.observe_with(scope, byref(options), *rest)
        self.scope_of[subscription.value] = scope
        return status, subscription.value

    def subscription_demand(self, subscription: int, count: int) -> int:
        return self.functions["subscription_demand"](subscription, count)

    def subscription_stats(self, subscription: int) -> Any:
        stats = d.SubscriptionStatsStruct(size=sizeof(d.SubscriptionStatsStruct))
        status = self.subscription_stats_read(subscription, byref(stats))
        names = ("flags", "delivered", "failed", "dropped", "waiting", "waiting_bytes")
        return status, {} if status else {name: getattr(stats, name) for name in names}

    def mailbox_take(self, subscription: int, size: int) -> Any:
        """What was fetched, as the header's fields and the payload, and what the next one needs."""
        buffer = ctypes.create_string_buffer(size) if size else None
        count, left = c_size_t(), c_size_t()
        fetch = self.functions["mailbox_take"]
        status = fetch(subscription, buffer, size, byref(count), byref(left))
        records = []
        for index in range(count.value):
            header = d.EventHeaderStruct.from_buffer(buffer, index * sizeof(d.EventHeaderStruct))
            payload = buffer.raw[header.offset : header.offset + header.size]
            assert header.offset % 8 == 0 and header.offset + header.size <= size
            root = self.roots[self.scope_of[subscription]]
            records.append(RecordView(header, payload, self.origin_name(root, header.origin)))
        return status, records, left.value

    def history_keep(self, scope: int, number: int, count: int, age: int) -> int:
        return self.functions["history_keep"](scope, number, count, age)

    def value_set(self, scope: int, number: int, data: bytes) -> int:
        return self.functions["value_set"](scope, number, data, len(data))

    def value_get(self, scope: int, number: int) -> Any:
        retained = c_void_p()
        status = self.functions["value_get"](scope, number, byref(retained))
        return status, retained.value

    def subscription_from(self, subscription: int) -> Any:
        position = c_uint64()
        status = self.functions["subscription_from"](subscription, byref(position))
        return status, 0 if status else position.value

    # In a callback ------------------------------------------------------------------------------

    def retain(self, event: EventView) -> Any:
        retained = c_void_p()
        status = self.event_retain(event.address, byref(retained))
        return status, retained.value

    def retained_event(self, retained: int) -> Any:
        address = c_void_p()
        status = self.functions["retained_event"](retained, byref(address))
        return status, None if status else EventView(self, address.value)

    def on_settled(self, event: EventView, fn: Any, hook: Any) -> int:
        key = self.keep(fn, hook)
        call = self.functions["event_on_settled"]
        return call(event.address, self.settled_fn, key, self.hook_of(hook))

    def fail(self, event: EventView, code: int, message: str) -> int:
        return self.functions["fail"](event.address, code, message.encode())

    def confirm(self, event: EventView) -> int:
        return self.functions["confirm"](event.address)

    # Scopes and servers -------------------------------------------------------------------------

    def scope_add(self, parent: int, name: str) -> Any:
        scope = c_void_p()
        status = self.functions["scope_add"](parent, name.encode(), None, byref(scope))
        self.roots[scope.value] = self.roots[parent]
        return status, scope.value

    def scope_number(self, scope: int) -> int:
        number = c_uint64()
        status = self.functions["scope_number"](scope, byref(number))
        return number.value if status == 0 else 1

    def scope_find(self, scope: int, number: int) -> Any:
        found = c_void_p()
        status = self.functions["scope_find"](scope, number, byref(found), None)
        return status, found.value

    def factory_add(self, scope: int, name: str, contract: int, make: Any, hook: Any) -> int:
        def called(_: Any, made: int, address: Any) -> int:
            self.roots[made] = self.roots[scope]
            return self.run(lambda: make(made, EventView(self, address)), failed=-1)

        fn, key = d.MAKE_FN(called), self.keep(make, hook)
        self.callbacks.append(fn)
        arguments = (name.encode(), contract, fn, key, self.hook_of(hook))
        return self.functions["factory_add"](scope, *arguments)

    def service_add(
        self, scope: int, name: str, types: Any, contract: int, make: Any, hook: Any
    ) -> int:
        def called(_: Any, made: int, address: Any) -> int:
            self.roots[made] = self.roots[scope]
            try:
                return make(made, EventView(self, address) if address else None)
            except BaseException as error:  # nothing may cross into C
                self.escaped.append(error)
                return -1

        fn, key = d.MAKE_FN(called), self.keep(make, hook)
        self.callbacks.append(fn)
        table = (ctypes.c_char_p * len(types))(*(each.encode() for each in types))
        arguments = (name.encode(), table, len(types), contract, fn, key, self.hook_of(hook))
        return self.functions["service_add"](scope, *arguments)

    def service_find(self, scope: int, name: str) -> Any:
        found = c_void_p()
        status = self.functions["service_find"](scope, name.encode(), byref(found))
        return status, found.value

    def instance_open(self, scope: int, name: str, data: bytes, fn: Any) -> Any:
        pending, key = c_void_p(), self.keep(fn, None)
        called = self.event_fn if fn else d.EVENT_FN()
        arguments = (name.encode(), data, len(data), called, key, byref(pending))
        return self.functions["instance_open"](scope, *arguments), pending.value

    def scope_add_with(self, parent: int, name: str, how: dict[str, int]) -> Any:
        options, scope = d.ScopeOptions(size=sizeof(d.ScopeOptions)), c_void_p()
        for field, value in how.items():
            setattr(options, field, value)
        add = self.functions["scope_add"]
        status = add(parent, name.encode(), byref(options), byref(scope))
        self.roots[scope.value] = self.roots[parent]
        return status, scope.value

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
        key = self.keep(table, hook)
        server = c_void_p()
        what = (parent, name and name.encode(), table, sizeof(d.HandlerRow), len(rows))
        rest = (key, self.hook_of(hook), byref(server))
        if how is None and show is None:
            status = self.functions["server_add"](*what, *rest)
        else:
            options, how = d.ServerOptions(size=sizeof(d.ServerOptions)), how or Filter()
            if show:
                shown = d.SHOW_FN(self.shower(show))
                self.callbacks.append(shown)
                options.show = shown
            options.scheduler, options.policy = how.scheduler, how.policy
            options.limit_events, options.limit_bytes = how.limit_events, how.limit_bytes
            status = self.server_add_with(*what, byref(options), *rest)
        self.roots[server.value] = self.roots[parent]
        return status, server.value

    # Drain, wait, flush -------------------------------------------------------------------------

    def drain(self, scope: int, limit: int) -> Any:
        count = c_size_t()
        status = self.functions["drain"](scope, limit, byref(count))
        return status, 0 if status else count.value

    def wait(self, scope: int) -> int:
        return self.functions["wait"](scope, 0)

    # Time ---------------------------------------------------------------------------------------

    def send_later(self, kind: str, scope: int, number: int, data: bytes, ms: int) -> Any:
        timer = c_void_p()
        period, arm = ms if kind == "send_every" else 0, self.functions["send_after"]
        return arm(scope, number, data, len(data), ms, period, byref(timer)), timer.value

    def advance(self, scope: int, ms: int) -> int:
        return self.functions["context_advance"](scope, ms)

    def now(self, scope: int) -> Any:
        time = c_int64()
        status = self.functions["context_now"](scope, byref(time))
        return status, 0 if status else time.value

    def next_timeout(self, scope: int) -> Any:
        timeout = c_int64()
        status = self.functions["context_next_timeout"](scope, byref(timeout))
        return status, 0 if status else timeout.value

    def readable(self, scope: int) -> Any:
        """Whether the descriptor of a context is readable."""
        descriptor = c_int()
        status = self.functions["context_fd"](scope, byref(descriptor))
        if status:
            return status, False
        return status, bool(select.select([descriptor.value], [], [], 0)[0])
