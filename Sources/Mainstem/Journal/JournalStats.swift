// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Counters of a context's journal.
public struct JournalStats: Sendable, Hashable {
  /// ``Status/ok``, or why recording stopped.
  public let status: Status
  /// The last position in the file.
  public let written: UInt64
  /// The last position on the disk, as of the last sync.
  public let durable: UInt64
  /// Events recorded by this context.
  public let events: UInt64
  /// Bytes written by this context.
  public let bytes: UInt64
  /// Files begun by this context.
  public let segments: UInt64
  /// Bytes of an unfinished end, dropped on opening.
  public let torn: UInt64
}

extension Context {
  /// Reads the counters of the context's journal.
  ///
  /// - Returns: Their current values.
  /// - Throws: ``Status/invalid`` if it is not recorded, ``Status/stale`` if it is closed.
  public func journalStats() throws(StreamError) -> JournalStats {
    var stats = mainstem_journal_stats()
    stats.size = UInt32(MemoryLayout<mainstem_journal_stats>.size)
    try StreamError.check(mainstem_journal_stats_read(handle, &stats))
    return JournalStats(
      status: Status(rawValue: stats.status), written: stats.written, durable: stats.durable,
      events: stats.events, bytes: stats.bytes, segments: stats.segments, torn: stats.torn)
  }
}
