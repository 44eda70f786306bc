// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The table of a server: which function is called for which event.
///
/// A server has one handler for an event type, and one for the failed responses of a type.
public struct Handlers<S: Server> {
  typealias Call = (inout S, borrowing Delivery) -> Void

  private(set) var rows: [HandlerRow<S>] = []

  /// Answers requests of a type.
  ///
  /// - Parameters:
  ///   - type: The type of request.
  ///   - body: Gets the server and the request, and returns the answer. What it throws, and a
  ///     payload that is no such request, is a response that failed.
  public mutating func answer<R: Request>(
    _ type: R.Type, _ body: @escaping (inout S, R) throws -> R.Answer
  ) {
    answer(type) { server, request, _ in try body(&server, request) }
  }

  /// Answers requests of a type, with a look at what the stream knows of them.
  ///
  /// - Parameters:
  ///   - type: The type of request.
  ///   - body: Gets the server, the request and its delivery, and returns the answer.
  public mutating func answer<R: Request>(
    _ type: R.Type, _ body: @escaping (inout S, R, borrowing Delivery) throws -> R.Answer
  ) {
    on(type) { server, request, delivery in [try body(&server, request, delivery)] }
  }

  /// Handles events of a type; failed responses are left out.
  ///
  /// - Parameters:
  ///   - type: The type of event.
  ///   - body: Gets the server and the event, and returns what is to be sent: 0 to n events, in
  ///     order. For a request, an event of its `Answer` type answers it. What it throws, and a
  ///     payload that is no such event, is a response that failed for a request, else a
  ///     ``FailureReport``.
  public mutating func on<E: Event>(
    _ type: E.Type, _ body: @escaping (inout S, E) throws -> [any Event]
  ) {
    on(type) { server, event, _ in try body(&server, event) }
  }

  /// Handles events of a type, with a look at what the stream knows of them.
  ///
  /// - Parameters:
  ///   - type: The type of event.
  ///   - body: Gets the server, the event and its delivery, and returns what is to be sent.
  public mutating func on<E: Event>(
    _ type: E.Type, _ body: @escaping (inout S, E, borrowing Delivery) throws -> [any Event]
  ) {
    rows.append(
      HandlerRow(type: type, failed: false) { server, delivery in
        delivery.conclude(type) { delivery throws in
          try body(&server, delivery.decode(type), delivery)
        }
      })
  }

  /// Handles responses of a type that failed.
  ///
  /// - Parameters:
  ///   - type: The type of response.
  ///   - body: Gets the server, the failure and its delivery, and returns what is to be sent.
  public mutating func failed<R: Response>(
    _ type: R.Type, _ body: @escaping (inout S, Failure, borrowing Delivery) throws -> [any Event]
  ) {
    rows.append(
      HandlerRow(type: type, failed: true) { server, delivery in
        delivery.conclude(type) { delivery throws in
          try body(&server, Failure(of: delivery.event), delivery)
        }
      })
  }
}

/// One line of the table.
struct HandlerRow<S: Server> {
  let type: any Event.Type
  let failed: Bool
  let call: Handlers<S>.Call
}
