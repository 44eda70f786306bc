// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemJSON
import Testing

/// Law 8: accepted means answered.
extension LawTests {
  @Test func `law 8: answers are paired by the request, not by their order`() throws {
    let context = try Context()
    let kept = Kept()
    try context.install(Keeper(kept: kept))
    var answers: [String] = []
    for name in ["first", "second"] {
      try context.request(RequestDouble(number: 1)) { result, delivery in
        answers.append("\(name) \(delivery.answers) \((try? result.get().number) ?? 0)")
      }
    }

    try kept.replies[1].respond(ResponseDouble(number: 20))
    try kept.replies[0].respond(ResponseDouble(number: 10))
    let second = status { () throws(StreamError) in
      try kept.replies[0].respond(ResponseDouble(number: 30))
    }

    #expect(answers == ["second 2 20", "first 1 10"])
    #expect(second == .stale)
    #expect(try context.stats().events == 4)
  }

  @Test func `law 8: of two servers that answer, the first one counts`() throws {
    let context = try Context()
    try context.install(Doubler())
    try context.install(Zero())
    var answers: [Int] = []
    var seen: [Int] = []
    let subscription = try context.observe(ResponseDouble.self) { answer, _ in
      seen.append(answer.number)
    }

    try context.request(RequestDouble(number: 21)) { result, _ in
      answers.append((try? result.get().number) ?? -1)
    }

    #expect(answers == [42])
    #expect(seen == [42])
    #expect(try context.stats().events == 2)
    subscription.cancel()
  }

  @Test func `law 8: a request nobody can answer is answered by the library`() throws {
    let context = try Context()
    #expect(context.request(RequestDouble(number: 1)).code == .unhandled)

    let server = try context.install(Keeper(kept: Kept()))
    var codes: [Status] = []
    let pending = try context.request(RequestDouble(number: 1)) { result, _ in
      codes.append(result.code)
    }
    pending.cancel()
    try context.request(RequestDouble(number: 2)) { result, _ in codes.append(result.code) }
    try server.close()

    #expect(codes == [.cancelled, .cancelled])
    #expect(try context.stats().requests == 0)
  }

  @Test func `law 8: an observer is no server`() throws {
    let context = try Context()
    var seen = 0
    let subscription = try context.observe(RequestDouble.self) { _, _ in seen += 1 }

    var code: Status?
    try context.request(RequestDouble(number: 1)) { result, _ in code = result.code }

    #expect(code == .unhandled)
    #expect(seen == 1)
    subscription.cancel()
  }

  @Test func `law 8: the last server leaves no request open, even one that is kept`() throws {
    let context = try Context()
    let kept = Kept()
    let server = try context.install(Keeper(kept: kept))
    var codes: [Status] = []
    try context.request(RequestDouble(number: 1)) { result, _ in codes.append(result.code) }

    try server.close()

    #expect(codes == [.cancelled])
    #expect(kept.replies.count == 1)
  }

  @Test func `law 8: a server that came later does not keep what it never got`() throws {
    let context = try Context()
    let kept = Kept()
    let first = try context.install(Keeper(kept: kept))
    var codes: [Status] = []
    try context.request(RequestDouble(number: 1)) { result, _ in codes.append(result.code) }
    try context.install(Keeper(kept: kept))

    try first.close()

    #expect(codes == [.cancelled])
    try context.request(RequestDouble(number: 2)) { result, _ in codes.append(result.code) }
    #expect(codes == [.cancelled])
    #expect(kept.replies.count == 2)
  }

  @Test func `law 8: progress comes before the answer and is refused after it`() throws {
    let context = try Context()
    let kept = Kept()
    try context.install(Keeper(kept: kept))
    var steps: [UInt64] = []
    var answer: UInt64 = 0
    try context.request(RequestDouble(number: 1), progress: Tick.self) { _, delivery in
      steps.append(delivery.position)
    } answer: { _, delivery in
      answer = delivery.position
    }

    try kept.replies[0].progress(Tick(number: 1))
    try kept.replies[0].respond(ResponseDouble(number: 2))
    let late = status { () throws(StreamError) in try kept.replies[0].progress(Tick(number: 2)) }

    #expect(steps == [2])
    #expect(answer == 3)
    #expect(late == .stale)
    #expect(try context.stats().events == 3)
  }

  @Test func `law 8: a time-out is an answer, and a late one is refused`() throws {
    let context = try Context()
    let kept = Kept()
    try context.install(Keeper(kept: kept))

    #expect(context.request(RequestDouble(number: 1), timeout: .milliseconds(1)).code == .timeout)

    #expect(try context.stats().requests == 0)
    let late = status { () throws(StreamError) in
      try kept.replies[0].respond(ResponseDouble(number: 2))
    }
    #expect(late == .stale)
    #expect(try context.stats().events == 2)
  }

  @Test func `law 8: a handler that has answered tells no progress`() throws {
    let context = try Context()
    var late: Status?
    try context.install(LateTeller { late = $0 })

    #expect(context.request(RequestDouble(number: 21)).code == .ok)

    #expect(late == .stale)
    #expect(try context.stats().events == 2)
  }
}
