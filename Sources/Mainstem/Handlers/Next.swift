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
  ///   - goesOn: Whether the question stays open, and the handler goes on with its answer, when nobody waits for the
  ///     handler's own answer any more; otherwise the question is cancelled. For what changes something: the requester
  ///     may end, but what was asked for may be done. Then no further question is asked.
  ///   - then: Gets the server and the answer.
  ///   - failed: Gets the server and the failure, if that is the answer; without it, the handler fails with it.
  /// - Returns: What the handler does next.
  public static func ask<Q: Request>(
    _ question: Q, timeout: Duration? = nil, shared: Bool = false, goesOn: Bool = false,
    then: @escaping (inout S, Q.Answer) throws -> Next,
    failed: @escaping (inout S, Failure) throws -> Next = { _, failure in throw failure }
  ) -> Next {
    ask(
      question, timeout: timeout, shared: shared, goesOn: goesOn,
      then: { server, answer, _ in try then(&server, answer) }, failed: failed)
  }

  /// Asks, and goes on with the answer and its delivery, to send through.
  ///
  /// - Parameters:
  ///   - question: The request.
  ///   - timeout: How long to wait for the answer, by the context's clock.
  ///   - shared: Whether all who ask the same at a time wait for one answer.
  ///   - goesOn: Whether the question stays open, and the handler goes on with its answer, when nobody waits for the
  ///     handler's own answer any more; otherwise the question is cancelled. For what changes something: the requester
  ///     may end, but what was asked for may be done. Then no further question is asked.
  ///   - then: Gets the server, the answer and its delivery.
  ///   - failed: Gets the server and the failure, if that is the answer; without it, the handler fails with it.
  /// - Returns: What the handler does next.
  public static func ask<Q: Request>(
    _ question: Q, timeout: Duration? = nil, shared: Bool = false, goesOn: Bool = false,
    then: @escaping (inout S, Q.Answer, borrowing Delivery) throws -> Next,
    failed: @escaping (inout S, Failure) throws -> Next = { _, failure in throw failure }
  ) -> Next {
    Next(
      kind: .ask { errand, delivery in
        try errand.ask(question, timeout, shared: shared, goesOn: goesOn, through: delivery) {
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
        if questions.isEmpty { return errand.goOn(delivery) { try then(&$0, [], delivery) } }
        let places = questions.map { place(for: $0) }
        let missing = Missing(questions.count)
        for (question, place) in zip(questions, places) {
          try errand.ask(question, timeout, through: delivery, for: place, of: missing) {
            server, failure, delivery in
            if let failure { return try failed(&server, failure) }
            return try then(&server, places.map { try $0.taken() }, delivery)
          }
        }
      })
  }
}

// MARK: - Several questions at once

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
        let missing = Missing(0)
        for _ in repeat (each Q).self { missing.count += 1 }
        if missing.count == 0 {
          return errand.goOn(delivery) { try then(&$0, repeat try (each places).taken()) }
        }
        repeat try errand.ask(
          each questions, timeout, through: delivery, for: each places, of: missing
        ) { server, failure, _ in
          if let failure { return try failed(&server, failure) }
          return try then(&server, repeat try (each places).taken())
        }
      })
  }
}

extension Errand {
  /// Asks one of several questions.
  ///
  /// - Parameter step: Gets the first failure; nil: all answers are in their places.
  fileprivate func ask<Q: Request>(
    _ question: Q, _ timeout: Duration?, through delivery: borrowing Delivery,
    for place: Place<Q.Answer>, of missing: Missing,
    _ step: @escaping (inout S, Failure?, borrowing Delivery) throws -> Next<S, Answer>?
  ) throws(StreamError) {
    try ask(question, timeout, through: delivery) { server, answer, delivery in
      var failure: Failure?
      do throws(Failure) { place.answer = try answer.get() } catch { failure = error }
      guard missing.isLast(failed: failure != nil) else { return nil }
      return try step(&server, failure, delivery)
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
  var count: Int

  init(_ count: Int) { self.count = count }

  /// Whether the handler goes on with this answer: the last, or the first failure.
  func isLast(failed: Bool) -> Bool {
    guard count > 0 else { return false }
    count = failed ? -1 : count - 1
    return count <= 0
  }
}

// MARK: - While a handler is not done

/// An event that a handler got, until it is done with it: it may have to ask first.
final class Errand<S: Server, Answer> {
  private let house: ServerHouse<S>
  /// Sends or answers with the outcome.
  private let conclude: (borrowing Delivery, () throws -> Answer) -> Void
  private let questions = Questions()
  /// Whether nobody waits for the outcome any more.
  private var isSettled = false

  init(
    _ house: ServerHouse<S>,
    _ conclude: @escaping (borrowing Delivery, () throws -> Answer) -> Void
  ) {
    self.house = house
    self.conclude = conclude
  }

  /// Does what is next.
  ///
  /// - Parameter next: What that is; throws: the handler fails. Nil: nothing, as an answer is missing.
  func goOn(_ delivery: borrowing Delivery, _ next: () throws -> Next<S, Answer>?) {
    do {
      switch try next()?.kind {
      case .done(let answer):
        if !isSettled { conclude(delivery) { answer } }
        giveUp()
      case .ask(let ask):
        giveUp()
        if !isSettled { try ask(self, delivery) }
      case nil: break
      }
    } catch {
      if !isSettled { conclude(delivery) { throw error } }
      giveUp()
    }
  }

  /// Takes a step with the server.
  func goOn(_ delivery: borrowing Delivery, _ step: (inout S) throws -> Next<S, Answer>?) {
    goOn(delivery) { try house.change(step) }
  }

  /// Asks through the server, and goes on with the answer.
  func ask<Q: Request>(
    _ question: Q, _ timeout: Duration?, shared: Bool = false, goesOn: Bool = false,
    through delivery: borrowing Delivery,
    _ step:
      @escaping (inout S, Result<Q.Answer, Failure>, borrowing Delivery) throws ->
      Next<S, Answer>?
  ) throws(StreamError) {
    try questions.ask(
      question, timeout, shared: shared, goesOn: goesOn, delivery.context, house.scheduler
    ) { answer, delivery in
      self.goOn(delivery) { try step(&$0, answer, delivery) }
    }
  }

  /// Cancels the questions that do not go on: nobody waits for the outcome any more. The step after them gets the
  /// failure.
  func settle() {
    isSettled = true
    questions.cancel()
  }

  /// Gives up the questions whose answers no step waits for.
  private func giveUp() { questions.giveUp(cancelling: !isSettled) }
}

/// The questions that an errand or a run waits for.
final class Questions {
  private var open: [Int: Pending] = [:]
  /// Those that a cancel leaves open.
  private var goingOn: Set<Int> = []
  private var asked = 0

  var count: Int { open.count }

  /// Asks, and passes on the answer if it is still waited for.
  func ask<Q: Request>(
    _ question: Q, _ timeout: Duration?, shared: Bool, goesOn: Bool = false, _ context: Context,
    _ scheduler: Scheduler,
    _ answered: @escaping (Result<Q.Answer, Failure>, borrowing Delivery) -> Void
  ) throws(StreamError) {
    asked += 1
    let number = asked
    open[number] = try context.ask(question, timeout, shared: shared, scheduler) {
      [self] delivery in
      goingOn.remove(number)
      guard open.removeValue(forKey: number) != nil else { return }
      answered(delivery.result(Q.Answer.self), delivery)
    }
    if goesOn { goingOn.insert(number) }
  }

  /// Waits for none of them any more.
  func giveUp(cancelling isCancelling: Bool = true) {
    let left = open
    (open, goingOn) = ([:], [])
    if isCancelling { cancel(left) }
  }

  /// Cancels them, but for those that go on: their answer is that failure.
  func cancel() { cancel(open.filter { !goingOn.contains($0.key) }) }

  /// In the order in which they were asked: a replay does the same.
  private func cancel(_ questions: [Int: Pending]) {
    for (_, pending) in questions.sorted(by: { $0.key < $1.key }) { pending.cancel() }
  }
}
