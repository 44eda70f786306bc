// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct Tick: Notice { var number: Int }

private final class View: SubscriptionOwner {
  let subscriptions = Subscriptions()
  var shown: [Int] = []
  private let onEnd: () -> Void
  init(onEnd: @escaping () -> Void = {}) { self.onEnd = onEnd }
  deinit { onEnd() }
}

@Suite("Subscription") struct SubscriptionTests {
  @Test func `an owner is not kept alive, and its observers end with it, at once`() throws {
    let context = try Context()
    var ended = 0
    var view: View? = View { ended += 1 }
    if let view {
      try context.observe(Tick.self, for: view) { view, tick, _ in view.shown.append(tick.number) }
    }

    try context.send(Tick(number: 1))
    #expect(view?.shown == [1])
    view = nil

    #expect(ended == 1)
    #expect(try context.stats().subscriptions == 0)
  }

  @Test func `an owner may end all of its observers and go on`() throws {
    let context = try Context()
    let view = View()
    try context.observe(Tick.self, for: view) { view, tick, _ in view.shown.append(tick.number) }

    try context.send(Tick(number: 1))
    view.subscriptions.cancel()
    try context.send(Tick(number: 2))

    #expect(view.shown == [1])
  }

  @Test func `an owner's observer may wait for the drain, in a queue of its own`() throws {
    let context = try Context()
    let view = View()
    var lost: UInt64 = 0
    try context.observe(
      Tick.self, for: view, on: .host, queue: .latest, onGap: { lost += $0.count }
    ) { view, tick, _ in view.shown.append(tick.number) }

    for number in 1...3 { try context.send(Tick(number: number)) }
    #expect(view.shown == [])
    try context.drain()
    #expect(view.shown == [3])
    #expect(lost == 2)
  }

  @Test func `cancel is final however often and wherever it is called`() throws {
    let context = try Context()
    let subscription = try context.observe(Tick.self) { _, _ in }

    subscription.cancel()
    subscription.cancel()

    #expect(context.firstError == nil)
    #expect(throws: StreamError.self) { try subscription.cancelAndWait() }
  }

  @Test func `cancel and wait ends it`() throws {
    let context = try Context()
    var calls = 0
    let subscription = try context.observe(Tick.self) { _, _ in calls += 1 }

    try subscription.cancelAndWait()
    try context.send(Tick(number: 1))

    #expect(calls == 0)
  }
}
