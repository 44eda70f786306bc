# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The calls of the header and their statuses, on top of the stream."""

from __future__ import annotations

import copy
from typing import Any, Callable

from reference.contract import with_role
from reference.declarations import d
from reference.flow.answering import Answering
from reference.flow.children import Children
from reference.flow.lists import Listing
from reference.flow.observing import Observing
from reference.flow.opens import Opening
from reference.flow.process import Process
from reference.flow.sending import Sending
from reference.flow.services import Services
from reference.flow.serving import Serving
from reference.flow.stream import Stream
from reference.flow.values import Event, EventType, Retained, Scope, Timer


class Calls(Sending, Listing, Children, Answering, Observing, Serving, Opening, Services):
    """All that the library does with streams, on virtual threads."""

    stream_class: type[Stream] = Stream

    def __init__(self) -> None:
        self.process = Process()
        self.streams: list[Stream] = []

    def create(self, how: dict[str, int]) -> Scope:
        stream = self.stream_class(self.process, how)
        self.streams.append(stream)
        return stream.root

    def begin(self, stream: Stream) -> None:
        """A call of the owner's may begin with the hooks of what other threads have cancelled."""
        if self.process.next_label and stream.cancelled_elsewhere and self.is_home(stream):
            stream.deliver(False)

    def foreign(self, call: Callable[[], Any]) -> Any:
        """Makes a call on another thread and waits for it."""
        with self.process.elsewhere():
            return call()

    def check(self, scope: Scope) -> int:
        """What a call that takes a context says before anything else."""
        stream = scope.stream
        if stream.gone or stream.closing or scope.ended:
            return d.STALE
        return d.OK if self.is_home(stream) else d.WRONG_THREAD

    def check_changing(self, scope: Scope) -> int:
        """What a call says that changes the stream: it is refused in a show function."""
        return self.check(scope) or self.check_outside_show(scope)

    def check_outside_show(self, scope: Scope) -> int:
        return d.BUSY if self.is_in_show(scope.stream) else d.OK

    def is_in_show(self, stream: Stream) -> bool:
        frame = self.process.frame(stream)
        return frame is not None and frame.is_show

    def is_home(self, stream: Stream) -> bool:
        return stream.owner in (None, self.process.thread)

    # Types --------------------------------------------------------------------------------------

    def type_add(self, scope: Scope, name: str, contract: int, response: str | None) -> Any:
        status = self.check(scope)
        if status or name.startswith("Mainstem"):
            return status or d.INVALID, 0
        contract = with_role(name, contract)
        types = scope.stream.types
        known = next((each for each in types if each.name == name), None)
        if known is None:
            known = EventType(len(types) + 1, name, contract, response)
            status = scope.stream.check_sending(scope, known)
            if status:
                return status, 0
            if scope.stream.is_value(known):
                scope.stream.add_end_type()
            known = EventType(len(types) + 1, name, contract, response)
            types.append(known)
        if known.contract != contract or (response and known.response not in (None, response)):
            return d.INVALID, 0
        known.response = known.response or response
        return d.OK, known.number

    def find(self, stream: Stream, number: int) -> EventType | None:
        return stream.types[number - 1] if 1 <= number <= len(stream.types) else None

    # In a callback ------------------------------------------------------------------------------

    def retain(self, event: Event) -> Any:
        if event.context.stream.gone:
            return d.STALE, None
        event.context.stream.retained += 1
        event.context.stream.add_holder(event)
        frames = self.process.frames[self.process.thread]
        if frames and frames[-1].running is event:
            frames[-1].has_kept = True
        return d.OK, Retained(copy.copy(event))

    def retained_event(self, retained: Retained) -> Any:
        if retained.released or retained.event.context.stream.gone:
            return d.STALE, None
        return d.OK, retained.event

    def retained_release(self, retained: Retained) -> int:
        stream = retained.event.context.stream
        if retained.released or stream.gone:
            return d.STALE
        retained.released = True
        stream.retained -= 1
        frame = self.process.frame(stream)
        waits = frame is None or frame.is_elsewhere
        stream.let_go(retained.event, retained.event.context, waits, released=True)
        return d.OK

    def fail(self, event: Event, code: int, message: str) -> int:
        if code == d.OK or not self.is_current(event):
            return d.INVALID
        event.fail(code, message)
        return d.OK

    def confirm(self, event: Event) -> int:
        if not self.is_current(event):
            return d.INVALID
        event.confirmed = True
        return d.OK

    def is_current(self, event: Event) -> bool:
        frames = self.process.frames[self.process.thread]
        return bool(frames) and event in (frames[-1].event, frames[-1].running)

    # Drain, wait, flush, close ------------------------------------------------------------------

    def check_waiting(self, scope: Scope) -> int:
        stream = scope.stream
        # Also where a closing context delivers its last events: a call that waits is BUSY there.
        if self.process.frame(stream) and not (scope.ended or stream.handles_ended):
            if not self.is_home(stream):
                return d.WRONG_THREAD
            return d.BUSY
        return self.check(scope)

    def drain(self, scope: Scope, limit: int) -> Any:
        # One that is refused in a callback counts, too: the host's loop runs there.
        if self.check_waiting(scope) == d.BUSY:
            scope.stream.is_drained = True
        return self.drain_all(scope, limit)

    def drain_all(self, scope: Scope, limit: int = 0) -> Any:
        status = self.check_waiting(scope) or self.check_after_show(scope)
        if status:
            return status, 0
        scope.stream.is_drained = True
        return d.OK, scope.stream.drain(limit)

    def check_after_show(self, scope: Scope) -> int:
        """The first shows come before a drain; what they say may end what it goes through."""
        scope.stream.show_first()
        return self.check(scope)

    def flush(self, scope: Scope) -> int:
        return self.drain_all(scope)[0]

    def wait(self, scope: Scope) -> int:
        status = self.check_waiting(scope)
        if not status:
            # The host may be told of what another thread has cancelled, even after its hook.
            has_late = bool(scope.stream.cancelled_elsewhere)
            self.begin(scope.stream)
            status = self.check_after_show(scope)
        if not status:
            scope.stream.is_drained = True
            status = d.OK if scope.stream.tells(has_late) else d.TIMEOUT
        return status or self.drain_all(scope)[0]

    # Time ---------------------------------------------------------------------------------------

    def send_later(self, kind: str, scope: Scope, number: int, data: bytes, ms: int) -> Any:
        stream, repeats = scope.stream, kind == "send_every"
        status = d.INVALID if ms < 0 else self.check_changing(scope)
        status = status or self.check_event(scope, number, data)
        if status:
            return status, None
        timer = Timer(scope, number, data, ms if repeats else 0)
        stream.arm(timer, ms)
        return d.OK, timer

    def timer_cancel(self, timer: Timer) -> int:
        stream = timer.scope.stream
        if timer.ended or stream.gone:
            return d.STALE
        timer.ended = True
        stream.timers.remove(timer)
        return d.OK

    def advance(self, scope: Scope, ms: int) -> int:
        status = self.check_waiting(scope)
        if not status and (ms < 0 or not scope.stream.is_virtual):
            status = d.INVALID
        status = status or self.check_after_show(scope)
        if not status:
            scope.stream.is_drained = True
            scope.stream.advance(ms)
        return status

    def now(self, scope: Scope) -> Any:
        status, stream = self.check_reading(scope), scope.stream
        if status or not stream.is_virtual:
            return status, 0
        frame = self.process.frame(stream)
        in_event = stream.keeps_times and frame and frame.event
        return d.OK, frame.event.time if in_event else stream.now

    def next_timeout(self, scope: Scope) -> Any:
        """What waits for the host; with a virtual clock nothing comes by itself, and how long a
        timer of the real clock takes only the library knows.
        """
        status, stream = self.check_reading(scope), scope.stream
        if not status and self.process.frame(stream):
            return d.OK, -1
        status = status or self.check(scope)
        stream.is_drained = stream.is_drained or not status
        if status or stream.tells():
            return status, 0
        known = self.process.returns()
        is_armed = bool(stream.timers) and not stream.is_virtual
        if is_armed and known and known[0] == "next_timeout" and known[1][1] > 0:
            return d.OK, known[1][1]
        return d.OK, -1

    def readable(self, scope: Scope) -> Any:
        status = self.check(scope)
        stream = scope.stream
        stream.is_drained = stream.is_drained or not status
        return status, not status and stream.tells()

    # Close --------------------------------------------------------------------------------------

    def close(self, scope: Scope) -> int:
        if scope.parent is not None:
            return self.check(scope) or d.WRONG_KIND
        status = self.check_waiting(scope)
        if not status:
            scope.stream.close()
        return status

    def check_reading(self, scope: Scope) -> int:
        """Reading works in the last callbacks of a closing context too."""
        stream = scope.stream
        if stream.gone or stream.handles_ended or scope.ended:
            return d.STALE
        return d.OK if self.is_home(stream) else d.WRONG_THREAD

    def count_subscriptions(self, stream: Stream) -> int:
        """Those whose hook has not run. If another thread has cancelled one without a hook, only
        this count shows when it ends, and no law says when.
        """
        count, known = len(stream.subscriptions), self.process.returns()
        without_hook = sum(not each.hook for each in stream.cancelled_elsewhere)
        if known and known[0] == "stats" and known[1][1]:
            return min(count, max(count - without_hook, known[1][1]["subscriptions"]))
        return count

    def stats(self, scope: Scope) -> Any:
        stream = scope.stream
        status = self.check_reading(scope)
        if status:
            return status, {}
        return d.OK, {
            "scopes": len(stream.scopes),
            "events": stream.last,
            "deliveries": stream.deliveries,
            "failures": stream.failures,
            "waiting": len(stream.posts),
            "types": len(stream.types),
            "subscriptions": self.count_subscriptions(stream),
            "requests": len(stream.open) + stream.answered_early(),
            "retained": stream.retained,
            "denied": stream.denied,
            "history": stream.kept_events() + stream.unfreed * bool(self.process.frame(stream)),
            "history_lost": 0,
            "timers": sum(isinstance(each, Timer) for each in stream.timers),
            "timers_missed": stream.missed,
            "rejected": stream.rejected,
        }
