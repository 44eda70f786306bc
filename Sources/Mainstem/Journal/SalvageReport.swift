// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What ``Journal/salvage(from:to:)`` kept, and what was lost.
public struct SalvageReport: Sendable, Hashable {
  /// How many events were kept.
  public let events: UInt64
  /// The position of the first event kept; 0: none.
  public let first: UInt64
  /// The position of the last event kept.
  public let last: UInt64
  /// How many positions nothing is known of, up to the last one named.
  public let lostPositions: UInt64
  /// How many bytes made no sense, or held nothing new.
  public let lostBytes: UInt64
  /// The lost ranges of positions; at most the first 4,096.
  public let lost: [ClosedRange<UInt64>]
}

extension Journal {
  /// Copies every intact event of a journal, damaged or not, into a new journal, in order of position.
  ///
  /// The journal, with all its files, is only read. A refused call leaves no file behind.
  ///
  /// - Parameters:
  ///   - path: The path of the journal.
  ///   - newPath: The path of the new journal, a single file; it must not exist.
  /// - Returns: What was kept, and what was lost.
  /// - Throws: ``Status/invalid`` if a file exists at the new path, ``Status/corrupt`` if there is no trace of a
  ///   journal, ``Status/version``, ``Status/io``, ``Status/noSpace``.
  @discardableResult
  public static func salvage(
    from path: String, to newPath: String
  ) throws(StreamError) -> SalvageReport {
    try StreamError.demandNoZero(path, "salvage: from")
    try StreamError.demandNoZero(newPath, "salvage: to")
    var report = mainstem_salvage_report()
    report.size = UInt32(MemoryLayout<mainstem_salvage_report>.size)
    var status: mainstem_status = 0
    let lost = [mainstem_gap](unsafeUninitializedCapacity: 4096) { buffer, count in
      report.range_capacity = UInt32(buffer.count)
      report.ranges = buffer.baseAddress
      status = mainstem_journal_salvage(path, newPath, &report)
      report.ranges = nil
      count = status == 0 ? Int(min(report.range_count, UInt64(report.range_capacity))) : 0
    }
    try StreamError.check(status)
    return SalvageReport(
      events: report.events, first: report.first, last: report.last,
      lostPositions: report.lost_positions, lostBytes: report.lost_bytes,
      lost: lost.map { ClosedRange(uncheckedBounds: (lower: $0.from, upper: $0.to)) })
  }
}
