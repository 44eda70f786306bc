// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What stands where in a journal: docs/journal-format.md in Swift.
package enum RecordFormat {
  package static var version: UInt32 { 2 }
  /// The first version, which is read too.
  package static var oldestVersion: UInt32 { 1 }
  package static var magic: UInt64 { 0x0A1A_0A0D_4A53_4D89 }
  package static var fileHeaderSize: Int { 128 }
  package static var headerSize: Int { 64 }
  package static var checksumSize: Int { 4 }

  /// How long the record of a payload is.
  @inline(__always)
  package static func length(of size: Int) -> Int { (headerSize &+ size &+ checksumSize &+ 7) & ~7 }

  /// The flags of an event that count in the digest: outside, tracked, progress.
  package static var countedFlags: UInt32 { 7 }
  /// Those that are told: also, that a timer sent it.
  package static var toldFlags: UInt32 { countedFlags | UInt32(MAINSTEM_EVENT_TIMER) }
  /// Reserved: a view wrote it.
  package static var writtenFlag: UInt32 { 512 }

  /// What a record that is no event says: its status.
  package enum Kind {
    package static var session: Int32 { 1 }
    package static var type: Int32 { 2 }
    package static var layer: Int32 { 3 }
    package static var origin: Int32 { 4 }
    package static var digest: Int32 { 5 }
    package static var skipped: Int32 { 6 }
    package static var end: Int32 { 7 }
    package static var readPoint: Int32 { 8 }
    package static var closing: Int32 { 9 }
    /// What a callback was refused.
    package static var refused: Int32 { 10 }
  }

  /// Where a file's header has what.
  package enum FileHeader {
    package static var version: Int { 8 }
    package static var size: Int { 12 }
    package static var id: Int { 16 }
    package static var number: Int { 32 }
    package static var first: Int { 40 }
    package static var link: Int { 48 }
    package static var made: Int { 56 }
    package static var checksum: Int { 124 }
  }

  /// Where a session's payload has what; text follows.
  package enum Session {
    package static var time: Int { 0 }
    package static var seed: Int { 8 }
    package static var digest: Int { 16 }
    package static var process: Int { 24 }
    package static var level: Int { 28 }
    package static var flags: Int { 32 }
    package static var size: Int { 40 }
    /// It goes on from the file before.
    package static var continues: UInt32 { 1 }
  }

  /// Where an origin's payload has what; the name follows.
  package enum Origin {
    package static var number: Int { 0 }
    package static var zero: Int { 4 }
    package static var scope: Int { 8 }
    package static var parent: Int { 16 }
    package static var size: Int { 24 }
    /// In version 1 the name stood here; no name begins with a zero.
    package static var sizeInVersion1: Int { 4 }
  }

  /// What a mark has in place of the payload, where a digest of that is kept.
  package static var digestSize: Int { 8 }

  /// A digest is due after so many events.
  package static var digestPeriod: UInt64 { 256 }
}
