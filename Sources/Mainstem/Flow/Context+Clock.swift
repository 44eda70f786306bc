// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Reads the time, in nanoseconds: since 1970, or on the virtual clock. Inside a callback, in a
  /// context with ``ContextOptions/times``, it is the time of the event.
  ///
  /// - Returns: The time.
  /// - Throws: ``Status/stale`` when the context is closed.
  public func now() throws(StreamError) -> Int64 {
    var time: Int64 = 0
    try StreamError.check(mainstem_context_now(handle, &time))
    return time
  }

  /// Reads the position of the event whose callback this is. What is sent then is an output, and a replay calls the
  /// callback again.
  ///
  /// - Returns: The position. 0: outside callbacks, or in one whose events are inputs: on a scheduler, the completion
  ///   of a request from outside, a hook.
  /// - Throws: ``Status/stale`` when the context is closed.
  public func event() throws(StreamError) -> UInt64 {
    var position: UInt64 = 0
    try StreamError.check(mainstem_callback_position(handle, &position))
    return position
  }

  /// Moves a virtual clock forward. Everything that falls due happens, in order, each at its own time; tasks that sleep
  /// by ``clock`` are woken.
  ///
  /// - Parameter duration: How far, in whole milliseconds; a part of one counts as one.
  /// - Throws: ``Status/invalid`` without a virtual clock, ``Status/busy`` inside a callback.
  public func advance(by duration: Duration) throws(StreamError) {
    let milliseconds = try duration.milliseconds("advance: by")
    guard let time = types.time else { return try advance(milliseconds) }
    runTasks()
    let target = time.now + .milliseconds(milliseconds)
    repeat {
      var until = target
      if let first = time.first {
        until = min(target, .milliseconds(try first.milliseconds("advance: by")))
      }
      try advance(try (until - time.now).milliseconds("advance: by"))
      // What is woken may sleep again, or send something that is due now.
      while time.reach(until) {
        runTasks()
        try advance(0)
      }
    } while time.now < target
  }

  private func advance(_ milliseconds: Int64) throws(StreamError) {
    try StreamError.check(mainstem_context_advance(handle, milliseconds))
  }
}
