// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct Tick: Notice { var number: Int }
private struct ResponseRead: Response {}
private struct RequestRead: Request { typealias Answer = ResponseRead }

@Suite("Durations and bounds") struct DurationTests {
  private func refusal(_ body: () throws -> Void) -> String? {
    let error = #expect(throws: StreamError.self) { try body() }
    #expect(error?.status == .invalid)
    return error?.message
  }

  @Test func `what is less than it may be is refused, not made to fit`() throws {
    let context = try Context(ContextOptions(clock: .virtual))
    let never = Duration.seconds(-1)

    #expect(
      refusal { try context.send(Tick(number: 1), after: never) }
        == "send: after: -1.0 seconds, and it must be 0 or more")
    #expect(
      refusal { try context.send(Tick(number: 1), every: .zero) }
        == "send: every: 0.0 seconds, and it must be more than 0")
    #expect(refusal { try context.wait(timeout: never) } != nil)
    #expect(refusal { try context.advance(by: .nanoseconds(-1)) } != nil)
    #expect(refusal { _ = try context.serial("S", spin: never) } != nil)
    #expect(refusal { _ = try context.serial("S", spin: .seconds(5000)) } != nil)
    #expect(refusal { try context.keepHistory(of: Tick.self, last: 1, maxAge: .zero) } != nil)
    #expect(refusal { try context.keepHistory(of: Tick.self, last: -1) } != nil)
    #expect(refusal { try context.request(RequestRead(), timeout: .zero) { _, _ in } } != nil)
    #expect(refusal { _ = try context.mailbox(queue: .reject(limit: -1)) } != nil)
    #expect(
      refusal { _ = try context.observe(on: .host, queue: .block(bytes: -1)) { _ in } } != nil)
    #expect(refusal { _ = try context.scope("none", observers: 0) } != nil)
    #expect(
      refusal { try context.send(Tick(number: 1), after: .seconds(Int64.max)) }?
        .hasSuffix("is longer than the library can count") == true)
    #expect(try context.stats().timers == 0)
  }

  @Test func `part of a millisecond counts as one`() throws {
    let context = try Context(ContextOptions(clock: .virtual))
    var seen: [Int] = []
    let subscription = try context.observe(Tick.self) { tick, _ in seen.append(tick.number) }

    try context.send(Tick(number: 1), after: .microseconds(1001))
    try context.advance(by: .milliseconds(1))
    #expect(seen == [])
    try context.advance(by: .nanoseconds(1))
    #expect(seen == [1])
    subscription.cancel()
  }
}
