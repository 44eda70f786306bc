// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Sends a value at once, and for a time after it no other; then the newest one that came
  /// meanwhile, and so on.
  ///
  /// At completion the value that still waits is sent at once; at a failure it is dropped.
  ///
  /// - Parameters:
  ///   - duration: The time between two values, at least.
  ///   - latest: Whether the newest value comes when the time is over. `false`: what comes
  ///     meanwhile is left out.
  /// - Returns: The signal.
  @inlinable public func throttle(_ duration: Duration, latest: Bool = true) -> Signal {
    let pause = duration.ns
    return fence { life, _, observer in
      var last: Value?
      let deadline = life.deadline { deadline in
        guard let value = last.take() else { return }
        deadline.set(after: pause)
        observer(.next(value))
      }
      return { event in
        if case .next(let value) = event {
          if deadline.isSet {
            if latest { last = value }
          } else {
            deadline.set(after: pause)
            observer(event)
          }
          return
        }
        deadline.clear()
        if case .completed = event, let value = last.take() { observer(.next(value)) }
        observer(event)
      }
    }
  }
}
