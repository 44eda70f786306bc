// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The time at which an operator acts next. To move it further away costs nothing.
@usableFromInline final class Deadline {
  let life: Life
  let body: (Deadline) -> Void
  /// Gets the time from which all that is adrift counts: an operator that keeps times moves them.
  let settled: ((Int64) -> Void)?
  /// When the operator wants to act; below zero: adrift.
  @usableFromInline var due = Int64.max
  /// When the clock looks at it: no later than it is due.
  var looked = Int64.max
  /// Its place among the clock's deadlines; -1: it is not there.
  @usableFromInline var place = -1
  /// Its place among those that are adrift; -1: it is not there.
  var berth = -1

  init(
    _ life: Life, settled: ((Int64) -> Void)?, _ body: @escaping (Deadline) -> Void
  ) {
    self.life = life
    self.settled = settled
    self.body = body
  }

  /// Whether the operator waits for it.
  @usableFromInline var isSet: Bool { due != .max }

  /// Acts after a time from now.
  @usableFromInline func set(after delay: Int64) { set(at: life.clock.time.later(by: delay)) }

  @usableFromInline func set(at time: Int64) {
    due = time
    guard time >= 0 else { return drift() }
    guard !life.isEnded, place < 0 || time < looked else { return }
    if place >= 0 { life.clock.deadlines.remove(self) }
    looked = time
    life.clock.deadlines.insert(self)
  }

  private func drift() {
    if place >= 0 { life.clock.deadlines.remove(self) }
    waitForTime()
  }

  /// Has what is adrift settled when the clock has a time again.
  @usableFromInline func waitForTime() {
    if !life.isEnded { life.clock.deadlines.insertAdrift(self) }
  }

  /// There is a time to count from.
  func settle(at time: Int64) {
    settled?(time)
    if due < 0 { set(at: due.settled(at: time)) }
  }

  /// The operator does not wait any more.
  @usableFromInline func clear() { due = .max }

  /// The clock has looked at it, and has taken it out.
  func expire() {
    if due > life.clock.time {
      if isSet { set(at: due) }
    } else {
      due = .max
      body(self)
    }
  }
}

/// Times are nanoseconds. One below zero is adrift: it counts from a time to come.
extension Int64 {
  /// The time itself that is to come.
  static var adrift: Int64 { .min }

  /// The same, once the time to come is known.
  @usableFromInline func settled(at time: Int64) -> Int64 {
    self < 0 ? time.later(by: self &- .adrift) : self
  }

  /// Without overflow.
  @usableFromInline func later(by delay: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(delay)
    return overflow ? .max - 1 : sum
  }
}

extension Duration {
  @usableFromInline init(ns: Int64) { self = .nanoseconds(ns) }

  /// In nanoseconds; 292 years at most, none below zero.
  @usableFromInline var ns: Int64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    guard seconds < 9_000_000_000 else { return .max - 1 }
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
