// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Takes in what other threads have posted or answered, each as a turn of its own.
  ///
  /// - Parameter max: How many at most; 0 for all that wait now.
  /// - Returns: How many it was.
  /// - Throws: ``Status/busy`` inside a callback.
  @discardableResult
  public func drain(max: Int = 0) throws(StreamError) -> Int {
    var count = 0
    try StreamError.check(mainstem_drain(handle, max, &count))
    return count
  }

  /// Waits until there is something to drain, and drains it all.
  ///
  /// - Parameters:
  ///   - timeoutMs: How long; below 0 for ever, 0 not at all.
  ///   - interrupt: A file descriptor that interrupts it while it is readable, a signalfd for example;
  ///     below 0 none. It is never read.
  /// - Throws: ``Status/timeout`` when nothing came, ``Status/interrupted`` after a signal or by the
  ///   descriptor, ``Status/busy`` inside a callback.
  public func wait(timeoutMs: Int64 = -1, interrupt: Int32 = -1) throws(StreamError) {
    try StreamError.check(mainstem_wait_interruptible(handle, timeoutMs, interrupt))
  }

  /// Returns when everything accepted or posted so far has reached its observers.
  ///
  /// - Throws: ``Status/busy`` inside a callback.
  public func flush() throws(StreamError) {
    try StreamError.check(mainstem_flush(handle))
  }

  /// A file descriptor for a loop: readable while there is something to drain. Poll it, never read
  /// it.
  ///
  /// - Returns: The same at each call.
  /// - Throws: Why there is none.
  public func fileDescriptor() throws(StreamError) -> Int32 {
    var descriptor: Int32 = -1
    try StreamError.check(mainstem_context_fd(handle, &descriptor))
    return descriptor
  }
}
