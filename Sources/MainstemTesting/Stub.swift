// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem

/// An answer of a stub.
public indirect enum StubAnswer<Answer: Response>: Sendable {
  /// This answer, at once.
  case answer(Answer)
  /// A response that failed so, at once.
  case failure(Failure)
  /// Another answer after so long, inside ``TestContext/advance(byMs:sourceLocation:)``, from
  /// outside, as from a network.
  case after(milliseconds: Int64, StubAnswer)
  /// None, ever: for time-outs.
  case never
}

/// A server of a test, which answers requests of a type with what the test has given it.
public final class Stub<R: Request> {
  /// What it was asked, in order.
  public private(set) var requests: [R] = []

  private let deadlines: Deadlines
  private let function: ((R) throws -> R.Answer)?
  private var answers: ArraySlice<StubAnswer<R.Answer>>
  private var beyond = 0
  /// Who is never answered is kept, since a request that nobody keeps is given up.
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
    case .after(let milliseconds, let later):
      let reply = try delivery.reply(to: R.self)
      try deadlines.add(after: milliseconds, in: delivery.context) { [self] in
        give(later, by: reply)
      }
    }
    return []
  }

  /// That it was answered otherwise meanwhile is no error.
  private func give(_ answer: StubAnswer<R.Answer>, by reply: Reply<R>) {
    switch answer {
    case .answer(let answer): try? reply.respond(answer)
    case .failure(let failure): try? reply.fail(failure)
    case .after(_, let later): give(later, by: reply)
    case .never: unanswered.append(reply)
    }
  }

  /// What it was asked too often, or too seldom; nil: neither.
  var left: String? {
    if beyond > 0 { return told("\(beyond) more than it has answers") }
    return answers.isEmpty ? nil : told("and has \(answers.count) answers more")
  }

  private func told(_ what: String) -> String {
    "the stub of \(R.name) was asked \(calls) times, \(what)"
  }
}

/// A stub, as the context takes it.
struct StubServer<R: Request>: Server {
  static var name: String { "Stub" }
  let stub: Stub<R>

  static func handlers(_ on: inout Handlers<Self>) {
    on.on(R.self) { server, request, delivery in
      try server.stub.answer(request, delivery)
    }
  }
}
