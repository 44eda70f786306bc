// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// The layout of a journal: docs/journal-format.md in Swift.
package enum RecordFormat {
  package static var version: UInt32 { 3 }
  /// The oldest version that can be read.
  package static var oldestVersion: UInt32 { 1 }
  package static var magic: UInt64 { 0x0A1A_0A0D_4A53_4D89 }
  package static var fileHeaderSize: Int { 128 }
  package static var headerSize: Int { 64 }
  package static var checksumSize: Int { 4 }

  /// The length of a record with a payload of this size.
  @inline(__always)
  package static func length(of size: Int) -> Int { (headerSize &+ size &+ checksumSize &+ 7) & ~7 }

  /// The event flags that count in the digest: outside, tracked, progress.
  package static var countedFlags: UInt32 { 7 }
  /// The event flags that are recorded: the counted ones; that a timer sent the event, a view wrote it, it is shared.
  package static var toldFlags: UInt32 {
    countedFlags
      | UInt32(MAINSTEM_EVENT_TIMER | MAINSTEM_EVENT_WRITTEN | MAINSTEM_EVENT_SHARED)
  }

  /// The kinds of records that are not events, in the status of the header.
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
    /// A refusal to callbacks.
    package static var refused: Int32 { 10 }
    /// That a host has ended scopes.
    package static var ended: Int32 { 11 }
    /// That a callback found a request answered before the answer was taken in.
    package static var answered: Int32 { 12 }
    /// A refusal to first shows that no event has caused.
    package static var refusedShow: Int32 { 13 }
  }

  /// The offsets in a file's header.
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

  /// The offsets in a session's payload; text follows.
  package enum Session {
    package static var time: Int { 0 }
    package static var seed: Int { 8 }
    package static var digest: Int { 16 }
    package static var process: Int { 24 }
    package static var level: Int { 28 }
    package static var flags: Int { 32 }
    package static var size: Int { 40 }
    /// The session continues from the file before.
    package static var continues: UInt32 { 1 }
    /// Only the subscriptions that draw numbers count for them.
    package static var countsDrawers: UInt32 { 2 }
    /// The numbers of scopes have 53 bits.
    package static var narrowNumbers: UInt32 { 4 }
  }

  /// The offsets in an origin's payload; the name follows.
  package enum Origin {
    package static var number: Int { 0 }
    package static var zero: Int { 4 }
    package static var scope: Int { 8 }
    package static var parent: Int { 16 }
    package static var size: Int { 24 }
    /// In version 1 the name began here; no name begins with a zero.
    package static var sizeInVersion1: Int { 4 }
  }

  /// The size of the payload's digest, if a mark has one.
  package static var digestSize: Int { 8 }

  /// The number of events after which a digest is due.
  package static var digestPeriod: UInt64 { 256 }
}
