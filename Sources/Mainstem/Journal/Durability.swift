// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a journal survives.
public enum Durability: Sendable, Hashable {
  /// The end of the process, however it ends: the record is written before any observer sees it. The default.
  case process
  /// Also a power cut: outermost sends and requests, and ``Context/flush()``, return when the record is on the disk.
  case power
  /// An orderly end: the record is copied before any observer sees it, and written 64 KiB at a time.
  case buffered
}

extension Durability {
  var number: UInt32 {
    switch self {
    case .process: UInt32(MAINSTEM_JOURNAL_PROCESS)
    case .power: UInt32(MAINSTEM_JOURNAL_POWER)
    case .buffered: UInt32(MAINSTEM_JOURNAL_BUFFERED)
    }
  }
}
