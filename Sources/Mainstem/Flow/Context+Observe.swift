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
  ///   - body: Gets each event, in order, and what the stream knows of it.
  /// - Returns: The subscription, which ends when it is released.
  /// - Throws: Why there is none.
  public func observe<E: Event>(
    _ type: E.Type, history: Bool = true,
    _ body: @escaping (E, borrowing Delivery) throws -> Void
  ) throws(StreamError) -> Subscription {
    let number = try types.number(of: type)
    return try observe(number, flags: MAINSTEM_OBSERVE_SUCCEEDED, history) { delivery in
      try body(delivery.decode(type), delivery)
    }
  }

  /// Looks at the responses of a type as they pass, failed or not.
  ///
  /// - Parameters:
  ///   - type: The type of response.
  ///   - history: Whether what is kept of the type comes first.
  ///   - body: Gets each response or the failure in its place, and what the stream knows of it.
  /// - Returns: The subscription, which ends when it is released.
  /// - Throws: Why there is none.
  public func observe<R: Response>(
    results type: R.Type, history: Bool = true,
    _ body: @escaping (Result<R, Failure>, borrowing Delivery) throws -> Void
  ) throws(StreamError) -> Subscription {
    let number = try types.number(of: type)
    return try observe(number, flags: 0, history) { delivery in
      try body(delivery.result(type), delivery)
    }
  }

  /// Looks at every event as it passes, of whatever type: the log of the whole program.
  ///
  /// - Parameters:
  ///   - history: Whether what is kept of all types comes first.
  ///   - body: Gets what the stream knows of each event.
  /// - Returns: The subscription, which ends when it is released.
  /// - Throws: Why there is none.
  public func observe(
    history: Bool = true,
    _ body: @escaping (borrowing Delivery) throws -> Void
  ) throws(StreamError) -> Subscription {
    try observe(mainstem_event_type(MAINSTEM_TYPE_ANY), flags: 0, history, body)
  }

  private func observe(
    _ number: mainstem_event_type, flags: Int32, _ history: Bool,
    _ body: @escaping (borrowing Delivery) throws -> Void
  ) throws(StreamError) -> Subscription {
    let types = types
    let callback = Callback { event in
      let delivery = Delivery(event, types: types)
      do { try body(delivery) } catch { delivery.fail(Failure(error)) }
    }
    var subscription: OpaquePointer?
    try callback.keep { userData, release in
      withUnsafePointer(to: number) { number in
        var options = mainstem_observe_options()
        mainstem_observe_options_init(&options, MemoryLayout<mainstem_observe_options>.size)
        options.flags = UInt32(history ? flags : flags | MAINSTEM_OBSERVE_NEW)
        if number.pointee != 0 { (options.types, options.type_count) = (number, 1) }
        return mainstem_observe_with(
          handle, &options, Callback.call, userData, release, &subscription)
      }
    }
    return Subscription(subscription)
  }
}
