// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Looks at the events of a type, on a thread of the library's own; failed responses are left out.
  ///
  /// An error that the callback throws is counted and reported on the stream (``FailureReport``),
  /// and so is a payload that is no such event. Neither ends the subscription.
  ///
  /// - Parameters:
  ///   - type: The type of event.
  ///   - history: Whether what is kept of the type comes first.
  ///   - scheduler: The thread on which the callbacks run.
  ///   - queue: What may wait for them.
  ///   - onGap: Gets what was lost, before the next event; without it gaps are passed over.
  ///   - body: Gets each event, in order, and what the stream knows of it.
  /// - Returns: The subscription, which ends when it is released.
  /// - Throws: Why there is none.
  public func observe<E: Event>(
    _ type: E.Type, history: Bool = true,
    on scheduler: SerialScheduler, queue: Queue = .reject(),
    onGap: (@Sendable (Gap) -> Void)? = nil,
    _ body: @Sendable @escaping (E, borrowing Delivery) throws -> Void
  ) throws(StreamError) -> Subscription {
    let number = try types.number(of: type)
    let wanted = ObserverOptions(
      flags: MAINSTEM_OBSERVE_SUCCEEDED, history: history, scheduler: scheduler.number,
      queue: queue, onGap: onGap)
    return try observe(number, wanted) { delivery in try body(delivery.decode(type), delivery) }
  }

  /// Looks at the responses of a type, on a thread of the library's own, failed or not.
  ///
  /// - Parameters:
  ///   - type: The type of response.
  ///   - history: Whether what is kept of the type comes first.
  ///   - scheduler: The thread on which the callbacks run.
  ///   - queue: What may wait for them.
  ///   - onGap: Gets what was lost, before the next event; without it gaps are passed over.
  ///   - body: Gets each response or the failure in its place, and what the stream knows of it.
  /// - Returns: The subscription, which ends when it is released.
  /// - Throws: Why there is none.
  public func observe<R: Response>(
    results type: R.Type, history: Bool = true,
    on scheduler: SerialScheduler, queue: Queue = .reject(),
    onGap: (@Sendable (Gap) -> Void)? = nil,
    _ body: @Sendable @escaping (Result<R, Failure>, borrowing Delivery) throws -> Void
  ) throws(StreamError) -> Subscription {
    let number = try types.number(of: type)
    let wanted = ObserverOptions(
      history: history, scheduler: scheduler.number, queue: queue, onGap: onGap)
    return try observe(number, wanted) { delivery in try body(delivery.result(type), delivery) }
  }

  /// Looks at every event, of whatever type, on a thread of the library's own.
  ///
  /// - Parameters:
  ///   - history: Whether what is kept of all types comes first.
  ///   - scheduler: The thread on which the callbacks run.
  ///   - queue: What may wait for them.
  ///   - onGap: Gets what was lost, before the next event; without it gaps are passed over.
  ///   - body: Gets what the stream knows of each event.
  /// - Returns: The subscription, which ends when it is released.
  /// - Throws: Why there is none.
  public func observe(
    history: Bool = true,
    on scheduler: SerialScheduler, queue: Queue = .reject(),
    onGap: (@Sendable (Gap) -> Void)? = nil,
    _ body: @Sendable @escaping (borrowing Delivery) throws -> Void
  ) throws(StreamError) -> Subscription {
    let wanted = ObserverOptions(
      history: history, scheduler: scheduler.number, queue: queue, onGap: onGap)
    return try observe(mainstem_event_type(MAINSTEM_TYPE_ANY), wanted, body)
  }
}
