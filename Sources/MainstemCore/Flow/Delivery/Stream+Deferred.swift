// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Contexts that deliver on the host: a send only accepts; observers run when the host drains.
extension Stream {
  /// Notes that held events wait. Under the lock.
  ///
  /// - Returns: Whether the host must be told.
  package func noteDeferred() -> Bool {
    guard !state.pointee.delivery.isDeferredNoted else { return false }
    state.pointee.delivery.isDeferredNoted = true
    return state.pointee.loop.wake.arrive()
  }

  /// Leaves the remaining events to the next drain. For the deliverer.
  package func deferRest() {
    if locked({ noteDeferred() }) { signal() }
  }

  /// Whether held events wait for the host, and nobody delivers. Under the lock.
  package var leavesDeferred: Bool {
    state.pointee.delivery.isDeferredNoted && !isDelivering
  }

  /// Delivers held events that were accepted before, and what they cause: at most `limit`.
  package func deliverDeferred(_ limit: Int) -> Int {
    state.pointee.lock.acquire()
    let duty = claimDelivery()
    guard duty.isDeliverer else {
      state.pointee.lock.release()
      return 0
    }
    takeShared()
    let last = position
    state.pointee.lock.release()
    deliverer.pointee.allowance = Allowance(events: limit, last: last)
    let reached = work(after: last)
    let count = limit &- deliverer.pointee.allowance.events
    deliverer.pointee.allowance = .nothing
    locked { forgetDeferred() }
    fulfill(duty, after: reached)
    return count
  }

  /// Notes that nothing is held any longer, if so. Under both locks.
  private func forgetDeferred() {
    guard state.pointee.delivery.isDeferredNoted, !hasDeferred else { return }
    state.pointee.delivery.isDeferredNoted = false
    state.pointee.loop.wake.take()
  }

  /// Whether an event waits for its turn. Under both locks.
  package var hasDeferred: Bool {
    deliverer.pointee.own.first != nil || deliverer.pointee.arrived.first != nil
      || state.pointee.order.shared.first != nil
  }
}
