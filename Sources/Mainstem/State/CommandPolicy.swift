// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What happens to a run of a command while another run executes.
public enum CommandPolicy: UInt32, Sendable, Hashable {
  /// It is refused with ``Status/executing``.
  case refuse
  /// It waits its turn; when 64 wait, it is refused with ``Status/full``.
  case queue
  /// The old run is cancelled, then the new one begins.
  case latest
  /// Both run.
  case concurrent
}
