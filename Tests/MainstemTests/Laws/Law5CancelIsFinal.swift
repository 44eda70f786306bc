// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// Law 5: cancel is final.
extension LawTests {
  @Test func `law 5: releasing a subscription ends it`() throws {
    let context = try Context()
    var calls = 0
    var released: Subscription? = try context.observe(Tick.self) { _, _ in calls += 1 }
    #expect(released != nil)
    released = nil

    try context.send(Tick(number: 1))

    #expect(calls == 0)
    #expect(try context.stats().subscriptions == 0)
  }
}
