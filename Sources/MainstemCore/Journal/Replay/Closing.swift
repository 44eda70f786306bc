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

  /// Whether a callback ran after that one, as far as its event tells. An observer that joins gets late events between
  /// two others, so they tell nothing about events that were delivered by then.
  func isBefore(_ other: UInt64) -> Bool {
    let isLate = callback & CallbackCount.late != 0
    return other & ~CallbackCount.late > (isLate ? min(accepted, delivered) : callback)
  }
}
