// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Returns how long a loop that polls no descriptors may sleep.
  ///
  /// - Returns: The time until the next timer; 0: drain now; `nil`: nothing comes by itself.
  /// - Throws: ``Status/stale`` when the context is closed.
  public func nextTimeout() throws(StreamError) -> Duration? {
    var timeoutMs: Int64 = -1
    try StreamError.check(mainstem_context_next_timeout(handle, &timeoutMs))
    return timeoutMs < 0 ? nil : .milliseconds(timeoutMs)
  }

  /// Sets the wake hook, for loops that poll no descriptors: a closure called when there is something to drain.
  ///
  /// It runs on whichever thread caused that, at most once until the context drains. It should wake the
  /// loop, and the loop should drain. Calls that wait throw ``Status/busy`` inside it.
  ///
  /// - Parameter wake: The hook from now on; `nil` removes it.
  /// - Throws: ``Status/busy`` inside a callback, ``Status/invalid`` in a context of an actor, which drains by itself.
  public func onWake(_ wake: (@Sendable () -> Void)?) throws(StreamError) {
    if types.drainer != nil {
      throw StreamError(.invalid, "onWake: the context of an actor drains by itself")
    }
    try setWake(wake)
  }

  func setWake(_ wake: (@Sendable () -> Void)?) throws(StreamError) {
    guard let wake else {
      return try StreamError.check(mainstem_context_on_wake(handle, nil, nil, nil))
    }
    try WakeCallback(wake).keep { mainstem_context_on_wake(handle, WakeCallback.call, $0, $1) }
  }
}

/// A wake closure in the form C keeps, until the release hook has run.
private final class WakeCallback: Kept {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  static let call: @Sendable @convention(c) (UnsafeMutableRawPointer?) -> Void = { userData in
    guard let userData else { return }
    // `keep` retains it until the release hook has run.
    Unmanaged<WakeCallback>.fromOpaque(userData).takeUnretainedValue().body()
  }
}
