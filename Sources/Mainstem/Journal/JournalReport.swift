// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The library's report that a context keeps working unrecorded because writing its journal failed:
/// ``JournalOptions/continuesUnrecorded``.
public struct JournalReport: Notice {
  /// The path of the journal.
  public var path: String
  /// The name of the status that says why, for example "NO_SPACE".
  public var status: String
  /// The last position in the file.
  public var written: UInt64

  /// The name of the library's own type.
  public static let name: String = "MainstemJournalFailed"
  /// ``Layer/system``: the library's own layer.
  public static let layer: Layer = .system

  /// Makes a report to compare with.
  ///
  /// - Parameters:
  ///   - path: The path of the journal.
  ///   - status: The name of the status that says why.
  ///   - written: The last position in the file.
  public init(path: String, status: String, written: UInt64) {
    self.path = path
    self.status = status
    self.written = written
  }
}
