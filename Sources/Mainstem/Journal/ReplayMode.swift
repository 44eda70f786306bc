// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// How a journal is fed back to a context.
public enum ReplayMode: Sendable, Hashable {
  /// Feeds every event, with all its fields, and calls no handler.
  case muted
  /// Feeds only the inputs, to live servers, and compares what they cause with the journal (law 11).
  case verify
}

extension ReplayMode {
  var number: UInt32 {
    switch self {
    case .muted: UInt32(MAINSTEM_REPLAY_MUTED)
    case .verify: UInt32(MAINSTEM_REPLAY_VERIFY)
    }
  }
}
