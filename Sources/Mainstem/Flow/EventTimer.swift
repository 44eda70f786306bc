// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// An event that is sent later, once or again and again.
///
/// It ends when it has fired for the last time, by ``cancel()``, or with the scope it was armed
/// through; not when it is released.
public struct EventTimer: Sendable {
  private let handle: Handle

  init(_ handle: OpaquePointer?) { self.handle = Handle(pointer: handle) }

  /// Ends it. Never waits, and may be called from anywhere.
  ///
  /// - Returns: Whether it was still armed.
  @discardableResult
  public func cancel() -> Bool { mainstem_timer_cancel(handle.pointer) == 0 }
}

extension Context {
  /// Sends an event later, inside the drain or wait that is then due.
  ///
  /// - Parameters:
  ///   - event: What happens then.
  ///   - delayMs: Milliseconds from now; 0 is the next drain.
  /// - Returns: What ends it before.
  /// - Throws: Why it cannot be.
  @discardableResult
  public func send<E: Event>(_ event: E, afterMs delayMs: Int64) throws(StreamError) -> EventTimer {
    try arm(event, delayMs, mainstem_send_after)
  }

  /// Sends an event again and again, in step, until the timer is cancelled. Times that have passed
  /// before a drain came are one event.
  ///
  /// - Parameters:
  ///   - event: What happens then.
  ///   - periodMs: Milliseconds to the first time, and between two.
  /// - Returns: What ends it.
  /// - Throws: Why it cannot be.
  @discardableResult
  public func send<E: Event>(_ event: E, everyMs periodMs: Int64) throws(StreamError) -> EventTimer
  {
    try arm(event, periodMs, mainstem_send_every)
  }

  private func arm<E: Event>(_ event: E, _ ms: Int64, _ function: Arm) throws(StreamError)
    -> EventTimer
  {
    let number = try types.number(of: E.self)
    let bytes = try types.encode(event)
    var timer: OpaquePointer?
    try StreamError.check(function(handle, number, bytes, bytes.count, ms, &timer))
    return EventTimer(timer)
  }

  private typealias Arm = (
    OpaquePointer?, mainstem_event_type, UnsafeRawPointer?, Int, Int64,
    UnsafeMutablePointer<OpaquePointer?>?
  ) -> mainstem_status
}
