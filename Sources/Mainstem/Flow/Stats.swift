// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a context counts.
public struct Stats: Sendable, Hashable {
  /// Events accepted: the last position.
  public let events: UInt64
  /// Calls of observers, handlers and completions.
  public let deliveries: UInt64
  /// Calls that failed.
  public let failures: UInt64
  /// Posts not yet taken in.
  public let waiting: UInt64
  /// Event types, those of the library included.
  public let types: UInt64
  /// Live scopes, servers included.
  public let scopes: UInt32
  /// Subscriptions and handlers whose closure has not been released.
  public let subscriptions: UInt64
  /// Tracked requests not answered yet.
  public let requests: UInt64
  /// Requests kept to be answered later.
  public let retained: UInt64
  /// Calls that a scope had no right to.
  public let denied: UInt64
  /// Events kept for late observers.
  public let history: UInt64
  /// Events that a history lost for want of memory.
  public let historyLost: UInt64
  /// Timers that are armed.
  public let timers: UInt64
  /// Times of periodic timers that had passed before anybody drained.
  public let timersMissed: UInt64
  /// Events refused because there was no room, or the cascade was too long.
  public let rejected: UInt64
}

extension Context {
  /// Reads the counters.
  ///
  /// - Returns: What they are now.
  /// - Throws: ``Status/stale`` when the context is closed.
  public func stats() throws(StreamError) -> Stats {
    var stats = mainstem_stats()
    stats.size = UInt32(MemoryLayout<mainstem_stats>.size)
    try StreamError.check(mainstem_context_stats(handle, &stats))
    return Stats(
      events: stats.events, deliveries: stats.deliveries, failures: stats.failures,
      waiting: stats.waiting, types: stats.types, scopes: stats.scopes,
      subscriptions: stats.subscriptions, requests: stats.requests, retained: stats.retained,
      denied: stats.denied, history: stats.history, historyLost: stats.history_lost,
      timers: stats.timers, timersMissed: stats.timers_missed,
      rejected: stats.rejected)
  }

  /// The first call that failed on this context; `nil` when none did.
  public var firstError: StreamError? {
    var sentence: UnsafePointer<CChar>?
    let status = mainstem_context_first_error(handle, &sentence)
    guard status != 0 else { return nil }
    return StreamError(Status(rawValue: status), sentence.map { String(cString: $0) } ?? "")
  }
}
