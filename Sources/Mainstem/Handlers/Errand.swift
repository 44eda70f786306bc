// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// An event that a handler got, until it is done with it: it may have to ask first.
final class Errand<S: Server, Answer> {
  private let house: ServerHouse<S>
  /// Sends or answers with the outcome.
  private let conclude: (borrowing Delivery, () throws -> Answer) -> Void

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
      case .done(let answer): conclude(delivery) { answer }
      case .ask(let ask): try ask(self, delivery)
      case nil: break
      }
    } catch {
      conclude(delivery) { throw error }
    }
  }

  /// Takes a step with the server.
  func goOn(_ delivery: borrowing Delivery, _ step: (inout S) throws -> Next<S, Answer>?) {
    goOn(delivery) { try house.change(step) }
  }

  /// Asks through the server, and goes on with the answer.
  func ask<Q: Request>(
    _ question: Q, _ timeout: Duration?, through delivery: borrowing Delivery,
    _ step: @escaping (inout S, Result<Q.Answer, Failure>) throws -> Next<S, Answer>?
  ) throws(StreamError) {
    _ = try delivery.context.ask(question, timeout, house.scheduler) { _ in
    } answer: { delivery in
      let answer = delivery.result(Q.Answer.self)
      self.goOn(delivery) { try step(&$0, answer) }
    }
  }
}
