// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// What waits for the deliverer.
extension Stream {
  /// Visits the events that wait behind a position, in order and without a hole, until `visit` returns false. For the
  /// deliverer.
  package func eachWaiting(
    after position: UInt64, _ visit: (UnsafePointer<mainstem_event>) -> Bool
  ) {
    var own = unseen(deliverer.pointee.own, behind: position)
    let seen = unseen(deliverer.pointee.arrived, behind: position)
    let fresh = takeSharedIfAny()
    var arrived = seen ?? fresh
    var last = position
    while true {
      skipOthers(&own)
      skipOthers(&arrived)
      guard let next = earlier(own, arrived) else { return }
      if next == own { own = next.pointee.next } else { arrived = next.pointee.next }
      let event = QueuedEvent.event(of: next)
      guard event.pointee.position == last &+ 1, visit(event) else { return }
      last &+= 1
    }
  }

  /// The first event that waits. For the deliverer, who has taken over what others have brought.
  var firstWaiting: UnsafePointer<mainstem_event>? {
    var (own, arrived) = (deliverer.pointee.own.first, deliverer.pointee.arrived.first)
    skipOthers(&own)
    skipOthers(&arrived)
    return earlier(own, arrived).map { UnsafePointer(QueuedEvent.event(of: $0)) }
  }

  /// The first entry of a queue behind a position; nil if there is none. Checks the last entry first, because a queue
  /// held for the host may be long.
  private func unseen(
    _ queue: borrowing EventQueue, behind position: UInt64
  ) -> QueuedEvent.Pointer? {
    guard let last = queue.last, last.pointee.key > position &* 2 &+ 1 else { return nil }
    var first = queue.first
    while let known = first, known.pointee.key <= position &* 2 &+ 1 { first = known.pointee.next }
    return first
  }

  /// Takes over what other threads have brought.
  ///
  /// - Returns: The first entry of it.
  private func takeSharedIfAny() -> QueuedEvent.Pointer? {
    guard isDeferred || hasShared else { return nil }
    return locked { takeShared() }
  }

  /// Skips entries that are not events.
  private func skipOthers(_ queued: inout QueuedEvent.Pointer?) {
    while let found = queued, found.pointee.other != nil { queued = found.pointee.next }
  }

  private func earlier(
    _ own: QueuedEvent.Pointer?, _ arrived: QueuedEvent.Pointer?
  ) -> QueuedEvent.Pointer? {
    guard let own else { return arrived }
    guard let arrived else { return own }
    return own.pointee.key < arrived.pointee.key ? own : arrived
  }
}
