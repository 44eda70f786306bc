// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What becomes of a signal that still runs when the next one comes.
public enum FlatMapPolicy: Sendable {
  /// Both run.
  case merge
  /// The old one is ended.
  case latest
  /// The new one waits until the old one has completed.
  case concat
}

extension Signal {
  /// Starts a signal for each value, and sends what it sends.
  ///
  /// It completes when all have completed, the outer one, too, and fails when the first one fails.
  ///
  ///     searches.flatMap(.latest) { text in answers(to: text) }
  ///
  /// - Parameters:
  ///   - policy: What becomes of a signal that still runs when the next value comes.
  ///   - transform: Makes a signal of a value.
  /// - Returns: The signal of the inner values.
  @inlinable public func flatMap<New>(
    _ policy: FlatMapPolicy = .merge, _ transform: @escaping (Value) -> Signal<New, Failure>
  ) -> Signal<New, Failure> {
    Signal<New, Failure>(depth: depth + 1, cuts: cuts) { life, observer in
      var outer: Life? = Life(in: life)
      var inner: Life?
      var running = 0
      var waiting = Ring<Value>()
      func start(_ value: Value) {
        let own = Life(in: life)
        inner = own
        running += 1
        transform(value).branch(own) { event in
          switch event {
          case .next: observer(event)
          case .completed:
            own.end()
            running -= 1
            if let value = waiting.popFirst() {
              start(value)
            } else if running == 0, outer == nil {
              observer(.completed)
            }
          case .failed:
            life.endChildren()
            observer(event)
          }
        }
      }
      guard let source = outer else { return }
      branch(source) { event in
        switch event {
        case .next(let value):
          if running > 0, policy == .concat { return waiting.append(value) }
          if running > 0, policy == .latest, let last = inner {
            last.end()
            running = 0
          }
          start(value)
        case .completed:
          outer = nil
          source.end()
          if running == 0 { observer(.completed) }
        case .failed(let failure):
          life.endChildren()
          observer(.failed(failure))
        }
      }
    }
  }
}
