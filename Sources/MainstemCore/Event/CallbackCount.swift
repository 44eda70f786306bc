// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Numbers what the callbacks of an event do, from 1. Callbacks that get a late event share one sequence for the whole
/// session, since they may get the same event again and again.
package struct CallbackCount {
  private var event: UInt64 = 0
  private var count: UInt64 = 0
  private var lateCount: UInt64 = 0

  package init() {}

  /// - Parameter event: The position of the event, combined with `late` if the event is late.
  package mutating func next(of event: UInt64) -> UInt64 {
    if event & Self.late != 0 {
      lateCount &+= 1
      return Self.firstLate &+ lateCount
    }
    count = last(of: event) &+ 1
    self.event = event
    return count
  }

  /// The last number given for an event; 0: none, and for late events the number before the first.
  package func last(of event: UInt64) -> UInt64 {
    guard event & Self.late == 0 else { return Self.firstLate &+ lateCount }
    return event == self.event ? count : 0
  }

  /// Set in addition to a position when the event is late.
  package static var late: UInt64 { 1 << 63 }
  /// The numbers of late events start above this.
  package static var firstLate: UInt64 { 1 << 54 }
}

extension UnsafeMutablePointer<mainstem_event> {
  /// The position of the event, with `late` set if the event is late.
  package var callbackKey: UInt64 {
    let isLate = pointee.flags & UInt32(MAINSTEM_EVENT_LATE) != 0
    return isLate ? pointee.position | CallbackCount.late : pointee.position
  }
}
