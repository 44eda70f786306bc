# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Bindings: a part of the reference (model.py), and what of them waits in a stream."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Tuple

from reference.declarations import d
from reference.flow.process import Frame
from reference.flow.values import Callback, Event, Filter, Scope, Subscription

Changes = Callable[[list[str]], None]
#: A name behind the owner's, what is called, and flags.
Row = Tuple[str, Callback, int]


@dataclass(eq=False)
class Binding:
    view: Scope
    rows: list[Row]
    #: Looks at nothing; has the hook.
    keeper: Subscription
    owner: Scope | None = None
    observers: list[Subscription] = field(default_factory=list)
    changes: Changes | None = None
    #: What it waits for of its runs: see commands.py.
    runs: list[Any] = field(default_factory=list)
    ended: Callable[[], None] | None = None
    #: Its owner has ended, and nobody has been told.
    has_ended: bool = False
    changed: list[str] = field(default_factory=list)
    #: The last write of each name.
    written: dict[str, int] = field(default_factory=dict)
    #: Observers whose end the hook waits for: the keeper, and what the host's scheduler calls.
    holders: int = 1


class Tasks:
    """What is called at the end of a drain: a part of the stream (model.py)."""

    def open_tasks(self) -> None:
        self.tasks: list[Binding] = []
        #: Those that point at an owner that lives, in the order of pointing.
        self.bound: list[Binding] = []
        #: Whose changes are being told: its hook waits for the end of the call.
        self.telling: Binding | None = None
        #: Two-way rows whose functions run: thread, name, binding and owner.
        self.showing: list[tuple[int, str, Binding, Scope | None]] = []

    def is_told(self, keeper: Subscription) -> bool:
        return self.telling is not None and self.telling.keeper is keeper

    def note_change(self, binding: Binding, name: str) -> None:
        if not binding.changes:
            return
        if name not in binding.changed:
            binding.changed.append(name)
        self.add_task(binding)

    def add_task(self, binding: Binding) -> None:
        if binding not in self.tasks:
            self.tasks.append(binding)

    def note_ends(self, owner: Scope) -> None:
        """An owner has ended: its bindings are told by the next drain."""
        for binding in [each for each in self.bound if each.owner is owner]:
            self.bound.remove(binding)
            binding.has_ended = True
            if binding.ended:
                self.add_task(binding)

    def run_tasks(self, most: int) -> int:
        count = done = min(len(self.tasks), most)
        while count and self.tasks:
            count -= 1
            self.tell_binding(self.tasks.pop(0))
        return done - count

    def tell_binding(self, binding: Binding) -> None:
        """What has changed, then that the owner has ended."""
        if binding.keeper.cancelled:
            return
        self.telling = binding
        with self.process.inside(Frame(self, None, True, True)):
            self.tell_changes(binding)
            self.tell_end_of_owner(binding)
            self.telling = None
            if binding.keeper.released and binding.keeper.hook:
                binding.keeper.hook()

    def tell_changes(self, binding: Binding) -> None:
        names, binding.changed = binding.changed, []
        if names and binding.changes:
            binding.changes(names)

    def tell_end_of_owner(self, binding: Binding) -> None:
        """Once, after the last value; the rows hear nothing any more."""
        if not binding.has_ended or not binding.ended or binding.keeper.cancelled:
            return
        if self.is_behind(binding):
            self.add_task(binding)
            return
        binding.has_ended, rows, binding.observers = False, binding.observers, []
        for each in rows:
            if not each.cancelled:
                self.cancel(each)
                self.deliver()
        if not binding.keeper.cancelled and binding.ended:
            binding.ended()

    def is_behind(self, binding: Binding) -> bool:
        """Whether a value waits for the host."""
        return any(self.share(each) for each in binding.observers)

    def drop_runs(self, binding: Binding) -> None:
        """Runs go on, but the view is told nothing of them."""
        while binding.runs:
            hold = binding.runs.pop(0)
            hold.fn = None
            if hold.hook and not hold.is_calling:
                hook, hold.hook = hold.hook, None
                with self.process.inside(Frame(self, None, True, True)):
                    hook()

    def forget_task(self, keeper: Subscription) -> None:
        self.tasks = [each for each in self.tasks if each.keeper is not keeper]
        self.bound = [each for each in self.bound if each.keeper is not keeper]


class Bindings:
    """The calls of bindings."""

    def check_binding(self, binding: Binding, changes: bool = False) -> int:
        stream = binding.view.stream
        if stream.gone or stream.closing or binding.keeper.released:
            return d.STALE
        if not self.is_home(stream):
            return d.WRONG_THREAD
        if changes and self.is_in_show(stream):
            return d.BUSY
        return d.STALE if binding.keeper.cancelled else d.OK

    def check_owner(self, view: Scope, owner: Scope | None, rows: list[Row]) -> int:
        stream = view.stream
        status = d.OK if owner is None else self.check_origin(stream, owner)
        for name, _, flags in rows if owner and not status else ():
            known = self.find_value(owner, name)
            if not known or (flags & d.BINDING_TWO_WAY and not self.is_written(stream, known)):
                status = status or d.INVALID
            status = status or stream.check_observing(view, known)
        return status

    def is_written(self, stream: Any, known: Any) -> bool:
        """Whether views can write it."""
        return stream.is_value(known) and not known.is_list

    def find_value(self, owner: Scope, name: str) -> Any:
        whole = f"{owner.name}.{name}"
        return next((each for each in owner.stream.types if each.name == whole), None)

    def binding_add(
        self,
        view: Scope,
        owner: Scope | None,
        rows: list[Row],
        hook: Callable[[], None] | None,
    ) -> Any:
        stream = view.stream
        status = self.check_changing(view) or self.check_after_leftovers(view)
        if not status and any(
            flags & ~(d.BINDING_TWO_WAY | d.BINDING_ON_HOST) for _, _, flags in rows
        ):
            status = d.UNSUPPORTED
        status = status or self.check_owner(view, owner, rows)
        count = 1 + (len(rows) if owner else 0)
        if not status and not stream.has_budget(view, count):
            status = d.LIMIT
        if status:
            return status, None
        keeper = Subscription(view, Filter(types=[]), None, None, stream.last)
        binding = keeper.binding = Binding(view, rows, keeper)
        keeper.hook = self.hook_of_last(binding, hook)
        self.register(keeper)
        self.join_rows(binding, owner)
        return d.OK, binding

    def join_rows(self, binding: Binding, owner: Scope | None) -> None:
        stream = binding.view.stream
        binding.owner, binding.written, binding.has_ended = owner, {}, False
        stream.bound = [each for each in stream.bound if each is not binding]
        if owner:
            stream.bound.append(binding)
        for name, fn, flags in binding.rows if owner else ():
            what = Filter(types=[self.find_value(owner, name).number], of=owner)
            if flags:
                what.scheduler, what.policy = (
                    d.SCHEDULER_HOST,
                    d.QUEUE_LATEST if flags & d.BINDING_TWO_WAY else 0,
                )
                binding.holders += 1
            called = self.row(binding, name, fn, bool(flags & d.BINDING_TWO_WAY))
            hook = binding.keeper.hook if flags else None
            observer = Subscription(binding.view, what, called, hook, stream.last)
            binding.observers.append(observer)
            self.register(observer)
        stream.deliver()

    def hook_of_last(self, binding: Binding, hook: Callable[[], None] | None) -> Any:
        """A binding has ended when the last that may still be called has."""

        def run() -> None:
            binding.holders -= 1
            if hook and not binding.holders:
                hook()

        run.label = getattr(hook, "label", None)
        return run if hook else None

    def row(self, binding: Binding, name: str, fn: Callback, is_two_way: bool) -> Callback:
        def run(event: Event) -> None:
            if event.flags & d.EVENT_GAP or is_two_way and self.is_known(binding, name, event):
                return
            binding.view.stream.note_change(binding, name)
            stream = binding.view.stream
            shown = (self.process.thread, name, binding, binding.owner)
            if is_two_way:
                stream.showing.append(shown)
            fn(event)
            if is_two_way:
                stream.showing.remove(shown)

        run.label = getattr(fn, "label", None)
        run.is_of_view = True  # what a view sees is no step of its server
        return run

    def is_known(self, binding: Binding, name: str, event: Event) -> bool:
        """Whether the view wrote an event, or something newer."""
        return event.position <= binding.written.get(name, 0)

    def binding_retarget(self, binding: Binding, owner: Scope | None) -> int:
        status = self.check_binding(binding, True)
        status = status or self.check_owner(binding.view, owner, binding.rows)
        if status:
            return status
        self.end_rows(binding)
        binding.view.stream.drop_runs(binding)
        while binding.observers:  # a hook of a run has pointed it elsewhere
            self.end_rows(binding)
            binding.view.stream.drop_runs(binding)
        if binding.keeper.cancelled or binding.view.stream.closing:
            return d.STALE
        if owner and owner.ended:  # a hook of a run has ended it
            return self.point_nowhere(binding, d.STALE)
        if owner and not binding.view.stream.has_budget(binding.view, len(binding.rows)):
            return self.point_nowhere(binding, d.LIMIT)
        self.join_rows(binding, owner)
        return d.OK

    def point_nowhere(self, binding: Binding, status: int) -> int:
        binding.owner, binding.has_ended = None, False
        stream = binding.view.stream
        stream.bound = [each for each in stream.bound if each is not binding]
        return status

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
            return d.STALE
        if self.is_echo(binding, name, owner):
            return d.OK
        known = self.find_value(owner, name)
        status = self.check_event(view, known.number, data) if known else d.INVALID
        if status:
            return status
        event = Event(known.number, data, owner.name, flags=d.EVENT_OUTSIDE | d.EVENT_WRITTEN)
        is_set = view.stream.is_value(known)
        if is_set and view.stream.is_there(event):
            return d.OK
        status = self.check_after_leftovers(view)
        if status or (is_set and view.stream.is_there(event)):
            return status
        status = self.check_room(view.stream, event)
        if not status:
            self.note_written(binding, name, view.stream.last + 1)
            view.stream.put(event)
        return status

    def is_echo(self, binding: Binding, name: str, owner: Scope) -> bool:
        """Whether the function of a two-way row writes what it shows, through whichever binding."""
        return any(
            (thread, shown) == (self.process.thread, name) and (by is binding or of is owner)
            for thread, shown, by, of in binding.view.stream.showing
        )

    def note_written(self, binding: Binding, name: str, position: int) -> None:
        binding.written[name] = position

    def binding_on_changes(self, binding: Binding, changes: Changes | None) -> int:
        status = self.check_binding(binding)
        if not status:
            binding.changes = changes
        return status

    def binding_on_ended(self, binding: Binding, ended: Callable[[], None] | None) -> int:
        status = self.check_binding(binding)
        if not status:
            binding.ended = ended
            if ended and binding.has_ended:
                binding.view.stream.add_task(binding)
        return status

    def binding_end(self, binding: Binding) -> int:
        status = self.check_binding(binding)
        if not status:
            self.end_rows(binding)
            binding.view.stream.drop_runs(binding)
            self.cancel(binding.keeper)
        return status
