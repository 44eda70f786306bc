// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemJSON
import Testing

/// Law 1: one order.
extension LawTests {
  @Test func `law 1: positions ascend, observers are called in order of registration`() throws {
    let context = try Context()
    var calls: [String] = []
    let first = try context.observe { calls.append("any \($0.position)") }
    let second = try context.observe(Tick.self) { calls.append("tick \($1.position)") }
    let third = try context.observe { calls.append("last \($0.position)") }

    try context.send(Tick(number: 1))
    try context.send(Tock(text: ""))
    try context.send(Tick(number: 2))

    #expect(
      calls == ["any 1", "tick 1", "last 1", "any 2", "last 2", "any 3", "tick 3", "last 3"])
    for subscription in [first, second, third] { subscription.cancel() }
  }

  @Test func `law 1: the order of registration outlives a cancel`() throws {
    let context = try Context()
    var calls: [String] = []
    var subscriptions = try ["a", "b", "c"].map { name in
      try context.observe(Tick.self) { _, _ in calls.append(name) }
    }
    subscriptions.removeFirst().cancel()
    subscriptions.append(try context.observe { _ in calls.append("d") })

    try context.send(Tick(number: 1))

    #expect(calls == ["b", "c", "d"])
    for subscription in subscriptions { subscription.cancel() }
  }
}
