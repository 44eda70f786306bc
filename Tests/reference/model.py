# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The reference model: the stream and its calls, with all that stands on them.

Written from the laws and the public header, without reading the library. It speaks the same
language as library.py, so one player plays a script against either.
"""

from __future__ import annotations

from typing import Any

from reference.declarations import d
from reference.flow.calls import Calls
from reference.flow.process import Process
from reference.flow.schedulers import Entry
from reference.flow.stream import Stream as Flow
from reference.flow.values import Subscription, Told
from reference.state.binding import Bindings, Tasks
from reference.state.commands import Commands
from reference.state.models import Models
from reference.state.reactors import Reactors


class Stream(Tasks, Commands, Flow):
    """The stream, with the tasks of bindings and the runs of commands."""

    def __init__(self, process: Process, how: dict[str, int]) -> None:
        super().__init__(process, how)
        self.open_tasks()


def label(entry: Entry) -> tuple[str, str | None]:
    """What the log says of what an entry calls: it was called or released, and how it is named."""
    owner = entry.owner
    if isinstance(owner, Subscription):
        fn = owner.fn
    elif isinstance(owner, Told):
        is_called = owner.fn and not owner.scope.ended
        fn = owner.fn if is_called else owner.hook
        return "called" if is_called else "released", getattr(fn, "label", None)
    else:
        fn = owner.progress if entry.event.flags & d.EVENT_PROGRESS else owner.fn or owner.hook
        if fn is owner.hook:
            return "released", getattr(fn, "label", None)
    return "called", getattr(fn, "label", None)


class Reference(Calls, Bindings, Models, Reactors):
    """All that the library does for a script."""

    stream_class: type[Stream] = Stream

    def __init__(self, seen: list[tuple[Any, ...]] | None = None) -> None:
        super().__init__()
        #: What the library did, where it is known: it chooses between schedulers as it likes.
        self.seen = seen

    def follow(self, log: list[tuple[Any, ...]]) -> None:
        """Takes the library's choice of who is next, where no law says so, from its log."""
        if self.seen is None:
            return

        def passes_by(entry: Entry) -> bool:
            return hasattr(getattr(entry.owner, "fn", None), "is_of_view")

        def advice(entries: list[Entry], taken: list[Entry], waiting: list[Entry]) -> Entry | None:
            labels = {label(each): each for each in entries}
            before = [label(each) for each in taken]
            later = {label(each) for each in waiting}
            if self.seen[len(log) : len(log) + 1] and self.seen[len(log)][0] == "returned":
                # Nothing more is called in this drain: a view passes something by.
                return next((each for each in entries if passes_by(each)), None)
            for what, *rest in self.seen[len(log) :]:
                name = (what, *rest[:1])
                if name in before:
                    # What was taken before it and is not called was cancelled meanwhile.
                    del before[: before.index(name) + 1]
                elif name in labels:
                    return labels[name]
                elif name in later:
                    # The first in line comes before it, and is then cancelled.
                    return next((each for each in entries if not each.is_free), None)
            return None

        def next_label() -> str | None:
            what, *rest = self.seen[len(log)] if len(log) < len(self.seen) else ("end",)
            return rest[0] if what == "released" else None

        def calls_inside(name: str | None) -> bool:
            """Whether the library called or released something in the hook that runs next."""
            for what, *rest in self.seen[len(log) + 1 :]:
                if what in ("called", "released"):
                    return True
                if what == "left hook" and rest[0] == name:
                    return False
            return False

        def begins_after() -> int | None:
            for what, *rest in self.seen[len(log) + 1 :]:
                if what == "left hook":
                    return None
                # A refused call returns its status alone.
                if what == "returned" and rest[1] == "observe" and isinstance(rest[2], tuple):
                    status, (_, label) = rest[2]
                    if status == d.OK:
                        return label
            return None

        def returns() -> Any:
            what, *rest = self.seen[len(log)] if len(log) < len(self.seen) else ("end",)
            return rest[1:] if what == "returned" else None

        self.process.advice, self.process.next_label = advice, next_label
        self.process.calls_inside, self.process.returns = calls_inside, returns
        self.process.begins_after = begins_after
