// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// An event that has its position, and what is left to do once the lock is released.
package struct Placed {
  package let position: UInt64
  /// The event of the scheduled callback that sent it.
  package var cause: UnsafeMutablePointer<mainstem_event>?
  /// Its memory; nil: the caller's, from which it is delivered.
  package let queued: QueuedEvent.Pointer?
  /// Whether the caller has the delivery lock, and delivers.
  package let isDeliverer: Bool
  /// Whether `signal` must be called.
  package var tells = false

  package var correlation: UInt64 {
    queued?.pointee.event.correlation ?? cause?.pointee.correlation ?? position
  }

  /// Whether a replay feeds it: not if a callback of the delivery itself sent it.
  package var isInput: Bool {
    queued.map { $0.pointee.event.flags & UInt32(MAINSTEM_EVENT_OUTSIDE) != 0 } ?? true
  }
}
