// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// When a callback first found the recorded context closing.
struct Closing {
  /// The callback: see `callbackKey`.
  private var callback = UInt64.max
  /// The number of its event's read points by then.
  private(set) var number = UInt64.max
  /// The last position accepted then.
  private(set) var accepted = UInt64.max
  /// The last position that had been delivered then, or was being delivered; before 0.11, only the last one in the
  /// journal: what comes behind it was delivered later.
  private var delivered = UInt64.max

  /// The context was not closing.
  init() {}

  init(_ record: JournalRecord) {
    number = record.word(at: 8)
    accepted = record.word(at: 16)
    delivered = min(record.position, record.size >= 32 ? record.word(at: 24) : .max)
    let isLate = number >= CallbackCount.firstLate
    callback = record.word(at: 0) | (isLate ? CallbackCount.late : 0)
  }

  /// Whether a callback runs after that one, as far as its event and what has been delivered by now tell. Late events
  /// come between two others: what has been delivered tells when, their own positions do not.
  func isBefore(_ other: UInt64, delivered now: @autoclosure () -> UInt64) -> Bool {
    let isOtherLate = other & CallbackCount.late != 0
    guard isLate || isOtherLate else { return other > callback }
    guard isLate else { return now() >= callback }
    return (isOtherLate ? now() : other) > min(accepted, delivered)
  }

  /// Whether a callback may be that one, so that its numbers tell. Those that get late events share theirs.
  func mayBe(_ other: UInt64) -> Bool {
    isLate ? other & CallbackCount.late != 0 : other == callback
  }

  private var isLate: Bool { callback != .max && callback & CallbackCount.late != 0 }
}
