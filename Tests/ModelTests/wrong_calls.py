# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong references: what calls take and give."""

from __future__ import annotations

from reference.declarations import d
from reference.flow.values import Event, Scope
from reference.model import Reference, Stream


class InterruptsBehindPosts(Reference):
    def post(self, scope: Scope, number: int, data: bytes) -> int:
        status = super().post(scope, number, data)
        if status == d.OK and len(scope.stream.posts) > 1:
            posts = scope.stream.posts
            posts[-1], posts[-2] = posts[-2], posts[-1]
        return status


class NewObserverGetsCurrentEvent(Reference):
    class stream_class(Stream):
        def reach(self, event: Event) -> None:
            before = self.recipients()
            super().reach(event)
            for subscription in self.recipients():
                if subscription not in before and self.is_due(subscription, event):
                    self.call_subscription(subscription, event)

    def starts_after(self, stream: Stream) -> int:
        frame = self.process.frame(stream)
        return frame.event.position - 1 if frame and frame.event else stream.last


class NewObserverGetsQueuedEvents(Reference):
    def starts_after(self, stream: Stream) -> int:
        frame = self.process.frame(stream)
        return frame.event.position if frame and frame.event else stream.last


class SecondAnswerAccepted(Reference):
    def is_settled(self, stream: Stream, event: Event) -> bool:
        return False


class PostKeepsCause(Reference):
    def post(self, scope: Scope, number: int, data: bytes) -> int:
        status = super().post(scope, number, data)
        if status == d.OK:
            scope.stream.set_cause(scope.stream.posts[-1])
        return status
