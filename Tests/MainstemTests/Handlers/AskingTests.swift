// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

private struct RequestPrice: Request {
  typealias Answer = ResponsePrice
  var item: String
}
private struct ResponsePrice: Response { var cents: Int }
private struct RequestQuote: Request {
  typealias Answer = ResponseQuote
  var item: String
}
private struct ResponseQuote: Response { var cents: Int }
private struct RequestTax: Request {
  typealias Answer = ResponseTax
  var cents: Int
}
private struct ResponseTax: Response { var cents: Int }
private struct RequestSum: Request {
  typealias Answer = ResponseSum
  var items: [String]
}
private struct ResponseSum: Response { var cents: [Int] }
private struct Ordered: Notice { var item: String }
private struct Known: Notice { var item: String }

/// Knows what things cost, except one.
private struct Dealer: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestQuote.self) { _, request in
      guard request.item != "gold" else { throw Failure("NOT_SOLD", subject: "gold", code: 1001) }
      return ResponseQuote(cents: request.item.utf8.count * 100)
    }
    on.answer(RequestTax.self) { _, request in ResponseTax(cents: request.cents / 10) }
  }
}

/// Asks the dealer, and remembers.
private struct Shop: Server {
  var prices: [String: Int] = [:]
  var asked = 0

  mutating func quote(_ request: RequestPrice) -> RequestQuote {
    asked += 1
    return RequestQuote(item: request.item)
  }
  mutating func quoted(_ request: RequestPrice, _ quote: ResponseQuote) -> ResponsePrice {
    prices[request.item] = quote.cents
    return ResponsePrice(cents: quote.cents)
  }
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestPrice.self, asking: { $0.quote($1) }, then: { $0.quoted($1, $2) })
  }
}

/// Answers when it is told to.
private struct LateDealer: Server {
  let keep: (Reply<RequestQuote>) -> Void

  init(_ keep: @escaping (Reply<RequestQuote>) -> Void) { self.keep = keep }

  static func handlers(_ on: inout Handlers<Self>) {
    on.event(RequestQuote.self) { dealer, _, delivery in
      dealer.keep(try delivery.reply(to: RequestQuote.self))
      return []
    }
  }
}

/// Asks a dealer who answers later, and remembers.
private struct Keeper: Server {
  let goesOn: Bool
  var prices: [String: Int] = [:]

  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestPrice.self, asks: [RequestQuote.self]) { keeper, request in
      .ask(RequestQuote(item: request.item), goesOn: keeper.goesOn) { keeper, quote in
        keeper.prices[request.item] = quote.cents
        return .ask(RequestTax(cents: quote.cents)) { .done(ResponsePrice(cents: $1.cents)) }
      } failed: { keeper, _ in
        keeper.prices[request.item] = -1
        return .done(ResponsePrice(cents: 0))
      }
    }
    on.show { [Known(item: "\($0.prices.sorted { $0.key < $1.key })")] }
  }
}

@Suite("Ask and go on") struct AskingTests {
  @Test(arguments: [false, true])
  func `a question goes on without its requester, or is cancelled`(goesOn: Bool) throws {
    let context = try Context()
    var replies: [Reply<RequestQuote>] = []
    var seen: [String] = []
    let late = try context.observe { delivery in
      if !delivery.name.hasPrefix("Known") {
        seen.append("\(delivery.name) \(delivery.failure?.code.rawValue ?? 0)")
      }
    }
    try context.install(LateDealer { replies.append($0) })
    try context.install(Keeper(goesOn: goesOn))
    var known = ""
    let shown = try context.observe(Known.self) {
      known = $0.item; _ = $1
    }
    let window = try context.scope("Window")
    let pending = try window.request(RequestPrice(item: "tea")) { _, _ in }
    try window.close()
    withExtendedLifetime(pending) {}

    if goesOn { try replies[0].respond(ResponseQuote(cents: 300)) }

    #expect(
      seen == [
        "RequestPrice 0", "RequestQuote 0", "ResponsePrice 13",
        goesOn ? "ResponseQuote 0" : "ResponseQuote 13",
      ])
    #expect(known.contains(goesOn ? "300" : "-1"))
    withExtendedLifetime((late, shown)) {}
  }

  @Test func `each step is a function of the server`() {
    var shop = Shop()

    #expect(shop.quote(RequestPrice(item: "tea")) == RequestQuote(item: "tea"))
    #expect(shop.quoted(RequestPrice(item: "tea"), ResponseQuote(cents: 300)).cents == 300)
    #expect(shop.prices == ["tea": 300])
  }

  @Test func `the answer comes when the question is answered, in one chain`() throws {
    let test = TestContext()
    test.install(Dealer())
    test.install(Shop())
    var causes: [[UInt64]] = []
    let log = try test.context.observe { causes.append([$0.cause, $0.correlation, $0.answers]) }

    test.send(RequestPrice(item: "tea"))

    test.expect(RequestPrice(item: "tea"))
    test.expect(RequestQuote(item: "tea"))
    test.expect(ResponseQuote(cents: 300))
    test.expect(ResponsePrice(cents: 300))
    #expect(causes == [[0, 1, 0], [1, 1, 0], [2, 1, 2], [3, 1, 1]])
    log.cancel()
  }

  @Test func `a failure is passed on`() throws {
    let test = TestContext()
    test.install(Dealer())
    test.install(Shop())
    let failure = Failure("NOT_SOLD", subject: "gold", code: 1001)

    test.send(RequestPrice(item: "gold"))

    test.expect(RequestPrice(item: "gold"))
    test.expect(RequestQuote(item: "gold"))
    test.expect(failure)
    test.expect(failure)
  }

  @Test func `a failure is mapped, or answered`() throws {
    struct Kind: Server {
      static func handlers(_ on: inout Handlers<Self>) {
        on.answer(
          RequestPrice.self, asking: { _, request in RequestQuote(item: request.item) },
          then: { _, _, quote in ResponsePrice(cents: quote.cents) },
          failed: { _, request, failure in
            guard request.item == "gold" else {
              throw Failure(failure.message, userMessage: "No dealer.", code: failure.code)
            }
            return ResponsePrice(cents: 0)
          })
      }
    }
    let context = try Context()
    try context.install(Kind())

    let lonely = context.request(RequestPrice(item: "tea"))
    #expect(throws: Failure.self) { try lonely.get() }
    if case .failure(let failure) = lonely {
      #expect(failure.code == .unhandled)
      #expect(failure.userMessage == "No dealer.")
    }
    try context.install(Dealer())
    #expect(try context.request(RequestPrice(item: "gold")).get().cents == 0)
    #expect(try context.stats().retained == 0)
  }

  @Test func `two questions in a row`() throws {
    struct Taxed: Server {
      static func handlers(_ on: inout Handlers<Self>) {
        on.answer(
          RequestPrice.self,
          asking: { _, request in RequestQuote(item: request.item) },
          then: { _, _, quote in RequestTax(cents: quote.cents) },
          then: { _, _, quote, tax in ResponsePrice(cents: quote.cents + tax.cents) })
      }
    }
    let context = try Context()
    try context.install(Dealer())
    try context.install(Taxed())

    #expect(try context.request(RequestPrice(item: "tea")).get().cents == 330)
    #expect(throws: Failure.self) { try context.request(RequestPrice(item: "gold")).get() }
  }

  @Test(arguments: [[], ["tea"], ["tea", "milk", "a"]])
  func `several at once, answered in their order`(_ items: [String]) throws {
    struct Summer: Server {
      static func handlers(_ on: inout Handlers<Self>) {
        on.answer(
          RequestSum.self,
          askingAll: { _, request in request.items.map { RequestQuote(item: $0) } },
          then: { _, _, quotes in ResponseSum(cents: quotes.map(\.cents)) })
      }
    }
    let context = try Context()
    try context.install(Dealer())
    try context.install(Summer())

    let sum = try context.request(RequestSum(items: items)).get()
    #expect(sum.cents == items.map { $0.utf8.count * 100 })
    let failed = context.request(RequestSum(items: items + ["gold", "tea", "gold"]))
    #expect(throws: Failure.self) { try failed.get() }
    #expect(try context.stats().requests == 0)
    #expect(try context.stats().retained == 0)
  }

  @Test func `several of different types at once, with the first failure or all answers`() throws {
    struct Both: Server {
      static func handlers(_ on: inout Handlers<Self>) {
        on.answer(
          RequestPrice.self,
          askingAll: { _, request in (RequestQuote(item: request.item), RequestTax(cents: 50)) },
          then: { _, _, quote, tax in ResponsePrice(cents: quote.cents + tax.cents) },
          failed: { _, _, failure in throw Failure(failure.message, subject: "both") })
      }
    }
    let test = TestContext()
    test.install(Dealer())
    test.install(Both())

    test.send(RequestPrice(item: "tea"))
    test.expect(RequestPrice(item: "tea"))
    test.expect(RequestQuote(item: "tea"))
    test.expect(RequestTax(cents: 50))
    test.expect(ResponseQuote(cents: 300))
    test.expect(ResponseTax(cents: 5))
    test.expect(ResponsePrice(cents: 305))

    test.send(RequestPrice(item: "gold"))
    test.expect(RequestPrice(item: "gold"))
    test.expect(RequestQuote(item: "gold"))
    test.expect(RequestTax(cents: 50))
    test.expect(Failure("NOT_SOLD", subject: "gold", code: 1001))
    test.expect(ResponseTax(cents: 5))
    test.expect(Failure("NOT_SOLD", subject: "both"))
    test.expectNothing()
    #expect(try test.context.stats().retained == 0)
  }

  @Test func `both of several fail, and the first counts`() throws {
    struct Both: Server {
      static func handlers(_ on: inout Handlers<Self>) {
        on.answer(RequestPrice.self) { _, _ in
          .ask(all: RequestQuote(item: "gold"), RequestQuote(item: "gold")) { _, one, other in
            .done(ResponsePrice(cents: one.cents + other.cents))
          } failed: { _, _ in
            .done(ResponsePrice(cents: 1))
          }
        }
      }
    }
    let context = try Context()
    try context.install(Dealer())
    try context.install(Both())

    #expect(try context.request(RequestPrice(item: "tea")).get().cents == 1)
    #expect(try context.stats().requests == 0)
  }

  @Test func `a step answers, or asks and goes on`() throws {
    struct Memory: Server {
      var prices: [String: Int] = [:]
      mutating func price(_ request: RequestPrice) -> Next<Self, ResponsePrice> {
        if let known = prices[request.item] { return .done(ResponsePrice(cents: known)) }
        return .ask(RequestQuote(item: request.item)) { server, quote in
          server.prices[request.item] = quote.cents
          return .ask(all: [RequestTax(cents: quote.cents), RequestTax(cents: 10)]) { _, taxes in
            .done(ResponsePrice(cents: quote.cents + taxes[0].cents + taxes[1].cents))
          }
        }
      }
      static func handlers(_ on: inout Handlers<Self>) {
        on.answer(RequestPrice.self, asks: [RequestQuote.self, RequestTax.self]) {
          $0.price($1)
        }
      }
    }
    let context = try Context()
    try context.install(Memory())
    // A server that finds its types by name can come now.
    let before = try context.stats().types
    try context.install(Dealer())
    #expect(try context.stats().types == before)

    #expect(try context.request(RequestPrice(item: "tea")).get().cents == 331)
    #expect(try context.request(RequestPrice(item: "tea")).get().cents == 300)
    #expect(throws: Failure.self) { try context.request(RequestPrice(item: "gold")).get() }
  }

  @Test func `an event that is no request asks, or not, and sends`() throws {
    struct Clerk: Server {
      var known: Set<String> = []
      static func handlers(_ on: inout Handlers<Self>) {
        on.event(
          Ordered.self,
          asking: { server, event in
            server.known.contains(event.item) ? nil : RequestQuote(item: event.item)
          },
          then: { server, event, _ in
            server.known.insert(event.item)
            return [Known(item: event.item)]
          })
      }
    }
    let test = TestContext()
    test.install(Dealer())
    test.install(Clerk())

    for _ in 1...2 { test.send(Ordered(item: "tea")) }
    test.expect(Ordered(item: "tea"))
    test.expect(RequestQuote(item: "tea"))
    test.expect(ResponseQuote(cents: 300))
    test.expect(Known(item: "tea"))
    test.expect(Ordered(item: "tea"))
    test.expectNothing()

    test.send(Ordered(item: "gold"))
    test.expect(Ordered(item: "gold"))
    test.expect(RequestQuote(item: "gold"))
    test.expect(Failure("NOT_SOLD", subject: "gold", code: 1001))
    test.expect(
      FailureReport(
        type: "ResponseQuote", origin: "Clerk", code: 1001, message: "NOT_SOLD", count: 1))
  }
}
