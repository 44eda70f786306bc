// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Handlers {
  /// Answers requests of a type by asking somebody else first.
  ///
  ///     on.answer(RequestToggle.self, asking: { $0.toggle($1) }, then: { $0.toggled($1, $2) })
  ///
  /// When somebody else settles the request (it is cancelled, or its time is up), the question is cancelled.
  ///
  /// - Parameters:
  ///   - type: The request type.
  ///   - timeout: How long to wait for the answer, by the context's clock.
  ///   - question: Gets the server and the request, and returns what it asks. If it throws, the response fails.
  ///   - then: Gets the server, the request and the answer, and returns the answer to the request.
  ///   - failed: Gets the failure instead, if the question is answered by one; it returns an answer, or throws what the
  ///     response fails with. Without it, the failure is passed on.
  public mutating func answer<R: Request, Q: Request>(
    _ type: R.Type, timeout: Duration? = nil,
    asking question: @escaping (inout S, R) throws -> Q,
    then: @escaping (inout S, R, Q.Answer) throws -> R.Answer,
    failed: @escaping (inout S, R, Failure) throws -> R.Answer = { _, _, failure in throw failure }
  ) {
    answer(
      type, timeout: timeout, asking: question,
      then: { server, request, answer, _ in try then(&server, request, answer) }, failed: failed)
  }

  /// Answers requests of a type by asking two things, one after the other.
  ///
  /// - Parameters:
  ///   - type: The request type.
  ///   - timeout: How long to wait for each answer, by the context's clock.
  ///   - question: Gets the server and the request, and returns what it asks.
  ///   - second: Gets the first answer, too, and returns what it asks then.
  ///   - then: Gets both answers, and returns the answer to the request.
  ///   - failed: Gets the failure instead, if one of the questions is answered by one. Without it, the failure is
  ///     passed on.
  public mutating func answer<R: Request, Q: Request, Q2: Request>(
    _ type: R.Type, timeout: Duration? = nil,
    asking question: @escaping (inout S, R) throws -> Q,
    then second: @escaping (inout S, R, Q.Answer) throws -> Q2,
    then: @escaping (inout S, R, Q.Answer, Q2.Answer) throws -> R.Answer,
    failed: @escaping (inout S, R, Failure) throws -> R.Answer = { _, _, failure in throw failure }
  ) {
    answer(
      type, timeout: timeout, asking: question, then: second,
      then: { server, request, first, answer, _ in try then(&server, request, first, answer) },
      failed: failed)
  }

  /// Answers requests of a type by asking several things at once.
  ///
  /// - Parameters:
  ///   - type: The request type.
  ///   - timeout: How long to wait for each answer, by the context's clock.
  ///   - questions: Gets the server and the request, and returns what it asks; if nothing, it goes on at once.
  ///   - then: Gets the answers, in the order of the questions, and returns the answer to the request.
  ///   - failed: Gets the first failure instead; the other questions are cancelled. Without it, the failure is
  ///     passed on.
  public mutating func answer<R: Request, Q: Request>(
    _ type: R.Type, timeout: Duration? = nil,
    askingAll questions: @escaping (inout S, R) throws -> [Q],
    then: @escaping (inout S, R, [Q.Answer]) throws -> R.Answer,
    failed: @escaping (inout S, R, Failure) throws -> R.Answer = { _, _, failure in throw failure }
  ) {
    answer(
      type, timeout: timeout, askingAll: questions,
      then: { server, request, answers, _ in try then(&server, request, answers) }, failed: failed)
  }

  /// Answers requests of a type by asking several things of different types at once.
  ///
  ///     on.answer(
  ///       RequestTrip.self,
  ///       askingAll: { _, trip in (RequestFlight(to: trip.city), RequestRoom(in: trip.city)) },
  ///       then: { _, trip, flight, room in ResponseTrip(cents: flight.cents + room.cents) })
  ///
  /// - Parameters:
  ///   - type: The request type.
  ///   - timeout: How long to wait for each answer, by the context's clock.
  ///   - questions: Gets the server and the request, and returns what it asks, as a tuple.
  ///   - then: Gets the answers, in the order of the questions, and returns the answer to the request.
  ///   - failed: Gets the first failure instead; the other questions are cancelled. Without it, the failure is
  ///     passed on.
  public mutating func answer<R: Request, each Q: Request>(
    _ type: R.Type, timeout: Duration? = nil,
    askingAll questions: @escaping (inout S, R) throws -> (repeat each Q),
    then: @escaping (inout S, R, repeat (each Q).Answer) throws -> R.Answer,
    failed: @escaping (inout S, R, Failure) throws -> R.Answer = { _, _, failure in throw failure }
  ) {
    var asked: [any Request.Type] = []
    repeat asked.append((each Q).self)
    answer(type, asks: asked) { server, request in
      let questions = try questions(&server, request)
      return .ask(all: repeat each questions, timeout: timeout) {
        (server, answers: repeat (each Q).Answer) in
        .done(try then(&server, request, repeat each answers))
      } failed: { server, failure in
        .done(try failed(&server, request, failure))
      }
    }
  }

  /// Answers requests of a type in steps: each answers, or asks and goes on. See ``Next``.
  ///
  ///     on.answer(RequestPrice.self, asks: [RequestQuote.self, RequestTax.self]) { $0.price($1) }
  ///
  /// - Parameters:
  ///   - type: The request type.
  ///   - asked: The types that the steps ask. They are known when the server is installed, so that one in C or Python,
  ///     which finds them by name, can be installed after it. Others are known when they are first asked.
  ///   - body: Gets the server and the request, and returns what to do next. If it throws, the response fails.
  public mutating func answer<R: Request>(
    _ type: R.Type, asks asked: [any Request.Type] = [],
    _ body: @escaping (inout S, R) throws -> Next<S, R.Answer>
  ) {
    go(type, asked, body) { [$0] }
  }

  /// Handles events of a type by asking somebody, if there is anything to ask.
  ///
  /// - Parameters:
  ///   - type: The event type.
  ///   - timeout: How long to wait for the answer, by the context's clock.
  ///   - question: Gets the server and the event, and returns what it asks; `nil`: nothing, and the event is handled.
  ///   - then: Gets the server, the event and the answer, and returns the events to send.
  ///   - failed: Gets the failure instead, if the question is answered by one. Without it, a ``FailureReport`` is sent.
  public mutating func event<E: Event, Q: Request>(
    _ type: E.Type, timeout: Duration? = nil,
    asking question: @escaping (inout S, E) throws -> Q?,
    then: @escaping (inout S, E, Q.Answer) throws -> [any Event],
    failed: @escaping (inout S, E, Failure) throws -> [any Event] = { _, _, failure in
      throw failure
    }
  ) {
    event(type, asks: [Q.self]) { server, event in
      guard let question = try question(&server, event) else { return .done([]) }
      return .ask(question, timeout: timeout) { server, answer in
        .done(try then(&server, event, answer))
      } failed: { server, failure in
        .done(try failed(&server, event, failure))
      }
    }
  }

  private mutating func event<E: Event>(
    _ type: E.Type, asks asked: [any Event.Type],
    _ body: @escaping (inout S, E) throws -> Next<S, [any Event]>
  ) {
    go(type, asked, body) { $0 }
  }

  /// Adds a row whose handler may ask and go on.
  private mutating func go<E: Event, Answer>(
    _ type: E.Type, _ asked: [any Event.Type],
    _ body: @escaping (inout S, E) throws -> Next<S, Answer>,
    _ events: @escaping (Answer) -> [any Event]
  ) {
    self.asked += asked
    rows.append(
      HandlerRow(type: type, failed: false) { types throws(StreamError) in
        let known = try types.reader(of: type)
        return { server, delivery in
          let next: Result<Next<S, Answer>, any Error>
          do { next = .success(try body(&server, known.decoded(delivery))) } catch {
            next = .failure(error)
          }
          return { house, delivery in delivery.begin(type, next, in: house, events) }
        }
      })
  }
}

extension Delivery {
  /// Does what a handler does next, with the event at hand or with the answers that come later.
  fileprivate func begin<S: Server, E: Event, Answer>(
    _ type: E.Type, _ next: Result<Next<S, Answer>, any Error>, in house: ServerHouse<S>,
    _ events: @escaping (Answer) -> [any Event]
  ) {
    if case .success(let next) = next, case .ask = next.kind {
      conclude(type) { delivery throws in
        let request = type.answer == nil ? nil : try Retained(delivery.event)
        let errand = Errand<S, Answer>(house) { delivery, answer in
          delivery.conclude(type, for: request) { _ in events(try answer()) }
        }
        if request != nil { try delivery.onSettled { errand.settle() } }
        errand.goOn(delivery) { next }
        return []
      }
    } else {
      conclude(type) { _ in
        if case .done(let answer) = try next.get().kind { events(answer) } else { [] }
      }
    }
  }
}

// MARK: - With the delivery

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
