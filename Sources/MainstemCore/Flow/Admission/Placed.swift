// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// An event that has its position, and what is left to do once the lock is released.
package struct Placed: ~Copyable {
  package let position: UInt64
  /// The event of the scheduled callback that sent it.
  let cause: UnsafeMutablePointer<mainstem_event>?
  /// Its memory; nil: the caller's, from which it is delivered.
  let queued: QueuedEvent.Pointer?
  /// If the caller has the delivery lock, it delivers.
  let duty: Duty
  /// Whether `signal` must be called.
  let tells: Bool

  init(
    position: UInt64, cause: UnsafeMutablePointer<mainstem_event>? = nil,
    queued: QueuedEvent.Pointer? = nil, duty: consuming Duty = .nothing, tells: Bool = false
  ) {
    self.position = position
    self.cause = cause
    self.queued = queued
    self.duty = duty
    self.tells = tells
  }

  package var correlation: UInt64 {
    queued?.pointee.event.correlation ?? cause?.pointee.correlation ?? position
  }

  /// Whether a replay feeds it: not if a callback of the delivery itself sent it.
  package var isInput: Bool {
    queued.map { $0.pointee.event.flags & UInt32(MAINSTEM_EVENT_OUTSIDE) != 0 } ?? true
  }
}
