// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
package import Synchronization

/// Where callbacks run that do not run at once: a queue, and one thread at a time that delivers from it.
///
/// Under its own lock, but for `attention` and `waiting`. The stream's lock may be held when this
/// one is taken, never the other way round.
package struct Scheduler: ~Copyable {
  package private(set) var queue = HandOverQueue()
  /// Somebody delivers; what is cancelled is ended by that one.
  package private(set) var isDelivering = false
  /// The context closes: nothing more is delivered.
  package private(set) var isStopping = false
  private var firstCancelled: Subscription.Pointer?
  private var lastCancelled: Subscription.Pointer?
  /// Senders that wait for room, a worker that waits for work, a close that waits for a delivery.
  private var sleepers = 0
  /// The senders among them.
  package var blocked = 0
  /// Places for hand-overs that are not in use.
  private var spare: HandOver.Pointer?
  private var spareCount = 0
  /// Memory for small events.
  private var events = EventStock()
  /// Counts what was taken to be delivered, and what it was at the last `look`.
  package private(set) var batches: UInt64 = 0
  package var seen: UInt64 = 0

  /// Something was cancelled while somebody delivers.
  package let attention = Atomic<Bool>(false)
  /// How many hand-overs wait, for a worker that looks without the lock.
  package let waiting = Atomic<Int>(0)
  package let kind: Kind
  package let stream: Stream
  package let lock: Lock
  package let name: Name?
  /// A serial scheduler's thread.
  package var thread = mainstem_p_worker()

  package typealias Pointer = UnsafeMutablePointer<Scheduler>

  package enum Kind {
    /// Whoever drains.
    case host
    /// A thread of its own, which looks that long, in microseconds, before it sleeps.
    case serial(spin: UInt32)
    /// Nobody: the host fetches what waits.
    case mailbox

    package var isMailbox: Bool { if case .mailbox = self { true } else { false } }
    /// The host's loop is told when something waits.
    package var isOfHost: Bool { if case .serial = self { false } else { true } }
  }

  private init(_ kind: Kind, _ stream: Stream, _ lock: Lock, _ name: Name?) {
    self.kind = kind
    self.stream = stream
    self.lock = lock
    self.name = name
  }

  package static func make(_ kind: Kind, _ stream: Stream, _ name: Name?) -> Pointer? {
    guard let scheduler = Memory.allocateAligned(Scheduler.self) else { return nil }
    guard let lock = Lock() else {
      Memory.free(scheduler)
      return nil
    }
    scheduler.initialize(to: Scheduler(kind, stream, lock, name))
    return scheduler
  }

  /// Gives everything back. Nobody delivers, and nobody will.
  package static func free(_ scheduler: Pointer) {
    while let node = scheduler.pointee.queue.takeFirst() {
      if let kept = node.pointee.kept { KeptEvent.release(kept) }
      Memory.free(node)
    }
    while let node = scheduler.pointee.takeSpare() { Memory.free(node) }
    scheduler.pointee.events.empty()
    scheduler.pointee.lock.destroy()
    scheduler.pointee.name?.free()
    Memory.free(scheduler)
  }
}

/// Handing over: what the stream does with an event.
extension Scheduler {
  /// Queues an event for a subscription: in the place that was promised to it, or as its backlog allows.
  /// Takes a reference of its own.
  ///
  /// - Parameter hasRoom: Whether it has room of its own in a queue that refuses.
  /// - Returns: False where it is lost.
  package mutating func queue(
    _ kept: KeptEvent.Pointer, for subscription: Subscription.Pointer, _ backlog: Backlog.Pointer,
    in promised: HandOver.Pointer?, hasRoom: Bool, isLast: Bool
  ) -> Bool {
    if let promised { backlog.pointee.redeem(promised) }
    let size = Int(kept.pointee.event.size)
    guard promised != nil || makeRoom(for: size, in: backlog, hasRoom: hasRoom),
      let node = promised ?? takeSpare() ?? Memory.allocate(HandOver.self)
    else {
      lose(kept.pointee.event.position, of: subscription, backlog)
      return false
    }
    // The gap before it, if there is one, takes its own place first.
    guard tell(subscription, backlog) else {
      putSpare(node)
      lose(kept.pointee.event.position, of: subscription, backlog)
      return false
    }
    KeptEvent.retain(kept)
    node.initialize(to: HandOver(kept, for: subscription))
    node.pointee.isLast = isLast
    enqueue(node, backlog)
    return true
  }

  /// Whether somebody is to be woken for what comes next. Each mailbox is told of by itself: they are fetched
  /// apart.
  package func isEmpty(for backlog: Backlog.Pointer) -> Bool {
    kind.isMailbox ? backlog.pointee.first == nil : queue.count == 0
  }

  /// Queues an errand; its place is made already.
  ///
  /// - Returns: Whether the queue was empty, so that somebody is to be woken.
  package mutating func queue(_ errand: HandOver.Pointer) -> Bool {
    queue.append(errand)
    waiting.store(queue.count, ordering: .relaxed)
    return queue.count == 1
  }

  /// Counts the loss of an event, and tells of it behind all that wait.
  package mutating func lose(
    _ position: UInt64, of subscription: Subscription.Pointer, _ backlog: Backlog.Pointer
  ) {
    backlog.pointee.lose(position)
    _ = tell(subscription, backlog)
  }

  private mutating func makeRoom(
    for size: Int, in backlog: Backlog.Pointer, hasRoom: Bool
  ) -> Bool {
    switch backlog.pointee.bounds.policy {
    // What could be refused has been promised a place.
    case .reject, .block: return hasRoom || backlog.pointee.fits(size)
    case .dropNewest: return backlog.pointee.fits(size)
    case .dropOldest, .latest:
      while !backlog.pointee.fits(size), let (kept, free) = backlog.pointee.loseOldest() {
        backlog.pointee.countDropped()
        KeptEvent.release(kept)
        putBack(free)
        putBack(backlog.pointee.joinGaps())
      }
      return backlog.pointee.fits(size)
    }
  }

  /// Takes a place back that has left its backlog.
  private mutating func putBack(_ node: HandOver.Pointer?) {
    guard let node else { return }
    if node.pointee.isQueued { queue.remove(node) }
    putSpare(node)
  }

  /// Queues a gap for what was lost and not told; false without memory.
  private mutating func tell(
    _ subscription: Subscription.Pointer, _ backlog: Backlog.Pointer
  ) -> Bool {
    if backlog.pointee.untold.isEmpty || backlog.pointee.tellInLast() { return true }
    guard let gap = takeSpare() ?? Memory.allocate(HandOver.self) else { return false }
    gap.initialize(to: HandOver(nil, for: subscription))
    gap.pointee.gap = backlog.pointee.takeUntold()
    enqueue(gap, backlog)
    return true
  }

  package mutating func enqueue(_ node: HandOver.Pointer, _ backlog: Backlog.Pointer) {
    backlog.pointee.append(node)
    queueWanted(backlog)
  }

  private mutating func queueWanted(_ backlog: Backlog.Pointer) {
    while let node = backlog.pointee.takeWanted() { queue.append(node) }
    waiting.store(queue.count, ordering: .relaxed)
  }

  /// Lets so many more be delivered, of a subscription that asks for its events.
  ///
  /// - Returns: Whether the queue was empty and is no longer: somebody is to be woken.
  package mutating func ask(for count: UInt64, _ backlog: Backlog.Pointer) -> Bool {
    let wasEmpty = queue.count == 0
    backlog.pointee.ask(for: count)
    queueWanted(backlog)
    return wasEmpty && queue.count > 0
  }
}

/// Delivering: who takes the claim, and what is next.
extension Scheduler {
  /// Takes the scheduler's claim; false when somebody has it, or the context closes.
  package mutating func claim() -> Bool {
    guard !isDelivering, !isStopping else { return false }
    isDelivering = true
    batches &+= 1
    return true
  }

  package mutating func giveBack() {
    isDelivering = false
    wakeSleepers()
  }

  /// Nothing waits that somebody else does not see to.
  package var hasNothingToDo: Bool {
    !isStopping && (isDelivering || queue.count == 0 && firstCancelled == nil)
  }

  /// Takes up to `limit` hand-overs off the queue.
  package mutating func takeBatch(_ limit: Int) -> HandOverQueue {
    var batch = HandOverQueue()
    batches &+= 1
    while batch.count < limit, let node = queue.takeFirst() {
      batch.append(node)
      guard let subscription = node.pointee.subscription,
        let backlog = subscription.pointee.backlog
      else { continue }
      backlog.pointee.deliverFirst()
      _ = tell(subscription, backlog)
    }
    waiting.store(queue.count, ordering: .relaxed)
    wakeSleepers()
    return batch
  }

  /// Takes what waits for one subscription off the queue, as long as it is wanted.
  package mutating func take(
    of backlog: Backlog.Pointer, while isWanted: (Int) -> Bool
  ) -> HandOverQueue {
    var taken = HandOverQueue()
    var events: UInt64 = 0
    while let node = backlog.pointee.first, isWanted(node.pointee.payloadSize) {
      backlog.pointee.removeFirst()
      if node.pointee.isQueued { queue.remove(node) }
      if let subscription = node.pointee.subscription { _ = tell(subscription, backlog) }
      taken.append(node)
      if node.pointee.kept != nil { events &+= 1 }
    }
    backlog.pointee.delivered.wrappingAdd(events, ordering: .relaxed)
    waiting.store(queue.count, ordering: .relaxed)
    wakeSleepers()
    return taken
  }

  /// Takes places back that were delivered, and the events in them, which nobody else holds.
  package mutating func putBack(_ done: inout HandOverQueue) {
    while let node = done.takeFirst() {
      if let kept = node.pointee.kept { events.give(kept) }
      putSpare(node)
    }
  }

  /// Something was cancelled and waits for its end.
  package var hasCancelled: Bool { firstCancelled != nil }

  /// Takes the next subscription to be ended.
  package mutating func takeCancelled() -> Subscription.Pointer? {
    guard let subscription = firstCancelled else {
      attention.store(false, ordering: .relaxed)
      return nil
    }
    firstCancelled = subscription.pointee.nextCancelled
    if firstCancelled == nil { lastCancelled = nil }
    return subscription
  }

  /// Leaves a subscription to who delivers; false when nobody does, and the claim is now the caller's.
  package mutating func leaveToDeliverer(_ subscription: Subscription.Pointer) -> Bool {
    guard isDelivering else {
      isDelivering = true
      return false
    }
    subscription.pointee.nextCancelled = nil
    if let lastCancelled {
      lastCancelled.pointee.nextCancelled = subscription
    } else {
      firstCancelled = subscription
    }
    lastCancelled = subscription
    attention.store(true, ordering: .relaxed)
    return true
  }

  /// Forgets what waits for a subscription that has ended.
  package mutating func purge(_ backlog: Backlog.Pointer) {
    while let node = backlog.pointee.first {
      backlog.pointee.removeFirst()
      if node.pointee.isQueued { queue.remove(node) }
      if let kept = node.pointee.kept { KeptEvent.release(kept) }
      putSpare(node)
    }
    waiting.store(queue.count, ordering: .relaxed)
    wakeSleepers()
  }

  package func wakeSleepers() {
    if sleepers > 0 { lock.wakeAll() }
  }

  /// Sleeps until something happens here. Wakes without reason are possible. Not a method in place:
  /// others change the scheduler meanwhile.
  package static func sleep(_ scheduler: Pointer) {
    scheduler.pointee.sleepers &+= 1
    scheduler.pointee.lock.wait()
    scheduler.pointee.sleepers &-= 1
  }

  /// The context closes: waits until nobody delivers, and nothing more will be.
  package static func stop(_ scheduler: Pointer) {
    scheduler.pointee.isStopping = true
    scheduler.pointee.lock.wakeAll()
    while scheduler.pointee.isDelivering || scheduler.pointee.blocked > 0 { sleep(scheduler) }
  }
}

/// Places not in use.
extension Scheduler {
  /// A place, and memory for an event; nil when there is none.
  package mutating func takePlace(
    withRoomFor size: Int
  ) -> (HandOver.Pointer, KeptEvent.Pointer)? {
    guard let node = takeSpare() ?? Memory.allocate(HandOver.self) else { return nil }
    guard let kept = events.take(size) else {
      putSpare(node)
      return nil
    }
    return (node, kept)
  }

  package mutating func giveBack(_ node: HandOver.Pointer, _ kept: KeptEvent.Pointer) {
    events.give(kept)
    putSpare(node)
  }

  mutating func takeSpare() -> HandOver.Pointer? {
    guard let node = spare else { return nil }
    spare = node.pointee.next
    spareCount &-= 1
    return node
  }

  mutating func putSpare(_ node: HandOver.Pointer) {
    guard spareCount < 1024 else { return Memory.free(node) }
    node.pointee.next = spare
    spare = node
    spareCount &+= 1
  }
}
