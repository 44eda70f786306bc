// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Numbers what the callbacks of an event do, from 1 on, as it comes. What callbacks do that get it late is numbered
/// through all of a session: they may get it again and again.
package struct CallbackCount {
  private var event: UInt64 = 0
  private var count: UInt64 = 0
  private var lateCount: UInt64 = 0

  package init() {}

  /// - Parameter event: Its position; of one that comes late with `late`.
  package mutating func next(of event: UInt64) -> UInt64 {
    if event & Self.late != 0 {
      lateCount &+= 1
      return Self.firstLate &+ lateCount
    }
    count = last(of: event) &+ 1
    self.event = event
    return count
  }

  /// The number of the last one; 0: there was none.
  package func last(of event: UInt64) -> UInt64 { event == self.event ? count : 0 }

  /// Says, beside a position, that an event comes late.
  package static var late: UInt64 { 1 << 63 }
  /// What the numbers of late ones begin behind.
  private static var firstLate: UInt64 { 1 << 54 }
}

extension UnsafeMutablePointer<mainstem_event> {
  /// The position of an event, with `late` if that is how it comes.
  var callbackKey: UInt64 {
    let isLate = pointee.flags & UInt32(MAINSTEM_EVENT_LATE) != 0
    return isLate ? pointee.position | CallbackCount.late : pointee.position
  }
}
