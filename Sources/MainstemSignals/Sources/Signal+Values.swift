// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Sends the values of a sequence, and completes. A value is taken from it when the one before has
  /// been handled, so the sequence may be endless.
  ///
  /// - Parameter values: The values.
  /// - Returns: The signal.
  @inlinable public static func values<Values: Sequence>(_ values: Values) -> Signal
  where Values.Element == Value {
    var signal = Signal { life, observer in
      var left = values.makeIterator()
      let clock = life.clock
      clock.push(
        Work(life, isSource: true) {
          let base = clock.stack.count
          repeat {
            guard let value = left.next() else {
              observer(.completed)
              return false
            }
            observer(.next(value))
          } while clock.isFree(above: base) && !life.isEnded
          return !life.isEnded
        })
    }
    signal.supply = { consumer throws(Failure) in for value in values { try consumer(value) } }
    return signal
  }

  /// Sends one value, and completes.
  ///
  /// - Parameter value: The value.
  /// - Returns: The signal.
  @inlinable public static func just(_ value: Value) -> Signal { values(CollectionOfOne(value)) }

  /// Completes at once.
  @inlinable public static var empty: Signal { values(EmptyCollection()) }

  /// Sends nothing, and does not end.
  @inlinable public static var never: Signal { Signal { _, _ in } }

  /// Fails at once.
  ///
  /// - Parameter failure: The failure.
  /// - Returns: The signal.
  @inlinable public static func failed(_ failure: Failure) -> Signal {
    Signal { life, observer in
      life.clock.push(
        Work(life) {
          observer(.failed(failure))
          return false
        })
    }
  }
}
