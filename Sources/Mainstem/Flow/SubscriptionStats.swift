// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

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
