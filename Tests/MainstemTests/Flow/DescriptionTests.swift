// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

private struct Tick: Notice { var number: Int }
private struct ResponseTock: Response { var number: Int }
private struct RequestTock: Request { typealias Answer = ResponseTock }

private struct Ticker: ViewModel {
  var count = 0
  nonisolated(unsafe) static var seen: [String] = []  // one test runs it, on its thread

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("count", \.count)
    on.command("go", asks: [RequestTock.self]) { _, run in
      seen.append("\(run)")
      run.ask(RequestTock()) { ticker, tock in
        ticker.count = tock.number
        seen.append("\(run)")
      }
      seen.append("\(run)")
    }
  }
}

@Suite("Descriptions") struct DescriptionTests {
  @Test func `a context and a scope say what they are, and that they have ended`() throws {
    let context = try Context()
    let scope = try context.scope("Cell")
    #expect("\(context)" == "Context")
    #expect("\(scope)" == "Scope Cell")
    try scope.close()
    #expect("\(scope)" == "Scope, ended")
    try context.close()
    #expect("\(context)" == "Context, closed")
  }

  @Test func `a subscription says what it observes`() throws {
    let context = try Context()
    let ticks = try context.observe(Tick.self) { _, _ in }
    let all = try context.observe { _ in }
    #expect("\(ticks)" == "Subscription to Tick")
    #expect(String(describing: all) == "Subscription to every event")
    ticks.cancel()
    #expect("\(ticks)" == "Subscription to Tick, ended")
    try context.close()
    #expect("\(all)" == "Subscription to every event, ended")
  }

  @Test func `a run and a question say how far they have come`() throws {
    let test = TestContext()
    test.stub(
      RequestTock.self,
      [.after(.seconds(1), .answer(ResponseTock(number: 3))), .never, .failure(Failure("NO"))])
    let shown = test.open(Ticker())
    #expect("\(shown)" == "TestView of Scope Ticker")
    let run = shown.run("go")
    #expect("\(run)" == "TestRun, goes on")
    test.advance(by: .seconds(1))
    #expect("\(run)" == "TestRun, done")
    #expect(
      Ticker.seen == [
        "Run of Ticker, begun", "Run of Ticker, waits for 1 answer", "Run of Ticker, begun",
      ])
    test.skip()

    let pending = try test.context.request(RequestTock()) { _, _ in }
    let position = try #require(pending.position)
    #expect("\(pending)" == "Pending #\(position)")
    pending.cancel()
    #expect("\(pending)" == "Pending, answered")
    #expect("\(shown.run("go"))" == #"TestRun, failed: 1000 "NO""#)
    test.skip()
  }
}
