// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// An event that is sent later, once or periodically. Under the stream's lock.
package struct Timer {
  /// First: see `deadline(of:)`.
  package var deadline: Deadline
  /// The event it sends; the payload is in `queued`.
  package let draft: Draft
  package let queued: QueuedEvent.Pointer
  package let slot: Slot.Pointer
  package let scope: Scope.Pointer
  /// Nanoseconds from one time to the next; 0: once.
  package let period: Int64
  /// `queued` is on the stream and not delivered yet.
  package var isOut = false
  /// The timer has ended; only its event, still on the stream, refers to it.
  package var hasEnded = false
  package var previous: Pointer?
  package var next: Pointer?

  package typealias Pointer = UnsafeMutablePointer<Timer>

  package init(
    _ draft: Draft, in queued: QueuedEvent.Pointer, period: Int64, slot: Slot.Pointer,
    scope: Scope.Pointer, deadline: Deadline
  ) {
    self.draft = draft
    self.queued = queued
    self.period = period
    self.slot = slot
    self.scope = scope
    self.deadline = deadline
  }

  /// `deadline` is the first field, so a pointer to the timer is a pointer to it.
  package static func deadline(of timer: Pointer) -> Deadline.Pointer {
    UnsafeMutableRawPointer(timer).assumingMemoryBound(to: Deadline.self)
  }
}
