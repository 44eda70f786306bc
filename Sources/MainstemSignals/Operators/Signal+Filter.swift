// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Lets through the values that a closure accepts.
  ///
  /// - Parameter isIncluded: Gets a value, returns whether it goes on.
  /// - Returns: The signal.
  @inlinable public func filter(_ isIncluded: @escaping (Value) -> Bool) -> Signal {
    lift { observer in
      { event in
        if case .next(let value) = event, !isIncluded(value) { return }
        observer(event)
      }
    }
  }

  /// Changes each value, and leaves out those for which the closure returns `nil`.
  ///
  /// - Parameter transform: Gets a value, returns what is sent for it, or `nil`.
  /// - Returns: The signal of the new values.
  @inlinable public func compactMap<New>(
    _ transform: @escaping (Value) -> New?
  ) -> Signal<New, Failure> {
    lift { observer in
      { event in
        switch event {
        case .next(let value): if let new = transform(value) { observer(.next(new)) }
        case .completed: observer(.completed)
        case .failed(let failure): observer(.failed(failure))
        }
      }
    }
  }

  /// Leaves out a value that is equal to the one before.
  ///
  /// - Parameter areEqual: Compares the last value sent with the next one.
  /// - Returns: The signal.
  @inlinable public func distinct(by areEqual: @escaping (Value, Value) -> Bool) -> Signal {
    lift { observer in
      let last = Cell<Value?>(nil)
      return { event in
        if case .next(let value) = event {
          if let last = last.content, areEqual(last, value) { return }
          last.content = value
        }
        observer(event)
      }
    }
  }

  /// Leaves out the first values.
  ///
  /// - Parameter count: How many.
  /// - Returns: The signal.
  @inlinable public func skip(_ count: Int) -> Signal {
    lift { observer in
      let left = Cell(count)
      return { event in
        if left.content > 0, case .next = event {
          left.content -= 1
        } else {
          observer(event)
        }
      }
    }
  }
}

extension Signal where Value: Equatable {
  /// Leaves out a value that is equal to the one before.
  ///
  /// - Returns: The signal.
  @inlinable public func distinct() -> Signal { distinct(by: ==) }
}
