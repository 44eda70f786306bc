// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// An event that a handler got, until it is done with it: it may have to ask first.
final class Errand<S: Server, Answer> {
  private let house: ServerHouse<S>
  /// Sends or answers with the outcome.
  private let conclude: (borrowing Delivery, () throws -> Answer) -> Void
  /// The questions whose answers are waited for, by number.
  private var open: [Int: Pending] = [:]
  private var asked = 0
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
    _ question: Q, _ timeout: Duration?, shared: Bool = false,
    through delivery: borrowing Delivery,
    _ step:
      @escaping (inout S, Result<Q.Answer, Failure>, borrowing Delivery) throws ->
      Next<S, Answer>?
  ) throws(StreamError) {
    asked += 1
    let number = asked
    let scheduler = house.scheduler
    open[number] = try delivery.context.ask(question, timeout, shared: shared, scheduler) { _ in
    } answer: { delivery in
      guard self.open.removeValue(forKey: number) != nil else { return }
      let answer = delivery.result(Q.Answer.self)
      self.goOn(delivery) { try step(&$0, answer, delivery) }
    }
  }

  /// Cancels the questions: nobody waits for the outcome any more. The step after them gets the failure.
  func settle() {
    isSettled = true
    cancel(open)
  }

  /// Gives up the questions whose answers no step waits for.
  private func giveUp() {
    let left = open
    open = [:]
    if !isSettled { cancel(left) }
  }

  /// Cancels questions in the order in which they were asked: a replay does the same.
  private func cancel(_ questions: [Int: Pending]) {
    for (_, pending) in questions.sorted(by: { $0.key < $1.key }) { pending.cancel() }
  }
}
