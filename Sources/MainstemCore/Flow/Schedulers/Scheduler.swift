// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Where callbacks run that are not called at once: a queue, and one thread at a time that delivers from it.
///
/// Under its own lock, except for `attention`, `waiting` and `isEnding`. This lock may be taken while the stream's lock is held,
/// never the other way around.
package struct Scheduler: ~Copyable {
  var entries = EntryList()
  /// A thread delivers; it also ends what is cancelled.
  private(set) var isDelivering = false
  /// The context is closing: nothing more is delivered.
  private(set) var isStopping = false
  private var cancelled = Chain<Subscription>()
  /// Senders that wait for room, a worker that waits for work, a close that waits for a delivery.
  private var sleepers = 0
  /// How many of the sleepers are senders.
  private var blocked = 0
  /// Unused queue entries.
  var spares = FreeList<QueueEntry>(limit: 1024)
  /// Memory for small events.
  private var events = FreeEvents()
  /// Counts the batches taken for delivery, and keeps the count at the last `look`.
  private var batches: UInt64 = 0
  private var seen: UInt64 = 0

  /// Something was cancelled while a thread delivers.
  let attention = Atomic<Bool>(false)
  /// How many entries wait, for a worker that looks without the lock.
  let waiting = Atomic<Int>(0)
  /// Like `isStopping`, for a worker that looks without the lock.
  let isEnding = Atomic<Bool>(false)
  let kind: Kind
  let stream: Stream
  let lock: Lock
  let name: Name?
  /// A serial scheduler's thread.
  var thread = mainstem_p_worker()

  package typealias Pointer = UnsafeMutablePointer<Scheduler>

  package enum Kind {
    /// Run by whoever drains.
    case host
    /// Run by its own thread, which spins for `spin` microseconds before it sleeps.
    case serial(spin: UInt32)
    /// Run by nobody: the host fetches what waits.
    case mailbox

    package var isMailbox: Bool { if case .mailbox = self { true } else { false } }
    /// Whether the host's loop is told when something waits.
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

  /// Frees everything. Nobody delivers, and nobody will.
  package static func free(_ scheduler: Pointer) {
    while let node = scheduler.pointee.entries.takeFirst() {
      if let queued = node.pointee.queued { QueuedEvent.release(queued) }
      Memory.free(node)
    }
    scheduler.pointee.spares.empty()
    scheduler.pointee.events.empty()
    scheduler.pointee.lock.destroy()
    scheduler.pointee.name?.free()
    Memory.free(scheduler)
  }
}

/// Delivering: who does, and the next entries.
extension Scheduler {
  /// Becomes the one who delivers from the queue; false if somebody is, or the context is closing.
  package mutating func beginDelivering() -> Bool {
    guard !isDelivering, !isStopping else { return false }
    isDelivering = true
    batches &+= 1
    return true
  }

  package mutating func endDelivering() {
    isDelivering = false
    wakeSleepers()
  }

  /// Whether nothing waits, or somebody else takes care of it.
  package var hasNothingToDo: Bool {
    !isStopping && (isDelivering || entries.count == 0 && cancelled.first == nil)
  }

  /// Takes up to `limit` entries off the queue.
  package mutating func takeBatch(_ limit: Int) -> EntryList {
    var batch = EntryList()
    batches &+= 1
    while batch.count < limit, let node = entries.takeFirst() {
      batch.append(node)
      guard let subscription = node.pointee.subscription,
        let queue = subscription.pointee.queue
      else { continue }
      queue.pointee.deliverFirst()
      _ = tell(subscription, queue)
    }
    waiting.store(entries.count, ordering: .relaxed)
    wakeSleepers()
    return batch
  }

  /// The earliest event that waits for an observer, for that of them that joined first, and how many such events wait;
  /// nil: none does. What waits for one that is cancelled is dropped, although the thread that drops it may not have come
  /// to it.
  var firstUncalled:
    (event: QueuedEvent.Pointer, subscription: Subscription.Pointer, count: UInt64)?
  {
    var next = entries.first
    var count: UInt64 = 0
    var first: (event: QueuedEvent.Pointer, subscription: Subscription.Pointer)?
    while let node = next {
      next = node.pointee.next
      guard let queued = node.pointee.queued, let subscription = node.pointee.subscription,
        !Subscription.isCancelled(subscription)
      else { continue }
      count &+= 1
      let place = (queued.pointee.event.position, subscription.pointee.serial)
      if let first, (first.event.pointee.event.position, first.subscription.pointee.serial) < place
      {
        continue
      }
      first = (queued, subscription)
    }
    return first.map { ($0.event, $0.subscription, count) }
  }

  /// Takes the entries of one subscription off the queue, as long as they are wanted.
  package mutating func take(
    of queue: SubscriptionQueue.Pointer, while isWanted: (Int) -> Bool
  ) -> EntryList {
    var taken = EntryList()
    var events: UInt64 = 0
    while let node = queue.pointee.first, isWanted(node.pointee.payloadSize) {
      queue.pointee.removeFirst()
      if node.pointee.isQueued { entries.remove(node) }
      if let subscription = node.pointee.subscription {
        node.pointee.noteWhole(for: subscription)
        _ = tell(subscription, queue)
      }
      taken.append(node)
      if node.pointee.queued != nil { events &+= 1 }
    }
    queue.pointee.countDelivered(events)
    waiting.store(entries.count, ordering: .relaxed)
    wakeSleepers()
    return taken
  }

  /// Recycles delivered entries, and the events in them, which nobody else holds.
  package mutating func putBack(_ done: inout EntryList) {
    while let node = done.takeFirst() {
      if let queued = node.pointee.queued { events.give(queued) }
      spares.give(node)
    }
  }

  /// Whether a cancelled subscription waits for its end.
  package var hasCancelled: Bool { cancelled.first != nil }

  /// Takes the next subscription to end.
  package mutating func takeCancelled() -> Subscription.Pointer? {
    guard let subscription = cancelled.takeFirst() else {
      attention.store(false, ordering: .relaxed)
      return nil
    }
    return subscription
  }

  /// Leaves a subscription to the thread that delivers; false if there is none, and the caller now has the delivery
  /// lock.
  package mutating func leaveToDeliverer(_ subscription: Subscription.Pointer) -> Bool {
    guard isDelivering else {
      isDelivering = true
      return false
    }
    cancelled.append(subscription)
    attention.store(true, ordering: .relaxed)
    return true
  }

  /// Drops what waits for a subscription that has ended.
  ///
  /// - Parameter asked: Gets the requests among it; nil: they are dropped like the rest.
  package mutating func purge(
    _ queue: SubscriptionQueue.Pointer, keeping asked: UnsafeMutablePointer<EntryList>? = nil
  ) {
    while let node = queue.pointee.first {
      queue.pointee.removeFirst()
      if node.pointee.isQueued { entries.remove(node) }
      if let asked, node.pointee.asked != nil {
        asked.pointee.append(node)
        continue
      }
      if let queued = node.pointee.queued { QueuedEvent.release(queued) }
      spares.give(node)
    }
    waiting.store(entries.count, ordering: .relaxed)
    wakeSleepers()
  }

  package func wakeSleepers() {
    if sleepers > 0 { lock.wakeAll() }
  }

  /// Sleeps until something happens here; may wake without reason. Not a mutating method, because others change the
  /// scheduler meanwhile.
  package static func sleep(_ scheduler: Pointer) {
    scheduler.pointee.sleepers &+= 1
    scheduler.pointee.lock.wait()
    scheduler.pointee.sleepers &-= 1
  }

  /// Sleeps as a sender that waits for room, and releases the stream's lock meanwhile. Under both.
  static func sleepForRoom(_ scheduler: Pointer, releasing lock: Lock) {
    scheduler.pointee.blocked &+= 1
    lock.release()
    sleep(scheduler)
    scheduler.pointee.blocked &-= 1
    scheduler.pointee.wakeSleepers()
  }

  /// Whether callbacks run, and whether they began after the last look.
  mutating func look() -> Schedulers.Callbacks {
    defer { seen = batches }
    guard isDelivering else { return .none }
    return batches == seen ? .go : .began
  }

  /// Closing: waits until nobody delivers; from then on nothing is delivered.
  package static func stop(_ scheduler: Pointer) {
    scheduler.pointee.isStopping = true
    scheduler.pointee.isEnding.store(true, ordering: .relaxed)
    scheduler.pointee.lock.wakeAll()
    while scheduler.pointee.isDelivering || scheduler.pointee.blocked > 0 { sleep(scheduler) }
  }
}

/// Unused entries.
extension Scheduler {
  /// An entry, and memory for an event; nil without memory.
  package mutating func takePlace(
    withRoomFor size: Int
  ) -> (QueueEntry.Pointer, QueuedEvent.Pointer)? {
    guard let node = spares.take() ?? Memory.allocate(QueueEntry.self) else { return nil }
    guard let queued = events.take(size) else {
      spares.give(node)
      return nil
    }
    return (node, queued)
  }

  package mutating func giveBack(_ node: QueueEntry.Pointer, _ queued: QueuedEvent.Pointer) {
    events.give(queued)
    spares.give(node)
  }
}
