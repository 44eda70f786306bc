// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Handlers {
  /// Answers requests of a type by asking somebody else first; the step after that may send.
  ///
  ///     on.answer(
  ///       RequestPay.self, asking: { RequestPrice(id: $1.id) },
  ///       then: { _, _, price, delivery in
  ///         try delivery.send(Paid(cents: price.cents))
  ///         return ResponsePaid(cents: price.cents)
  ///       })
  ///
  /// - Parameters:
  ///   - type: The request type.
  ///   - timeout: How long to wait for the answer, by the context's clock.
  ///   - question: Gets the server and the request, and returns what it asks. If it throws, the response fails.
  ///   - then: Gets the server, the request, the answer and its delivery, and returns the answer to the request.
  ///   - failed: Gets the failure instead, if the question is answered by one. Without it, the failure is passed on.
  public mutating func answer<R: Request, Q: Request>(
    _ type: R.Type, timeout: Duration? = nil,
    asking question: @escaping (inout S, R) throws -> Q,
    then: @escaping (inout S, R, Q.Answer, borrowing Delivery) throws -> R.Answer,
    failed: @escaping (inout S, R, Failure) throws -> R.Answer = { _, _, failure in throw failure }
  ) {
    answer(type, asks: [Q.self]) { server, request in
      .ask(try question(&server, request), timeout: timeout) { server, answer, delivery in
        .done(try then(&server, request, answer, delivery))
      } failed: { server, failure in
        .done(try failed(&server, request, failure))
      }
    }
  }

  /// Answers requests of a type by asking two things, one after the other; the last step may send.
  ///
  /// - Parameters:
  ///   - type: The request type.
  ///   - timeout: How long to wait for each answer, by the context's clock.
  ///   - question: Gets the server and the request, and returns what it asks.
  ///   - second: Gets the first answer, too, and returns what it asks then.
  ///   - then: Gets both answers and the second one's delivery, and returns the answer to the request.
  ///   - failed: Gets the failure instead, if one of the questions is answered by one. Without it, the failure is
  ///     passed on.
  public mutating func answer<R: Request, Q: Request, Q2: Request>(
    _ type: R.Type, timeout: Duration? = nil,
    asking question: @escaping (inout S, R) throws -> Q,
    then second: @escaping (inout S, R, Q.Answer) throws -> Q2,
    then: @escaping (inout S, R, Q.Answer, Q2.Answer, borrowing Delivery) throws -> R.Answer,
    failed: @escaping (inout S, R, Failure) throws -> R.Answer = { _, _, failure in throw failure }
  ) {
    answer(type, asks: [Q.self, Q2.self]) { server, request in
      .ask(try question(&server, request), timeout: timeout) { server, first in
        .ask(try second(&server, request, first), timeout: timeout) { server, answer, delivery in
          .done(try then(&server, request, first, answer, delivery))
        } failed: { server, failure in
          .done(try failed(&server, request, failure))
        }
      } failed: { server, failure in
        .done(try failed(&server, request, failure))
      }
    }
  }

  /// Answers requests of a type by asking several things at once; the step after that may send.
  ///
  /// - Parameters:
  ///   - type: The request type.
  ///   - timeout: How long to wait for each answer, by the context's clock.
  ///   - questions: Gets the server and the request, and returns what it asks; if nothing, it goes on at once.
  ///   - then: Gets the answers, in the order of the questions, and the last one's delivery, and returns the answer
  ///     to the request.
  ///   - failed: Gets the first failure instead; the other questions are cancelled. Without it, the failure is
  ///     passed on.
  public mutating func answer<R: Request, Q: Request>(
    _ type: R.Type, timeout: Duration? = nil,
    askingAll questions: @escaping (inout S, R) throws -> [Q],
    then: @escaping (inout S, R, [Q.Answer], borrowing Delivery) throws -> R.Answer,
    failed: @escaping (inout S, R, Failure) throws -> R.Answer = { _, _, failure in throw failure }
  ) {
    answer(type, asks: [Q.self]) { server, request in
      .ask(all: try questions(&server, request), timeout: timeout) { server, answers, delivery in
        .done(try then(&server, request, answers, delivery))
      } failed: { server, failure in
        .done(try failed(&server, request, failure))
      }
    }
  }
}
