// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What is taken from all of a session before its first event is fed.
extension ReplaySource {
  /// Takes what the host ended, and what first shows were refused.
  mutating func takeEarly(_ record: JournalRecord) throws(Refusal) {
    switch record.kind {
    case RecordFormat.Kind.ended: try ended.append(Ended(record))
    case RecordFormat.Kind.refusedShow where record.size >= 40:
      try refusedShows.append(
        Refused(
          event: 0, number: record.word(at: 8), count: record.word(at: 16),
          accepted: record.word(at: 24), status: Int32(bitPattern: record.half(at: 32)),
          lack: record.half(at: 36)))
    default: break
    }
  }

  /// The recorded refusal of an attempt by a first show that no event has caused: see `Refused.bits`; 0: none.
  func refusedShow(_ number: UInt64) -> UInt64 {
    let found = refusedShows.first { $0.number <= number && number &- $0.number < $0.count }
    return found?.bits ?? 0
  }
}
