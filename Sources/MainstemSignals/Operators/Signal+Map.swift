// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Changes each value.
  ///
  /// - Parameter transform: Gets a value, returns what is sent for it.
  /// - Returns: The signal of the new values.
  @inlinable public func map<New>(_ transform: @escaping (Value) -> New) -> Signal<New, Failure> {
    lift { observer in
      { event in
        switch event {
        case .next(let value): observer(.next(transform(value)))
        case .completed: observer(.completed)
        case .failed(let failure): observer(.failed(failure))
        }
      }
    }
  }

  /// Changes each value, and fails with what the closure throws.
  ///
  ///     texts.tryMap { (text) throws(Invalid) in try Number(text) }
  ///
  /// - Parameter transform: Gets a value, returns what is sent for it, or throws the failure.
  /// - Returns: The signal of the new values.
  @inlinable public func tryMap<New>(
    _ transform: @escaping (Value) throws(Failure) -> New
  ) -> Signal<New, Failure> {
    fence { _, upstream, observer in
      { event in
        // What is upstream may send a value and its end in one step.
        guard !upstream.isEnded else { return }
        switch event {
        case .next(let value):
          do throws(Failure) {
            observer(.next(try transform(value)))
          } catch {
            upstream.end()
            observer(.failed(error))
          }
        case .completed: observer(.completed)
        case .failed(let failure): observer(.failed(failure))
        }
      }
    }
  }

  /// Changes the failure.
  ///
  /// - Parameter transform: Gets the failure, returns the one that is sent.
  /// - Returns: The signal with the new failure.
  @inlinable public func mapFailure<New: Error>(
    _ transform: @escaping (Failure) -> New
  ) -> Signal<Value, New> {
    lift { observer in
      { event in
        switch event {
        case .next(let value): observer(.next(value))
        case .completed: observer(.completed)
        case .failed(let failure): observer(.failed(transform(failure)))
        }
      }
    }
  }
}

extension Signal where Failure == Never {
  /// A signal that cannot fail, for a place where others can.
  ///
  /// - Parameter type: The type of failure.
  /// - Returns: The same signal with that type.
  @inlinable public func failing<New: Error>(as type: New.Type) -> Signal<Value, New> {
    lift { observer in
      { event in
        switch event {
        case .next(let value): observer(.next(value))
        case .completed: observer(.completed)
        }
      }
    }
  }
}
