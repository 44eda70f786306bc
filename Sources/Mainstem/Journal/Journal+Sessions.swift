// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// One session of a journal: what one program recorded, from when it began to its end.
public struct JournalSession: Sendable, Hashable {
  /// Its number in the journal, from 1.
  public let number: UInt64
  /// The position of its first event.
  public let first: UInt64
  /// The position of its last event; before the first, if it has none.
  public fileprivate(set) var last: UInt64
}

extension Journal {
  /// Reads a journal to its end, and finds its sessions.
  ///
  ///     for session in try Journal.sessions(of: "sum.journal") {
  ///       try Journal.verify("sum.journal", session: session.number) { try install(in: $0) }
  ///     }
  ///
  /// - Parameter path: The journal's file, or its numbered files without the number.
  /// - Returns: Its sessions, the oldest first.
  /// - Throws: ``Status/io``, ``Status/corrupt`` or ``Status/version`` if it cannot be read.
  public static func sessions(of path: String) throws(StreamError) -> [JournalSession] {
    let journal = try Journal(path, coder: nil)
    defer { journal.close() }
    return try journal.readSessions()
  }

  private func readSessions() throws(StreamError) -> [JournalSession] {
    var found: [JournalSession] = []
    while let record = try nextRecord() {
      if record.pointee.beginsSession || found.isEmpty && record.pointee.isOfSession {
        let number = UInt64(found.count + 1)
        found.append(
          JournalSession(
            number: number, first: record.pointee.position + 1, last: record.pointee.position))
      } else if !found.isEmpty {
        found[found.count - 1].last = max(found[found.count - 1].last, record.pointee.position)
      }
    }
    return found
  }

  private func nextRecord() throws(StreamError) -> UnsafePointer<mainstem_event>? {
    var record: UnsafePointer<mainstem_event>?
    try StreamError.check(
      mainstem_journal_next(handle, UInt32(MAINSTEM_JOURNAL_EVERY_RECORD), &record))
    return record
  }
}

extension mainstem_event {
  /// Whether a record says with which types and seed a session goes on: at its beginning, and in each of its files.
  fileprivate var isOfSession: Bool { type == 0 && status == 1 && data != nil && size >= 36 }

  /// Whether it is the first such record of its session.
  fileprivate var beginsSession: Bool {
    guard isOfSession, let data else { return false }
    let continues: UInt32 = 1
    return UInt32(littleEndian: data.loadUnaligned(fromByteOffset: 32, as: UInt32.self)) & continues
      == 0
  }
}
