// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem

/// An answer that a stub gives.
public indirect enum StubAnswer<Answer: Response>: Sendable {
  /// This answer, at once.
  case answer(Answer)
  /// A failed response, at once.
  case failure(Failure)
  /// Another answer after a delay, inside ``TestContext/advance(by:sourceLocation:)``, from outside,
  /// as if from a network.
  case after(Duration, StubAnswer)
  /// No answer, ever: for timeouts.
  case never
}

/// A server for a test: it answers requests of a type with the answers the test has set.
public final class Stub<R: Request> {
  /// The requests it got, in order.
  public private(set) var requests: [R] = []

  private let deadlines: Deadlines
  private let function: ((R) throws -> R.Answer)?
  private var answers: ArraySlice<StubAnswer<R.Answer>>
  private var beyond = 0
  /// Replies that are never given, kept because a released reply cancels its request.
  private var unanswered: [Reply<R>] = []

  init(
    _ answers: [StubAnswer<R.Answer>], _ function: ((R) throws -> R.Answer)?,
    _ deadlines: Deadlines
  ) {
    self.answers = answers[...]
    self.function = function
    self.deadlines = deadlines
  }

  /// How often it was asked.
  public var calls: Int { requests.count }

  func answer(_ request: R, _ delivery: borrowing Delivery) throws -> [any Event] {
    requests.append(request)
    if let function { return [try function(request)] }
    guard let answer = answers.popFirst() else {
      beyond += 1
      throw Failure("the stub has no answer left")
    }
    switch answer {
    case .answer(let answer): return [answer]
    case .failure(let failure): throw failure
    case .never: unanswered.append(try delivery.reply(to: R.self))
    case .after(let delay, let later):
      let reply = try delivery.reply(to: R.self)
      try deadlines.add(after: delay.wholeMs, in: delivery.context) { [self] in
        give(later, by: reply)
      }
    }
    return []
  }

  /// Gives an answer. It is not an error if the request has been answered otherwise meanwhile.
  private func give(_ answer: StubAnswer<R.Answer>, by reply: Reply<R>) {
    switch answer {
    case .answer(let answer): try? reply.respond(answer)
    case .failure(let failure): try? reply.fail(failure)
    case .after(_, let later): give(later, by: reply)
    case .never: unanswered.append(reply)
    }
  }

  /// Says if it was asked more or less often than it has answers; `nil`: neither.
  var left: String? {
    if beyond > 0 { return told("\(beyond) more than it has answers") }
    return answers.isEmpty ? nil : told("and has \(answers.count) answers left")
  }

  private func told(_ what: String) -> String {
    "the stub of \(R.name) was asked \(calls) times, \(what)"
  }
}

/// A stub as a server, for the context.
struct StubServer<R: Request>: Server {
  static var name: String { "Stub" }
  let stub: Stub<R>

  static func handlers(_ on: inout Handlers<Self>) {
    on.event(R.self) { server, request, delivery in
      try server.stub.answer(request, delivery)
    }
  }
}
