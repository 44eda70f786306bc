// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct RequestSum: Request {
  typealias Answer = ResponseSum
  var numbers: [Int]
}
private struct ResponseSum: Response { var sum: Int }
private struct WrittenSum: Request, TextEvent {
  typealias Answer = ResponseSum
  static let name = "RequestSum"
  static let payload: Payload = .json
  var text: String
}

private struct Adder: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestSum.self) { _, request in ResponseSum(sum: request.numbers.reduce(0, +)) }
  }
}

/// Keeps each request, to be answered from outside.
private struct Later: Server {
  let replies: Replies
  static func handlers(_ on: inout Handlers<Self>) {
    on.event(RequestSum.self) { server, _, delivery in
      server.replies.kept.append(try delivery.reply(to: RequestSum.self))
      return []
    }
  }
}

private final class Replies { var kept: [Reply<RequestSum>] = [] }

@Suite("Request") struct RequestTests {
  @Test func `a request returns its answer`() throws {
    let context = try Context()
    try context.install(Adder())
    #expect(context.request(RequestSum(numbers: [1, 2, 3])) == .success(ResponseSum(sum: 6)))
  }

  @Test func `a request in the text of another program gets its answer`() throws {
    let context = try Context()
    try context.install(Adder())
    let answer = Context(borrowing: context.handle).request(
      WrittenSum(text: #" { "numbers" : [ 20, 22 ] } "#))
    #expect(answer == .success(ResponseSum(sum: 42)))
  }

  @Test func `a request that cannot be read is a failed response, never a trap`() throws {
    let context = try Context()
    try context.install(Adder())

    let answer = Context(borrowing: context.handle).request(
      WrittenSum(text: #"{"numbers":[1,"two"]}"#))

    guard case .failure(let failure) = answer else {
      Issue.record("It must fail")
      return
    }
    #expect(failure.code == .invalid)
    #expect(failure.message == #"RequestSum: numbers[1]: expected Int, got the text "two""#)
  }

  @Test func `the completion comes after the observers of the answer`() throws {
    let context = try Context()
    try context.install(Adder())
    var calls: [String] = []
    try context.request(RequestSum(numbers: [1])) { _, _ in calls.append("completion") }
    let subscription = try context.observe(ResponseSum.self) { _, _ in calls.append("observer") }
    try context.request(RequestSum(numbers: [1])) { _, _ in calls.append("completion") }

    #expect(calls == ["completion", "observer", "completion"])
    subscription.cancel()
  }

  @Test func `inside a callback the answer comes by the closure`() throws {
    struct Go: Notice {}
    let context = try Context()
    try context.install(Adder())
    var sum: Int?
    let subscription = try context.observe(Go.self) { _, delivery in
      try delivery.context.request(RequestSum(numbers: [4, 5])) { result, _ in
        sum = try? result.get().sum
      }
    }

    try context.send(Go())

    #expect(sum == 9)
    subscription.cancel()
  }

  @Test func `a kept request is answered later`() throws {
    let context = try Context()
    let replies = Replies()
    try context.install(Later(replies: replies))
    var answers: [Result<ResponseSum, Failure>] = []
    for number in 1...2 {
      try context.request(RequestSum(numbers: [number])) { result, _ in answers.append(result) }
    }

    try replies.kept[1].respond(ResponseSum(sum: 2))
    try replies.kept[0].fail(Failure("NO_TIME"))

    #expect(answers == [.success(ResponseSum(sum: 2)), .failure(Failure("NO_TIME"))])
    replies.kept = []
    #expect(try context.stats().retained == 0)
  }

  @Test func `a kept request that is let go fails, and a sent one owes nothing`() throws {
    let context = try Context()
    let replies = Replies()
    try context.install(Later(replies: replies))
    var codes: [Status] = []
    try context.request(RequestSum(numbers: [1])) { result, delivery in
      codes.append(delivery.status)
    }
    try context.send(RequestSum(numbers: [2]))

    replies.kept = []

    #expect(codes == [.cancelled])
    #expect(try context.stats().events == 3)
    #expect(try context.stats().requests == 0)
  }

  @Test func `a kept request that is let go after it was cancelled is no error`() throws {
    let context = try Context()
    let replies = Replies()
    try context.install(Later(replies: replies))
    var codes: [Status] = []
    let pending = try context.request(RequestSum(numbers: [1])) { _, delivery in
      codes.append(delivery.status)
    }

    pending.cancel()
    replies.kept = []

    #expect(codes == [.cancelled])
    #expect(context.firstError == nil)
    #expect(try context.stats().retained == 0)
  }

  @Test func `a pending request knows its position until it has its answer`() throws {
    let context = try Context()
    let replies = Replies()
    try context.install(Later(replies: replies))
    let pending = try context.request(RequestSum(numbers: [1])) { _, _ in }

    #expect(pending.position == 1)
    pending.cancel()
    #expect(pending.position == nil)
  }

  @Test func `an event that answers the request answers it, all else is sent`() throws {
    struct Counted: Notice { var number: Int }
    struct Both: Server {
      static func handlers(_ on: inout Handlers<Self>) {
        on.event(RequestSum.self) { _, request in
          [Counted(number: request.numbers.count), ResponseSum(sum: 0)]
        }
      }
    }
    let context = try Context()
    try context.install(Both())
    var counted: [Int] = []
    let subscription = try context.observe(Counted.self) { event, _ in counted.append(event.number)
    }

    #expect(context.request(RequestSum(numbers: [1, 2])) == .success(ResponseSum(sum: 0)))
    #expect(counted == [2])
    subscription.cancel()
  }

  @Test func `progress comes before the answer, to observers and to who asked`() throws {
    struct Counted: Notice { var count: Int }
    struct Other: Notice {}
    struct Counter: Server {
      static func handlers(_ on: inout Handlers<Self>) {
        on.answer(RequestSum.self) { _, request, delivery in
          try delivery.progress(Counted(count: 1))
          try delivery.progress(Other())
          return ResponseSum(sum: request.numbers.reduce(0, +))
        }
      }
    }
    let context = try Context()
    try context.install(Counter())
    var calls: [String] = []
    let subscription = try context.observe(Counted.self) { step, delivery in
      calls.append("seen \(step.count) \(delivery.isProgress)")
    }

    try context.request(RequestSum(numbers: [1]), progress: Counted.self) { step, delivery in
      calls.append("step \(step.count) \(delivery.answers)")
    } answer: { result, delivery in
      calls.append("answer \((try? result.get().sum) ?? -1) \(delivery.isProgress)")
    }

    #expect(calls == ["seen 1 true", "step 1 1", "answer 1 false"])
    subscription.cancel()
  }

  @Test func `a kept request tells its progress until it is answered`() throws {
    struct Half: Notice {}
    let context = try Context()
    let replies = Replies()
    try context.install(Later(replies: replies))
    var steps = 0
    try context.request(RequestSum(numbers: [1]), progress: Half.self) { _, _ in
      steps += 1
    } answer: { _, _ in
    }

    try replies.kept[0].progress(Half())
    try replies.kept[0].respond(ResponseSum(sum: 1))

    #expect(throws: StreamError.self) { try replies.kept[0].progress(Half()) }
    #expect(steps == 1)
  }

  @Test func `a scope that ends gives up what was asked through it`() throws {
    let context = try Context()
    try context.install(Later(replies: Replies()))
    let view = try context.scope("View")
    var code: Status?
    try view.request(RequestSum(numbers: [1])) { _, delivery in code = delivery.status }

    try view.close()

    #expect(code == .cancelled)
  }

  @Test func `a request whose time is over fails, and the late answer is refused`() throws {
    let context = try Context(ContextOptions(clock: .virtual))
    let replies = Replies()
    try context.install(Later(replies: replies))
    var code: Status?
    try context.request(RequestSum(numbers: [1]), timeout: .seconds(2)) { _, delivery in
      code = delivery.status
    }

    try context.advance(by: .milliseconds(1999))
    #expect(code == nil)
    try context.advance(by: .milliseconds(1))

    #expect(code == .timeout)
    #expect(throws: StreamError.self) { try replies.kept[0].respond(ResponseSum(sum: 1)) }
  }

  @Test func `who waits is woken when the time is over`() throws {
    let context = try Context()
    try context.install(Later(replies: Replies()))

    let answer = context.request(RequestSum(numbers: [1]), timeout: .milliseconds(1))

    guard case .failure(let failure) = answer else {
      Issue.record("It must fail")
      return
    }
    #expect(failure.code == .timeout)
  }

  @Test func `activity is read, and told where it is asked for`() throws {
    let context = try Context()
    let replies = Replies()
    try context.install(Later(replies: replies))
    try context.reportActivity(of: RequestSum.self)
    var told: [ActivityReport] = []
    let subscription = try context.observe(ActivityReport.self) { report, _ in told.append(report) }

    for number in 1...2 { try context.request(RequestSum(numbers: [number])) { _, _ in } }
    #expect(try context.requestCount(of: RequestSum.self) == 2)
    try replies.kept[0].fail(Failure("NO"))
    #expect(try context.requestCount(of: RequestSum.self) == 1)
    try replies.kept[1].respond(ResponseSum(sum: 2))

    #expect(try context.requestCount(of: RequestSum.self) == 0)
    #expect(
      told == [
        ActivityReport(type: "RequestSum", count: 1), ActivityReport(type: "RequestSum", count: 0),
      ])
    subscription.cancel()
  }

  @Test func `a handler hears that nobody waits for its answer`() throws {
    let context = try Context()
    let told = Told()
    try context.install(Working(told: told, name: "First"), name: "First")
    try context.install(Working(told: told, name: "Second"), name: "Second")

    let pending = try context.request(RequestSum(numbers: [1])) { _, _ in
      told.names.append("requester")
    }
    #expect(told.names == [])
    pending.cancel()
    #expect(told.names == ["requester", "First", "Second"])

    told.names = []
    try context.request(RequestSum(numbers: [2])) { _, _ in told.names.append("requester") }
    try told.replies[3].respond(ResponseSum(sum: 2))
    #expect(told.names == ["requester", "First"])
  }

  @Test func `what a handler wants called is let go of with its request`() throws {
    let context = try Context()
    weak var held: Told?
    do {
      let told = Told()
      held = told
      let server = try context.install(Working(told: told, name: "Only"))
      try context.send(RequestSum(numbers: [1]))
      try context.request(RequestSum(numbers: [2])) { _, _ in }
      try server.close()
      #expect(told.names == [])
    }
    #expect(held == nil)
  }

  @Test func `an answer has its names, though the scope that asked has ended`() throws {
    let context = try Context()
    try context.install(Working(told: Told(), name: "Only"))
    let asker = try context.scope("Asker")
    var names: [String] = []
    try asker.request(RequestSum(numbers: [1])) { _, delivery in
      names += [delivery.name, delivery.origin]
    }
    try asker.close()
    #expect(names == ["ResponseSum", ""])
  }
}

/// Works on each request until somebody else settles it.
private struct Working: Server {
  let told: Told
  let name: String
  static func handlers(_ on: inout Handlers<Self>) {
    on.several { on in
      on.event(RequestSum.self) { server, _, delivery in
        let (told, name) = (server.told, server.name)
        told.replies.append(try delivery.reply(to: RequestSum.self))
        try delivery.onSettled { told.names.append(name) }
        return []
      }
    }
  }
}

private final class Told {
  var names: [String] = []
  var replies: [Reply<RequestSum>] = []
}
