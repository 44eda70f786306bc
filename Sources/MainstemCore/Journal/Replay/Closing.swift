// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// When a callback first found the recorded context closing.
struct Closing {
  /// The callback: see `callbackKey`.
  private(set) var callback = UInt64.max
  /// The number of its event's read points by then.
  private(set) var number = UInt64.max
  /// The last position accepted then.
  private(set) var accepted = UInt64.max
  /// The last position in the journal then: what comes behind it was delivered later, though it may have been accepted.
  private var recorded = UInt64.max

  /// The context was not closing.
  init() {}

  init(_ record: JournalRecord) {
    number = record.word(at: 8)
    accepted = record.word(at: 16)
    recorded = record.position
    let isLate = number >= CallbackCount.firstLate
    callback = record.word(at: 0) | (isLate ? CallbackCount.late : 0)
  }

  /// Whether a callback ran after that one, as far as its event tells. An observer that joins gets late events between
  /// two others, so they tell nothing about events that were already in the journal.
  func isBefore(_ other: UInt64) -> Bool {
    let isLate = callback & CallbackCount.late != 0
    return other & ~CallbackCount.late > (isLate ? min(accepted, recorded) : callback)
  }
}
