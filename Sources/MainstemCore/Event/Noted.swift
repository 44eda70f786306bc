// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a journal says besides events, so that a replay knows it: one of these.
package enum Noted {
  case ended(Ended)
  case answered(AnsweredEarly)
}

/// What a journal says of scopes that a host has ended, besides the events that tell it.
package struct Ended {
  /// The positions of the first of these events, and of the last.
  package let first: UInt64
  package let last: UInt64
  /// The last event that had been delivered then, or was being delivered by another thread.
  package let delivered: UInt64
  /// The number of the scope whose observers had not been called for that event; 0: they had, if it has any.
  package let unheardBy: UInt64

  package init(first: UInt64, last: UInt64, delivered: UInt64, unheardBy: UInt64) {
    self.first = first
    self.last = last
    self.delivered = delivered
    self.unheardBy = unheardBy
  }
}

/// What a journal says of a request that a callback found answered, although the answer was still waiting to be taken in.
package struct AnsweredEarly {
  /// The position of the callback's event.
  package let event: UInt64
  package let request: UInt64
  /// The last position accepted when the callback found it.
  package let accepted: UInt64

  package init(event: UInt64, request: UInt64, accepted: UInt64) {
    self.event = event
    self.request = request
    self.accepted = accepted
  }
}

/// Consecutive attempts of an event's callbacks that were refused, starting with the first.
package struct Refused {
  /// 0: of first shows that no event has caused, counted through the session.
  package let event: UInt64
  package let number: UInt64
  package var count: UInt64 = 1
  /// The last position accepted at the time.
  package let accepted: UInt64
  package let status: Int32
  package let lack: UInt32

  package init(
    event: UInt64, number: UInt64, count: UInt64 = 1, accepted: UInt64, status: Int32, lack: UInt32
  ) {
    self.event = event
    self.number = number
    self.count = count
    self.accepted = accepted
    self.status = status
    self.lack = lack
  }

  /// Adds the refusal that directly follows, if it has the same reason; false: it is something else.
  package mutating func add(_ next: Refused) -> Bool {
    guard next.event == event, next.number == number &+ count, next.bits == bits else {
      return false
    }
    count &+= 1
    return true
  }

  /// What the caller gets again in a replay: the status, then what was lacking.
  package var bits: UInt64 { UInt64(UInt32(bitPattern: status)) | UInt64(lack) << 32 }

  /// What a replay refuses with.
  package static func refusal(_ bits: UInt64) -> Refusal {
    let status = Status(rawValue: Int32(truncatingIfNeeded: bits)) ?? .io
    guard let lack = lack(bits) else {
      return Refusal(status, "context", "refused this when the session was recorded")
    }
    return lack == .journal ? .unrecorded(status.rawValue) : .lacking(lack)
  }

  package static func lack(_ bits: UInt64) -> Lack? {
    Lack(rawValue: UInt32(truncatingIfNeeded: bits >> 32))
  }
}

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
