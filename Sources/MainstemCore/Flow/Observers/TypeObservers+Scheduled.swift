// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Scheduled observers among the rows. For the deliverer.
extension TypeObservers {
  /// Puts the hand-over row in place, if it is not there yet. Under both locks.
  mutating func joinHandOver() {
    guard let handOver, !handOver.pointee.hasJoined else { return }
    handOver.pointee.hasJoined = true
    joinInner(handOver)
  }

  /// Whether a handler is among the rows that is called: in a replay, one that is not on a scheduler.
  package var hasCalledHandler: Bool {
    guard let rows else { return false }
    var index = 0
    while index < Int(count) {
      let row = rows[index]
      if row.pointee.call.isHandler,
        row.pointee.state.load(ordering: .relaxed) & Subscription.muted == 0
      {
        return true
      }
      index &+= 1
    }
    return false
  }

  /// The scheduled observer of the type, if it is the only one and wants every event.
  package var onlyScheduled: Subscription.Pointer? {
    guard count == 2, let rows, let handOver, rows[1] == handOver else { return nil }
    let row = rows[0]
    guard row.pointee.call.isPlainlyScheduled, !Subscription.isCancelled(row) else { return nil }
    return row
  }

  /// Visits the scheduled observers that get the next event with this status.
  package func eachScheduled(
    wanting status: Int32, _ visit: (Subscription.Pointer, SubscriptionQueue.Pointer) -> Void
  ) {
    guard let rows else { return }
    var index = 0
    while index < Int(count) {
      let row = rows[index]
      index &+= 1
      if let queue = row.pointee.queue, row.pointee.wants(status) { visit(row, queue) }
    }
  }
}
