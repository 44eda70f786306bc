// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Lets through the first values, and completes with the last of them.
  ///
  /// - Parameter count: How many. 0: it completes at once, and its source is not started.
  /// - Returns: The signal.
  @inlinable public func take(_ count: Int) -> Signal {
    guard count > 0 else { return .empty }
    return fence { _, upstream, observer in
      let left = Cell(count)
      return { event in
        // What is upstream may send a value and its end in one step.
        guard !upstream.isEnded else { return }
        guard case .next = event else { return observer(event) }
        left.content -= 1
        guard left.content == 0 else { return observer(event) }
        upstream.end()
        observer(event)
        observer(.completed)
      }
    }
  }

  /// Completes when another signal sends its first value.
  ///
  /// At the same time the other one comes first. Its completion means nothing; its failure fails
  /// this one.
  ///
  /// - Parameter other: The other signal.
  /// - Returns: The signal.
  @inlinable public func takeUntil<Other>(_ other: Signal<Other, Failure>) -> Signal {
    Signal(
      depth: max(depth, other.depth) + 1, cuts: cuts + other.cuts
    ) { life, observer in
      let ender = Life(in: life)
      other.branch(ender) { event in
        switch event {
        case .next:
          life.endChildren()
          observer(.completed)
        case .completed: ender.end()
        case .failed(let failure):
          life.endChildren()
          observer(.failed(failure))
        }
      }
      branch(Life(in: life)) { event in
        if event.isEnd { life.endChildren() }
        observer(event)
      }
    }
  }
}
