// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

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
