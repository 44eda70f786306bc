// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Sends the values of several signals as they come. It completes when all have completed, and
  /// fails when the first one fails.
  ///
  /// - Parameter signals: The signals. At the same time those on the left come first.
  /// - Returns: The signal.
  @inlinable public static func merge(_ signals: [Signal]) -> Signal {
    guard !signals.isEmpty else { return .empty }
    return Signal(
      depth: signals.reduce(0) { max($0, $1.depth) } + 1, cuts: signals.flatMap { $0.cuts }
    ) { life, observer in
      var running = signals.count
      for signal in signals {
        let own = Life(in: life)
        signal.branch(own) { event in
          switch event {
          case .next: observer(event)
          case .completed:
            own.end()
            running -= 1
            if running == 0 { observer(event) }
          case .failed:
            life.endChildren()
            observer(event)
          }
        }
      }
    }
  }

  /// Sends the values of several signals as they come. It completes when all have completed, and
  /// fails when the first one fails.
  ///
  /// - Parameter signals: The signals. At the same time those on the left come first.
  /// - Returns: The signal.
  @inlinable public static func merge(_ signals: Signal...) -> Signal { merge(signals) }

  /// Sends the values of this signal and another one as they come.
  ///
  /// - Parameter other: The other signal. At the same time this one comes first.
  /// - Returns: The signal.
  @inlinable public func merge(_ other: Signal) -> Signal { Self.merge([self, other]) }
}
