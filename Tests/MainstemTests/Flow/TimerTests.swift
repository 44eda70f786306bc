// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct Tick: Notice { var number: Int }

@Suite("Timer") struct TimerTests {
  @Test func `timers fire in order, each at its own time`() throws {
    let context = try Context(ContextOptions(times: true, clock: .virtual))
    var seen: [String] = []
    let subscription = try context.observe(Tick.self) { tick, delivery in
      seen.append("\(tick.number)@\(delivery.time / 1_000_000)")
    }

    try context.send(Tick(number: 2), after: .milliseconds(20))
    try context.send(Tick(number: 1), after: .milliseconds(10))
    let timer = try context.send(Tick(number: 3), every: .milliseconds(15))
    try context.advance(by: .milliseconds(30))

    #expect(seen == ["1@10", "3@15", "2@20", "3@30"])
    #expect(try context.now() == 30_000_000)
    #expect(try context.stats().timers == 1)
    #expect(timer.cancel())
    #expect(!timer.cancel())
    #expect(try context.stats().timers == 0)
    subscription.cancel()
  }

  @Test func `a wait ends when a timer fires`() throws {
    let context = try Context()
    try context.send(Tick(number: 1), after: .milliseconds(1))

    try context.wait()

    let stats = try context.stats()
    #expect(stats.events == 1)
    #expect(stats.timersMissed == 0)
    #expect(try context.nextTimeout() == nil)
  }

  @Test func `what is armed is checked`() throws {
    let context = try Context()
    #expect(throws: StreamError.self) {
      try context.send(Tick(number: 1), after: .milliseconds(-1))
    }
    #expect(throws: StreamError.self) { try context.send(Tick(number: 1), every: .zero) }
    #expect(throws: StreamError.self) { try context.advance(by: .milliseconds(1)) }
  }
}
