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
    try StreamError.check(mainstem_context_event(handle, &position))
    return position
  }

  /// Moves a virtual clock forward. Everything that falls due happens, in order, each at its own time.
  ///
  /// - Parameter duration: How far, in whole milliseconds; a part of one counts as one.
  /// - Throws: ``Status/invalid`` without a virtual clock, ``Status/busy`` inside a callback.
  public func advance(by duration: Duration) throws(StreamError) {
    try StreamError.check(
      mainstem_context_advance(handle, try duration.milliseconds("advance: by")))
  }
}
