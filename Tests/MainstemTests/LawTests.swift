// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Mainstem
import MainstemJSON
import Testing

private struct Tick: Notice { var number: Int }
private struct Tock: Notice { var text: String }
private struct ResponseDouble: Response { var number: Int }
private struct RequestDouble: Request {
  typealias Answer = ResponseDouble
  var number: Int
}

private struct Doubler: Server {
  mutating func double(_ request: RequestDouble) throws -> ResponseDouble {
    if request.number < 0 { throw Failure("NEGATIVE", userText: "Below zero.", subject: "number") }
    return ResponseDouble(number: request.number * 2)
  }
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestDouble.self) { try $0.double($1) }
  }
}

/// Answers with nothing but zero.
private struct Zero: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestDouble.self) { _, _ in ResponseDouble(number: 0) }
  }
}

/// Keeps every request and answers none by itself.
private struct Keeper: Server {
  let kept: Kept
  static func handlers(_ on: inout Handlers<Self>) {
    on.on(RequestDouble.self) { server, _, delivery in
      server.kept.replies.append(try delivery.reply(to: RequestDouble.self))
      return []
    }
  }
}

private final class Kept { var replies: [Reply<RequestDouble>] = [] }

/// Writes its name when it is released.
private final class Tag {
  private let name: String
  private let log: Log
  init(_ name: String, _ log: Log) { (self.name, self.log) = (name, log) }
  deinit { log.lines.append(name) }
  func touch() {}
}

private final class Log { var lines: [String] = [] }

private func status(_ body: () throws(StreamError) -> Void) -> Status {
  do { try body() } catch { return error.status }
  return .ok
}

@Suite("Laws of the stream") struct LawTests {
  @Test func `law 1: positions ascend, observers are called in order of registration`() throws {
    let context = try Context()
    var calls: [String] = []
    let first = try context.observe { calls.append("any \($0.position)") }
    let second = try context.observe(Tick.self) { calls.append("tick \($1.position)") }
    let third = try context.observe { calls.append("last \($0.position)") }

    try context.send(Tick(number: 1))
    try context.send(Tock(text: ""))
    try context.send(Tick(number: 2))

    #expect(
      calls == ["any 1", "tick 1", "last 1", "any 2", "last 2", "any 3", "tick 3", "last 3"])
    for subscription in [first, second, third] { subscription.cancel() }
  }

  @Test func `law 2: an observer gets all that comes after it, also from inside a callback`() throws
  {
    let context = try Context()
    var inner: Subscription?
    var seen: [Int] = []
    let outer = try context.observe(Tick.self) { tick, delivery in
      guard inner == nil else { return }
      try delivery.context.send(Tick(number: 2))
      inner = try context.observe(Tick.self) { tick, _ in seen.append(tick.number) }
      try delivery.context.send(Tick(number: 3))
    }

    try context.send(Tick(number: 1))
    try context.send(Tick(number: 4))

    let from = try #require(try inner?.from())
    #expect(from == 2)
    #expect(seen == [3, 4])
    outer.cancel()
  }

  @Test func `law 3: an event sent inside a callback comes after the current event`() throws {
    let context = try Context()
    var calls: [String] = []
    var depth = 0
    let first = try context.observe(Tick.self) { tick, _ in
      depth += 1
      calls.append("first \(tick.number) at \(depth)")
      if tick.number < 3 { try context.send(Tick(number: tick.number + 1)) }
      depth -= 1
    }
    let second = try context.observe(Tick.self) { tick, _ in calls.append("second \(tick.number)") }

    try context.send(Tick(number: 1))

    #expect(
      calls == [
        "first 1 at 1", "second 1", "first 2 at 1", "second 2", "first 3 at 1", "second 3",
      ])
    first.cancel()
    second.cancel()
  }

  @Test func `law 3: calls that wait are busy inside a callback`() throws {
    let context = try Context()
    try context.install(Doubler())
    var refused: [Status] = []
    let subscription = try context.observe(Tick.self) { _, _ in
      refused.append(status { () throws(StreamError) in try context.flush() })
      refused.append(status { () throws(StreamError) in try context.drain() })
      refused.append(status { () throws(StreamError) in try context.wait(timeoutMs: 0) })
      refused.append(context.request(RequestDouble(number: 1)).code)
    }

    try context.send(Tick(number: 1))

    #expect(refused == [.busy, .busy, .busy, .busy])
    #expect(try context.stats().events == 1)
    subscription.cancel()
  }

  @Test func `law 4: what waits is a copy, and what is kept stays as it was`() throws {
    let context = try Context()
    let kept = Kept()
    try context.install(Keeper(kept: kept))
    var seen: [String] = []
    let texts = (0..<200).map { String(repeating: "\($0) ", count: 50) }
    let sender = try context.observe(Tick.self) { _, _ in
      for text in texts { try context.send(Tock(text: text)) }
    }
    let reader = try context.observe(Tock.self) { tock, _ in seen.append(tock.text) }
    var answer: Result<ResponseDouble, Failure>?
    try context.request(RequestDouble(number: 21)) { result, _ in answer = result }

    try context.send(Tick(number: 1))
    try kept.replies[0].respond(ResponseDouble(number: 42))

    #expect(seen == texts)
    #expect(answer == .success(ResponseDouble(number: 42)))
    sender.cancel()
    reader.cancel()
  }

  @Test func `law 5: after cancel no call comes, and the closure is released once`() throws {
    let context = try Context()
    let log = Log()
    var calls: [String] = []
    var later: [Subscription] = []
    let canceller = try context.observe(Tick.self) { _, _ in
      calls.append("canceller")
      for subscription in later { subscription.cancel() }
    }
    later.append(
      try context.observe(Tick.self) { [tag = Tag("typed", log)] _, _ in
        tag.touch()
        calls.append("typed")
      })
    later.append(
      try context.observe { [tag = Tag("any", log)] _ in
        tag.touch()
        calls.append("any")
      })
    let last = try context.observe { _ in calls.append("last, after \(log.lines.count)") }

    try context.send(Tick(number: 1))
    #expect(calls == ["canceller", "last, after 2"])
    try context.send(Tick(number: 2))

    #expect(calls == ["canceller", "last, after 2", "canceller", "last, after 2"])
    #expect(log.lines.sorted() == ["any", "typed"])
    canceller.cancel()
    last.cancel()
  }

  @Test func `law 5: an observer may cancel itself, and releasing a subscription ends it`() throws {
    let context = try Context()
    var calls = 0
    var itself: Subscription?
    itself = try context.observe(Tick.self) { _, _ in
      calls += 1
      itself?.cancel()
    }
    var released: Subscription? = try context.observe(Tick.self) { _, _ in calls += 100 }
    #expect(released != nil)
    released = nil

    try context.send(Tick(number: 1))
    try context.send(Tick(number: 2))

    #expect(calls == 1)
    #expect(try context.stats().subscriptions == 0)
    itself = nil
  }

  @Test func `law 6: another thread is refused, but may post, and the owner drains`() throws {
    let context = try Context()
    var seen: [String] = []
    let subscription = try context.observe(Tick.self) { tick, delivery in
      seen.append("\(tick.number) from \(delivery.cause)")
    }
    let poster = try context.poster(for: Tick.self)
    // What Swift refuses is asked for here, to see that the library refuses it too.
    nonisolated(unsafe) let foreign = context
    nonisolated(unsafe) var refused = Status.ok
    onAnotherThread {
      refused = status { () throws(StreamError) in try foreign.send(Tick(number: 0)) }
      for number in 1...3 { try? poster.post(Tick(number: number)) }
    }

    #expect(refused == .wrongThread)
    #expect(seen == [])
    #expect(try context.drain() == 3)
    #expect(seen == ["1 from 0", "2 from 0", "3 from 0"])
    subscription.cancel()
  }

  @Test func `law 7: a callback that throws is reported, and everything goes on`() throws {
    let context = try Context()
    var others = 0
    var reports: [FailureReport] = []
    let failing = try context.observe(Tick.self) { _, _ in throw Failure("BROKEN", code: 1001) }
    let other = try context.observe(Tick.self) { _, _ in others += 1 }
    let watching = try context.observe(FailureReport.self) { report, _ in reports.append(report) }

    for number in 1...9 { try context.send(Tick(number: number)) }

    #expect(others == 9)
    #expect(reports.map(\.count) == [1, 2, 4, 8])
    #expect(reports.first?.sentence == "BROKEN")
    #expect(reports.first?.code == 1001)
    #expect(try context.stats().failures == 9)
    for subscription in [failing, other, watching] { subscription.cancel() }
  }

  @Test func `law 7: a failed response is an event, and ends no subscription`() throws {
    let context = try Context()
    try context.install(Doubler())
    var results: [Result<ResponseDouble, Failure>] = []
    let subscription = try context.observe(results: ResponseDouble.self) { result, _ in
      results.append(result)
    }

    try context.send(RequestDouble(number: -1))
    try context.send(RequestDouble(number: 4))

    let failure = Failure("NEGATIVE", userText: "Below zero.", subject: "number")
    #expect(results == [.failure(failure), .success(ResponseDouble(number: 8))])
    subscription.cancel()
  }

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

  @Test func `law 12: close is busy inside a callback and changes nothing`() throws {
    let context = try Context()
    var refused: Status?
    let subscription = try context.observe(Tick.self) { _, _ in
      refused = status { () throws(StreamError) in try context.close() }
    }

    try context.send(Tick(number: 1))
    try context.send(Tick(number: 2))

    #expect(refused == .busy)
    #expect(try context.stats().events == 2)
    subscription.cancel()
  }

  @Test func `law 12: closed is closed, in reverse order, and every handle is stale`() throws {
    let context = try Context()
    let log = Log()
    let kept = Kept()
    try context.install(Keeper(kept: kept))
    let subscriptions = try ["a", "b", "c"].map { name in
      try context.observe(Tick.self) { [tag = Tag(name, log)] _, _ in tag.touch() }
    }
    let poster = try context.poster(for: Tick.self)
    var code: Status?
    try context.request(RequestDouble(number: 1)) { result, _ in code = result.code }

    try context.close()

    #expect(code == .cancelled)
    #expect(log.lines == ["c", "b", "a"])
    #expect(status { () throws(StreamError) in try context.send(Tick(number: 1)) } == .stale)
    #expect(status { () throws(StreamError) in try context.close() } == .stale)
    #expect(status { () throws(StreamError) in try poster.post(Tick(number: 1)) } == .stale)
    let late = status { () throws(StreamError) in
      try kept.replies[0].respond(ResponseDouble(number: 1))
    }
    #expect(late == .stale)
    for subscription in subscriptions { subscription.cancel() }
  }
}

extension Result where Failure == Mainstem.Failure {
  fileprivate var code: Status {
    if case .failure(let failure) = self { failure.code } else { .ok }
  }
}

/// Runs a closure on a thread of its own and returns when that has ended.
private func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
  final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { work in
      if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
      return nil
    }, Unmanaged.passRetained(Work(body)).toOpaque())
  pthread_join(thread, nil)
}

/// Faults that the tests above would let through.
extension LawTests {
  @Test func `law 1: the order of registration outlives a cancel`() throws {
    let context = try Context()
    var calls: [String] = []
    var subscriptions = try ["a", "b", "c"].map { name in
      try context.observe(Tick.self) { _, _ in calls.append(name) }
    }
    subscriptions.removeFirst().cancel()
    subscriptions.append(try context.observe { _ in calls.append("d") })

    try context.send(Tick(number: 1))

    #expect(calls == ["b", "c", "d"])
    for subscription in subscriptions { subscription.cancel() }
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

  @Test func `law 12: a handle stays stale when its place is used again`() throws {
    let closed = try Context()
    let poster = try closed.poster(for: Tick.self)
    try closed.close()
    let open = try Context()
    var seen = 0
    let subscription = try open.observe { _ in seen += 1 }

    #expect(status { () throws(StreamError) in try poster.post(Tick(number: 1)) } == .stale)
    try open.drain()
    #expect(seen == 0)
    subscription.cancel()
  }

  @Test func `law 12: close delivers what was posted`() throws {
    let context = try Context()
    var seen: [Int] = []
    let subscription = try context.observe(Tick.self) { tick, _ in seen.append(tick.number) }
    let poster = try context.poster(for: Tick.self)
    for number in 1...3 { try poster.post(Tick(number: number)) }

    try context.close()

    #expect(seen == [1, 2, 3])
    subscription.cancel()
  }
}
