// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Scheduled observers among the rows. For the deliverer.
extension TypeObservers {
  /// Puts the hand-over row in place, if it is not there yet. Under both locks.
  mutating func joinHandOver() {
    guard let handOver, !handOver.pointee.hasJoined else { return }
    handOver.pointee.hasJoined = true
    joinInner(handOver)
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
