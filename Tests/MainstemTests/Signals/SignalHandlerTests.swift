// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemSignals
import MainstemTesting
import Testing

private struct RequestCount: Request {
  typealias Answer = ResponseCount
  var to: Int
}
private struct ResponseCount: Response { var sum: Int }
private struct Counted: Notice { var number: Int }
private struct RequestQuote: Request {
  typealias Answer = ResponseQuote
  var item: String
}
private struct ResponseQuote: Response { var cents: Int }
private struct RequestSum: Request {
  typealias Answer = ResponseQuote
  var items: [String]
}

/// Counts in steps of ten milliseconds, and adds up what others say.
private struct Counter: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(
      RequestCount.self, progress: Counted.self,
      signal: { _, request, _ in
        guard request.to >= 0 else { throw Failure("TOO_SMALL") }
        let numbers = Signal.every(.milliseconds(10)).failing(as: Failure.self).take(request.to)
        return numbers.map { .progress(Counted(number: $0)) }
          .concat(.just(.answer(ResponseCount(sum: request.to))))
      })
    on.answer(
      RequestSum.self,
      signal: { _, request, context in
        Signal.values(request.items)
          .flatMap { context.signal(asking: RequestQuote(item: $0)) }
          .scan(ResponseQuote(cents: 0)) { ResponseQuote(cents: $0.cents + $1.cents) }
      })
  }
}

@Suite("Handlers that answer with signals") struct SignalHandlerTests {
  private let folder = Folder()

  @Test func `each step is progress, and the answer ends it`() {
    let test = TestContext()
    test.install(Counter())

    let answer = test.request(RequestCount(to: 2))

    #expect(answer == .success(ResponseCount(sum: 2)))
    test.expect(RequestCount(to: 2))
    test.expect(SignalAlarm(value: 1))
    test.expect(Counted(number: 0))
    test.expect(SignalAlarm(value: 2))
    test.expect(Counted(number: 1))
    test.expect(ResponseCount(sum: 2))
  }

  @Test func `the last value is the answer`() {
    let test = TestContext()
    test.install(Counter())
    test.stub(RequestQuote.self) { ResponseQuote(cents: $0.item.count) }

    #expect(
      test.request(RequestSum(items: ["tea", "milk"])) == .success(ResponseQuote(cents: 7)))
    test.skip()
  }

  @Test func `without a value it fails, and so does what the handler throws`() {
    let test = TestContext()
    test.install(Counter())

    #expect(throws: Failure.self) { try test.request(RequestSum(items: [])).get() }
    #expect(test.request(RequestCount(to: -1)) == .failure(Failure("TOO_SMALL")))
    test.skip()
  }

  @Test func `a request that is given up ends the signal and what it asked`() throws {
    let test = TestContext()
    test.install(Counter())
    try {
      let counting = try test.context.request(RequestCount(to: 9)) { _, _ in }
      #expect(try test.context.stats().timers == 1)
      counting.cancel()
    }()
    test.advance(by: .seconds(1))

    #expect(try test.context.stats().timers == 0)
    test.expect(RequestCount(to: 9))
    test.skip()
  }

  @Test func `a timeout of the asker ends it, too`() throws {
    let test = TestContext()
    test.install(Counter())

    let answer = test.request(RequestCount(to: 9), timeout: .milliseconds(25))

    #expect(throws: Failure.self) { try answer.get() }
    test.skip()
    test.advance(by: .seconds(1))
    test.expectNothing()
  }

  @Test func `a session whose answers are signals verifies`() throws {
    let path = folder.file("counted")
    let context = try Context()
    try context.record(to: path)
    try context.install(Counter())
    #expect(context.request(RequestCount(to: 3)) == .success(ResponseCount(sum: 3)))
    #expect(throws: Failure.self) {
      try context.request(RequestCount(to: 300), timeout: .milliseconds(25)).get()
    }
    try context.close()

    let info = try Journal.verify(path) { try $0.install(Counter()) }

    #expect(info.verifiedUntil == info.last)
  }
}
