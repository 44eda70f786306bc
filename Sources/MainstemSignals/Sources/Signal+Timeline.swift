// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Sends events at given times after its start. What follows an end is left out.
  ///
  /// - Parameter timeline: The events with their times, in order.
  /// - Returns: The signal.
  public static func timeline(
    _ timeline: [(time: Duration, event: SignalEvent<Value, Failure>)]
  ) -> Signal {
    Signal { life, observer in
      let own = Life(in: life)
      var began = own.clock.time
      var sent = 0
      func wait(_ deadline: Deadline) {
        guard sent < timeline.count else { return }
        deadline.set(at: began.later(by: timeline[sent].time.ns))
      }
      let settled = { (time: Int64) in began = began.settled(at: time) }
      let deadline = own.deadline(settled: settled) { deadline in
        let event = timeline[sent].event
        sent += 1
        if event.isEnd { own.end() } else { wait(deadline) }
        observer(event)
      }
      wait(deadline)
    }
  }
}

extension Signal where Value == Int {
  /// Counts from 0, one number a period. The first comes one period after the start; it keeps in
  /// step, and does not end.
  ///
  /// - Parameter period: The period, one nanosecond at least.
  /// - Returns: The signal.
  public static func every(_ period: Duration) -> Signal {
    Signal { life, observer in
      let own = Life(in: life)
      let period = max(1, period.ns)
      var (due, count) = (own.clock.time.later(by: period), 0)
      let settled = { (time: Int64) in due = due.settled(at: time) }
      let deadline = own.deadline(settled: settled) { deadline in
        due = due.later(by: period)
        deadline.set(at: due)
        count += 1
        observer(.next(count - 1))
      }
      deadline.set(at: due)
    }
  }
}
