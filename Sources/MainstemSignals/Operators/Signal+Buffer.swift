// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Sends values together: a time after the first of them came, or as soon as they are many.
  ///
  /// With a time of zero the values of one turn come together. At completion those that still wait
  /// are sent at once; at a failure they are dropped. There is no empty array.
  ///
  /// - Parameters:
  ///   - time: How long the first value waits.
  ///   - count: How many values are sent at once.
  /// - Returns: The signal of arrays.
  @inlinable public func buffer(
    time: Duration, count: Int = .max
  ) -> Signal<[Value], Failure> {
    let wait = time.ns
    return fence { life, _, observer in
      var values: [Value] = []
      func send() {
        let full = values
        values = []
        observer(.next(full))
      }
      let deadline = life.deadline { _ in send() }
      return { event in
        switch event {
        case .next(let value):
          values.append(value)
          if values.count >= count {
            deadline.clear()
            send()
          } else if values.count == 1 {
            deadline.set(after: wait)
          }
        case .completed:
          deadline.clear()
          if !values.isEmpty { send() }
          observer(.completed)
        case .failed(let failure):
          deadline.clear()
          observer(.failed(failure))
        }
      }
    }
  }
}
