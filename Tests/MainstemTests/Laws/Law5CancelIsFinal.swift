// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemJSON
import Testing

/// Law 5: cancel is final.
extension LawTests {
  @Test func `law 5: after cancel no call comes, and the closure is released once`() throws {
    let context = try Context()
    let log = Log()
    var calls: [String] = []
    var later: [Subscription] = []
    let canceller = try context.observe(Tick.self) { _, _ in
      calls.append("canceller")
      for subscription in later { subscription.cancel() }
    }
    later.append(
      try context.observe(Tick.self) { [tag = Tag("typed", log)] _, _ in
        tag.touch()
        calls.append("typed")
      })
    later.append(
      try context.observe { [tag = Tag("any", log)] _ in
        tag.touch()
        calls.append("any")
      })
    let last = try context.observe { _ in calls.append("last, after \(log.lines.count)") }

    try context.send(Tick(number: 1))
    #expect(calls == ["canceller", "last, after 2"])
    try context.send(Tick(number: 2))

    #expect(calls == ["canceller", "last, after 2", "canceller", "last, after 2"])
    #expect(log.lines.sorted() == ["any", "typed"])
    canceller.cancel()
    last.cancel()
  }

  @Test func `law 5: an observer may cancel itself, and releasing a subscription ends it`() throws {
    let context = try Context()
    var calls = 0
    var itself: Subscription?
    itself = try context.observe(Tick.self) { _, _ in
      calls += 1
      itself?.cancel()
    }
    var released: Subscription? = try context.observe(Tick.self) { _, _ in calls += 100 }
    #expect(released != nil)
    released = nil

    try context.send(Tick(number: 1))
    try context.send(Tick(number: 2))

    #expect(calls == 1)
    #expect(try context.stats().subscriptions == 0)
    itself = nil
  }

  @Test func `law 5: a host observer may cancel the next of the same drain`() throws {
    let context = try Context()
    let log = Log()
    var calls: [String] = []
    var next: Subscription?
    let canceller = try context.observe(Tick.self, on: .host) { _, _ in
      calls.append("canceller")
      next?.cancel()
    }
    next = try context.observe(Tick.self, on: .host) { [tag = Tag("next", log)] _, _ in
      tag.touch()
      calls.append("next")
    }

    for number in 1...2 { try context.send(Tick(number: number)) }
    try context.drain()

    #expect(calls == ["canceller", "canceller"])
    #expect(log.lines == ["next"])
    canceller.cancel()
  }
}
