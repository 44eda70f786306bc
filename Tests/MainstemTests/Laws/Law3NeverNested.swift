// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemJSON
import Testing

/// Law 3: never nested.
extension LawTests {
  @Test func `law 3: an event sent inside a callback comes after the current event`() throws {
    let context = try Context()
    var calls: [String] = []
    var depth = 0
    let first = try context.observe(Tick.self) { tick, _ in
      depth += 1
      calls.append("first \(tick.number) at \(depth)")
      if tick.number < 3 { try context.send(Tick(number: tick.number + 1)) }
      depth -= 1
    }
    let second = try context.observe(Tick.self) { tick, _ in calls.append("second \(tick.number)") }

    try context.send(Tick(number: 1))

    #expect(
      calls == [
        "first 1 at 1", "second 1", "first 2 at 1", "second 2", "first 3 at 1", "second 3",
      ])
    first.cancel()
    second.cancel()
  }

  @Test func `law 3: calls that wait are busy inside a callback`() throws {
    let context = try Context()
    try context.install(Doubler())
    var refused: [Status] = []
    let subscription = try context.observe(Tick.self) { _, _ in
      refused.append(status { () throws(StreamError) in try context.flush() })
      refused.append(status { () throws(StreamError) in try context.drain() })
      refused.append(status { () throws(StreamError) in try context.wait(timeoutMs: 0) })
      refused.append(context.request(RequestDouble(number: 1)).code)
    }

    try context.send(Tick(number: 1))

    #expect(refused == [.busy, .busy, .busy, .busy])
    #expect(try context.stats().events == 1)
    subscription.cancel()
  }
}
