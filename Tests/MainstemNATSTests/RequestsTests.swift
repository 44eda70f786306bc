// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Mainstem
import MainstemNATS
import Synchronization
import Testing

private struct ResponseTotal: Response { var cents: Int }
private struct RequestTotal: Request {
  typealias Answer = ResponseTotal
  var basket: [Int]
}

private struct Shop: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestTotal.self) { _, request in
      guard !request.basket.isEmpty else { throw Failure("EMPTY", userMessage: "Buy!", code: 1001) }
      return ResponseTotal(cents: request.basket.reduce(0, +))
    }
  }
}

/// Answers when the test says so.
private struct SlowShop: Server {
  let replies: AsyncStream<Reply<RequestTotal>>.Continuation
  static func handlers(_ on: inout Handlers<Self>) {
    on.event(RequestTotal.self) { shop, _, delivery in
      shop.replies.yield(try delivery.reply(to: RequestTotal.self))
      return []
    }
  }
}

@MainActor @Suite("Requests elsewhere", .enabled(if: Given.server != nil))
struct RequestsTests {
  private let server = Given.server ?? NATSConnection()
  private let here: Context
  private let there: Context

  init() throws {
    here = try Context(on: MainActor.shared)
    there = try Context(on: MainActor.shared)
  }

  /// Both sides, connected.
  private func pair(
    _ prefix: String, on scheduler: SerialScheduler? = nil
  ) async throws -> (forward: Bridge, serving: Bridge) {
    let serving = try there.serve(RequestTotal.self, to: server, prefix: prefix)
    let forward = try here.forward(RequestTotal.self, to: server, prefix: prefix, on: scheduler)
    try await serving.flush(timeout: .seconds(60))
    try await forward.flush(timeout: .seconds(60))
    return (forward, serving)
  }

  private func failure(of request: RequestTotal) async -> Failure? {
    do throws(Failure) { _ = try await here.request(request, timeout: .seconds(60)) } catch {
      return error
    }
    return nil
  }

  @Test(arguments: [false, true])
  func `a request is answered elsewhere, and a failure arrives whole`(_ isSerial: Bool) async throws
  {
    try there.install(Shop())
    let both = try await pair("shop-\(isSerial)", on: isSerial ? try here.serial("Net") : nil)

    let total = try await here.request(RequestTotal(basket: [1, 2, 39]))
    let failure = await failure(of: RequestTotal(basket: []))

    #expect(total == ResponseTotal(cents: 42))
    #expect(failure == Failure("EMPTY", userMessage: "Buy!", code: 1001))
    for bridge in [both.forward, both.serving] {
      let stats = try bridge.stats()
      #expect(stats.state == .running)
      #expect((stats.entries, stats.open, stats.refused, stats.begun) == (2, 0, 0, 1))
    }
  }

  @Test func `a thousand are open at once, and each gets its own answer`() async throws {
    try there.install(Shop())
    let both = try await pair("many")
    var sum = 0
    var pending: [Pending] = []
    for number in 1...1000 {
      pending.append(
        try here.request(RequestTotal(basket: [number])) { answer, _ in
          if case .success(let total) = answer, total.cents == number { sum += 1 }
        })
    }

    _ = try await here.request(RequestTotal(basket: [0]))
    while try both.forward.stats().open > 0 { await Task.yield() }
    _ = try await here.request(RequestTotal(basket: [0]))

    #expect(sum == 1000)
    pending.removeAll()
  }

  @Test func `who serves is closed, and who asks is told`() async throws {
    let (replies, continuation) = AsyncStream.makeStream(of: Reply<RequestTotal>.self)
    try there.install(SlowShop(replies: continuation))
    let both = try await pair("closed")

    async let failure = failure(of: RequestTotal(basket: [1]))
    var kept = replies.makeAsyncIterator()
    let reply = await kept.next()
    #expect(try both.serving.stats().open == 1)
    try both.serving.close()
    try both.serving.close()

    #expect(await failure?.code == .cancelled)
    #expect(refused { _ = try both.serving.stats() }?.status == .stale)
    _ = reply
    let nobody = await self.failure(of: RequestTotal(basket: [1]))
    #expect(nobody?.code == .unhandled)
    #expect(
      nobody?.message.contains("nobody serves $MAINSTEM.request.closed.RequestTotal") == true)
  }

  @Test func `a forward released on another thread ends on the actor`() async throws {
    var last: Last? = Last(try here.forward(RequestTotal.self, to: server, prefix: "released"))
    let dropped = try drop(&last)
    #expect(try here.stats().scopes == 1)

    await dropped.value
    while try here.stats().scopes > 0 { await Task.yield() }

    #expect(await failure(of: RequestTotal(basket: [1]))?.code == .unhandled)
  }

  /// Has it dropped by another thread, while this one is the actor's.
  private func drop(_ last: inout Last?) throws -> Task<Void, Never> {
    let isDropped = Flag()
    let dropping = Task.detached { [last = last.take()] in
      last?.drop()
      isDropped.value.store(true, ordering: .releasing)
    }
    while !isDropped.value.load(ordering: .acquiring) { sched_yield() }
    return dropping
  }

  @Test func `a bridge keeps the scope that it was begun through`() async throws {
    try there.install(Shop())
    let serving = try there.scope("Counter").serve(RequestTotal.self, to: server, prefix: "kept")
    try await serving.flush(timeout: .seconds(60))
    let forward = try here.forward(RequestTotal.self, to: server, prefix: "kept")
    try await forward.flush(timeout: .seconds(60))

    #expect(try await here.request(RequestTotal(basket: [7])).cents == 7)
    #expect(try serving.stats().state == .running)
  }

  @Test func `a limit of the bridge is the answer`() async throws {
    let forward = try here.forward(
      RequestTotal.self, to: Given.nobody, timeout: .milliseconds(50), window: 1)
    #expect(await failure(of: RequestTotal(basket: [1]))?.code == .timeout)
    #expect(try forward.stats().state == .waiting)
    let wrong = refused { _ = try here.forward(RequestTotal.self, timeout: .zero) }
    #expect(wrong?.status == .invalid)
  }
}

/// The last reference to a bridge, to be dropped by any task.
private final class Last: @unchecked Sendable {
  private var bridge: Bridge?
  init(_ bridge: Bridge) { self.bridge = bridge }
  func drop() { bridge = nil }
}

private final class Flag: Sendable {
  let value = Atomic(false)
}
