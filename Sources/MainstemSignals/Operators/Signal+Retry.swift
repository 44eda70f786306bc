// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Goes on with another signal after a failure.
  ///
  ///     page.catch { failure in .just(Page(saying: failure.userMessage)) }
  ///
  /// - Parameter handler: Gets the failure, returns the signal that follows.
  /// - Returns: The signal, which fails as that one does.
  @inlinable public func `catch`<New: Error>(
    _ handler: @escaping (Failure) -> Signal<Value, New>
  ) -> Signal<Value, New> {
    Signal<Value, New>(depth: depth + 1, cuts: cuts) { life, observer in
      let first = Life(in: life)
      branch(first) { event in
        switch event {
        case .next(let value): observer(.next(value))
        case .completed: observer(.completed)
        case .failed(let failure):
          first.end()
          handler(failure).branch(Life(in: life), observer)
        }
      }
    }
  }

  /// Starts again after a failure.
  ///
  /// - Parameter times: How often; the failure after that is sent. `nil`: as often as it fails.
  /// - Returns: The signal.
  @inlinable public func retry(_ times: Int? = nil) -> Signal {
    again(times ?? .max) { event in if case .failed = event { true } else { false } }
  }

  /// Starts again after completion.
  ///
  /// - Parameter times: How often it runs in all. `nil`: without end.
  /// - Returns: The signal.
  @inlinable public func `repeat`(_ times: Int? = nil) -> Signal {
    guard times ?? 1 > 0 else { return .empty }
    return again(times.map { $0 - 1 } ?? .max) { event in
      if case .completed = event { true } else { false }
    }
  }

  @inlinable func again(
    _ times: Int, after isEnd: @escaping (SignalEvent<Value, Failure>) -> Bool
  ) -> Signal {
    Signal(depth: depth + 1, cuts: cuts) { life, observer in
      var left = times
      func start() {
        let own = Life(in: life)
        branch(own) { event in
          guard left > 0, isEnd(event) else { return observer(event) }
          if left < .max { left -= 1 }
          own.end()
          start()
        }
      }
      start()
    }
  }
}
