// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A journal being fed to a context: made by ``Context/replay(_:mode:session:)``.
///
/// It only goes forward. It ends when it is released or closed; the context then goes on like any other.
public final class Replay {
  let handle: OpaquePointer?
  let context: Context
  let failed = FailedSecret()

  init(_ handle: OpaquePointer?, context: Context) {
    self.handle = handle
    self.context = context
  }

  // If it has already ended, by close() or with its context, this returns a status and does nothing.
  deinit { mainstem_replay_close(handle) }

  /// Feeds events. Each one, and everything it causes, is delivered before the next.
  ///
  /// - Parameter count: How many; with ``ReplayMode/verify``, only inputs count.
  /// - Returns: How many were fed: fewer than `count` only at the end.
  /// - Throws: ``Status/different`` if something differs from the journal (``difference()``),
  ///   ``Status/unsupported`` for an input that the journal did not keep, ``Status/busy`` inside a callback.
  @discardableResult
  public func step(_ count: Int = 1) throws(StreamError) -> Int {
    count > 0 ? try feed(UInt64(count)) : 0
  }

  /// Feeds all events that are left.
  ///
  /// - Returns: How many were fed.
  /// - Throws: The same as ``step(_:)``.
  @discardableResult
  public func toEnd() throws(StreamError) -> Int { try feed(0) }

  /// Feeds everything up to a position, and delivers what it causes.
  ///
  /// - Parameter position: The last position to feed.
  /// - Throws: The same as ``step(_:)``; ``Status/invalid`` for a position that has passed, or is
  ///   never reached.
  public func seek(to position: UInt64) throws(StreamError) {
    let status = mainstem_replay_seek(handle, position)
    try failed.check()
    try StreamError.check(status)
  }

  /// Lets the replay run by itself: from now on each drain feeds what is due.
  ///
  /// - Parameter speed: A factor: 1 is the original speed, 0 as fast as possible.
  /// - Throws: The same as ``step(_:)``; ``Status/invalid`` for a negative speed.
  public func run(speed: Double = 1) throws(StreamError) {
    try StreamError.check(mainstem_replay_run(handle, speed))
  }

  /// Stops what ``run(speed:)`` started.
  ///
  /// - Throws: ``Status/busy`` inside a callback, ``Status/stale`` if the replay is closed.
  public func pause() throws(StreamError) {
    try StreamError.check(mainstem_replay_pause(handle))
  }

  /// Ends the replay. Requests still open are answered with ``Status/cancelled``.
  ///
  /// - Throws: ``Status/busy`` inside a callback, ``Status/stale`` if the replay is closed.
  public func close() throws(StreamError) {
    try StreamError.check(mainstem_replay_close(handle))
  }

  private func feed(_ count: UInt64) throws(StreamError) -> Int {
    var fed: UInt64 = 0
    let status = mainstem_replay_step(handle, count, &fed)
    try failed.check()
    try StreamError.check(status)
    return Int(clamping: fed)
  }
}
