// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The timers of a stream. Under its lock.
struct Timers {
  private(set) var count: UInt64 = 0
  /// Times at which a periodic timer could not fire.
  private(set) var missed: UInt64 = 0

  /// Adds a timer to those of its scope.
  mutating func link(_ timer: Timer.Pointer) {
    let scope = timer.pointee.scope
    timer.pointee.next = scope.pointee.firstTimer
    scope.pointee.firstTimer?.pointee.previous = timer
    scope.pointee.firstTimer = timer
    count &+= 1
  }

  mutating func unlink(_ timer: Timer.Pointer) {
    let (previous, next) = (timer.pointee.previous, timer.pointee.next)
    if let previous {
      previous.pointee.next = next
    } else {
      timer.pointee.scope.pointee.firstTimer = next
    }
    next?.pointee.previous = previous
    count &-= 1
  }

  mutating func miss(_ times: Int64) { missed &+= UInt64(clamping: times) }
}

/// An event that is sent later, once or periodically. Under the stream's lock.
struct Timer {
  /// First: see `deadline(of:)`.
  var deadline: Deadline
  /// The event it sends; the payload is in `queued`.
  let draft: Draft
  let queued: QueuedEvent.Pointer
  let slot: Slot.Pointer
  let scope: Scope.Pointer
  /// Nanoseconds from one time to the next; 0: once.
  let period: Int64
  /// `queued` is on the stream and not delivered yet.
  var isOut = false
  /// The timer has ended; only its event, still on the stream, refers to it.
  var hasEnded = false
  fileprivate var previous: Pointer?
  fileprivate(set) var next: Pointer?

  typealias Pointer = UnsafeMutablePointer<Timer>

  init(
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
  static func deadline(of timer: Pointer) -> Deadline.Pointer {
    UnsafeMutableRawPointer(timer).assumingMemoryBound(to: Deadline.self)
  }
}
