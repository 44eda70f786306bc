// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Counters of a context.
public struct Stats: Sendable, Hashable {
  /// Events accepted: the last position.
  public let events: UInt64
  /// Calls to observers, handlers and completions.
  public let deliveries: UInt64
  /// Calls that failed.
  public let failures: UInt64
  /// Posts not yet taken in.
  public let waiting: UInt64
  /// Event types, including the library's own.
  public let types: UInt64
  /// Live scopes, including servers but not the context itself.
  public let scopes: UInt32
  /// Subscriptions and server handlers whose closure has not been released.
  public let subscriptions: UInt64
  /// Tracked requests not yet answered.
  public let requests: UInt64
  /// Requests kept to be answered later.
  public let retained: UInt64
  /// Calls refused with ``Status/denied``.
  public let denied: UInt64
  /// Events kept for late observers.
  public let history: UInt64
  /// Events a history lost because memory was short.
  public let historyLost: UInt64
  /// Armed timers.
  public let timers: UInt64
  /// Ticks of periodic timers that passed before anybody drained.
  public let timersMissed: UInt64
  /// Events refused because there was no room or the cascade was too long.
  public let rejected: UInt64
}

extension Context {
  /// Reads the counters of the context.
  ///
  /// - Returns: Their current values.
  /// - Throws: ``Status/stale`` when the context is closed.
  public func stats() throws(StreamError) -> Stats {
    var stats = mainstem_context_stats()
    stats.size = UInt32(MemoryLayout<mainstem_context_stats>.size)
    try StreamError.check(mainstem_context_stats_read(handle, &stats))
    return Stats(
      events: stats.events, deliveries: stats.deliveries, failures: stats.failures,
      waiting: stats.waiting, types: stats.types, scopes: stats.scopes,
      subscriptions: stats.subscriptions, requests: stats.requests, retained: stats.retained,
      denied: stats.denied, history: stats.history, historyLost: stats.history_lost,
      timers: stats.timers, timersMissed: stats.timers_missed,
      rejected: stats.rejected)
  }

  /// The error of the first call that failed on this context; `nil` if none has.
  public var firstError: StreamError? {
    var message: UnsafePointer<CChar>?
    let status = mainstem_context_first_error(handle, &message)
    guard status != 0 else { return nil }
    return StreamError(ofC: Status(rawValue: status), message.map { String(cString: $0) } ?? "")
  }
}

/// Counters of one subscription.
public struct SubscriptionStats: Sendable, Hashable {
  /// Events it got, not counting gaps; 0 if it is neither scheduled nor timed.
  public let delivered: UInt64
  /// Calls that failed.
  public let failed: UInt64
  /// Events it lost, as reported by its gaps.
  public let dropped: UInt64
  /// Events in its queue.
  public let waiting: UInt64
  /// Bytes of their payloads.
  public let waitingBytes: UInt64
  /// The total time of its finished calls; 0 without ``ContextOptions/timing``, like the next two.
  public let total: Duration
  /// The longest finished call.
  public let longest: Duration
  /// The call in progress, so far; 0: none is running.
  public let current: Duration
}

extension Subscription {
  /// Reads the counters, even while the callback runs: a watchdog on another thread can see which
  /// callback does not return.
  ///
  /// - Returns: Their current values.
  /// - Throws: ``Status/stale`` if it has ended.
  public func stats() throws(StreamError) -> SubscriptionStats {
    var stats = mainstem_subscription_stats()
    stats.size = UInt32(MemoryLayout<mainstem_subscription_stats>.size)
    try StreamError.check(mainstem_subscription_stats_read(handle.pointer, &stats))
    return SubscriptionStats(
      delivered: stats.delivered, failed: stats.failed, dropped: stats.dropped,
      waiting: stats.waiting, waitingBytes: stats.waiting_bytes,
      total: .nanoseconds(Int64(clamping: stats.total_ns)),
      longest: .nanoseconds(Int64(clamping: stats.longest_ns)),
      current: .nanoseconds(Int64(clamping: stats.current_ns)))
  }
}
