// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Sends a value when no other has come for a time; a value that others follow sooner is left out.
  ///
  /// At completion the value that still waits is sent at once; at a failure it is dropped.
  ///
  /// - Parameter duration: How long it has to be quiet.
  /// - Returns: The signal.
  @inlinable public func debounce(_ duration: Duration) -> Signal {
    let quiet = duration.ns
    return fence { life, _, observer in
      var last: Value?
      let deadline = life.deadline { _ in
        if let value = last.take() { observer(.next(value)) }
      }
      return { event in
        if case .next(let value) = event {
          last = value
          return deadline.set(after: quiet)
        }
        deadline.clear()
        if case .completed = event, let value = last.take() { observer(.next(value)) }
        observer(event)
      }
    }
  }
}
