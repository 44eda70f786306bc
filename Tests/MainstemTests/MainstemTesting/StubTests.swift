// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

private struct Tick: Notice { var number: Int }
private struct ResponseSum: Response { var sum: Int }
private struct RequestSum: Request {
  typealias Answer = ResponseSum
  var numbers: [Int] = []
}

@Suite("Stub") struct StubTests {
  @Test func `a stub answers in order and knows what it was asked`() throws {
    let test = TestContext()
    let stub = test.stub(
      RequestSum.self, [.answer(ResponseSum(sum: 1)), .failure(Failure("NO"))])
    for number in 1...2 { test.send(RequestSum(numbers: [number])) }
    test.expect(RequestSum(numbers: [1]))
    test.expect(ResponseSum(sum: 1))
    test.expect(RequestSum(numbers: [2]))
    test.expect(Failure("NO"))
    #expect(stub.calls == 2)
    #expect(stub.requests.map(\.numbers) == [[1], [2]])
  }

  @Test func `delayed answers come in order of their time`() {
    let test = TestContext()
    test.stub(
      RequestSum.self,
      [
        .after(.milliseconds(50), .answer(ResponseSum(sum: 1))),
        .after(.milliseconds(20), .answer(ResponseSum(sum: 2))),
        .after(.milliseconds(20), .failure(Failure("NO"))),
      ])
    for _ in 1...3 { test.send(RequestSum()) }
    for _ in 1...3 { test.expect(RequestSum()) }
    test.advance(by: .milliseconds(19))
    test.expectNothing()
    test.advance(by: .seconds(1))
    test.expect(ResponseSum(sum: 2))
    test.expect(Failure("NO"))
    test.expect(ResponseSum(sum: 1))
  }

  @Test func `a request that waits moves time on`() throws {
    let test = TestContext()
    test.stub(
      RequestSum.self,
      [.after(.seconds(3600), .answer(ResponseSum(sum: 1))), .never, .never])
    #expect(try test.request(RequestSum()).get() == ResponseSum(sum: 1))
    #expect(try test.context.now() == 3_600_000_000_000)
    #expect(throws: Failure.self) { try test.request(RequestSum(), timeout: .seconds(60)).get() }
    #expect(try test.context.now() == 3_660_000_000_000)
    withKnownIssue { _ = test.request(RequestSum()) }
    test.skip()
  }

  @Test func `a stub that is asked too often or too seldom is an issue`() {
    for asked in 0...3 where asked != 2 {
      withKnownIssue {
        let test = TestContext()
        let answer = StubAnswer.answer(ResponseSum(sum: 1))
        test.stub(RequestSum.self, [answer, answer])
        for _ in 0..<asked { test.send(RequestSum()) }
        test.skip()
      } matching: { issue in
        issue.comments.map(\.rawValue).joined().hasSuffix(
          asked == 3
            ? "was asked 3 times, 1 more than it has answers"
            : "was asked \(asked) times, and has \(2 - asked) answers left")
      }
    }
  }

  @Test func `a function answers any number of times`() throws {
    let test = TestContext()
    test.stub(RequestSum.self) { ResponseSum(sum: $0.numbers.reduce(0, +)) }
    #expect(try test.request(RequestSum(numbers: [1, 2])).get().sum == 3)
    #expect(try test.request(RequestSum(numbers: [])).get().sum == 0)
    test.skip()
  }

  @Test(arguments: seeds(5)) func `a seed gives the same chance each time`(seed: UInt64) throws {
    let first = try TestContext(seed: seed).context.random()
    #expect(try TestContext(seed: seed).context.random() == first)
    #expect(try TestContext(seed: seed + 1).context.random() != first)
  }
}
