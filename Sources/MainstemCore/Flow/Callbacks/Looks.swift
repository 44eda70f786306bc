// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Numbers what callbacks register that looks: observers and bindings. What merely looks must change no number of others,
/// and may itself register what looks. So the number says who registers: see `Stream.numberLook`.
package struct Looks {
  private var event: UInt64 = 0
  private var identity: UInt32 = 0
  private var count: UInt64 = 0

  package init() {}

  /// - Parameters:
  ///   - event: The `callbackKey` of the callback's event.
  ///   - identity: That of the subscription that is called.
  fileprivate mutating func next(of event: UInt64, by identity: UInt32) -> UInt64 {
    count = event == self.event && identity == self.identity ? count &+ 1 : 1
    (self.event, self.identity) = (event, identity)
    return last
  }

  /// The number given last. Above those that `CallbackCount` gives, for late events too.
  package var last: UInt64 {
    let late = event & CallbackCount.late != 0 ? CallbackCount.firstLate : 0
    return late | Looks.first | UInt64(identity) << 16 | min(count, 0xFFFF)
  }

  private static var first: UInt64 { 1 << 53 }
}

extension Stream {
  /// Numbers something that the callback on this thread registers. For the deliverer; no lock held.
  func numberLook(of event: UInt64) -> UInt64 {
    deliverer.pointee.looks.next(of: event, by: looker)
  }

  /// Whether looking is numbered apart. In the sessions of 0.10.0 and before, it counted with all else.
  package var numbersLooks: Bool { !followsOldSession }

  /// Identifies the subscription of a call that looks, the same in every run; 0: there is none.
  private var looker: UInt32 {
    guard let row = Frame.of(self)?.pointee.row, row.pointee.number != 0 else { return 0 }
    if row.pointee.looksAs == 0 {
      row.pointee.looksAs = locked { UInt32(truncatingIfNeeded: numberLooker(row)) | 1 }
    }
    return row.pointee.looksAs
  }
}
