// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

private struct Tick: Notice { var number: Int }
private struct ResponseSum: Response { var sum: Int }
private struct RequestSum: Request {
  typealias Answer = ResponseSum
  var numbers: [Int]
}
private struct Adder: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestSum.self) { ResponseSum(sum: $1.numbers.reduce(0, +)) }
  }
}

/// It asks when it is opened.
private struct Board: ViewModel {
  var sum = 0
  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("sum", \.sum)
    on.opened(asks: [RequestSum.self]) { board, run in
      run.ask(RequestSum(numbers: [1, 2])) {
        $0.sum = $1.sum
      } failed: { _, _ in
      }
    }
  }
}

/// What the kit says when the test that is made here ends.
private func told(_ text: String, _ body: (TestContext) throws -> Void) rethrows {
  try withKnownIssue {
    let test = TestContext()
    try body(test)
  } matching: { issue in
    issue.comments.map(\.rawValue).joined().hasSuffix(text)
  }
}

@Suite("What is left at the end of a test") struct LeftTests {
  @Test func `what nobody expected is told with its causes`() {
    told(
      """
      something is left at the end of the test
        nobody expected #2 ResponseSum ok ← #1 Adder {"sum":3}
            caused by #1 RequestSum {"numbers":[1,2]}
      """
    ) { test in
      test.install(Adder())
      test.send(RequestSum(numbers: [1, 2]))
      test.next(RequestSum.self)
    }
  }

  @Test func `an open request is told`() throws {
    try told("\n  not answered: #1 RequestSum {\"numbers\":[]}") { test in
      test.stub(RequestSum.self, [.never])
      _ = try test.context.request(RequestSum(numbers: [])) { _, _ in }
      test.next(RequestSum.self)
    }
  }

  @Test func `a post, a timer and what waits to be drained are told`() throws {
    try told("\n  1 posted and not drained") { test in
      try test.context.poster(for: Tick.self).post(Tick(number: 1))
    }
    try told("\n  1 still to come from timers") { test in
      try test.context.send(Tick(number: 1), every: .milliseconds(5))
      test.keep()
      try test.context.send(Tick(number: 1), after: .milliseconds(5))
    }
    try told("\n  something waits to be drained: advance(by: .zero)") { test in
      try test.context.send(Tick(number: 1), after: .zero)
      test.keep()
    }
  }

  @Test func `a subscription is told, unless it was kept`() throws {
    var kept: [Subscription] = []
    try told("\n  1 still subscribed (call keep() after the setup)") { test in
      test.install(Adder())
      kept.append(try test.context.observe(Tick.self) { _, _ in })
      test.keep()
      kept.append(try test.context.observe(Tick.self) { _, _ in })
    }
    let test = TestContext()
    kept.append(try test.context.observe(Tick.self) { _, _ in })
    test.keep()
  }

  @Test func `services and factories may be there, whenever the test says keep`() throws {
    for isKeptFirst in [true, false] {
      let test = TestContext()
      if isKeptFirst { test.keep() }
      try test.context.addService(Adder.self) { Adder() }
      try test.context.addFactory("Cell") { scope in try scope.install(Adder()) }
      if !isKeptFirst { test.keep() }
      #expect(try test.request(RequestSum(numbers: [1, 2])).get().sum == 3)
      test.skip()
      if !isKeptFirst { test.keep() }
    }
  }

  @Test
  func `an instance of a service that lives at keep leaves no room for others`()
    throws
  {
    var kept: [Subscription] = []
    try told("\n  1 still subscribed (call keep() after the setup)") { test in
      try test.context.addService(Adder.self) { Adder() }
      _ = try test.context.find(Adder.self)
      test.keep()
      test.skip()
      kept.append(try test.context.observe(Tick.self) { _, _ in })
    }
  }

  @Test func `an instance that a view model asks for counts once`() throws {
    var kept: [Subscription] = []
    func play(_ test: TestContext) throws {
      try test.context.addService(Adder.self) { Adder() }
      let board = test.open(Board())
      test.expect(board, \.sum, 3)
      test.skip()
      kept.append(try test.context.observe(Tick.self) { _, _ in })
      test.keep()
    }
    try play(TestContext())
    try told("\n  1 still subscribed (call keep() after the setup)") { test in
      try play(test)
      kept.append(try test.context.observe(Tick.self) { _, _ in })
    }
  }

  @Test func `what has ended before the test says keep takes no room from others`() throws {
    let test = TestContext()
    try test.open(Board()).scope.close()
    test.skip()
    let kept = try test.context.observe(Tick.self) { _, _ in }
    test.keep()
    withExtendedLifetime(kept) {}
  }

  @Test func `an instance of a service that is made before keep leaves no room for others`() throws
  {
    var kept: [Subscription] = []
    try told("\n  1 still subscribed (call keep() after the setup)") { test in
      try test.context.addService(Adder.self) { Adder() }
      _ = try test.context.find(Adder.self)
      test.keep()
      try test.context.find(Adder.self).close()
      test.skip()
      kept.append(try test.context.observe(Tick.self) { _, _ in })
    }
  }

  @Test func `another event is told with its causes`() {
    let test = TestContext()
    test.install(Adder())
    test.send(RequestSum(numbers: []))
    test.next(RequestSum.self)
    withKnownIssue {
      test.expect(ResponseSum(sum: 1))
    } matching: { issue in
      issue.comments.map(\.rawValue) == [
        """
        another event has happened
          expected   ResponseSum ResponseSum(sum: 1)
          but it was #2 ResponseSum ok ← #1 Adder {"sum":0}
              caused by #1 RequestSum {"numbers":[]}
        """
      ]
    }
    withKnownIssue { test.next(Tick.self) }
    test.send(Tick(number: 1))
    test.skip()
  }
}
