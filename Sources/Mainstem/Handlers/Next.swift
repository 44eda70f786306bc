// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What a handler does next: it is done, or it asks somebody and goes on with the answer.
///
///     mutating func price(_ request: RequestPrice) -> Next<Self, ResponsePrice> {
///       if let known = prices[request.item] { return .done(ResponsePrice(cents: known)) }
///       return .ask(RequestQuote(item: request.item)) { server, quote in
///         server.prices[request.item] = quote.cents
///         return .done(ResponsePrice(cents: quote.cents))
///       }
///     }
public struct Next<S: Server, Answer> {
  let kind: Kind

  enum Kind {
    case done(Answer)
    case ask((Errand<S, Answer>, borrowing Delivery) throws -> Void)
  }

  /// The handler is done.
  ///
  /// - Parameter answer: What it answers.
  /// - Returns: What it does next.
  public static func done(_ answer: Answer) -> Next { Next(kind: .done(answer)) }

  /// Asks, and goes on with the answer.
  ///
  /// - Parameters:
  ///   - question: The request.
  ///   - timeout: How long to wait for the answer, by the context's clock.
  ///   - shared: Whether all who ask the same at a time wait for one answer.
  ///   - then: Gets the server and the answer.
  ///   - failed: Gets the server and the failure, if that is the answer; without it, the handler fails with it.
  /// - Returns: What the handler does next.
  public static func ask<Q: Request>(
    _ question: Q, timeout: Duration? = nil, shared: Bool = false,
    then: @escaping (inout S, Q.Answer) throws -> Next,
    failed: @escaping (inout S, Failure) throws -> Next = { _, failure in throw failure }
  ) -> Next {
    ask(
      question, timeout: timeout, shared: shared,
      then: { server, answer, _ in try then(&server, answer) }, failed: failed)
  }

  /// Asks, and goes on with the answer and its delivery, to send through.
  ///
  /// - Parameters:
  ///   - question: The request.
  ///   - timeout: How long to wait for the answer, by the context's clock.
  ///   - shared: Whether all who ask the same at a time wait for one answer.
  ///   - then: Gets the server, the answer and its delivery.
  ///   - failed: Gets the server and the failure, if that is the answer; without it, the handler fails with it.
  /// - Returns: What the handler does next.
  public static func ask<Q: Request>(
    _ question: Q, timeout: Duration? = nil, shared: Bool = false,
    then: @escaping (inout S, Q.Answer, borrowing Delivery) throws -> Next,
    failed: @escaping (inout S, Failure) throws -> Next = { _, failure in throw failure }
  ) -> Next {
    Next(
      kind: .ask { errand, delivery in
        try errand.ask(question, timeout, shared: shared, through: delivery) {
          server, answer, delivery in
          switch answer {
          case .success(let answer): try then(&server, answer, delivery)
          case .failure(let failure): try failed(&server, failure)
          }
        }
      })
  }

  /// Asks several at once, and goes on with all answers, in the order of the questions.
  ///
  /// - Parameters:
  ///   - questions: The requests; none: it goes on at once.
  ///   - timeout: How long to wait for each answer, by the context's clock.
  ///   - then: Gets the server and the answers.
  ///   - failed: Gets the server and the first failure; the other requests are cancelled.
  /// - Returns: What the handler does next.
  public static func ask<Q: Request>(
    all questions: [Q], timeout: Duration? = nil,
    then: @escaping (inout S, [Q.Answer]) throws -> Next,
    failed: @escaping (inout S, Failure) throws -> Next = { _, failure in throw failure }
  ) -> Next {
    ask(
      all: questions, timeout: timeout, then: { server, answers, _ in try then(&server, answers) },
      failed: failed)
  }

  /// Asks several at once, and goes on with all answers and the delivery of the last, to send through.
  ///
  /// - Parameters:
  ///   - questions: The requests; none: it goes on at once.
  ///   - timeout: How long to wait for each answer, by the context's clock.
  ///   - then: Gets the server, the answers in the order of the questions, and the last one's delivery.
  ///   - failed: Gets the server and the first failure; the other requests are cancelled.
  /// - Returns: What the handler does next.
  public static func ask<Q: Request>(
    all questions: [Q], timeout: Duration? = nil,
    then: @escaping (inout S, [Q.Answer], borrowing Delivery) throws -> Next,
    failed: @escaping (inout S, Failure) throws -> Next = { _, failure in throw failure }
  ) -> Next {
    Next(
      kind: .ask { errand, delivery in
        let answers = Answers<Q.Answer>(count: questions.count)
        if questions.isEmpty { return errand.goOn(delivery) { try then(&$0, [], delivery) } }
        for (place, question) in questions.enumerated() {
          try errand.ask(question, timeout, through: delivery) { server, answer, delivery in
            switch answers.add(answer, at: place) {
            case .success(let all): try then(&server, all, delivery)
            case .failure(let failure): try failed(&server, failure)
            case nil: nil
            }
          }
        }
      })
  }
}

/// The answers to questions asked at once.
private final class Answers<Answer> {
  private var answers: [Answer?]
  private var missing: Int

  init(count: Int) { (answers, missing) = (Array(repeating: nil, count: count), count) }

  /// All answers with the last of them, or the first failure; after that nothing.
  func add(_ answer: Result<Answer, Failure>, at place: Int) -> Result<[Answer], Failure>? {
    switch answer {
    case .success(let answer):
      answers[place] = answer
      missing -= 1
      return missing == 0 ? .success(answers.compactMap { $0 }) : nil
    case .failure(let failure):
      // Never 0 again.
      defer { missing = -1 }
      return missing > 0 ? .failure(failure) : nil
    }
  }
}
