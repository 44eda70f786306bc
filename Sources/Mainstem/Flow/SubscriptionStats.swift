// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What one subscription counts.
public struct SubscriptionStats: Sendable, Hashable {
  /// Events it got, gaps not counted; 0 where it is neither scheduled nor timed.
  public let delivered: UInt64
  /// Calls that failed.
  public let failed: UInt64
  /// Events it lost: those that its gaps tell of.
  public let dropped: UInt64
  /// Events in its queue.
  public let waiting: UInt64
  /// Bytes of their payloads.
  public let waitingBytes: UInt64
  /// All its calls that have ended; 0 without ``ContextOptions/timing``.
  public let total: Duration
  /// The longest of them.
  public let longest: Duration
  /// How long the call in progress has taken until now; 0: there is none.
  public let current: Duration
}

extension Subscription {
  /// Reads the counters, also while the callback runs: a watchdog on another thread sees which one does
  /// not return.
  ///
  /// - Returns: What they are now.
  /// - Throws: ``Status/stale`` when it has ended.
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
