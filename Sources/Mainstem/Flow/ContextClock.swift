// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// By which clock the timers of a context fire.
public enum ContextClock: Sendable, Hashable {
  /// The machine's, which nobody sets.
  case monotonic
  /// One that begins at 0 and stands still until ``Context/advance(byMs:)`` moves it on: for tests and
  /// simulations.
  case virtual
}
