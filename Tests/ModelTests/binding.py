# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Bindings: a part of the reference (reference.py), and what of them waits in a stream."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable

from contract import BUSY, INVALID, LIMIT, OK, OUTSIDE, STALE, WRITTEN, WRONG_THREAD
from process import Frame
from values import Callback, Event, Filter, Scope, Subscription

Changes = Callable[[list[str]], None]


@dataclass(eq=False)
class Binding:
    view: Scope
    #: The names behind the owner's, and what is called for each.
    rows: list[tuple[str, Callback]]
    #: Looks at nothing; has the hook.
    keeper: Subscription
    owner: Scope | None = None
    observers: list[Subscription] = field(default_factory=list)
    changes: Changes | None = None
    changed: list[str] = field(default_factory=list)


class Tasks:
    """What is called at the end of a drain: a part of the stream (stream.py)."""

    def open_tasks(self) -> None:
        self.tasks: list[Binding] = []
        #: Whose changes are being told: its hook waits for the end of the call.
        self.telling: Binding | None = None

    def is_told(self, keeper: Subscription) -> bool:
        return self.telling is not None and self.telling.keeper is keeper

    def note_change(self, binding: Binding, name: str) -> None:
        if not binding.changes:
            return
        if name not in binding.changed:
            binding.changed.append(name)
        if binding not in self.tasks:
            self.tasks.append(binding)

    def run_tasks(self, most: int) -> int:
        count = done = min(len(self.tasks), most)
        while count and self.tasks:
            count -= 1
            self.tell_changes(self.tasks.pop(0))
        return done - count

    def tell_changes(self, binding: Binding) -> None:
        names, binding.changed = binding.changed, []
        if names and binding.changes and not binding.keeper.cancelled:
            self.telling = binding
            with self.process.inside(Frame(self, None, True, True)):
                binding.changes(names)
                self.telling = None
                if binding.keeper.released and binding.keeper.hook:
                    binding.keeper.hook()

    def forget_task(self, keeper: Subscription) -> None:
        self.tasks = [each for each in self.tasks if each.keeper is not keeper]


class Bindings:
    """The calls of bindings."""

    def check_binding(self, binding: Binding, changes: bool = False) -> int:
        stream = binding.view.stream
        if stream.gone or stream.closing or binding.keeper.released:
            return STALE
        if not self.is_home(stream):
            return WRONG_THREAD
        if changes and self.is_in_show(stream):
            return BUSY
        return STALE if binding.keeper.cancelled else OK

    def check_owner(
        self, view: Scope, owner: Scope | None, rows: list[tuple[str, Callback]]
    ) -> int:
        stream = view.stream
        status = OK if owner is None else self.check_origin(stream, owner)
        for name, _ in rows if owner and not status else ():
            known = self.find_value(owner, name)
            status = status or (stream.check_observing(view, known) if known else INVALID)
        return status

    def find_value(self, owner: Scope, name: str) -> Any:
        whole = f"{owner.name}.{name}"
        return next((each for each in owner.stream.types if each.name == whole), None)

    def binding_add(
        self,
        view: Scope,
        owner: Scope | None,
        rows: list[tuple[str, Callback]],
        hook: Callable[[], None] | None,
    ) -> Any:
        stream = view.stream
        status = self.check_changing(view) or self.check_owner(view, owner, rows)
        count = 1 + (len(rows) if owner else 0)
        if not status and not stream.has_budget(view, count):
            status = LIMIT
        if status:
            return status, None
        keeper = Subscription(view, Filter(types=[]), None, hook, stream.last)
        binding = Binding(view, rows, keeper)
        self.register(keeper)
        self.join_rows(binding, owner)
        return OK, binding

    def join_rows(self, binding: Binding, owner: Scope | None) -> None:
        stream = binding.view.stream
        binding.owner = owner
        for name, fn in binding.rows if owner else ():
            what = Filter(types=[self.find_value(owner, name).number], of=owner)
            called = self.row(binding, name, fn)
            observer = Subscription(binding.view, what, called, None, stream.last)
            binding.observers.append(observer)
            self.register(observer)
        stream.deliver()

    def row(self, binding: Binding, name: str, fn: Callback) -> Callback:
        def run(event: Event) -> None:
            binding.view.stream.note_change(binding, name)
            fn(event)

        run.label = getattr(fn, "label", None)
        run.is_of_view = True  # what a view sees is no step of its server
        return run

    def binding_point(self, binding: Binding, owner: Scope | None) -> int:
        status = self.check_binding(binding, True)
        status = status or self.check_owner(binding.view, owner, binding.rows)
        if status:
            return status
        self.end_rows(binding)
        if binding.keeper.cancelled or binding.view.stream.closing:
            return STALE
        if owner and not binding.view.stream.has_budget(binding.view, len(binding.rows)):
            binding.owner = None
            return LIMIT
        self.join_rows(binding, owner)
        return OK

    def end_rows(self, binding: Binding) -> None:
        rows, binding.observers = binding.observers, []
        for observer in rows:
            if not observer.cancelled:
                self.cancel(observer)

    def binding_set(self, binding: Binding, name: str, data: bytes) -> int:
        """Sends as the view may, through the owner; always an input."""
        status = self.check_binding(binding, True)
        if status:
            return status
        view, owner = binding.view, binding.owner
        if owner is None or owner.ended:
            return STALE
        known = self.find_value(owner, name)
        status = self.check_event(view, known.number, data) if known else INVALID
        if status:
            return status
        event = Event(known.number, data, owner.name, flags=OUTSIDE | WRITTEN)
        is_set = view.stream.is_value(known)
        if is_set and view.stream.is_there(event):
            return OK
        status = self.check_after_leftovers(view)
        if status or (is_set and view.stream.is_there(event)):
            return status
        status = self.check_room(view.stream, event)
        if not status:
            view.stream.put(event)
        return status

    def binding_on_changes(self, binding: Binding, changes: Changes | None) -> int:
        status = self.check_binding(binding)
        if not status:
            binding.changes = changes
        return status

    def binding_end(self, binding: Binding) -> int:
        status = self.check_binding(binding)
        if not status:
            self.end_rows(binding)
            self.cancel(binding.keeper)
        return status
