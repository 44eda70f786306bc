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

// MARK: - Beginning a replay

extension Context {
  /// Opens a journal to feed it to this context, which must not have accepted anything yet.
  ///
  /// Afterwards install servers and observers as the program always does. Nothing is fed before
  /// ``Replay/step(_:)``, ``Replay/seek(to:)``, ``Replay/toEnd()`` or ``Replay/run(speed:)``.
  ///
  ///     let replay = try context.replay("session.journal", mode: .verify)
  ///     try context.install(TodoServer())
  ///     try replay.toEnd()
  ///
  /// - Parameters:
  ///   - path: The journal's file, or its numbered files without the number.
  ///   - mode: What is fed, and whether the outcome is compared.
  ///   - session: The session of the journal, from 1; `nil`: all of them; with ``ReplayMode/verify``, the newest.
  /// - Returns: The replay, which ends when it is released.
  /// - Throws: ``Status/io``, ``Status/corrupt`` or ``Status/version`` if the journal cannot be read,
  ///   ``Status/invalid`` if the context is not fresh or a type is registered differently here,
  ///   ``Status/unsupported`` to verify a journal that begins in the middle of a session.
  public func replay(
    _ path: String, mode: ReplayMode = .muted, session: UInt64? = nil
  ) throws(StreamError) -> Replay {
    try StreamError.demandNoZero(path, "replay: path")
    var options = mainstem_replay_options()
    options.size = UInt32(MemoryLayout<mainstem_replay_options>.size)
    options.mode = mode.number
    options.session = session ?? 0
    var replay: OpaquePointer?
    try StreamError.check(mainstem_replay_open(handle, path, &options, &replay))
    return Replay(replay, context: self)
  }

  /// Whether the context is replaying. If so, do nothing outside the program: the answers are in the journal.
  public var isReplaying: Bool {
    var replaying: Int32 = 0
    return mainstem_context_is_replaying(handle, &replaying) == 0 && replaying != 0
  }
}

// MARK: - How it is fed, and how far it is

/// How a journal is fed back to a context.
public enum ReplayMode: Sendable, Hashable {
  /// Feeds every event, with all its fields, and calls no handler.
  case muted
  /// Feeds only the inputs, to live servers, and compares what they cause with the journal (law 11).
  case verify
}

extension ReplayMode {
  var number: UInt32 {
    switch self {
    case .muted: UInt32(MAINSTEM_REPLAY_MUTED)
    case .verify: UInt32(MAINSTEM_REPLAY_VERIFY)
    }
  }
}

/// The state of a replay.
public struct ReplayInfo: Sendable, Hashable {
  /// Whether everything in the journal was fed.
  public let hasEnded: Bool
  /// Whether the journal was closed; otherwise it ends where its process ended.
  public let isWhole: Bool
  /// The first position to be fed.
  public let first: UInt64
  /// The last position to be fed.
  public let last: UInt64
  /// The last position accepted.
  public let position: UInt64
  /// Events fed.
  public let fed: UInt64
  /// Events sent by callbacks that match the journal.
  public let matched: UInt64
  /// Sends and answers left out.
  public let leftOut: UInt64
  /// Everything is proven up to this position; after it, a payload was not kept, or differs.
  public let verifiedUntil: UInt64
  /// With ``ReplayMode/verify``: the digest of all events so far; 0 if a payload was not kept.
  public let digest: UInt64
  /// The seed of the random numbers.
  public let seed: UInt64
  /// The time of the last event, in nanoseconds since 1970.
  public let time: Int64
  /// Secrets the host supplied: see ``Replay/onSecret(_:)``.
  public let supplied: UInt64
  /// Of ``Journal/verify(_:session:options:coder:_:)``: the session that was verified; otherwise `nil`.
  public internal(set) var session: JournalSession?
  /// Of ``Journal/verify(_:session:options:coder:_:)``: all sessions of the journal. If there are several, only
  /// ``session`` was verified.
  public internal(set) var sessions: [JournalSession] = []
}

extension Replay {
  /// Reads how far the replay has come.
  ///
  /// - Returns: The state: inside a callback as of now, otherwise as of the last call that fed something.
  /// - Throws: ``Status/stale`` if the replay is closed.
  public func info() throws(StreamError) -> ReplayInfo {
    var info = mainstem_replay_info()
    info.size = UInt32(MemoryLayout<mainstem_replay_info>.size)
    try StreamError.check(mainstem_replay_info_read(handle, &info))
    return ReplayInfo(
      hasEnded: info.flags & UInt32(MAINSTEM_REPLAY_ENDED) != 0,
      isWhole: info.flags & UInt32(MAINSTEM_REPLAY_WHOLE) != 0,
      first: info.first, last: info.last, position: info.position, fed: info.fed,
      matched: info.matched, leftOut: info.left_out, verifiedUntil: info.verified_until,
      digest: info.digest, seed: info.seed, time: info.time,
      supplied: info.supplied)
  }
}
