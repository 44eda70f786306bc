// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// How long a loop that polls no descriptors may sleep.
  ///
  /// - Returns: Milliseconds; 0 to drain now, `nil` when nothing comes by itself.
  /// - Throws: ``Status/stale`` when the context is closed.
  public func nextTimeoutMs() throws(StreamError) -> Int64? {
    var timeoutMs: Int64 = -1
    try StreamError.check(mainstem_context_next_timeout(handle, &timeoutMs))
    return timeoutMs < 0 ? nil : timeoutMs
  }

  /// Calls a closure when there is something to drain, for loops that poll no descriptors.
  ///
  /// It is called on whichever thread brought it, at most once until the context drains, and should
  /// make the loop drain. Calls that wait are refused with ``Status/busy`` inside it.
  ///
  /// - Parameter wake: What to call from now on; `nil` for nothing.
  /// - Throws: ``Status/busy`` inside a callback.
  public func onWake(_ wake: (@Sendable () -> Void)?) throws(StreamError) {
    guard let wake else {
      return try StreamError.check(mainstem_context_on_wake(handle, nil, nil, nil))
    }
    try WakeCallback(wake).keep { mainstem_context_on_wake(handle, WakeCallback.call, $0, $1) }
  }
}

/// A wake closure as C keeps it, until the release hook has run.
private final class WakeCallback: Kept {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  static let call: @Sendable @convention(c) (UnsafeMutableRawPointer?) -> Void = { userData in
    guard let userData else { return }
    // `keep` holds it until the release hook has run.
    Unmanaged<WakeCallback>.fromOpaque(userData).takeUnretainedValue().body()
  }
}
