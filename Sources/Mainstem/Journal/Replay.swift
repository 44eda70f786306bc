// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A journal that is fed to a context: made by ``Context/replay(_:mode:session:)``.
///
/// It goes forward only, and ends when it is released or closed; the context goes on from there like any other.
public final class Replay {
  let handle: OpaquePointer?
  let context: Context
  let failed = FailedSecret()

  init(_ handle: OpaquePointer?, context: Context) {
    self.handle = handle
    self.context = context
  }

  // Closed already, or with its context: that is a status.
  deinit { mainstem_replay_close(handle) }

  /// Feeds so many events, and delivers each, and what comes of it, before the next.
  ///
  /// - Parameter count: How many; to verify, one is one input.
  /// - Returns: How many there were: fewer only at the end.
  /// - Throws: ``Status/different`` where something else happens than the journal has (``difference()``),
  ///   ``Status/unsupported`` for an input that the journal did not keep, ``Status/busy`` inside a callback.
  @discardableResult
  public func step(_ count: Int = 1) throws(StreamError) -> Int {
    count > 0 ? try feed(UInt64(count)) : 0
  }

  /// Feeds all that are left.
  ///
  /// - Returns: How many there were.
  /// - Throws: As ``step(_:)``.
  @discardableResult
  public func toEnd() throws(StreamError) -> Int { try feed(0) }

  /// Feeds all up to a position, and what comes of that.
  ///
  /// - Parameter position: The last one that is fed.
  /// - Throws: As ``step(_:)``; ``Status/invalid`` for one that has passed, or that is not reached.
  public func seek(to position: UInt64) throws(StreamError) {
    let status = mainstem_replay_seek(handle, position)
    try failed.check()
    try StreamError.check(status)
  }

  /// Lets it go on by itself whenever the context is drained or waits.
  ///
  /// - Parameter speed: How many times as fast as it was; 0: as fast as it can.
  /// - Throws: As ``step(_:)``; ``Status/invalid`` for a negative speed.
  public func run(speed: Double = 1) throws(StreamError) {
    try StreamError.check(mainstem_replay_run(handle, speed))
  }

  /// Stops it from going on by itself.
  ///
  /// - Throws: ``Status/busy`` inside a callback, ``Status/stale`` when it is closed.
  public func pause() throws(StreamError) {
    try StreamError.check(mainstem_replay_pause(handle))
  }

  /// Ends it; what is still asked then is answered with ``Status/cancelled``.
  ///
  /// - Throws: ``Status/busy`` inside a callback, ``Status/stale`` when it is closed.
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
