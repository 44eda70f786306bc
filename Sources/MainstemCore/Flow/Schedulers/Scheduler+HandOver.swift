// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Handing over: what the stream does with an event.
extension Scheduler {
  /// Queues an event for a subscription: in the entry that was promised to it, or as its queue allows. Takes its own
  /// reference.
  ///
  /// - Parameter ignoresLimit: Whether a queue that refuses lets it in even beyond its limit.
  /// - Returns: False if it is lost.
  package mutating func add(
    _ queued: QueuedEvent.Pointer, for subscription: Subscription.Pointer,
    _ queue: SubscriptionQueue.Pointer,
    in promised: QueueEntry.Pointer?, ignoresLimit: Bool, isLast: Bool
  ) -> Bool {
    if let promised { queue.pointee.redeem(promised) }
    let size = Int(queued.pointee.event.size)
    guard promised != nil || makeRoom(for: size, in: queue, ignoresLimit: ignoresLimit),
      let node = promised ?? spares.take() ?? Memory.allocate(QueueEntry.self)
    else {
      lose(queued.pointee.event.position, of: subscription, queue)
      return false
    }
    // The gap before it, if any, goes first. A handler that was promised the event gets it in any case.
    let isOwed = promised != nil && subscription.pointee.call.isHandler
    guard tell(subscription, queue) || isOwed else {
      spares.give(node)
      lose(queued.pointee.event.position, of: subscription, queue)
      return false
    }
    QueuedEvent.retain(queued)
    node.initialize(to: QueueEntry(queued, for: subscription))
    node.pointee.isLast = isLast
    enqueue(node, queue)
    return true
  }

  /// Whether somebody must be woken for the next entry. Each mailbox is reported separately, because it is fetched
  /// separately.
  package func isEmpty(for queue: SubscriptionQueue.Pointer) -> Bool {
    kind.isMailbox ? queue.pointee.first == nil : entries.count == 0
  }

  /// Queues a scheduled completion; its entry exists already.
  ///
  /// - Returns: Whether the queue was empty, so that somebody must be woken.
  package mutating func add(_ scheduled: QueueEntry.Pointer) -> Bool {
    entries.append(scheduled)
    waiting.store(entries.count, ordering: .relaxed)
    return entries.count == 1
  }

  /// Counts the loss of an event, and reports it behind all entries that wait.
  package mutating func lose(
    _ position: UInt64, of subscription: Subscription.Pointer, _ queue: SubscriptionQueue.Pointer
  ) {
    queue.pointee.lose(position)
    _ = tell(subscription, queue)
  }

  private mutating func makeRoom(
    for size: Int, in queue: SubscriptionQueue.Pointer, ignoresLimit: Bool
  ) -> Bool {
    switch queue.pointee.bounds.policy {
    // An event that could be refused has been promised an entry.
    case .reject, .block: return ignoresLimit || queue.pointee.fits(size)
    case .dropNewest: return queue.pointee.fits(size)
    case .dropOldest, .latest:
      while !queue.pointee.fits(size), let (queued, free) = queue.pointee.loseOldest() {
        queue.pointee.countDropped()
        QueuedEvent.release(queued)
        putBack(free)
        putBack(queue.pointee.joinGaps())
      }
      return queue.pointee.fits(size)
    }
  }

  /// Recycles an entry that has left its subscription queue.
  private mutating func putBack(_ node: QueueEntry.Pointer?) {
    guard let node else { return }
    if node.pointee.isQueued { entries.remove(node) }
    spares.give(node)
  }

  /// Queues a gap for unreported losses; false without memory.
  mutating func tell(
    _ subscription: Subscription.Pointer, _ queue: SubscriptionQueue.Pointer
  ) -> Bool {
    if queue.pointee.untold.isEmpty || queue.pointee.tellInLast() { return true }
    guard let gap = spares.take() ?? Memory.allocate(QueueEntry.self) else { return false }
    gap.initialize(to: QueueEntry(nil, for: subscription))
    gap.pointee.gap = queue.pointee.takeUntold()
    enqueue(gap, queue)
    return true
  }

  package mutating func enqueue(_ node: QueueEntry.Pointer, _ queue: SubscriptionQueue.Pointer) {
    queue.pointee.append(node)
    queueWanted(queue)
  }

  private mutating func queueWanted(_ queue: SubscriptionQueue.Pointer) {
    while let node = queue.pointee.takeWanted() { entries.append(node) }
    waiting.store(entries.count, ordering: .relaxed)
  }

  /// Asks for `count` more events of a subscription on demand.
  ///
  /// - Returns: Whether the queue was empty and no longer is: somebody must be woken.
  package mutating func ask(for count: UInt64, _ queue: SubscriptionQueue.Pointer) -> Bool {
    let wasEmpty = entries.count == 0
    queue.pointee.ask(for: count)
    queueWanted(queue)
    return wasEmpty && entries.count > 0
  }
}
