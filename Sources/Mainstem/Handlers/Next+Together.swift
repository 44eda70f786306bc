// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Next {
  /// Asks several of different types at once, and goes on with all answers, in the order of the questions.
  ///
  ///     return .ask(all: RequestFlight(), RequestRoom()) { server, flight, room in
  ///       .done(ResponseTrip(cents: flight.cents + room.cents))
  ///     }
  ///
  /// - Parameters:
  ///   - questions: The requests; none: it goes on at once.
  ///   - timeout: How long to wait for each answer, by the context's clock.
  ///   - then: Gets the server and the answers.
  ///   - failed: Gets the server and the first failure; the other requests are cancelled.
  /// - Returns: What the handler does next.
  public static func ask<each Q: Request>(
    all questions: repeat each Q, timeout: Duration? = nil,
    then: @escaping (inout S, repeat (each Q).Answer) throws -> Next,
    failed: @escaping (inout S, Failure) throws -> Next = { _, failure in throw failure }
  ) -> Next {
    Next(
      kind: .ask { errand, delivery in
        let places = (repeat place(for: each questions))
        let missing = Missing()
        for _ in repeat (each Q).self { missing.count += 1 }
        if missing.count == 0 {
          return errand.goOn(delivery) { try then(&$0, repeat try (each places).taken()) }
        }
        repeat try errand.ask(each questions, timeout, through: delivery, for: each places) {
          server, failure in
          guard missing.isLast(failed: failure != nil) else { return nil }
          if let failure { return try failed(&server, failure) }
          return try then(&server, repeat try (each places).taken())
        }
      })
  }
}

extension Errand {
  /// Asks one of several questions.
  ///
  /// - Parameter step: Gets the failure, if the question is answered by one; nil: the answer is in its place.
  fileprivate func ask<Q: Request>(
    _ question: Q, _ timeout: Duration?, through delivery: borrowing Delivery,
    for place: Place<Q.Answer>,
    _ step: @escaping (inout S, Failure?) throws -> Next<S, Answer>?
  ) throws(StreamError) {
    try ask(question, timeout, through: delivery) { server, answer, _ in
      switch answer {
      case .success(let answer):
        place.answer = answer
        return try step(&server, nil)
      case .failure(let failure): return try step(&server, failure)
      }
    }
  }
}

private func place<Q: Request>(for question: Q) -> Place<Q.Answer> { Place() }

/// Where an answer is kept until the others have come.
private final class Place<Answer> {
  var answer: Answer?

  func taken() throws(StreamError) -> Answer {
    guard let answer else { throw StreamError(.invalid, "ask: an answer is missing") }
    return answer
  }
}

/// How many answers are missing; below 0: one has failed, and nobody waits for the others.
private final class Missing {
  var count = 0

  /// Whether the handler goes on with this answer: the last, or the first failure.
  func isLast(failed: Bool) -> Bool {
    guard count > 0 else { return false }
    count = failed ? -1 : count - 1
    return count <= 0
  }
}
