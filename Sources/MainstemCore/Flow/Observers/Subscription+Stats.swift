// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// The counters of one subscription.
extension Stream {
  /// Reads the counters of a subscription, from any thread.
  package static func readSubscriptionStats(
    _ handle: Handle, into stats: UnsafeMutablePointer<mainstem_subscription_stats>
  ) throws(Refusal) {
    let resolved = try ResolvedHandle(handle, .subscription, "subscription")
    let found = resolved.stream.locked { () -> mainstem_subscription_stats? in
      guard let subscription = resolved.liveSubscription else { return nil }
      var found = mainstem_subscription_stats()
      subscription.pointee.readStats(into: &found)
      return found
    }
    guard var found else { throw Refusal(.stale, "subscription", "has ended") }
    found.size = stats.pointee.size
    stats.pointee = found
  }
}

extension Subscription {
  fileprivate func readStats(into stats: inout mainstem_subscription_stats) {
    stats.failed = failures.load(ordering: .relaxed)
    if let timing {
      stats.flags |= UInt32(MAINSTEM_SUBSCRIPTION_TIMED)
      stats.delivered = timing.pointee.calls.load(ordering: .relaxed)
      stats.total_ns = timing.pointee.total.load(ordering: .relaxed)
      stats.longest_ns = timing.pointee.longest.load(ordering: .relaxed)
      stats.current_ns = timing.pointee.current
    }
    if let queue { SubscriptionQueue.readStats(queue, into: &stats) }
  }
}

extension Subscription {
  /// Counts a failed call, on the thread that makes it.
  ///
  /// - Returns: How many have failed so far.
  static func countFailure(_ subscription: Pointer) -> UInt64 {
    if let queue = subscription.pointee.queue { return queue.pointee.countFailure() }
    return subscription.pointee.failures.wrappingAdd(1, ordering: .relaxed).newValue
  }
}
