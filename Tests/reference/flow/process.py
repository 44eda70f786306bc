# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The threads of the host, and what runs on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

from reference.flow.schedulers import Entry
from reference.flow.values import Event, Scope, Subscription

if TYPE_CHECKING:
    from reference.flow.stream import Stream


class Frame:
    """A callback (it has an event) or a release hook (none) on the stack of a thread."""

    def __init__(
        self,
        stream: Stream,
        event: Event | None,
        is_outside: bool = False,
        is_scheduled: bool = False,
        scheduler: int = 0,
        holder: Scope | None = None,
        is_show: bool = False,
    ) -> None:
        self.stream = stream
        self.event = event
        #: Somebody outside asked for it: what is sent in it is an input.
        self.is_outside = is_outside
        self.is_scheduled = is_scheduled
        #: The scheduler of an observer that is called there.
        self.scheduler = scheduler
        #: The server that shows after this callback: it gives its answers later.
        self.holder = holder
        self.is_show = is_show
        #: The observer that is called; the server that shows.
        self.row: Subscription | None = None
        self.shows: Scope | None = None
        #: Lets the callback fail, with a code, a message, and a type if not that of the event.
        self.fail: Callable[..., None] | None = None
        self.has_failed = False
        #: The request for which a command's function runs, and whether that has kept it.
        self.running: Event | None = None
        self.has_kept = False
        #: A release hook of what is on a scheduler: its calls are like calls from outside.
        self.is_elsewhere = is_scheduled


class Process:
    """The threads of the host, one of which runs at a time, and the frames on each of them."""

    def __init__(self) -> None:
        self.thread = 0
        self.threads = 0
        self.frames: dict[int, list[Frame]] = {0: []}
        #: Which of several is next, where no law says so; set by who knows what the library did.
        self.advice: Callable[[list[Entry], list[Entry], list[Entry]], Entry | None] | None = None
        self.next_label: Callable[[], str | None] | None = None
        self.calls_inside: Callable[[str | None], bool] | None = None
        self.returns: Callable[[], Any] = lambda: None
        #: The position after which an observer begins that the hook adds which runs next.
        self.begins_after: Callable[[], int | None] = lambda: None

    def is_next(self, hook: Callable[[], None] | None) -> bool:
        """Whether the library ran this hook next; true where that is not known."""
        return not self.next_label or self.next_label() == getattr(hook, "label", None)

    def is_on_top(self, hook: Callable[[], None] | None) -> bool:
        """Whether what this hook sent was delivered inside it; true where that is not known."""
        return not self.calls_inside or self.calls_inside(getattr(hook, "label", None))

    def choose(
        self, entries: list[Entry], taken: list[Entry], waiting: list[Entry]
    ) -> Entry | None:
        """One of several that may be next, after those that are taken already; all wait."""
        if self.advice and len(entries) > 1:
            return self.advice(entries, taken, waiting) or entries[0]
        return entries[0] if entries else None

    def frame(self, stream: Stream) -> Frame | None:
        """The innermost callback or hook of a stream on this thread."""
        frames = self.frames[self.thread]
        return next((each for each in reversed(frames) if each.stream is stream), None)

    def inside(self, frame: Frame) -> Inside:
        return Inside(self.frames[self.thread], frame)

    def inside_hook(self, frame: Frame, scheduler: int) -> Inside:
        frame.is_elsewhere = bool(scheduler)
        return self.inside(frame)

    def elsewhere(self) -> Elsewhere:
        return Elsewhere(self)


class Inside:
    """The time of one callback or hook."""

    def __init__(self, frames: list[Frame], frame: Frame) -> None:
        self.frames, self.frame = frames, frame

    def __enter__(self) -> None:
        self.frames.append(self.frame)

    def __exit__(self, *_: object) -> None:
        self.frames.pop()


class Elsewhere:
    """The time of one call on a fresh thread, while this one waits for it."""

    def __init__(self, process: Process) -> None:
        self.process, self.back = process, process.thread

    def __enter__(self) -> None:
        self.process.threads += 1
        self.process.thread = self.process.threads
        self.process.frames[self.process.thread] = []

    def __exit__(self, *_: object) -> None:
        self.process.thread = self.back
