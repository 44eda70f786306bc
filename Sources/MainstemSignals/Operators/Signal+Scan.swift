// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Sends for each value what has become of all values so far.
  ///
  /// - Parameters:
  ///   - initial: What there is before the first value; it is not sent.
  ///   - combine: Gets what there is and a value, returns what there is then.
  /// - Returns: The signal of the results.
  @inlinable public func scan<Result>(
    _ initial: Result, _ combine: @escaping (Result, Value) -> Result
  ) -> Signal<Result, Failure> {
    lift { observer in
      let result = Cell(initial)
      return { event in
        switch event {
        case .next(let value):
          let new = combine(result.content, value)
          result.content = new
          observer(.next(new))
        case .completed: observer(.completed)
        case .failed(let failure): observer(.failed(failure))
        }
      }
    }
  }
}
