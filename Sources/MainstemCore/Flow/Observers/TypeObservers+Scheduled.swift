// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Scheduled observers among the rows. For the deliverer.
extension TypeObservers {
  /// Puts the hand-over row in place, if it is not there yet. Under both locks.
  mutating func joinHandOver() {
    guard let handOver, !handOver.pointee.hasJoined else { return }
    handOver.pointee.hasJoined = true
    joinInner(handOver)
  }

  /// Whether a handler is among the rows that is called for what is sent through an origin: in a replay, one that is not
  /// on a scheduler.
  package func hasCalledHandler(of origin: UInt32) -> Bool {
    var index = 0
    while let rows, index < Int(count) {
      if rows[index].pointee.call.isHandler, !rows[index].pointee.isMuted { return true }
      index &+= 1
    }
    return hasOwnHandler(of: origin) { !$0.pointee.isMuted }
  }

  /// The scheduled observer of the type, if it is the only one and wants every event.
  package var onlyScheduled: Subscription.Pointer? {
    guard count == 2, let rows, let handOver, rows[1] == handOver else { return nil }
    let row = rows[0]
    guard row.pointee.call.isPlainlyScheduled, !Subscription.isCancelled(row) else { return nil }
    return row
  }

  /// Visits the scheduled observers that get an event.
  package func eachScheduled(
    wanting event: UnsafeMutablePointer<mainstem_event>,
    _ visit: (Subscription.Pointer, SubscriptionQueue.Pointer) -> Void
  ) {
    func visitIfWanting(_ row: Subscription.Pointer) -> Bool {
      if let queue = row.pointee.queue, row.pointee.wants(event) {
        visit(row, queue)
      }
      return true
    }
    var index = 0
    while let rows, index < Int(count) {
      _ = visitIfWanting(rows[index])
      index &+= 1
    }
    _ = origins?.pointee.all(of: event.pointee.origin, visitIfWanting)
  }
}
