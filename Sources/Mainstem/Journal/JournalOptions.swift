// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Options for recording a context.
public struct JournalOptions: Sendable, Hashable {
  /// What the journal survives.
  public var durability: Durability
  /// Whether to create a new journal; an existing one is refused.
  public var isNew: Bool
  /// Whether the context keeps working unrecorded, after a ``JournalReport``, when writing fails.
  public var continuesUnrecorded: Bool
  /// Bytes after which a new file (PATH.000001 …) begins; `nil`: one file, PATH.
  public var segmentSize: UInt64?
  /// How many of the newest files to keep; `nil`: all. Needs ``segmentSize``.
  public var keep: UInt32?

  /// Makes options.
  ///
  /// - Parameters:
  ///   - durability: What the journal survives.
  ///   - isNew: Whether to create a new journal; an existing one is refused.
  ///   - continuesUnrecorded: Whether the context keeps working unrecorded when writing fails.
  ///   - segmentSize: Bytes after which a new file begins; `nil`: one file.
  ///   - keep: How many of the newest files to keep; `nil`: all.
  public init(
    durability: Durability = .process, isNew: Bool = false, continuesUnrecorded: Bool = false,
    segmentSize: UInt64? = nil, keep: UInt32? = nil
  ) {
    self.durability = durability
    self.isNew = isNew
    self.continuesUnrecorded = continuesUnrecorded
    self.segmentSize = segmentSize
    self.keep = keep
  }
}

extension JournalOptions {
  /// Returns the options as C's struct.
  func options() throws(StreamError) -> mainstem_journal_options {
    var options = mainstem_journal_options()
    options.size = UInt32(MemoryLayout<mainstem_journal_options>.size)
    options.durability = durability.number
    if isNew { options.flags |= UInt32(MAINSTEM_JOURNAL_NEW) }
    if continuesUnrecorded { options.flags |= UInt32(MAINSTEM_JOURNAL_CONTINUE_UNRECORDED) }
    options.segment_size = segmentSize ?? 0
    options.keep = keep ?? 0
    return options
  }
}
