// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Mainstem
import Synchronization
import Testing

private struct Tick: Notice { var number: Int }

@Suite("Context") struct ContextTests {
  @Test func `many events go with one call, in order`() throws {
    let context = try Context()
    var seen: [Int] = []
    let subscription = try context.observe(Tick.self) { tick, _ in seen.append(tick.number) }

    try context.send(contentsOf: (1...100).map { Tick(number: $0) })
    try context.send(contentsOf: [Tick]())

    #expect(seen == Array(1...100))
    subscription.cancel()
  }

  @Test func `A-01: an observer gets what was sent, at ascending positions`() throws {
    let context = try Context()
    var seen: [String] = []
    let subscription = try context.observe(Tick.self) { tick, delivery in
      seen.append("\(tick.number) \(delivery.position) \(delivery.isOutside)")
    }

    try context.send(Tick(number: 7))
    try context.send(Tick(number: 8))

    #expect(seen == ["7 1 true", "8 2 true"])
    subscription.cancel()
  }

  @Test func `A-18: closing with everything live releases everything`() throws {
    final class Held {}
    let context = try Context()
    weak var held: Held?
    let subscription: Subscription
    do {
      let value = Held()
      held = value
      subscription = try context.observe(Tick.self) { _, _ in _ = value }
      _ = try context.scope("View").observe { _ in _ = value }
    }
    #expect(held != nil)

    try context.close()

    #expect(held == nil)
    #expect(throws: StreamError.self) { try context.send(Tick(number: 1)) }
    subscription.cancel()
  }

  @Test func `A-79: two contexts do not hear each other`() throws {
    let (one, other) = (try Context(), try Context())
    var seen: [String] = []
    let first = try one.observe(Tick.self) { tick, _ in
      seen.append("one \(tick.number)")
      if tick.number == 1 { try other.send(Tick(number: 2)) }
    }
    let second = try other.observe(Tick.self) { tick, delivery in
      seen.append("other \(tick.number) \(delivery.position) \(delivery.cause)")
    }

    try one.send(Tick(number: 1))

    #expect(seen == ["one 1", "other 2 1 0"])
    #expect(try one.stats().events == 1)
    first.cancel()
    second.cancel()
  }

  @Test func `what is sent through a scope carries its name, and it ends as a whole`() throws {
    let context = try Context()
    var origins: [String] = []
    var calls = 0
    let log = try context.observe { origins.append($0.origin) }
    let view = try context.scope("View")
    let inner = try view.scope("Cell").observe(Tick.self) { _, _ in calls += 1 }
    let outer = try view.observe(Tick.self) { _, _ in calls += 1 }

    try view.send(Tick(number: 1))
    try context.send(Tick(number: 2))
    try view.close()
    try context.send(Tick(number: 3))

    #expect(origins == ["View", "", ""])
    // The inner scope was released at once, and its subscription with it.
    #expect(calls == 2)
    #expect(try context.stats().scopes == 0)
    for subscription in [log, inner, outer] { subscription.cancel() }
  }

  @Test func `a borrowed context is the host's own, and stays open`() throws {
    let host = try Context()
    var seen: [Int] = []
    let subscription = try host.observe(Tick.self) { tick, _ in seen.append(tick.number) }
    do {
      let module = Context(borrowing: host.handle)
      try module.send(Tick(number: 1))
    }

    try host.send(Tick(number: 2))

    #expect(seen == [1, 2])
    subscription.cancel()
  }

  @Test func `no context, a status`() {
    let none = Context(borrowing: nil)
    let error = #expect(throws: StreamError.self) { try none.send(Tick(number: 1)) }
    #expect(error?.status == .stale || error?.status == .invalid)
  }

  @Test func `events have a time where it is asked for`() throws {
    var times: [Bool] = []
    for asked in [false, true] {
      let context = try Context(ContextOptions(times: asked))
      let subscription = try context.observe { times.append($0.time > 0) }
      try context.send(Tick(number: 1))
      subscription.cancel()
    }
    #expect(times == [false, true])
  }

  @Test func `a layer of the app's own is added at its first mention`() throws {
    struct Paid: Notice {
      static let layer = Layer("billing")
      var amount: Int
    }
    let context = try Context()

    try context.send(Paid(amount: 3))

    #expect(context.firstError == nil)
  }

  @Test func `the wake hook is called once until the context drains`() throws {
    let context = try Context()
    let poster = try context.poster(for: Tick.self)
    let calls = Counter()
    try context.onWake { calls.add() }

    for number in 1...1000 { try poster.post(Tick(number: number)) }

    #expect(calls.value == 1)
    #expect(try context.nextTimeout() == .zero)
    try context.drain()
    #expect(try context.nextTimeout() == nil)
    try context.onWake(nil)
    try poster.post(Tick(number: 0))
    #expect(calls.value == 1)
  }

  @Test func `the descriptor of a context is the same at each call`() throws {
    let context = try Context()
    let descriptor = try context.fileDescriptor()
    #expect(descriptor > 2)
    #expect(try context.fileDescriptor() == descriptor)
  }

  @Test func `a descriptor interrupts a wait while it is readable`() throws {
    let context = try Context()
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(
      status { () throws(StreamError) in try context.wait(timeout: .zero, interrupt: ends[0]) }
        == .timeout)
    #expect(write(ends[1], "!", 1) == 1)
    #expect(
      status { () throws(StreamError) in try context.wait(interrupt: ends[0]) } == .interrupted)
  }
}

/// What a closure for any thread counts.
private final class Counter: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .sequentiallyConsistent) }

  func add() { count.wrappingAdd(1, ordering: .sequentiallyConsistent) }
}
