# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A world in which each function can be called: what it needs is made when it is asked for."""

from __future__ import annotations

import ctypes
from ctypes import byref, c_uint32, c_void_p
from functools import cached_property, lru_cache

import journal_writer
from journal_writer import OUTSIDE, WITHHELD, JournalWriter
from mainstem._library import C
from mainstem._library import _header as d
from raw import BUSY, OK

from .navigating import Navigating
from .reacting import reactor_in

SECRET = 0x4000000000000

accept_route = d.ROUTE_TYPE_FN(lambda data, text, size: True)

ignore_event = d.EVENT_FN(lambda data, event: None)
ignore_line = d.LINE_FN(lambda data, line: None)
ignore_show = d.SHOW_FN(lambda data, server, types: 0)
ignore_wake = d.WAKE_FN(lambda data: None)
ignore_make = d.MAKE_FN(lambda data, scope, event: 0)
ignore_changes = d.CHANGES_FN(lambda data, names, count: None)
ignore_durable = d.DURABLE_FN(lambda data, position: None)


@lru_cache(maxsize=None)
def sample_journal():
    """A journal with a text, a failed response and a secret that was withheld."""
    writer = JournalWriter()
    writer.type("RequestAsk", journal_writer.TEXT, "ResponseAsk")
    writer.type("ResponseAsk", journal_writer.TEXT)
    writer.type("Secret", journal_writer.TEXT | SECRET)
    writer.event("Notice", "first")
    writer.event("Secret", flags=OUTSIDE | WITHHELD)
    for number in range(20):
        writer.event("Notice", f"{number}")
    writer.end()
    return writer


class World(Navigating):
    """Handles of each kind, alive; `released` counts the release hooks that ran."""

    def __init__(self, threads, folder):
        self.threads, self.folder = threads, folder
        self.contexts, self.kept, self.journals, self.at_close = {}, [], [], []
        self.others, self.servers = [], []
        self.released, self.act = 0, None
        self.release = d.RELEASE_FN(self._count_release)

    def _count_release(self, data):
        self.released += 1

    # Contexts --------------------------------------------------------------------------------

    def open_context(self, name, **options):
        """A context with the types of this world."""
        given = d.ContextOptions(size=ctypes.sizeof(d.ContextOptions))
        given.threads = self.threads
        for field, value in options.items():
            setattr(given, field, value)
        handle = c_void_p()
        assert C.mainstem_context_create(byref(given), byref(handle)) == OK
        for type_name, contract, response in (
            (b"Notice", d.PAYLOAD_TEXT, None),
            (b"RequestAsk", d.PAYLOAD_TEXT, b"ResponseAsk"),
            (b"ResponseAsk", d.PAYLOAD_TEXT, None),
        ):
            self.add_type(handle.value, type_name, contract, response)
        self.contexts[name] = handle.value
        return handle.value

    def add_type(self, context, name, contract, response=None):
        """The number of a type."""
        number = c_uint32()
        assert C.mainstem_type_add(context, name, contract, response, byref(number)) == OK
        return number.value

    def type_of(self, name, context=None):
        """The number of a type by its name."""
        number = c_uint32()
        assert C.mainstem_type_find(context or self.context, name, byref(number)) == OK
        return number.value

    @cached_property
    def context(self):
        return self.open_context("context")

    @cached_property
    def virtual(self):
        return self.open_context("virtual", clock=d.CLOCK_VIRTUAL)

    @cached_property
    def on_host(self):
        return self.open_context("on_host", flags=d.CONTEXT_DELIVER_ON_HOST)

    @cached_property
    def prepared(self):
        return self.open_context("prepared", flags=d.CONTEXT_INTERRUPTS)

    @cached_property
    def shallow(self):
        context = self.open_context("shallow", limit_cascade=1)
        self.add_factory(context)
        return context

    @cached_property
    def sent_to_shallow(self):
        return self.sent_request(self.shallow)

    def sent_request(self, context, name=b"RequestAsk"):
        """A request that was only sent, kept by a server of that context or scope."""
        got = []
        self.serve(context, lambda event: got.append(self.retain(event)), name)
        home = context if context in self.contexts.values() else self.context
        assert C.mainstem_send(home, self.type_of(name, home), b"", 0) == OK
        return got[0]

    @cached_property
    def fresh(self):
        return self.open_context("fresh")

    @cached_property
    def recorded(self):
        context = self.open_context("recorded")
        assert C.mainstem_journal_record(context, self.path("recorded"), None) == OK
        return context

    @cached_property
    def replaying(self):
        return self.open_context("replaying")

    def scope_of(self, context, name=b"Scope", flags=0, **options):
        """A scope; by its flags one that may do nothing."""
        given = d.ScopeOptions(size=ctypes.sizeof(d.ScopeOptions), flags=flags, **options)
        scope = c_void_p()
        assert C.mainstem_scope_add(context, name, byref(given), byref(scope)) == OK
        return scope.value

    # Handles by kind -------------------------------------------------------------------------

    @cached_property
    def scope(self):
        return self.scope_of(self.context)

    @cached_property
    def factory(self):
        """The name of a factory, if the context has had no event yet."""
        return self.add_factory(self.context)

    def add_factory(self, context):
        name, text = b"Factory", d.PAYLOAD_TEXT
        C.mainstem_factory_add(context, name, text, ignore_make, None, d.RELEASE_FN())
        return name

    @cached_property
    def service(self):
        """The name of a service, if the context has had no event yet."""
        return self.add_service(self.context)

    def add_service(self, context, name=b"Service", make=ignore_make):
        C.mainstem_service_add(context, name, None, 0, 0, make, None, d.RELEASE_FN())
        return name

    @cached_property
    def owner(self):
        return self.owner_in(self.context)

    @cached_property
    def binding(self):
        return self.bind(self.context, self.owner)

    def owner_in(self, context):
        """A scope with a value that views show."""
        self.add_type(context, b"Owner.name", d.PAYLOAD_TEXT)
        return self.scope_of(context, b"Owner")

    @cached_property
    def commanding(self):
        return self.bind(self.context, self.model)

    @cached_property
    def model(self):
        return self.model_in(self.context)

    def model_in(self, context, function=None, policy=0, enabled=None):
        """A scope with a value that views show, and a command."""
        self.add_type(context, b"Model.name", d.PAYLOAD_TEXT)
        rows = (d.ViewmodelRow * 2)(
            d.ViewmodelRow(
                b"go",
                d.VIEWMODEL_COMMAND,
                d.PAYLOAD_TEXT,
                function or ignore_event,
                enabled,
                policy,
            ),
            d.ViewmodelRow(b"may", d.VIEWMODEL_WRITABLE, d.PAYLOAD_BOOL),
        )
        made, size = c_void_p(), ctypes.sizeof(rows[0])
        what = (context, b"Model", rows, size, 2, d.SHOW_FN(), None, d.RELEASE_FN(), byref(made))
        assert C.mainstem_viewmodel_add(*what) == OK
        # It shows now, not in the call that is tested.
        assert C.mainstem_flush(context) in (OK, BUSY)
        return made.value

    @cached_property
    def reactor(self):
        return reactor_in(self, self.context)

    def bind(self, view, owner):
        """A binding that points at an owner, or nowhere."""
        row, made = d.BindingRow(b"name", ignore_event), c_void_p()
        what = (view, owner, byref(row), ctypes.sizeof(row), 1, None, d.RELEASE_FN())
        assert C.mainstem_binding_add(*what, byref(made)) == OK
        return made.value

    @cached_property
    def subscription(self):
        return self.observe(self.context)

    @cached_property
    def mailbox(self):
        return self.observe(self.context, None, scheduler=1)

    @cached_property
    def on_demand(self):
        return self.observe(self.context, scheduler=1, flags=16)

    def observe(self, context, fn=ignore_event, **options):
        """A subscription to all events."""
        given = d.ObserveOptions(size=ctypes.sizeof(d.ObserveOptions), **options)
        made = c_void_p()
        status = C.mainstem_observe_with(
            context, byref(given), fn or d.EVENT_FN(), None, d.RELEASE_FN(), byref(made)
        )
        assert status == OK
        return made.value

    @cached_property
    def pending(self):
        self.handle("served")
        return self.ask()

    def ask(self, context=None):
        """A request that stays open."""
        context, pending = context or self.context, c_void_p()
        number = self.type_of(b"RequestAsk", context)
        fn = d.EVENT_FN()
        assert C.mainstem_request(context, number, b"?", 1, fn, None, byref(pending)) == OK
        return pending.value

    @cached_property
    def served(self):
        """The handles of the requests that the server of this world got."""
        requests = []
        self.serve(self.context, lambda event: requests.append(self.retain(event)))
        return requests

    def serve(self, context, function, type_name=b"RequestAsk"):
        """Adds a server with one handler, beside others."""
        handler = d.EVENT_FN(lambda data, event: function(event))
        self.kept.append(handler)
        row = d.HandlerRow(type_name, handler, d.HANDLER_SEVERAL)
        server = c_void_p()
        size = ctypes.sizeof(row)
        made = C.mainstem_server_add(
            context, b"Server", byref(row), size, 1, None, d.RELEASE_FN(), byref(server)
        )
        assert made == OK
        self.servers.append(server.value)
        return server.value

    def fill_a_queue(self):
        """Adds an observer whose queue refuses what comes next."""
        self.observe(self.context, scheduler=1, policy=0, limit_events=1)
        assert C.mainstem_send(self.context, self.type_of(b"Notice"), b"", 0) == OK

    def retain(self, event):
        """A kept event."""
        retained = c_void_p()
        assert C.mainstem_event_retain(event, byref(retained)) == OK
        return retained.value

    def event_of(self, retained):
        """The address of a kept event."""
        event = c_void_p()
        assert C.mainstem_retained_event(retained, byref(event)) == OK
        return event.value

    @cached_property
    def retained(self):
        self.handle("pending")
        return self.served[0]

    @cached_property
    def failure(self):
        """The address of a failed response."""
        failed = []
        keep = d.EVENT_FN(lambda data, event: failed.append(self.retain(event)))
        self.kept.append(keep)
        subscription = self.observe(self.context, keep, flags=1)
        self.handle("pending")
        assert C.mainstem_pending_cancel(self.ask()) == OK
        assert C.mainstem_cancel(subscription) == OK
        return self.event_of(failed[0])

    @cached_property
    def timer(self):
        timer, notice = c_void_p(), self.type_of(b"Notice")
        hour = 3600000
        assert C.mainstem_send_after(self.context, notice, b"", 0, hour, 0, byref(timer)) == OK
        return timer.value

    def path(self, name):
        """The path of a file in the folder of this world."""
        return str(self.folder / name).encode()

    @cached_property
    def sample(self):
        """The path of a journal."""
        sample_journal().save(self.folder / "sample")
        return self.path("sample")

    @cached_property
    def long_journal(self):
        """The path of a journal whose one event takes long to read."""
        data = bytes(32 << 20)
        notice = self.type_of(b"Notice", self.recorded)
        assert C.mainstem_send(self.recorded, notice, data, len(data)) == OK
        return self.path("recorded")

    def open_journal(self, path):
        """A journal being read."""
        journal = c_void_p()
        assert C.mainstem_journal_open(path, byref(journal)) == OK
        self.journals.append(journal.value)
        return journal.value

    @cached_property
    def journal(self):
        journal, self.journal_event = self.open_journal(self.sample), c_void_p()
        assert C.mainstem_journal_next(journal, 0, byref(self.journal_event)) == OK
        return journal

    @cached_property
    def replay(self):
        replay = c_void_p()
        assert C.mainstem_replay_open(self.replaying, self.sample, None, byref(replay)) == OK
        return replay.value

    @cached_property
    def router(self):
        router = c_void_p()
        assert C.mainstem_router_create(byref(router)) == OK
        self.at_close.append(lambda: C.mainstem_router_close(router))
        assert C.mainstem_router_type_add(router, b"any", accept_route, None, self.release) == OK
        for pattern in (b"<int:Name>", b"a/<Text>", b"b/<any:x>"):
            assert C.mainstem_router_add(router, pattern, None) == OK
        return router.value

    @cached_property
    def match(self):
        return self.match_of(b"7?Name=8")

    def match_of(self, url):
        """What the router finds in a URL."""
        match = c_void_p()
        assert C.mainstem_router_match(self.router, url, None, byref(match)) == OK
        self.at_close.append(lambda: C.mainstem_match_release(match))
        return match.value

    def handle(self, kind):
        """A live handle of a kind."""
        return getattr(self, kind)

    def handles(self):
        """All handles that were made, by name; only that of a server's handler is nobody's."""
        made = {name: value for name, value in vars(self).items() if isinstance(value, int)}
        made.update(enumerate(self.served + self.servers))
        return {name: value for name, value in made.items() if value > 1 << 32}

    def made(self, kind):
        """The handle, if it was made."""
        return self.__dict__.get(kind)

    def close(self):
        """Ends what is left; each may have ended before."""
        for action in self.at_close:
            action()
        for other in self.others:
            other.close()
        for journal in self.journals:
            C.mainstem_journal_close(journal)
        for handle in self.contexts.values():
            C.mainstem_context_close(handle)
