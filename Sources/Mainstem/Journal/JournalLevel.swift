// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a journal survives.
public enum JournalLevel: Sendable, Hashable {
  /// The end of the process, however that comes: it is written before any observer sees it.
  case process
  /// A power cut too: the outermost send, and ``Context/flush()``, return when it is on the disk.
  case power
  /// An orderly end: it is copied before any observer sees it, and written 64 KiB at a time.
  case buffered
}

extension JournalLevel {
  var number: UInt32 {
    switch self {
    case .process: UInt32(MAINSTEM_JOURNAL_PROCESS)
    case .power: UInt32(MAINSTEM_JOURNAL_POWER)
    case .buffered: UInt32(MAINSTEM_JOURNAL_BUFFERED)
    }
  }
}
