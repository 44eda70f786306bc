// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Requests that callbacks of the session found answered, although the answers come later.
extension Replay {
  /// The next of them that is to be settled now; 0: none is left. Called by the deliverer, with no lock held.
  ///
  /// - Parameter event: The last event whose callbacks count.
  mutating func answered(_ event: UInt64) -> UInt64 {
    guard isMatching else { return 0 }
    do throws(Refusal) {
      return try source.answered(after: stream.position, event)
    } catch {
      fail(error)
      return 0
    }
  }
}

extension ReplaySource {
  /// The next of them, with `last` the last accepted position so far: see `ReplayScout`.
  mutating func answered(after last: UInt64, _ event: UInt64) throws(Refusal) -> UInt64 {
    guard hasRefused else { return 0 }
    try sendScout()
    return try scout?.answered(from: last &+ 1, until: event) ?? 0
  }
}

extension JournalRecord {
  /// Whether it is no event, and says what callbacks were refused, or would be.
  var tellsRefusal: Bool {
    kind == RecordFormat.Kind.refused || kind == RecordFormat.Kind.answered
  }
}

extension AnsweredEarly {
  init(_ record: JournalRecord) {
    self.init(event: record.word(at: 0), request: record.word(at: 8), accepted: record.word(at: 16))
  }
}
