// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct Tick: Notice { var number: Int }
private struct ResponseTock: Response { var number: Int }
private struct RequestTock: Request { typealias Answer = ResponseTock }
private struct RequestAgain: Request { typealias Answer = ResponseTock }

/// It sends through a scope that has ended, and passes on what comes of it.
private struct Clumsy: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestTock.self) { _, _, delivery in
      let scope = try delivery.context.scope("Scope")
      try scope.close()
      try scope.send(Tick(number: 1))
      return ResponseTock(number: 1)
    }
    on.answer(
      RequestAgain.self, asking: { _, _ in RequestTock() },
      then: { _, _, tock, _ in ResponseTock(number: tock.number) })
  }
}

@Suite("SwiftWords") struct SwiftWordsTests {
  private let raw =
    "mainstem_send: context: has ended, or is not a handle: set it to NULL when it ends"
  private let ours = "send: context: has ended: keep it no longer"

  @Test func `a refused call is told in the words of this module`() throws {
    let context = try Context()
    let scope = try context.scope("Scope")
    try scope.close()

    let error = #expect(throws: StreamError.self) { try scope.send(Tick(number: 1)) }

    #expect(error == StreamError(.stale, ours))
    #expect(Set([error, StreamError(.stale, ours)]).count == 1)
  }

  @Test func `a failure says the same, and the stream has what it has always had`() throws {
    let context = try Context()
    try context.install(Clumsy())
    var texts: [String] = []
    let watching = try context.observe { delivery in
      if delivery.status != .ok { texts.append(delivery.line) }
    }

    guard case .failure(let failure) = context.request(RequestAgain()) else {
      Issue.record("it cannot be answered")
      return
    }

    #expect(failure == Failure(ours, code: .stale))
    #expect(texts.count == 2)
    for text in texts { #expect(text.contains(raw)) }
    watching.cancel()
  }

  @Test func `a report of a failed observer is told so, too`() throws {
    let context = try Context()
    let scope = try context.scope("Scope")
    try scope.close()
    var reports: [FailureReport] = []
    let watching = try context.observe(FailureReport.self) { report, _ in reports.append(report) }
    let failing = try context.observe(RequestTock.self) { _, _ in try scope.send(Tick(number: 1)) }

    try context.send(RequestTock())

    #expect(reports.map(\.message) == [ours])
    for subscription in [watching, failing] { subscription.cancel() }
  }

  @Test func `what was called otherwise in 0.10 is called so in journals`() throws {
    let context = try Context()
    let scope = try context.scope("Scope")
    try scope.close()
    var lines: [String] = []
    let watching = try context.observe { delivery in lines.append(delivery.line) }
    let failing = try context.observe(Tick.self) { _, _ in
      _ = try scope.requestCount(of: RequestTock.self)
    }

    try context.send(Tick(number: 1))

    #expect(lines.count == 2)
    #expect(lines.last?.contains("mainstem_activity: context: has ended") == true)
    for subscription in [watching, failing] { subscription.cancel() }
  }

  @Test func `messages of others stay as they are`() {
    for text in ["NO_NAME", "mainstem_of_ours: must not be NULL", "say: must not be NULL", ""] {
      #expect(Failure(text).message == text)
    }
  }
}
