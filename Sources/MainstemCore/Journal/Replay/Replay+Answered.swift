// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Replay.Pointer {
  /// The next request that callbacks of the session found answered, although the answer comes later, and that is to be
  /// settled now; 0: none is left. All that had been accepted then is fed: it may be among that. Called by the deliverer,
  /// with no lock held.
  ///
  /// - Parameter event: The last event whose callbacks count.
  func answered(_ event: UInt64) -> UInt64 {
    guard pointee.isMatching else { return 0 }
    do throws(Refusal) {
      let last = pointee.stream.position
      guard let answered = try pointee.source.answered(after: last, event) else { return 0 }
      if answered.accepted > last { feedAhead { _ in answered.accepted } }
      return answered.request
    } catch {
      pointee.fail(error)
      return 0
    }
  }
}

extension ReplaySource {
  /// The next of them, with `last` the last accepted position so far: see `ReplayScout`.
  mutating func answered(after last: UInt64, _ event: UInt64) throws(Refusal) -> AnsweredEarly? {
    guard hasRefused else { return nil }
    try sendScout()
    return try scout?.answered(from: last &+ 1, until: event)
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
