// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What is known of a journal: of as much of it as was read.
public struct JournalInfo: Sendable, Hashable {
  /// Of the format.
  public let version: UInt32
  /// 16 bytes, random, the same in all its files.
  public let id: [UInt8]
  /// How many files it has so far.
  public let files: UInt64
  /// How often recording began, or went on in another file.
  public let sessions: UInt64
  /// How many events there were, marked ones too.
  public let events: UInt64
  /// The position of the first of them; 0: there was none.
  public let first: UInt64
  /// The last position that was accepted, whether its event was kept or not.
  public let last: UInt64
  /// Of intact records and headers.
  public let bytes: UInt64
  /// What a crash left half written behind them.
  public let tornBytes: UInt64
  /// The number of the damaged file, from 1 on; 0: none was found.
  public let damagedFile: UInt64
  /// Where the damage begins, in bytes from that file's begin.
  public let damagedAt: UInt64
  /// The last digest that was written down: two journals with the same had the same events.
  public let digest: UInt64
  /// The last position that counts in it.
  public let digestPosition: UInt64
  /// Whether all of it was read, to the end or to the damage.
  public let isRead: Bool
  /// Whether it ends with the close of its context, and nothing behind it.
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
