# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A context with a navigator, a stage, and something shown on it."""

from __future__ import annotations

import ctypes
from ctypes import byref, c_size_t, c_uint64, c_void_p
from functools import cached_property

from mainstem._library import C
from mainstem._library import _header as d
from raw import OK

#: URLs that the stage does not answer for.
SLOW = b"slow"


class Navigating:
    """The part of a world that navigates."""

    @cached_property
    def navigating(self):
        """A context in which `page` is shown, and `slow` is about to be."""
        context = self.open_context("navigating")
        self.heard = {}
        keep = d.EVENT_FN(lambda data, event: self._hear(context, event))
        self.kept.append(keep)
        rows = (d.RouteRow * 2)(
            d.RouteRow(b"page", None, d.SCREEN), d.RouteRow(SLOW, None, d.SCREEN)
        )
        assert C.mainstem_routes_add(context, rows, ctypes.sizeof(rows[0]), 2) == OK
        assert C.mainstem_guard_add(context, SLOW, b"guard", 0) == OK
        stage = (d.HandlerRow * 2)(
            d.HandlerRow(b"MainstemShow", keep), d.HandlerRow(b"MainstemHide", keep)
        )
        size = ctypes.sizeof(stage[0])
        assert C.mainstem_stage_add(context, stage, size, 2, None, d.RELEASE_FN(), None) == OK
        given = d.ObserveOptions(size=ctypes.sizeof(d.ObserveOptions))
        assert (
            C.mainstem_observe_with(context, byref(given), keep, None, d.RELEASE_FN(), None) == OK
        )
        guard = d.HandlerRow(b"RequestGuard.guard", keep)
        server = (context, b"Guard", byref(guard), ctypes.sizeof(guard), 1, None, d.RELEASE_FN())
        assert C.mainstem_server_add(*server, None) == OK
        for _ in range(3):
            self._open(context, b"page", keep)
        assert C.mainstem_component_finish(self.scope_of_top(context), 0, None, 0) == OK
        self._drain(context)
        self._open(context, SLOW, keep)
        scope = self.scope_of_top(context)
        said = self.type_of(b"Notice", context)
        assert C.mainstem_send(scope, said, b"said", 4) == OK
        return context

    @cached_property
    def routed(self):
        """A context with a navigator, but without a stage."""
        context = self.open_context("routed")
        assert C.mainstem_navigator_add(context, None) == OK
        return context

    def _open(self, context, url, keep):
        assert C.mainstem_navigator_open(context, url, keep, None, None) == OK
        self._drain(context)

    @staticmethod
    def _drain(context):
        for _ in range(3):
            assert C.mainstem_drain(context, 0, None) == OK

    def _hear(self, context, address):
        """Keeps the last event of each type, and answers what is asked, but for what is slow."""
        event = ctypes.cast(address, ctypes.POINTER(d.EventStruct)).contents
        for name in (b"MainstemShow", b"MainstemHide", b"MainstemResult", b"MainstemTree"):
            if event.type == self.type_of(name, context):
                is_closing = name == b"MainstemTree" and b'"component"' not in self._text(event)
                self.heard[b"closing" if is_closing else name] = self.retain(address)
                if name == b"MainstemShow" and SLOW not in self._text(event):
                    C.mainstem_respond(address, None, 0)
                if name == b"MainstemHide":
                    C.mainstem_respond(address, None, 0)
        if event.type == self.type_of(b"Notice", context):
            self.heard[b"MainstemSaid"] = self.retain(address)
        if event.type == self.type_of(b"RequestGuard.guard", context):
            self.heard[b"RequestGuard"] = self.retain(address)
            if b"later" not in self.heard:
                C.mainstem_guard_answer(address, d.GUARD_ALLOW, None)

    @staticmethod
    def _text(event):
        return ctypes.string_at(event.data, event.size)

    def event_of_text(self, text):
        """The address of an event with a text."""
        number = self.type_of(b"Notice", self.navigating)
        assert C.mainstem_send(self.navigating, number, text, len(text)) == OK
        return self.event_heard(b"MainstemSaid")

    def of_a_closed_context(self, address):
        """The address of a copy of an event whose context is closed."""
        kind = d.EventStruct
        copy = kind.from_buffer_copy(ctypes.string_at(address, ctypes.sizeof(kind)))
        copy.reply = copy.home = 0
        copy.context = self.open_context("gone")
        assert C.mainstem_context_close(self.contexts.pop("gone")) == OK
        self.kept.append(copy)
        return ctypes.addressof(copy)

    def shown_in(self, context):
        """The numbers of what is shown."""
        numbers, count = (c_uint64 * 8)(), c_size_t()
        assert C.mainstem_navigator_tree(context, numbers, 8, byref(count)) == OK
        return list(numbers[: count.value])

    def scope_of_top(self, context):
        """The scope of the component that was shown last."""
        scope = c_void_p()
        number = self.shown_in(context)[-1]
        assert C.mainstem_scope_find(context, number, byref(scope), None) == OK
        return scope.value

    @property
    def component(self):
        return self.shown_in(self.navigating)[0]

    @property
    def showing(self):
        """The component that the stage has not answered for."""
        address = self.event_heard(b"MainstemShow")
        show, text = (
            d.ComponentInfoStruct(size=ctypes.sizeof(d.ComponentInfoStruct)),
            ctypes.create_string_buffer(99),
        )
        assert C.mainstem_show_read(address, byref(show), text, 99) == OK
        return show.component

    def event_heard(self, name):
        """The address of the last event of a type."""
        assert self.navigating
        return self.event_of(self.heard[name])

    @property
    def guarded(self):
        """The address of a guard's request that waits for its answer."""
        context = self.navigating
        self.heard[b"later"] = 0
        assert C.mainstem_navigator_open(context, SLOW, d.EVENT_FN(), None, None) == OK
        return self.event_heard(b"RequestGuard")
