// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Synchronization
import Testing

private struct Tick: Notice { var number: Int }
private struct Tock: Notice { var number: Int }
private struct ResponseNothing: Response {}
private struct RequestNothing: Request { typealias Answer = ResponseNothing }

@Suite("TestContext") struct TestContextTests {
  @Test func `what was expected in order passes`() {
    let test = TestContext()
    test.send(Tick(number: 1))
    test.send(Tock(number: 1))
    test.expect(Tick(number: 1))
    test.expect(Tock(number: 1))
    test.expectNothing()
  }

  @Test func `another payload, another type and another order are issues`() {
    let expectations: [(TestContext) -> Void] = [
      { $0.expect(Tick(number: 2)) }, { $0.expect(Tock(number: 1)) },
      { $0.expect(Failure("GONE")) },
    ]
    for expect in expectations {
      let test = TestContext()
      test.send(Tick(number: 1))
      withKnownIssue { expect(test) }
      test.skip()
    }
  }

  /// How many issues a test has.
  private func issues(_ body: (TestContext) -> Void) -> [String] {
    let told = Mutex<[String]>([])
    withKnownIssue(isIntermittent: true) {
      let test = TestContext()
      body(test)
    } matching: { issue in
      told.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
      return true
    }
    return told.withLock { $0 }
  }

  @Test func `an event too many is one issue`() {
    let told = issues { test in
      for number in 1...5 { test.send(Tick(number: number)) }
      for number in 2...5 { test.expect(Tick(number: number)) }
    }
    #expect(
      told == [
        """
        another event has happened
          expected   Tick Tick(number: 2)
          but it was #1 Tick {"number":1}
          and then what was expected
        """
      ])
  }

  @Test func `an event that is missing is one issue`() {
    let told = issues { test in
      for number in 2...5 { test.send(Tick(number: number)) }
      test.expect(Tock(number: 1))
      for number in 2...5 { test.expect(Tick(number: number)) }
    }
    #expect(told.count == 1)
  }

  @Test func `another payload is one issue, and so is each that has nothing to do with it`() {
    let told = issues { test in
      for number in [1, 7, 3, 8] { test.send(Tick(number: number)) }
      for number in 1...4 { test.expect(Tick(number: number)) }
    }
    #expect(told.count == 2)
  }

  @Test func `where nothing or something else happens, all that should follow is one issue`() {
    let nothing = issues { test in
      for number in 1...5 { test.expect(Tick(number: number)) }
      test.expect(Tock(number: 6))
    }
    #expect(nothing.count == 1)
    let other = issues { test in
      for number in 1...5 { test.send(Tock(number: number)) }
      for number in 1...5 { test.expect(Tick(number: number)) }
    }
    #expect(other.count == 1)
  }

  @Test func `all that should not happen is one issue`() {
    let told = issues { test in
      for number in 1...3 { test.send(Tick(number: number)) }
      test.expectNothing()
    }
    #expect(told.count == 1)
    #expect(told.first?.contains("#1 Tick") == true && told.first?.contains("#3 Tick") == true)
  }

  @Test func `a type of another module does not pass for the one that has happened`() {
    let told = issues { test in
      test.send(Editor.Saved(file: "a"))
      test.expect(Backup.Saved(file: "a"))
    }
    #expect(told.count == 1)
    #expect(told.first?.isEmpty == true)  // an error, with its message
  }

  @Test func `time is in the test's hands`() throws {
    let test = TestContext()
    let minutes = try test.context.send(Tick(number: 1), every: .seconds(60))
    try test.context.send(Tock(number: 2), after: .seconds(90))
    test.advance(by: .milliseconds(59_999))
    test.expectNothing()
    test.advance(by: .milliseconds(60_001))
    test.expect(Tick(number: 1))
    test.expect(Tock(number: 2))
    test.expect(Tick(number: 1))
    minutes.cancel()
  }

  /// In which order three observers on schedulers, two of them serial, get what two events bring.
  private func order(seed: UInt64) throws -> [String] {
    let test = TestContext(seed: seed)
    let order = Order()
    let schedulers = [try test.context.serial("A"), try test.context.serial("B")]
    let serial = try schedulers.enumerated().map { index, scheduler in
      try test.context.observe(Tick.self, on: scheduler) { tick, _ in
        order.add("\(index)\(tick.number)")
      }
    }
    let host = try test.context.observe(Tick.self, on: .host) { tick, _ in
      order.add("h\(tick.number)")
    }
    for number in 1...2 { test.send(Tick(number: number)) }
    test.advance(by: .zero)
    for number in 1...2 { test.expect(Tick(number: number)) }
    for subscription in serial + [host] { subscription.cancel() }
    return order.seen
  }

  @Test func `the seed orders schedulers, each time in the same way`() throws {
    let orders = try seeds(20).map { try order(seed: $0) }

    #expect(try seeds(20).map { try order(seed: $0) } == orders)
    #expect(Set(orders).count > 5)
    for order in orders {
      #expect(Set(order) == ["01", "02", "11", "12", "h1", "h2"])
      // Each observer has its events in the order of the stream.
      for one in ["0", "1", "h"] {
        #expect(order.filter { $0.hasPrefix(one) } == [one + "1", one + "2"])
      }
    }
  }

  @Test func `what did not happen is an issue`() {
    let test = TestContext()
    withKnownIssue { test.expect(Tick(number: 1)) }
  }

  @Test func `what nobody expected is an issue when the context is released`() {
    withKnownIssue {
      let test = TestContext()
      test.send(Tick(number: 1))
    }
  }

  @Test func `what nobody expected yet is an issue where nothing is expected`() {
    let test = TestContext()
    test.send(Tick(number: 1))
    withKnownIssue { test.expectNothing() }
  }

  @Test func `a failure is expected with all of its parts`() {
    let test = TestContext()
    let answer = test.request(RequestNothing())
    test.expect(RequestNothing())
    guard case .failure(let failure) = answer else {
      Issue.record("Nobody handles it")
      return
    }
    #expect(failure.code == .unhandled)
    test.expect(failure)
  }

  @Test func `a callback that failed is in the transcript`() throws {
    let test = TestContext()
    let broken = try test.context.observe(Tick.self) { _, _ in throw Failure("BROKEN") }
    test.send(Tick(number: 1))
    test.expect(Tick(number: 1))
    test.expect(
      FailureReport(type: "Tick", origin: "", code: 1000, message: "BROKEN", count: 1))
    broken.cancel()
  }
}

/// With a virtual clock all schedulers run on the thread that drains.
private final class Order: @unchecked Sendable {
  private(set) var seen: [String] = []
  func add(_ name: String) { seen.append(name) }
}
