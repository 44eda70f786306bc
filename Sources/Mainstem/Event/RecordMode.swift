// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a journal keeps of the events of a type.
public enum RecordMode: Sendable, Hashable {
  /// Everything: the default.
  case full
  /// Position, type, cause, time and flags.
  case mark
  /// Nothing: its position is skipped.
  case none
  /// Inputs in full. Of an output only the mark and a digest of its payload, which verify compares. For
  /// big values.
  case inputs
}

extension RecordMode {
  var contract: mainstem_contract {
    switch self {
    case .full: MAINSTEM_RECORD_FULL
    case .mark: MAINSTEM_RECORD_MARK
    case .none: MAINSTEM_RECORD_NONE
    case .inputs: MAINSTEM_RECORD_INPUTS
    }
  }
}
