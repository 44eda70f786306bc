// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What other threads have handed over and the context has not yet taken in, and the descriptor that
/// tells of it. Under the stream's lock.
package struct Inbox {
  private var waiting = EventQueue()
  private var descriptor: Int32 = -1
  private var isSignalled = false
  /// Drains going on: while there is one, the descriptor is not readable.
  private var drains = 0

  package init() {}

  package var count: Int { waiting.count }

  /// Appends an event whose position is still to come.
  package mutating func append(_ kept: KeptEvent.Pointer) {
    waiting.append(kept)
    signalIfDue()
  }

  package mutating func takeFirst() -> KeptEvent.Pointer? { waiting.takeFirst() }

  /// A drain begins: what comes meanwhile signals when it ends.
  package mutating func beginDrain() {
    drains &+= 1
    guard isSignalled else { return }
    mainstem_p_wake_clear(descriptor)
    isSignalled = false
  }

  package mutating func endDrain() {
    drains &-= 1
    signalIfDue()
  }

  /// The descriptor, made at the first call; nil when none is left.
  package mutating func openDescriptor() -> Int32? {
    if descriptor < 0 { descriptor = mainstem_p_wake_create() }
    guard descriptor >= 0 else { return nil }
    signalIfDue()
    return descriptor
  }

  /// Closes the descriptor and is as new. What waits must have been taken before.
  package mutating func close() {
    if descriptor >= 0 { mainstem_p_wake_close(descriptor) }
    self = Inbox()
  }

  /// Signals on the step from empty to not empty only.
  private mutating func signalIfDue() {
    guard descriptor >= 0, !isSignalled, drains == 0, waiting.count > 0 else { return }
    mainstem_p_wake_signal(descriptor)
    isSignalled = true
  }
}
