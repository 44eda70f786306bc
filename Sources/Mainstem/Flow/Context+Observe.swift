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
      flags: MAINSTEM_OBSERVE_SUCCEEDED, of: scope, history: history, scheduler: scheduler,
      queue: queue, onGap: onGap)
    let reading = type.reading
    return try observe(type.number, wanted) { delivery in
      try body(type.decoded(delivery, reading), delivery)
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
      of: scope, history: history, scheduler: scheduler, queue: queue, onGap: onGap)
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
      of: scope, history: history, scheduler: scheduler, queue: queue, onGap: onGap)
    return try observe(mainstem_event_type(MAINSTEM_TYPE_ANY), wanted, body)
  }
}

// MARK: - On a serial scheduler

extension Context {
  /// Observes the events of a type on a serial scheduler's thread; failed responses are left out.
  ///
  /// If the callback throws, or a payload cannot be decoded, the failure is counted and reported on
  /// the stream (``FailureReport``). Neither ends the subscription.
  ///
  /// - Parameters:
  ///   - type: The event type.
  ///   - scope: A scope: only what is sent through exactly that one; `nil`: through any.
  ///   - history: Whether events from the type's history come first.
  ///   - scheduler: The scheduler whose thread runs the callbacks.
  ///   - queue: The queue of events waiting for it.
  ///   - onGap: Gets each gap: what was lost; `nil` ignores gaps.
  ///   - body: Gets each event, in order, and what the stream knows about it.
  /// - Returns: The subscription, which ends when it is released.
  /// - Throws: The reason the call was refused.
  public func observe<E: Event>(
    _ type: E.Type, of scope: Context? = nil, history: Bool = true,
    on scheduler: SerialScheduler, queue: Queue = .reject(),
    onGap: (@Sendable (Gap) -> Void)? = nil,
    _ body: @Sendable @escaping (E, borrowing Delivery) throws -> Void
  ) throws(StreamError) -> Subscription {
    try observe(
      type, of: scope, history: history, on: scheduler.unchecked, queue: queue, onGap: onGap, body)
  }

  /// Observes the responses of a type, failed or not, on a serial scheduler's thread.
  ///
  /// - Parameters:
  ///   - type: The response type.
  ///   - scope: A scope: only what is sent through exactly that one; `nil`: through any.
  ///   - history: Whether events from the type's history come first.
  ///   - scheduler: The scheduler whose thread runs the callbacks.
  ///   - queue: The queue of events waiting for it.
  ///   - onGap: Gets each gap: what was lost; `nil` ignores gaps.
  ///   - body: Gets each response or its failure, and what the stream knows about it.
  /// - Returns: The subscription, which ends when it is released.
  /// - Throws: The reason the call was refused.
  public func observe<R: Response>(
    results type: R.Type, of scope: Context? = nil, history: Bool = true,
    on scheduler: SerialScheduler, queue: Queue = .reject(),
    onGap: (@Sendable (Gap) -> Void)? = nil,
    _ body: @Sendable @escaping (Result<R, Failure>, borrowing Delivery) throws -> Void
  ) throws(StreamError) -> Subscription {
    try observe(
      results: type, of: scope, history: history, on: scheduler.unchecked, queue: queue,
      onGap: onGap, body)
  }

  /// Observes every event, of every type, on a serial scheduler's thread.
  ///
  /// - Parameters:
  ///   - scope: A scope: only what is sent through exactly that one; `nil`: through any.
  ///   - history: Whether events from the types' histories come first.
  ///   - scheduler: The scheduler whose thread runs the callbacks.
  ///   - queue: The queue of events waiting for it.
  ///   - onGap: Gets each gap: what was lost; `nil` ignores gaps.
  ///   - body: Gets what the stream knows about each event.
  /// - Returns: The subscription, which ends when it is released.
  /// - Throws: The reason the call was refused.
  public func observe(
    of scope: Context? = nil, history: Bool = true,
    on scheduler: SerialScheduler, queue: Queue = .reject(),
    onGap: (@Sendable (Gap) -> Void)? = nil,
    _ body: @Sendable @escaping (borrowing Delivery) throws -> Void
  ) throws(StreamError) -> Subscription {
    try observe(
      of: scope, history: history, on: scheduler.unchecked, queue: queue, onGap: onGap, body)
  }
}

// MARK: - For late observers

extension Context {
  /// Keeps a history for late observers: from now on, the last events of a type.
  ///
  /// An observer registered later gets these events first, flagged ``Delivery/isLate``, then the stream.
  /// Another call for the same type sets new bounds.
  ///
  /// - Parameters:
  ///   - type: A response or a notice.
  ///   - count: How many; 0 ends the history.
  ///   - maxAge: The age above which events are dropped; `nil`: no limit.
  /// - Throws: ``Status/invalid`` for a request, a negative count, or an age of 0 or less.
  public func keepHistory<E: Event>(
    of type: E.Type, last count: Int, maxAge: Duration? = nil
  ) throws(StreamError) {
    let number = try types.number(of: type)
    let age = try maxAge?.milliseconds("keepHistory: maxAge", least: 1) ?? 0
    if count < 0 { throw StreamError(.invalid, "keepHistory: last: \(count) is less than 0") }
    try StreamError.check(mainstem_history_keep(handle, number, count, age))
  }
}

// MARK: - What all of them do

/// The options an observer is registered with.
struct ObserverOptions {
  var flags: Int32 = 0
  /// Only what is sent through this scope.
  var of: Context?
  var history = true
  var scheduler = Scheduler.immediate
  var queue = Queue.reject()
  var onGap: ((Gap) -> Void)?

  /// Passes the options to C, for the events of a type or, with 0, of all.
  func pass(
    _ number: mainstem_event_type,
    _ body: (UnsafePointer<mainstem_observe_options>) -> mainstem_status
  ) -> mainstem_status {
    withUnsafePointer(to: number) { number in
      var options = mainstem_observe_options()
      options.size = UInt32(MemoryLayout<mainstem_observe_options>.size)
      options.flags = UInt32(history ? flags : flags | MAINSTEM_OBSERVE_NEW)
      if number.pointee != 0 { (options.types, options.type_count) = (number, 1) }
      options.of = of?.handle
      options.scheduler = scheduler.number
      (options.policy, options.limit_events, options.limit_bytes) = queue.bounds
      return body(&options)
    }
  }
}

extension Context {
  /// The one way to observe: every observer with a closure is registered here.
  func observe(
    _ number: mainstem_event_type, _ wanted: ObserverOptions,
    _ body: @escaping (borrowing Delivery) throws -> Void
  ) throws(StreamError) -> Subscription {
    try wanted.queue.check()
    var subscription: OpaquePointer?
    try Callback(types, onGap: wanted.onGap, body).keep { userData, release in
      wanted.pass(number) {
        mainstem_observe_with(handle, $0, Callback.call, userData, release, &subscription)
      }
    }
    return Subscription(subscription, of: number, types)
  }
}
