// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Sends everything later. A failure comes at once, and what is on its way is dropped.
  ///
  /// - Parameter duration: How much later.
  /// - Returns: The signal.
  @inlinable public func delay(_ duration: Duration) -> Signal {
    let delay = duration.ns
    return fence { life, _, observer in
      var waiting = Ring<(due: Int64, event: SignalEvent<Value, Failure>)>()
      let deadline = life.deadline { deadline in
        guard let (_, event) = waiting.popFirst() else { return }
        if let next = waiting.peek { deadline.set(at: next.due) }
        observer(event)
      }
      return { event in
        if case .failed = event {
          deadline.clear()
          return observer(event)
        }
        waiting.append((life.clock.time.later(by: delay), event))
        if waiting.count == 1 { deadline.set(after: delay) }
      }
    }
  }
}
