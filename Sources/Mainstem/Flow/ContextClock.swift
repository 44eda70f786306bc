// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The clock of a context's timers.
public enum ContextClock: Sendable, Hashable {
  /// The machine's monotonic clock, which nobody can set.
  case monotonic
  /// A clock that begins at 0 and stands still until ``Context/advance(by:)`` moves it. For tests and
  /// simulations.
  case virtual
}
