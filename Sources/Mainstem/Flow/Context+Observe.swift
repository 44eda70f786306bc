// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Looks at the events of a type as they pass; failed responses are left out.
  ///
  /// An error that the callback throws is counted and reported on the stream (``FailureReport``),
  /// and so is a payload that is no such event. Neither ends the subscription.
  ///
  /// - Parameters:
  ///   - type: The type of event.
  ///   - history: Whether what is kept of the type comes first.
  ///   - scheduler: When the callbacks run.
  ///   - queue: What may wait for them on ``Scheduler/host``; else it has no meaning.
  ///   - onGap: Gets what was lost, before the next event; without it gaps are passed over.
  ///   - body: Gets each event, in order, and what the stream knows of it.
  /// - Returns: The subscription, which ends when it is released.
  /// - Throws: Why there is none.
  public func observe<E: Event>(
    _ type: E.Type, history: Bool = true,
    on scheduler: Scheduler = .immediate, queue: Queue = .reject(),
    onGap: ((Gap) -> Void)? = nil,
    _ body: @escaping (E, borrowing Delivery) throws -> Void
  ) throws(StreamError) -> Subscription {
    let number = try types.number(of: type)
    let wanted = ObserverOptions(
      flags: MAINSTEM_OBSERVE_SUCCEEDED, history: history, scheduler: scheduler.number,
      queue: queue, onGap: onGap)
    return try observe(number, wanted) { delivery in try body(delivery.decode(type), delivery) }
  }

  /// Looks at the responses of a type as they pass, failed or not.
  ///
  /// - Parameters:
  ///   - type: The type of response.
  ///   - history: Whether what is kept of the type comes first.
  ///   - scheduler: When the callbacks run.
  ///   - queue: What may wait for them on ``Scheduler/host``; else it has no meaning.
  ///   - onGap: Gets what was lost, before the next event; without it gaps are passed over.
  ///   - body: Gets each response or the failure in its place, and what the stream knows of it.
  /// - Returns: The subscription, which ends when it is released.
  /// - Throws: Why there is none.
  public func observe<R: Response>(
    results type: R.Type, history: Bool = true,
    on scheduler: Scheduler = .immediate, queue: Queue = .reject(),
    onGap: ((Gap) -> Void)? = nil,
    _ body: @escaping (Result<R, Failure>, borrowing Delivery) throws -> Void
  ) throws(StreamError) -> Subscription {
    let number = try types.number(of: type)
    let wanted = ObserverOptions(
      history: history, scheduler: scheduler.number, queue: queue, onGap: onGap)
    return try observe(number, wanted) { delivery in try body(delivery.result(type), delivery) }
  }

  /// Looks at every event as it passes, of whatever type: the log of the whole program.
  ///
  /// - Parameters:
  ///   - history: Whether what is kept of all types comes first.
  ///   - scheduler: When the callbacks run.
  ///   - queue: What may wait for them on ``Scheduler/host``; else it has no meaning.
  ///   - onGap: Gets what was lost, before the next event; without it gaps are passed over.
  ///   - body: Gets what the stream knows of each event.
  /// - Returns: The subscription, which ends when it is released.
  /// - Throws: Why there is none.
  public func observe(
    history: Bool = true,
    on scheduler: Scheduler = .immediate, queue: Queue = .reject(),
    onGap: ((Gap) -> Void)? = nil,
    _ body: @escaping (borrowing Delivery) throws -> Void
  ) throws(StreamError) -> Subscription {
    let wanted = ObserverOptions(
      history: history, scheduler: scheduler.number, queue: queue, onGap: onGap)
    return try observe(mainstem_event_type(MAINSTEM_TYPE_ANY), wanted, body)
  }
}
