// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct Tick: Notice { var number: Int }
private struct Long: Notice, TextEvent { var text: String }
private struct ResponseRead: Response { var text: String }
private struct RequestRead: Request {
  typealias Answer = ResponseRead
  var number: Int
}
private struct Reader: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestRead.self) { _, request in
      guard request.number > 0 else {
        throw Failure(
          "NONE", userMessage: "There is none.", subject: "0", code: Status(rawValue: 1001))
      }
      return ResponseRead(text: "\(request.number)")
    }
  }
}

@Suite("Mailbox") struct MailboxTests {
  @Test func `it keeps what passes until it is fetched, in order`() throws {
    let context = try Context()
    let mailbox = try context.mailbox(Tick.self)
    for number in 1...300 { try context.send(Tick(number: number)) }
    try context.drain()

    var records: [MailboxEvent] = []
    while case let more = try mailbox.fetch(), !more.isEmpty { records += more }

    #expect(try records.map { try $0.decode(Tick.self).number } == Array(1...300))
    #expect(records.map(\.position) == Array(1...300))
    #expect(records.allSatisfy { $0.isOutside && $0.gap == nil && $0.failure == nil })
    #expect(try mailbox.fetch().isEmpty)
  }

  @Test func `a payload longer than its buffer is fetched whole`() throws {
    let context = try Context()
    let mailbox = try context.mailbox(Long.self)
    let text = String(repeating: "long ", count: 100_000)

    try context.send(Long(text: text))

    #expect(try mailbox.fetch().map { try $0.decode(Long.self).text } == [text])
  }

  @Test func `of every type, requests and failed responses too`() throws {
    let context = try Context()
    let mailbox = try context.mailbox()
    try context.install(Reader())
    _ = context.request(RequestRead(number: 7))
    _ = context.request(RequestRead(number: 0))

    let records = try mailbox.fetch()

    #expect(records.map { $0.isEvent(RequestRead.self) } == [true, false, true, false])
    #expect(try records[1].decode(ResponseRead.self) == ResponseRead(text: "7"))
    #expect((records[1].cause, records[1].correlation, records[1].answers) == (1, 1, 1))
    let failure = Failure(
      "NONE", userMessage: "There is none.", subject: "0", code: Status(rawValue: 1001))
    #expect(records[3].failure == failure)
    #expect(records[3].payload.isEmpty)
    #expect(throws: failure) { try records[3].decode(ResponseRead.self) }
    #expect(throws: Failure.self) { try records[0].decode(Tick.self) }
  }

  @Test func `what was lost is a record`() throws {
    let context = try Context()
    let mailbox = try context.mailbox(Tick.self, queue: .dropOldest(limit: 2))
    for number in 1...5 { try context.send(Tick(number: number)) }

    let records = try mailbox.fetch()

    #expect(records.map { $0.gap?.count } == [3, nil, nil])
    #expect(records.map(\.position) == [3, 4, 5])
    #expect(try mailbox.stats().dropped == 3)
  }

  @Test func `it ends when it is released, and is refused in a callback`() throws {
    let context = try Context()
    var mailbox: Mailbox? = try context.mailbox(Tick.self)
    var status: Status?
    let observing = try context.observe(Tick.self) { _, _ in
      do throws(StreamError) { _ = try mailbox?.fetch() } catch { status = error.status }
    }
    try context.send(Tick(number: 1))
    #expect(status == .busy)
    #expect(try context.stats().subscriptions == 2)

    mailbox = nil

    #expect(try context.stats().subscriptions == 1)
    observing.cancel()
  }
}

@Suite("Subscription statistics") struct SubscriptionStatsTests {
  @Test func `what waits, was delivered, lost and failed is counted`() throws {
    let context = try Context()
    let observing = try context.observe(Tick.self, on: .host, queue: .dropNewest(limit: 3)) {
      tick, _ in if tick.number == 2 { throw Failure("EVEN") }
    }
    for number in 1...5 { try context.send(Tick(number: number)) }

    let before = try observing.stats()
    try context.drain()
    let after = try observing.stats()

    #expect((before.waiting, before.dropped, before.delivered) == (3, 2, 0))
    // {"number":1} is 12 bytes.
    #expect(before.waitingBytes == 36)
    #expect((after.waiting, after.dropped, after.delivered, after.failed) == (0, 2, 3, 1))
    #expect(after.total == .zero)
    observing.cancel()
    #expect(throws: StreamError.self) { try observing.stats() }
  }

  @Test func `calls are timed where that was asked for`() throws {
    let context = try Context(ContextOptions(timing: true))
    var inside: Duration?
    var kept: Subscription?
    kept = try context.observe(Tick.self) { _, _ in inside = try kept?.stats().current }
    try context.send(Tick(number: 1))
    try context.send(Tick(number: 2))

    let stats = try #require(try kept?.stats())

    #expect(try #require(inside) > .zero)
    #expect(stats.delivered == 2)
    #expect(stats.longest > .zero && stats.longest <= stats.total)
    #expect(stats.current == .zero)
    kept = nil
  }
}
