// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// How long a call waits for a file that another program holds.
public struct Patience: Sendable {
  /// As SQLite takes it, whose longest wait is 24 days.
  let milliseconds: Int32

  /// Creates a patience; 0: 100 milliseconds, below 0: as long as it takes.
  public init(milliseconds: Int32 = 0) {
    self.milliseconds = milliseconds < 0 ? .max : milliseconds == 0 ? 100 : milliseconds
  }
}
