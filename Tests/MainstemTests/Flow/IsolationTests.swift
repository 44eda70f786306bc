// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct Tick: Notice { var number: Int }
private struct RequestDouble: Request {
  typealias Answer = ResponseDouble
  var number: Int
}
private struct ResponseDouble: Response { var number: Int }

/// Answers when it is told to, from wherever that is.
private struct Later: Server {
  let replies: AsyncStream<Reply<RequestDouble>>.Continuation
  static func handlers(_ on: inout Handlers<Self>) {
    on.event(RequestDouble.self) { server, _, delivery in
      server.replies.yield(try delivery.reply(to: RequestDouble.self))
      return []
    }
  }
}

/// An actor with a context of its own, and with a server that answers from elsewhere.
private actor Desk {
  private var context: Context?
  private var kept: [Subscription] = []
  private(set) var seen: [Int] = []

  func open() throws {
    let context = try Context(on: self)
    let (replies, continuation) = AsyncStream.makeStream(of: Reply<RequestDouble>.self)
    try context.install(Later(replies: continuation))
    kept.append(
      try context.observe(Tick.self) { [weak self] tick, _ in
        // The closure is the actor's, and must not keep it.
        self?.assumeIsolated { $0.seen.append(tick.number) }
      })
    self.context = context
    Task.detached {
      for await reply in replies { try? reply.respond(ResponseDouble(number: 2)) }
    }
  }

  func send(_ number: Int) throws -> [Int] {
    try context?.send(Tick(number: number))
    return seen
  }

  func ask(timeout: Duration? = nil) async throws -> Int? {
    try await context?.request(RequestDouble(number: 1), timeout: timeout).number
  }

  func sleep() throws { try context?.send(Tick(number: 9), after: .seconds(3_600)) }
  func stats() throws -> Stats? { try context?.stats() }
  func close() throws { try context?.close() }
}

/// Says on which actor it is released, and tells when that has happened.
private final class Disk: Sendable {
  let released: AsyncStream<Void>.Continuation
  init(_ released: AsyncStream<Void>.Continuation) { self.released = released }
  deinit {
    MainActor.preconditionIsolated()
    released.finish()
  }
}

/// The last reference to a context, to be dropped by any task.
private final class Last: @unchecked Sendable {
  var context: Context?
  init(_ context: Context) { self.context = context }
}

private struct Holder: Server {
  let disk: Disk
  static func handlers(_ on: inout Handlers<Self>) { on.event(Tick.self) { _, _ in [] } }
}

@Suite("Context of an actor") struct IsolationTests {
  @MainActor @Test func `it is used before and after an await`() async throws {
    let context = try Context(on: MainActor.shared)
    var seen: [Int] = []
    let subscription = try context.observe(Tick.self) { tick, _ in seen.append(tick.number) }

    for number in 1...20 {
      try context.send(Tick(number: number))
      // Law 6: a send has delivered when it returns.
      #expect(seen == Array(1...number))
      await Task.yield()
    }

    subscription.cancel()
    try context.close()
  }

  @Test func `an actor has its own, and an answer from elsewhere comes by itself`() async throws {
    let desk = Desk()
    try await desk.open()

    #expect(try await desk.send(1) == [1])
    for _ in 1...50 { #expect(try await desk.ask() == 2) }
    #expect(try await desk.send(2) == [1, 2])
    #expect(try await desk.stats()?.requests == 0)
    try await desk.close()
    await #expect(throws: Failure.self) { try await desk.ask() }
  }

  @MainActor @Test func `what was posted before close is handled as ever`() throws {
    struct Echo: Server {
      static func handlers(_ on: inout Handlers<Self>) {
        on.event(Tick.self) { _, tick in tick.number < 3 ? [Tick(number: tick.number + 1)] : [] }
      }
    }
    let context = try Context(on: MainActor.shared)
    try context.install(Echo())
    let ticks = try context.poster(for: Tick.self)
    var seen: [Int] = []
    let subscription = try context.observe(Tick.self) { tick, _ in seen.append(tick.number) }

    try ticks.post(Tick(number: 1))
    #expect(seen == [])
    try context.close()

    #expect(seen == [1, 2, 3])
    subscription.cancel()
  }

  /// More than one batch, so that most are still in the library's queue.
  @MainActor @Test func `what was sent before close is still there to be awaited`() async throws {
    let context = try Context(on: MainActor.shared)
    let ticks = try context.events(Tick.self)
    var awaited = ticks.makeAsyncIterator()
    try context.send(Tick(number: 0))
    #expect(await awaited.next() == Tick(number: 0))
    for number in 1...1_000 { try context.send(Tick(number: number)) }
    try context.close()

    for number in 1...1_000 { #expect(await awaited.next() == Tick(number: number)) }
    #expect(await awaited.next() == nil)
  }

  @MainActor @Test func `posts and timers come by themselves, the sooner one first`() async throws {
    let context = try Context(on: MainActor.shared)
    var ticks = try context.events(Tick.self).makeAsyncIterator()
    let poster = try context.poster(for: Tick.self)

    await Task.detached { try? poster.post(Tick(number: 1)) }.value
    #expect(await ticks.next() == Tick(number: 1))
    try context.send(Tick(number: 9), after: .seconds(3_600))
    try context.send(Tick(number: 2), after: .milliseconds(2))
    #expect(await ticks.next() == Tick(number: 2))
    try context.send(Tick(number: 3), every: .milliseconds(1))
    for _ in 1...3 { #expect(await ticks.next() == Tick(number: 3)) }
    #expect(try context.stats().timers == 2)
    try context.close()
  }

  @Test func `it does not keep its actor, and a sleeping timer does not either`() async throws {
    weak var left: Desk?
    do {
      let desk = Desk()
      left = desk
      try await desk.open()
      try await desk.sleep()
      _ = try await desk.send(1)
    }
    while left != nil { await Task.yield() }
  }

  @MainActor @Test func `released elsewhere, it is closed on its actor`() async throws {
    for isClosed in [false, true] {
      let (released, continuation) = AsyncStream.makeStream(of: Void.self)
      let last = Last(try Context(on: MainActor.shared))
      try last.context?.install(Holder(disk: Disk(continuation)))
      if isClosed { try last.context?.close() }
      await Task.detached { last.context = nil }.value
      for await _ in released {}
    }
  }

  @MainActor @Test func `scopes ask like the context`() async throws {
    let context = try Context(on: MainActor.shared)
    struct Doubler: Server {
      static func handlers(_ on: inout Handlers<Self>) {
        on.answer(RequestDouble.self) { _, request in ResponseDouble(number: 2 * request.number) }
      }
    }
    try context.install(Doubler())
    let scope = try context.scope("View")

    #expect(try await scope.request(RequestDouble(number: 4)).number == 8)
    try scope.close()
    await #expect(throws: Failure.self) { try await scope.request(RequestDouble(number: 4)) }
    try context.close()
  }

  @MainActor @Test func `a cancelled task gives its request up, also before it is sent`()
    async throws
  {
    let context = try Context(on: MainActor.shared)
    let (replies, continuation) = AsyncStream.makeStream(of: Reply<RequestDouble>.self)
    try context.install(Later(replies: continuation))
    for waits in [false, true] {
      let task = Task { try await context.request(RequestDouble(number: 1)) }
      if waits { while try context.stats().requests == 0 { await Task.yield() } }
      task.cancel()
      let failure = await #expect(throws: Failure.self) { try await task.value }
      #expect(failure?.code == .cancelled)
    }
    #expect(try context.stats().requests == 0)
    try context.close()
    _ = replies
  }

  @MainActor @Test func `a context of a thread is refused, with what to write`() async throws {
    func made() throws -> Context { try Context() }
    let context = try made()

    let failure = await #expect(throws: Failure.self) {
      try await context.request(RequestDouble(number: 1))
    }
    #expect(failure?.code == .wrongThread)
    #expect(failure?.message.contains("Context(on: self)") == true)
  }

  @MainActor @Test func `who drains it cannot be replaced`() throws {
    let context = try Context(on: MainActor.shared)
    let error = #expect(throws: StreamError.self) { try context.onWake(nil) }
    #expect(error?.status == .invalid)
  }

  @Test func `an unknown type is refused on another thread, until it is registered`() throws {
    let context = try Context()
    let kept = Guarded<Reply<RequestDouble>?>(nil)
    let (errors, steps) = (Guarded<[String]>([]), Guarded<[Int]>([]))
    try context.install(Keeping(kept: kept))
    let pending = try context.request(RequestDouble(number: 1)) { _, _ in }

    func report(_ step: Int) {
      onAnotherThread {
        do { try kept.value?.progress(Doubling(step: step)) } catch {
          errors.change { $0.append("\(error)") }
        }
      }
    }
    report(1)
    try context.register(Doubling.self)
    report(2)
    let observer = try context.observe(Doubling.self) { step, _ in
      steps.change { $0.append(step.step) }
    }
    try context.drain()

    #expect(
      errors.value == [
        "WRONG_THREAD: Doubling is not registered yet, and only the context's thread can do that: call context.register(Doubling.self) there first"
      ])
    #expect(steps.value == [2])
    (_, _) = (pending, observer)
  }
}

private struct Doubling: Notice { var step: Int }

/// Keeps the request for another thread.
private struct Keeping: Server {
  let kept: Guarded<Reply<RequestDouble>?>
  static func handlers(_ on: inout Handlers<Self>) {
    on.event(RequestDouble.self) { server, _, delivery in
      let reply = try delivery.reply(to: RequestDouble.self)
      server.kept.change { $0 = reply }
      return []
    }
  }
}
