// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a journal keeps of the events of a type.
public enum RecordMode: Sendable, Hashable {
  /// All of it.
  case full
  /// Position, type, cause and flags: for what a replay makes anew.
  case mark
  /// Nothing: its position is skipped.
  case none
  /// What comes from outside in full; of the rest the mark and a digest, which a verification compares.
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
