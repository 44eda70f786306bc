// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// How a journal is fed back to a context.
public enum ReplayMode: Sendable, Hashable {
  /// Every event comes again, with all its fields, and no handler of a server is called.
  case muted
  /// Only what came from outside is fed, to live servers, and what those send is compared (law 11).
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
