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
    on.on(RequestDouble.self) { server, _, delivery in
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
  private(set) var isInside = true

  func open() throws {
    let context = try Context(on: self)
    let (replies, continuation) = AsyncStream.makeStream(of: Reply<RequestDouble>.self)
    try context.install(Later(replies: continuation))
    kept.append(
      try context.observe(Tick.self) { [weak self] tick, _ in
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

  func poster() throws -> Poster<Tick>? { try context?.poster(for: Tick.self) }
  func stats() throws -> Stats? { try context?.stats() }
  func close() throws { try context?.close() }
}

@Suite("Context of an actor") struct IsolationTests {
  @MainActor @Test func `it is used before and after an await`() async throws {
    let context = try Context(on: MainActor.shared)
    var seen: [Int] = []
    let subscription = try context.observe(Tick.self) { tick, _ in seen.append(tick.number) }

    try context.send(Tick(number: 1))
    #expect(seen == [1])
    for number in 2...20 {
      await Task.yield()
      try context.send(Tick(number: number))
      // Law 6: a send has delivered when it returns.
      #expect(seen.count == number)
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
}
