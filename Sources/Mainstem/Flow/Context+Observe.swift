// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Observes the events of a type; failed responses are left out.
  ///
  /// If the callback throws, or a payload cannot be decoded, the failure is counted and reported on
  /// the stream (``FailureReport``). Neither ends the subscription.
  ///
  /// - Parameters:
  ///   - type: The event type.
  ///   - scope: A scope: only what is sent through exactly that one; `nil`: through any.
  ///   - history: Whether events from the type's history come first.
  ///   - scheduler: When the callbacks run.
  ///   - queue: The queue of waiting events on ``Scheduler/host``; otherwise ignored.
  ///   - onGap: Gets each gap: what was lost; `nil` ignores gaps.
  ///   - body: Gets each event, in order, and what the stream knows about it.
  /// - Returns: The subscription, which ends when it is released.
  /// - Throws: The reason the call was refused.
  public func observe<E: Event>(
    _ type: E.Type, of scope: Context? = nil, history: Bool = true,
    on scheduler: Scheduler = .immediate, queue: Queue = .reject(),
    onGap: ((Gap) -> Void)? = nil,
    _ body: @escaping (E, borrowing Delivery) throws -> Void
  ) throws(StreamError) -> Subscription {
    let type = try types.reader(of: type)
    let wanted = ObserverOptions(
      flags: MAINSTEM_OBSERVE_SUCCEEDED, of: scope, history: history, scheduler: scheduler.number,
      queue: queue, onGap: onGap)
    return try observe(type.number, wanted) { delivery in
      try body(type.decoded(delivery), delivery)
    }
  }

  /// Observes the responses of a type, failed or not.
  ///
  /// - Parameters:
  ///   - type: The response type.
  ///   - scope: A scope: only what is sent through exactly that one; `nil`: through any.
  ///   - history: Whether events from the type's history come first.
  ///   - scheduler: When the callbacks run.
  ///   - queue: The queue of waiting events on ``Scheduler/host``; otherwise ignored.
  ///   - onGap: Gets each gap: what was lost; `nil` ignores gaps.
  ///   - body: Gets each response or its failure, and what the stream knows about it.
  /// - Returns: The subscription, which ends when it is released.
  /// - Throws: The reason the call was refused.
  public func observe<R: Response>(
    results type: R.Type, of scope: Context? = nil, history: Bool = true,
    on scheduler: Scheduler = .immediate, queue: Queue = .reject(),
    onGap: ((Gap) -> Void)? = nil,
    _ body: @escaping (Result<R, Failure>, borrowing Delivery) throws -> Void
  ) throws(StreamError) -> Subscription {
    let type = try types.reader(of: type)
    let wanted = ObserverOptions(
      of: scope, history: history, scheduler: scheduler.number, queue: queue, onGap: onGap)
    return try observe(type.number, wanted) { delivery in
      try body(type.result(delivery), delivery)
    }
  }

  /// Observes every event, of every type: the log of the whole program.
  ///
  /// - Parameters:
  ///   - scope: A scope: only what is sent through exactly that one; `nil`: through any.
  ///   - history: Whether events from the types' histories come first.
  ///   - scheduler: When the callbacks run.
  ///   - queue: The queue of waiting events on ``Scheduler/host``; otherwise ignored.
  ///   - onGap: Gets each gap: what was lost; `nil` ignores gaps.
  ///   - body: Gets what the stream knows about each event.
  /// - Returns: The subscription, which ends when it is released.
  /// - Throws: The reason the call was refused.
  public func observe(
    of scope: Context? = nil, history: Bool = true,
    on scheduler: Scheduler = .immediate, queue: Queue = .reject(),
    onGap: ((Gap) -> Void)? = nil,
    _ body: @escaping (borrowing Delivery) throws -> Void
  ) throws(StreamError) -> Subscription {
    let wanted = ObserverOptions(
      of: scope, history: history, scheduler: scheduler.number, queue: queue, onGap: onGap)
    return try observe(mainstem_event_type(MAINSTEM_TYPE_ANY), wanted, body)
  }
}
