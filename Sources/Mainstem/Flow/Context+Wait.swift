// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Runs what waits for the host, on this thread, each item as a turn of its own: due timers, posts and
  /// answers from other threads, held events, and callbacks on ``Scheduler/host``.
  ///
  /// - Parameter max: The most items to run; 0: all that wait now.
  /// - Returns: How many items were run.
  /// - Throws: ``Status/busy`` inside a callback.
  @discardableResult
  public func drain(max: Int = 0) throws(StreamError) -> Int {
    var count = 0
    try StreamError.check(mainstem_drain(handle, max, &count))
    return count
  }

  /// Waits until there is something to drain, then drains everything.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait, rounded up to milliseconds; `nil`: forever, 0: not at all.
  ///   - interrupt: A file descriptor, for example a signalfd, that interrupts the wait while it is
  ///     readable; `nil`: none. It is never read.
  /// - Throws: ``Status/timeout`` if nothing came, ``Status/interrupted`` if a signal or the descriptor
  ///   interrupted it, ``Status/busy`` inside a callback.
  @available(
    *, noasync,
    message: "This call blocks the thread. Make the context with Context(on:): it drains by itself."
  )
  public func wait(timeout: Duration? = nil, interrupt: Int32? = nil) throws(StreamError) {
    let timeout = try timeout?.milliseconds("wait: timeout") ?? -1
    try StreamError.check(mainstem_wait_interruptible(handle, timeout, interrupt ?? -1))
  }

  /// Drains, and returns when everything accepted or posted before the call has reached its immediate
  /// observers.
  ///
  /// - Throws: ``Status/busy`` inside a callback.
  public func flush() throws(StreamError) {
    try StreamError.check(mainstem_flush(handle))
  }

  /// Returns a file descriptor for a loop: readable while there is something to drain. Poll it; never
  /// read it.
  ///
  /// - Returns: The descriptor; each call returns the same one.
  /// - Throws: The reason the call was refused.
  public func fileDescriptor() throws(StreamError) -> Int32 {
    var descriptor: Int32 = -1
    try StreamError.check(mainstem_context_fd(handle, &descriptor))
    return descriptor
  }
}

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
    try Held(wake).keep { userData, release in
      let call: mainstem_wake_fn = {
        Kept.behind($0, as: Held<@Sendable () -> Void>.self)?.content()
      }
      return mainstem_context_on_wake(handle, call, userData, release)
    }
  }
}
