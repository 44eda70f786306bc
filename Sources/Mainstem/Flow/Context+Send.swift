// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Puts an event on the stream.
  ///
  /// Outside callbacks, the event and everything its immediate observers send have reached all
  /// immediate observers when the call returns. Inside a callback, it is delivered after the
  /// current event.
  ///
  /// - Parameter event: The event.
  /// - Throws: The reason it was not accepted.
  public func send<E: Event>(_ event: E) throws(StreamError) {
    let type = try types.type(of: E.self)
    if type.isDense {
      return try StreamError.check(
        withUnsafeBytes(of: event) { mainstem_send(handle, type.number, $0.baseAddress, $0.count) })
    }
    try types.withBytes(of: event) { bytes throws(StreamError) in
      try StreamError.check(mainstem_send(handle, type.number, bytes, bytes.count))
    }
  }

  /// Puts many events of a type on the stream, in order.
  ///
  /// Each event is a turn of its own, as with ``send(_:)``. The call stops at the first event that is
  /// refused.
  ///
  /// - Parameter events: The events.
  /// - Throws: The reason an event was refused; the events before it were sent.
  public func send<E: Event>(contentsOf events: some Collection<E>) throws(StreamError) {
    let number = try types.number(of: E.self)
    let start = events.count * MemoryLayout<mainstem_event_header>.size
    var headers: [mainstem_event_header] = []
    var payloads: [UInt8] = []
    for event in events {
      let bytes = try types.encode(event)
      var header = mainstem_event_header()
      header.type = number
      guard let size = UInt32(exactly: bytes.count),
        let offset = UInt32(exactly: start + payloads.count)
      else { throw StreamError(.tooBig, "send: contentsOf: together they need more than 4 GiB") }
      (header.size, header.offset) = (size, offset)
      headers.append(header)
      payloads += bytes
    }
    let batch = headers.withUnsafeBytes { Array($0) } + payloads
    try StreamError.check(mainstem_send_many(handle, batch, batch.count, headers.count, nil))
  }

  /// Makes a poster, which hands events of a type to this context from other threads.
  ///
  /// - Parameter type: The event type.
  /// - Returns: The poster, to give to other threads.
  /// - Throws: The reason the type could not be registered.
  public func poster<E: Event>(for type: E.Type) throws(StreamError) -> Poster<E> {
    Poster(handle, number: try types.number(of: type), types: types)
  }
}

/// Hands events of one type to a context from any thread.
public struct Poster<E: Event>: Sendable {
  private let handle: Handle
  private let number: mainstem_event_type
  private let types: EventTypes

  init(_ handle: OpaquePointer?, number: mainstem_event_type, types: EventTypes) {
    self.handle = Handle(pointer: handle)
    self.number = number
    self.types = types
  }

  /// Hands over an event. It is accepted when the context drains, waits or closes.
  ///
  /// - Parameter event: The event.
  /// - Throws: ``Status/stale`` if the context is closed, ``Status/full`` if it has no room.
  public func post(_ event: E) throws(StreamError) {
    let bytes = try types.encode(event)
    try StreamError.check(mainstem_post(handle.pointer, number, bytes, bytes.count))
  }
}

/// An event to be sent later, once or periodically.
///
/// It ends when it has fired for the last time, by ``cancel()``, or with the scope it was armed
/// through. Releasing it does not end it.
public struct EventTimer: Sendable {
  private let handle: Handle

  init(_ handle: OpaquePointer?) { self.handle = Handle(pointer: handle) }

  /// Ends the timer: it does not fire again. Never waits; may be called from any thread.
  ///
  /// - Returns: Whether it was still armed.
  @discardableResult
  public func cancel() -> Bool { mainstem_timer_cancel(handle.pointer) == 0 }
}

extension Context {
  /// Sends an event later, inside the first drain or wait after the delay.
  ///
  /// - Parameters:
  ///   - event: The event to send.
  ///   - delay: The time from now, rounded up to milliseconds; 0: at the next drain.
  /// - Returns: The timer, which can be cancelled.
  /// - Throws: The reason the timer was refused.
  @discardableResult
  public func send<E: Event>(_ event: E, after delay: Duration) throws(StreamError) -> EventTimer {
    try arm(event, try delay.milliseconds("send: after"), 0)
  }

  /// Sends an event periodically until the timer is cancelled. It keeps in step. If several periods
  /// pass before a drain, only one event is sent.
  ///
  /// - Parameters:
  ///   - event: The event to send.
  ///   - period: The period, rounded up to milliseconds; the first event comes one period from now.
  /// - Returns: The timer, which can be cancelled.
  /// - Throws: The reason the timer was refused.
  @discardableResult
  public func send<E: Event>(_ event: E, every period: Duration) throws(StreamError) -> EventTimer {
    let period = try period.milliseconds("send: every", least: 1)
    return try arm(event, period, period)
  }

  private func arm<E: Event>(
    _ event: E, _ delay: Int64, _ period: Int64
  ) throws(StreamError) -> EventTimer {
    let number = try types.number(of: E.self)
    let bytes = try types.encode(event)
    var timer: OpaquePointer?
    try StreamError.check(
      mainstem_send_after(handle, number, bytes, bytes.count, delay, period, &timer))
    return EventTimer(timer)
  }
}

// MARK: - Values

extension Context {
  /// Sets a value of this scope: sends it, unless it is there already.
  ///
  ///     struct Count: ScalarEvent {
  ///       static let role = Role.value
  ///       var value: Int
  ///     }
  ///     try counter.set(Count(value: 3))
  ///
  /// Of each type of this role, the last event of each scope is kept until the scope ends. Whoever
  /// observes gets the present one first, flagged ``Delivery/isLate``, then each change.
  ///
  /// - Parameter event: An event whose role is ``Role/value``.
  /// - Throws: ``Status/invalid`` for another role; else the reason it was not accepted.
  public func set<E: Event>(_ event: E) throws(StreamError) {
    let number = try types.number(of: E.self)
    let bytes = try types.encode(event)
    try StreamError.check(mainstem_value_set(handle, number, bytes, bytes.count))
  }

  /// Reads the present value of this scope: the one that was delivered last.
  ///
  /// - Parameter type: An event type whose role is ``Role/value``.
  /// - Returns: The value; `nil` before the first.
  /// - Throws: ``Status/invalid`` for another role, ``Status/denied`` for a scope that may not
  ///   observe the type; a ``Failure`` if its bytes are none of the type.
  public func value<E: Event>(of type: E.Type) throws -> E? {
    var retained: OpaquePointer?
    let status = mainstem_value_get(handle, try types.number(of: type), &retained)
    if status == Status.unset.rawValue { return nil }
    try StreamError.check(status)
    defer { mainstem_retained_release(retained) }
    var event: UnsafePointer<mainstem_event>?
    try StreamError.check(mainstem_retained_event(retained, &event))
    return try event.map { try types.decode(type, from: $0) }
  }
}
