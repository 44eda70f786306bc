// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct RequestGreet: Request {
  typealias Answer = ResponseGreeting
  var name: String
}
private struct ResponseGreeting: Response, Equatable { var text: String }
private struct Shown: Notice, Equatable { var text: String }
private struct Poked: Notice {}

/// Greets, and shows how often it has.
private struct Greeter: Server {
  var name = "a"
  var count = 0
  var fails = false

  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestGreet.self) { greeter, asked in
      greeter.count += 1
      return ResponseGreeting(text: "Hello, \(asked.name)")
    }
    on.show { greeter in
      if greeter.fails { throw Failure("BROKEN", code: 1007) }
      return [Shown(text: "\(greeter.name) \(greeter.count)")]
    }
  }
}

/// Hears, and shows.
private struct Hearer: Server {
  let name: String

  static func handlers(_ on: inout Handlers<Self>) {
    on.event(Poked.self) { _, _ in [] }
    on.show { [Shown(text: $0.name)] }
  }
}

private struct Twice: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.show { _ in [] }
    on.own { $0.show { _ in [] } }
  }
}

/// Law 14: one step.
extension LawTests {
  private func noted(_ context: Context) throws -> (() -> [String], Subscription) {
    let lines = Lines()
    let subscription = try context.observe { delivery in
      let text = (try? delivery.decode(Shown.self))?.text
      lines.all.append("\(text ?? "·")\(delivery.position)<\(delivery.cause)")
    }
    return ({ lines.all }, subscription)
  }

  private final class Lines { var all: [String] = [] }

  @Test func `law 14: what is shown leaves before the answer`() throws {
    let context = try Context()
    let (lines, subscription) = try noted(context)
    try context.install(Greeter())
    #expect(lines() == [])

    let answer = context.request(RequestGreet(name: "you"))

    #expect(answer == .success(ResponseGreeting(text: "Hello, you")))
    #expect(lines() == ["a 01<0", "·2<0", "a 13<2", "Hello, you4<2"])
    subscription.cancel()
  }

  @Test func `law 14: servers show when all have seen the event, as they got it`() throws {
    let context = try Context()
    try context.install(Hearer(name: "x"))
    let second = try context.install(Greeter(name: "y"))
    var seen: [String] = []
    let own = try second.observe(Poked.self) { _, _ in seen.append("own") }
    let last = try context.observe(Poked.self) { _, _ in seen.append("last") }
    let shows = try context.observe(Shown.self) { shown, _ in seen.append(shown.text) }
    try context.drain()
    seen = []

    try context.send(Poked())

    #expect(seen == ["own", "last", "x", "y 0"])
    for subscription in [own, last, shows] { subscription.cancel() }
  }

  @Test func `law 14: a show that throws is a failed callback`() throws {
    let context = try Context()
    var reports: [FailureReport] = []
    let watching = try context.observe(FailureReport.self) { report, _ in reports.append(report) }
    try context.install(Greeter(fails: true))

    let answer = context.request(RequestGreet(name: "you"))

    #expect(answer == .success(ResponseGreeting(text: "Hello, you")))
    #expect(reports.map(\.code) == [1007, 1007])
    #expect(reports.map(\.message) == ["the show function failed", "the show function failed"])
    watching.cancel()
  }

  @Test func `law 14: a server shows at once, and in one function`() throws {
    let context = try Context()
    let two = #expect(throws: StreamError.self) { try context.install(Twice()) }
    let later = #expect(throws: StreamError.self) { try context.install(Greeter(), on: .host) }

    #expect(two?.message == "Twice: it has two functions that show: say all in one")
    #expect(later?.message.contains("show: ") == true)
  }
}
