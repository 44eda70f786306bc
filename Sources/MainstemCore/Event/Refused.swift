// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
