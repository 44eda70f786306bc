// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What is known about a journal, as far as it was read.
public struct JournalInfo: Sendable, Hashable {
  /// The format's version.
  public let version: UInt32
  /// 16 random bytes, the same in all its files.
  public let id: [UInt8]
  /// How many files so far.
  public let files: UInt64
  /// How often recording began, or continued in another file.
  public let sessions: UInt64
  /// How many events, including marked ones.
  public let events: UInt64
  /// The position of the first event; 0: there was none.
  public let first: UInt64
  /// The last accepted position, whether its event was kept or not.
  public let last: UInt64
  /// Bytes of intact records and headers.
  public let bytes: UInt64
  /// Bytes after them that a crash left half written.
  public let tornBytes: UInt64
  /// The number of the damaged file, from 1; 0: none found.
  public let damagedFile: UInt64
  /// Where the damage begins: a byte offset in that file.
  public let damagedAt: UInt64
  /// The last digest in it: two journals with the same digest have the same events.
  public let digest: UInt64
  /// The last position that digest covers.
  public let digestPosition: UInt64
  /// Whether it was read to the end, or to the damage.
  public let isRead: Bool
  /// Whether it ends with its context's close, and nothing follows.
  public let isClean: Bool
}

extension JournalInfo {
  init(_ info: mainstem_journal_info) {
    self.init(
      version: info.version, id: withUnsafeBytes(of: info.id) { Array($0) }, files: info.files,
      sessions: info.sessions, events: info.events, first: info.first, last: info.last,
      bytes: info.bytes, tornBytes: info.torn_bytes, damagedFile: info.damaged_file,
      damagedAt: info.damaged_at, digest: info.digest, digestPosition: info.digest_position,
      isRead: info.is_read != 0, isClean: info.is_clean != 0)
  }
}
