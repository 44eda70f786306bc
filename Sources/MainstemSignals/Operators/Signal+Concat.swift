// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Starts another signal when this one has completed.
  ///
  /// - Parameter other: The other signal.
  /// - Returns: The signal.
  @inlinable public func concat(_ other: Signal) -> Signal {
    Signal(
      depth: max(depth, other.depth) + 1, cuts: cuts + other.cuts
    ) { life, observer in
      let first = Life(in: life)
      branch(first) { event in
        guard case .completed = event else { return observer(event) }
        first.end()
        other.branch(Life(in: life), observer)
      }
    }
  }

  /// Sends values before all others.
  ///
  /// - Parameter values: The values.
  /// - Returns: The signal.
  @inlinable public func startWith(_ values: Value...) -> Signal {
    Self.values(values).concat(self)
  }
}
