// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

private struct RequestOrder: Request {
  typealias Answer = ResponseOrder
  var items: [String]
}
private struct ResponseOrder: Response { var cents: [Int] }
private struct RequestQuote: Request {
  typealias Answer = ResponseQuote
  var item: String
}
private struct ResponseQuote: Response { var cents: Int }
private struct Told: Notice { var text: String }

/// Asks for each item, and tells what came of it.
private struct Clerk: Server {
  var told: [String] = []

  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(
      RequestOrder.self,
      askingAll: { _, order in order.items.map { RequestQuote(item: $0) } },
      then: { _, _, quotes, delivery in
        try delivery.send(Told(text: "all"))
        return ResponseOrder(cents: quotes.map(\.cents))
      },
      failed: { clerk, _, failure in
        clerk.told.append("\(failure.code)")
        throw failure
      })
    on.event(Told.self) { clerk, told in
      clerk.told.append(told.text)
      return []
    }
  }
}

/// Keeps what it is asked, but refuses gold.
private final class Safe {
  var replies: [Reply<RequestQuote>] = []
  var settled = 0
}
private struct Dealer: Server {
  let safe: Safe

  static func handlers(_ on: inout Handlers<Self>) {
    on.event(RequestQuote.self) { dealer, quote, delivery in
      guard quote.item != "gold" else { throw Failure("NOT_SOLD") }
      let safe = dealer.safe
      safe.replies.append(try delivery.reply(to: RequestQuote.self))
      try delivery.onSettled { safe.settled += 1 }
      return []
    }
  }
}

@Suite("Questions of a request that is settled") struct AskingSettledTests {
  private let folder = Folder()
  private let given = Failure("the request was given up", code: .cancelled)

  @Test func `who cancels a request cancels its questions, and the step hears it once`() throws {
    let (test, safe) = (TestContext(), Safe())
    test.install(Dealer(safe: safe))
    test.install(Clerk())
    let pending = try test.context.request(RequestOrder(items: ["tea", "milk"])) { _, _ in }
    test.expect(RequestOrder(items: ["tea", "milk"]))
    test.expect(RequestQuote(item: "tea"))
    test.expect(RequestQuote(item: "milk"))

    pending.cancel()

    for _ in 1...3 { test.expect(given) }
    test.expectNothing()
    #expect(safe.settled == 2)
    #expect(test.context.firstError == nil)
    safe.replies = []
    #expect(try test.context.stats().retained == 0)
  }

  @Test func `a request whose time is up cancels its questions`() throws {
    let (test, safe) = (TestContext(), Safe())
    test.install(Dealer(safe: safe))
    test.install(Clerk())
    var code: Status?
    try test.context.request(RequestOrder(items: ["tea"]), timeout: .seconds(1)) { answer, _ in
      if case .failure(let failure) = answer { code = failure.code }
    }

    test.advance(by: .seconds(1))

    #expect(code == .timeout)
    #expect(safe.settled == 1)
    #expect(try test.context.stats().requests == 0)
    test.skip()
    safe.replies = []
  }

  @Test func `the first failure cancels the other questions`() throws {
    let (test, safe) = (TestContext(), Safe())
    test.install(Dealer(safe: safe))
    test.install(Clerk())

    test.send(RequestOrder(items: ["tea", "gold", "milk"]))

    test.expect(RequestOrder(items: ["tea", "gold", "milk"]))
    for item in ["tea", "gold", "milk"] { test.expect(RequestQuote(item: item)) }
    test.expect(Failure("NOT_SOLD"))
    test.expect(Failure("NOT_SOLD"))
    test.expect(given)
    test.expect(given)
    test.expectNothing()
    #expect(safe.settled == 2)
    safe.replies = []
  }

  @Test func `a step that goes on asking asks nothing when nobody waits`() throws {
    struct Stubborn: Server {
      static func handlers(_ on: inout Handlers<Self>) {
        on.answer(RequestOrder.self) { $0.again($1.items[0]) }
      }
      func again(_ item: String) -> Next<Self, ResponseOrder> {
        .ask(
          RequestQuote(item: item),
          then: { _, quote, delivery in
            try delivery.send(Told(text: item))
            return .done(ResponseOrder(cents: [quote.cents]))
          }, failed: { server, _ in server.again(item) })
      }
    }
    let (test, safe) = (TestContext(), Safe())
    test.install(Dealer(safe: safe))
    test.install(Stubborn())
    let pending = try test.context.request(RequestOrder(items: ["tea"])) { _, _ in }
    try safe.replies.removeFirst().fail(Failure("BUSY"))
    test.context.drainAll()
    test.skip()
    #expect(safe.replies.count == 1)

    pending.cancel()

    test.expect(given)
    test.expect(given)
    test.expectNothing()
    safe.replies = []
  }

  @Test func `a step sends, with the server's name`() throws {
    let test = TestContext()
    test.install(Clerk())
    test.stub(RequestQuote.self) { ResponseQuote(cents: $0.item.utf8.count) }
    var origins: [String] = []
    let log = try test.context.observe(Told.self) { _, delivery in origins.append(delivery.origin) }

    test.send(RequestOrder(items: ["tea", "milk"]))

    test.expect(RequestOrder(items: ["tea", "milk"]))
    test.expect(RequestQuote(item: "tea"))
    test.expect(RequestQuote(item: "milk"))
    test.expect(ResponseQuote(cents: 3))
    test.expect(ResponseQuote(cents: 4))
    test.expect(Told(text: "all"))
    test.expect(ResponseOrder(cents: [3, 4]))
    #expect(origins == ["Clerk"])
    log.cancel()
  }

  @Test func `a session with requests that were given up verifies`() throws {
    let path = folder.file("session")
    func install(in context: Context, _ safe: Safe) throws {
      try context.install(Dealer(safe: safe))
      try context.install(Clerk())
    }
    let (context, safe) = (try Context(), Safe())
    try context.record(to: path)
    try install(in: context, safe)
    let order = RequestOrder(items: ["tea", "milk"])
    try context.request(order) { _, _ in }.cancel()
    _ = context.request(order, timeout: .milliseconds(1))
    _ = context.request(RequestOrder(items: ["tea", "gold"]))
    #expect(safe.settled == 5)
    safe.replies = []
    try context.close()

    let again = Safe()
    try Journal.verify(path) { try install(in: $0, again) }
    #expect(again.settled == 5)
  }
}

extension Context {
  fileprivate func drainAll() { _ = try? drain() }
}
