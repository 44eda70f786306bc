// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Ending: a cancelled subscription's rows are gone; its queue, its hook and its handle remain.
extension Stream {
  /// Ends a subscription whose rows are gone: here, or by whoever delivers on its scheduler. No lock held.
  package func finish(_ subscription: Subscription.Pointer, _ queue: SubscriptionQueue.Pointer) {
    let scheduler = queue.pointee.scheduler
    scheduler.pointee.lock.acquire()
    let isLeft = scheduler.pointee.leaveToDeliverer(subscription)
    scheduler.pointee.lock.release()
    if isLeft { return }
    var none = EntryList()
    endScheduled(subscription, on: scheduler, &none)
    endCancelled(on: scheduler, &none)
    if isForked { return }
    scheduler.pointee.lock.acquire()
    scheduler.pointee.endDelivering()
    scheduler.pointee.lock.release()
  }

  /// Ends what was cancelled while this thread delivers on the scheduler.
  func endCancelled(on scheduler: Scheduler.Pointer, _ batch: inout EntryList) {
    while !isForked {
      scheduler.pointee.lock.acquire()
      let cancelled = scheduler.pointee.takeCancelled()
      scheduler.pointee.lock.release()
      guard let cancelled else { return }
      endScheduled(cancelled, on: scheduler, &batch)
    }
  }

  /// Ends one subscription: drops what waits for it, runs its hook, and frees its handle and memory.
  private func endScheduled(
    _ subscription: Subscription.Pointer, on scheduler: Scheduler.Pointer,
    _ batch: inout EntryList
  ) {
    var isEmptied = false
    var asked = EntryList()
    if let queue = subscription.pointee.queue {
      scheduler.pointee.lock.acquire()
      let wasEmpty = scheduler.pointee.isEmpty(for: queue)
      scheduler.pointee.purge(queue, keeping: &asked)
      isEmptied = !wasEmpty && scheduler.pointee.isEmpty(for: queue)
      scheduler.pointee.lock.release()
    }
    if isEmptied { tellHostTaken(from: scheduler) }
    dropEntries(of: subscription, from: &batch, &asked)
    while let node = asked.takeFirst() { drop(node) }
    forgetScheduled(subscription)
  }

  /// Removes a subscription's entries from a batch.
  ///
  /// - Parameter asked: Gets the requests among them.
  private func dropEntries(
    of subscription: Subscription.Pointer, from batch: inout EntryList, _ asked: inout EntryList
  ) {
    var next = batch.first
    while let node = next {
      next = node.pointee.next
      guard node.pointee.subscription == subscription else { continue }
      batch.remove(node)
      if node.pointee.asked != nil { asked.append(node) } else { drop(node) }
    }
  }

  private func drop(_ node: QueueEntry.Pointer) {
    if let asked = node.pointee.asked { letGo(asked.event, by: asked.origin) }
    if let queued = node.pointee.queued { QueuedEvent.release(queued) }
    Memory.free(node)
  }

  /// Notes that the host scheduler's queue, or a mailbox, is empty again.
  func tellHostTaken(from scheduler: Scheduler.Pointer) {
    if scheduler.pointee.kind.isMailbox {
      locked { state.pointee.loop.wake.fetchMail(isEmptied: true) }
    } else if isHostRun(scheduler) {
      locked { state.pointee.loop.wake.take() }
    }
  }
}
