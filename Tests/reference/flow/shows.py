# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Show functions: a part of the stream (stream.py), law 14."""

from __future__ import annotations

from reference.declarations import d
from reference.flow.process import Frame
from reference.flow.values import Event, Scope


class Shows:
    """Servers that say what they show, once after each event that they have handled."""

    def open_shows(self) -> None:
        #: Servers that have seen the event being delivered, in the order in which they first did.
        self.owed: list[Scope] = []
        #: Those that found no room: owed after the next event.
        self.owed_again: list[Scope] = []
        #: Those that were added outside, and have shown nothing yet.
        self.unshown: list[Scope] = []
        self.is_show_due = False

    def owe(self, scope: Scope) -> None:
        """A callback of a scope runs for the event being delivered."""
        if self.may_show(scope) and scope not in self.owed:
            self.owed.append(scope)

    def owe_first(self, server: Scope) -> None:
        """A server is added: its first show comes after the current event, or before the next."""
        frame = self.process.frame(self)
        if frame and frame.event and not frame.is_outside:
            self.owe(server)
        else:
            self.unshown.append(server)

    def pay(self, event: Event) -> None:
        """Calls the show functions, when an event has reached all its observers."""
        while self.owed:
            self.pay_one(self.owed.pop(0), event)

    def pay_all(self, event: Event) -> None:
        """Those that found no room before come after those that have seen the event."""
        again, self.owed_again = self.owed_again, []
        again = [each for each in again if each not in self.owed]
        self.pay(event)
        self.owed = again
        self.pay(event)

    def pay_one(self, scope: Scope, event: Event) -> None:
        self.may_notice_what_others_cancelled()
        self.owed_again = [each for each in self.owed_again if each is not scope]
        frame = Frame(self, event, is_show=True)
        frame.shows, frame.fail = scope, self.failing_show(frame, scope)
        with self.process.inside(frame):
            if self.may_show(scope):
                self.take_status(scope, scope.show(scope), event)
        with self.process.inside(Frame(self, event)):
            self.send_held(scope)
        self.run_hooks()

    def may_show(self, scope: Scope) -> bool:
        return bool(scope.show) and not scope.ended

    def take_status(self, scope: Scope, status: int, event: Event) -> None:
        """What a show function has returned."""
        if scope in self.unshown:
            self.unshown.remove(scope)
        if status in (d.FULL, d.NO_MEMORY):
            self.owed_again.append(scope)
        elif status and not (status == d.STALE and self.closing):
            self.fail_show(scope, status, event)

    def fail_show(self, scope: Scope, status: int, event: Event | None) -> None:
        if self.process.frame(self).has_failed:
            return
        scope.failures += 1
        self.report(event, scope, (status, "the show function failed"), scope.failures)

    # Held answers -------------------------------------------------------------------------------

    def hold(self, response: Event) -> bool:
        """Keeps an answer back that is given in a callback of a server that shows."""
        frame = self.process.frame(self)
        if not frame or not frame.holder or not response.settles:
            return False
        frame.holder.held.append(response)
        return True

    def holder(self, scope: Scope, is_outside: bool) -> Scope | None:
        """The server whose show is owed for a callback, if one is."""
        if is_outside or not self.may_show(scope):
            return None
        self.owe(scope)
        return scope

    def send_held(self, scope: Scope) -> None:
        """The answers of a step leave after what the show function has said, or failed to say."""
        while scope.held:
            self.put(scope.held.pop(0))

    # The first show -----------------------------------------------------------------------------

    def ready_shows(self, drains: bool = False) -> bool:
        """A call is about to accept an event, or to drain: inputs without a cause come first."""
        frame = self.process.frame(self)
        is_inside = frame is not None and not frame.is_elsewhere
        if not self.unshown or self.closing or is_inside or (self.on_host and not drains):
            return False
        self.is_show_due = True
        return True

    def show_first(self) -> None:
        """Before a drain."""
        if not self.ready_shows(True) or self.delivering:
            return
        self.delivering = True
        self.run_hooks()
        self.show_due()
        self.delivering = False
        self.deliver(False)

    def show_due(self) -> None:
        """By whoever delivers: where that is another thread, before it delivers its next event."""
        if not self.is_show_due:
            return
        waiting, self.unshown = self.unshown, []
        for scope in waiting:
            self.may_notice_what_others_cancelled()
            if not scope.ended:
                with self.process.inside(Frame(self, None, is_show=True)):
                    status = scope.show(scope)
                    self.take_first(scope, status)
            self.run_hooks()
        self.is_show_due = False

    def take_first(self, scope: Scope, status: int) -> None:
        if status in (d.FULL, d.NO_MEMORY):
            self.unshown.append(scope)
        elif status != d.OK:
            self.fail_show(scope, status, None)
