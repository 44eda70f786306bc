// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

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
