// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// How far a replay is.
public struct ReplayInfo: Sendable, Hashable {
  /// Whether all that the journal has was fed.
  public let hasEnded: Bool
  /// Whether the journal was closed; else it ends where its process ended.
  public let isWhole: Bool
  /// The first position that is fed.
  public let first: UInt64
  /// The last one.
  public let last: UInt64
  /// The last one accepted.
  public let position: UInt64
  /// Events that were fed.
  public let fed: UInt64
  /// Events that callbacks sent, and that are as in the journal.
  public let same: UInt64
  /// Sends and answers that were left out.
  public let leftOut: UInt64
  /// Up to here all is proven; then a payload was not kept, or it differs.
  public let provesUntil: UInt64
  /// To verify: of all events so far; 0 where a payload was not kept.
  public let digest: UInt64
  /// Of the random numbers.
  public let seed: UInt64
  /// Of the last event, in nanoseconds since 1970.
  public let time: Int64
  /// Secrets that the host knew: ``Replay/onSecret(_:)``.
  public let supplied: UInt64
}

extension Replay {
  /// Reads how far it is.
  ///
  /// - Returns: As of now inside a callback, else as of the last call that fed something.
  /// - Throws: ``Status/stale`` when it is closed.
  public func info() throws(StreamError) -> ReplayInfo {
    var info = mainstem_replay_info()
    info.size = UInt32(MemoryLayout<mainstem_replay_info>.size)
    try StreamError.check(mainstem_replay_info_read(handle, &info))
    return ReplayInfo(
      hasEnded: info.flags & UInt32(MAINSTEM_REPLAY_ENDED) != 0,
      isWhole: info.flags & UInt32(MAINSTEM_REPLAY_WHOLE) != 0,
      first: info.first, last: info.last, position: info.position, fed: info.fed,
      same: info.same, leftOut: info.left_out, provesUntil: info.proves_until,
      digest: info.digest, seed: info.seed, time: info.time,
      supplied: info.supplied)
  }
}
