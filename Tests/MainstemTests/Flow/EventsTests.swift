// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// On the main thread: a context must stay on one, and waiting there holds up no task.
@Suite("Events for await") @MainActor struct EventsTests {
  struct Tick: Notice { var number: Int }
  struct Done: Notice {}

  /// Collects all events in a task of its own, and tells when it got the last one it waits for.
  private func collect(
    _ events: Events<Tick>, until last: Int, then done: Poster<Done>
  ) -> Task<[Int], Never> {
    Task.detached {
      var numbers: [Int] = []
      for await tick in events {
        numbers.append(tick.number)
        if tick.number == last { try? done.post(Done()) }
      }
      return numbers
    }
  }

  /// Runs a context on this thread until it is told that the task is done; no suspension inside.
  private func run(
    on scheduler: (Context) throws -> Events<Tick>
  ) throws -> Task<[Int], Never> {
    let context = try Context()
    var isDone = false
    let end = try context.observe(Done.self) { _, _ in isDone = true }
    let task = collect(try scheduler(context), until: 100, then: try context.poster(for: Done.self))
    for number in 1...100 { try context.send(Tick(number: number)) }
    while !isDone { try context.wait() }
    end.cancel()
    try context.close()
    return task
  }

  @Test func `in order from a serial scheduler, until the context closes`() async throws {
    let task = try run { try $0.events(Tick.self, on: $0.serial("Serial")) }
    #expect(await task.value == Array(1...100))
  }

  @Test func `in order from a drain, until the context closes`() async throws {
    let task = try run { try $0.events(Tick.self, on: .host) }
    #expect(await task.value == Array(1...100))
  }

  /// A context with events that nobody drains, and what has to be held meanwhile.
  private func quiet() throws -> (Context, Events<Tick>) {
    let context = try Context()
    return (context, try context.events(Tick.self, on: .host))
  }

  @Test func `a cancelled task ends it`() async throws {
    let (context, events) = try quiet()
    let task = Task.detached {
      for await _ in events { return false }
      return true
    }
    task.cancel()
    #expect(await task.value)
    _ = context
  }

  @Test func `cancel ends it from anywhere`() async throws {
    let (context, events) = try quiet()
    let task = Task.detached {
      for await _ in events { return false }
      return true
    }
    events.cancel()
    #expect(await task.value)
    _ = context
  }

  @Test func `at once it is refused`() throws {
    let context = try Context()
    #expect(throws: StreamError.self) { try context.events(Tick.self, on: .immediate) }
  }

  @Test func `released it ends`() throws {
    let context = try Context()
    var events: Events<Tick>? = try context.events(Tick.self, on: .host)
    #expect(try context.stats().subscriptions == 1)
    _ = events
    events = nil
    #expect(try context.stats().subscriptions == 0)
  }

  @Test func `a gap is told, and is no event`() async throws {
    let context = try Context(on: MainActor.shared)
    var gaps: [UInt64] = []
    let events = try context.events(
      Tick.self, queue: .latest, onGap: { gaps.append($0.count) })
    for number in 1...3 { try context.send(Tick(number: number)) }

    var iterator = events.makeAsyncIterator()
    #expect(await iterator.next() == Tick(number: 3))
    #expect(gaps == [2])
    try context.close()
    #expect(await iterator.next() == nil)
  }

  @Test func `many come at a time`() async throws {
    let context = try Context(on: MainActor.shared)
    let events = try context.events(Tick.self)
    for number in 1...100 { try context.send(Tick(number: number)) }

    var seen: [[Int]] = []
    for await batch in events.batches {
      seen.append(batch.map(\.number))
      if batch.last?.number == 100 { break }
    }
    #expect(seen.flatMap { $0 } == Array(1...100))
    #expect(seen.map(\.count) == [64, 36])
    try context.close()
  }

  @Test func `what has come is read after the context has closed, but not after a cancel`()
    async throws
  {
    for isCancelled in [false, true] {
      let context = try Context(on: MainActor.shared)
      let events = try context.events(Tick.self)
      for number in 1...3 { try context.send(Tick(number: number)) }
      var iterator = events.makeAsyncIterator()
      #expect(await iterator.next() == Tick(number: 1))

      if isCancelled { events.cancel() } else { try context.close() }
      #expect(await iterator.next() == (isCancelled ? nil : Tick(number: 2)))
    }
  }

  @Test func `with the queue latest only one is wanted at a time`() async throws {
    let context = try Context(on: MainActor.shared)
    let events = try context.events(Tick.self, queue: .latest)
    var iterator = events.makeAsyncIterator()
    for number in 1...3 { try context.send(Tick(number: number)) }
    #expect(await iterator.next() == Tick(number: 3))
    for number in 4...6 { try context.send(Tick(number: number)) }
    #expect(await iterator.next() == Tick(number: 6))
    try context.close()
  }
}
