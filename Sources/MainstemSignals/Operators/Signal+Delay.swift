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
      let settled = { (time: Int64) in
        for _ in 0..<waiting.count {
          if let (due, event) = waiting.popFirst() {
            waiting.append((due.settled(at: time), event))
          }
        }
      }
      let deadline = life.deadline(settled: settled) { deadline in
        guard let (_, event) = waiting.popFirst() else { return }
        if let next = waiting.peek { deadline.set(at: next.due) }
        observer(event)
      }
      return { event in
        if case .failed = event {
          deadline.clear()
          return observer(event)
        }
        let due = life.clock.time.later(by: delay)
        waiting.append((due, event))
        if waiting.count == 1 {
          deadline.set(at: due)
        } else if due < 0 {
          deadline.waitForTime()
        }
      }
    }
  }
}
