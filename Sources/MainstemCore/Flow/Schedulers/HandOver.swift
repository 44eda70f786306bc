// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Handing over: after its immediate observers, an event goes to the queues of the scheduled ones.
///
/// A type with scheduled observers has an internal row for this, behind all observers: a type without them pays
/// nothing.
extension Stream {
  /// The row's function.
  @_optimize(speed)
  package static func handOver(
    _ observers: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
  ) {
    guard let observers = observers?.assumingMemoryBound(to: TypeObservers.self),
      let frame = Frame.innermost,
      let event = frame.pointee.event
    else { return }
    // The hand-over was counted as a call.
    frame.pointee.stream.state.pointee.delivery.add(calls: ~0)
    frame.pointee.stream.handOver(event, observers)
  }

  /// Queues an event for every scheduled observer of its type. For the deliverer.
  @_optimize(speed)
  private func handOver(
    _ event: UnsafeMutablePointer<mainstem_event>, _ observers: TypeObservers.Pointer
  ) {
    // The event that a timer lends is overwritten the next time.
    var queued = deliverer.pointee.current
    if queued?.pointee.lender != nil { queued = nil }
    if let queued { QueuedEvent.retain(queued) }
    observers.pointee.eachScheduled(wanting: event) { row, queue in
      queued = queued ?? QueuedEvent.make(copying: event)
      addToQueue(queued, event, of: row, queue)
    }
    if let queued { QueuedEvent.release(queued) }
  }

  /// Queues a copy of a kept event, for a scheduled observer that joined late.
  package func handOverLate(
    _ event: UnsafeMutablePointer<mainstem_event>, to row: Subscription.Pointer,
    _ queue: SubscriptionQueue.Pointer
  ) {
    let queued = QueuedEvent.make(copying: event)
    addToQueue(queued, event, of: row, queue)
    if let queued { QueuedEvent.release(queued) }
  }

  private func addToQueue(
    _ queued: QueuedEvent.Pointer?, _ event: UnsafeMutablePointer<mainstem_event>,
    of row: Subscription.Pointer, _ queue: SubscriptionQueue.Pointer
  ) {
    let scheduler = queue.pointee.scheduler
    let place = queued.flatMap { takeRoom(of: $0, in: queue) }
    let ignoresLimit = place == nil && queue.pointee.bounds.policy.refuses && passesLimit(event)
    let isLast = !row.pointee.wantsMore(than: 1)
    let isHeld = row.pointee.call.isHandler && Stream.isAsking(event)
    if isHeld { _ = locked { tellHeld(event, 1) } }
    var isLost = true
    scheduler.pointee.lock.acquire()
    // Checked before a gap is queued, which wakes nobody.
    let wasEmpty = scheduler.pointee.isEmpty(for: queue)
    if let queued {
      let isQueued = scheduler.pointee.add(
        queued, for: row, queue, in: place, ignoresLimit: ignoresLimit, isLast: isLast)
      if isQueued { row.pointee.countMatch() }
      isLost = !isQueued
    } else {
      scheduler.pointee.lose(event.pointee, of: row, queue)
    }
    let isFirst = wasEmpty && !scheduler.pointee.isEmpty(for: queue)
    if isFirst { scheduler.pointee.wakeSleepers() }
    scheduler.pointee.lock.release()
    // Not the last: whoever hands it over can still answer, or has asked for nothing.
    if isHeld, isLost { _ = locked { tellHeld(event, -1) } }
    if isFirst { tellHost(of: scheduler) }
  }

  /// Whether a queue that refuses lets an event in: an answer that is owed, or one of the core's own reports.
  private func passesLimit(_ event: UnsafeMutablePointer<mainstem_event>) -> Bool {
    if event.pointee.answers != 0, event.pointee.reply != 0 {
      return event.pointee.flags & UInt32(MAINSTEM_EVENT_PROGRESS) == 0
    }
    return locked { state.pointee.reports.contain(event.pointee.type) }
  }

  /// A scheduler's queue is no longer empty: tells the host's loop if the host runs the scheduler.
  func tellHost(of scheduler: Scheduler.Pointer) {
    if hostIsToBeTold(of: scheduler) { signal() }
  }

  /// Like `tellHost`; true: the caller must signal.
  package func hostIsToBeTold(of scheduler: Scheduler.Pointer) -> Bool {
    let isMailbox = scheduler.pointee.kind.isMailbox
    return (isMailbox || isHostRun(scheduler))
      && locked { state.pointee.loop.wake.arrive(inMailbox: isMailbox) }
  }
}

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
    let size = QueueEntry.weight(of: queued)
    guard promised != nil || makeRoom(for: size, in: queue, ignoresLimit: ignoresLimit),
      let node = promised ?? spares.take() ?? Memory.allocate(QueueEntry.self)
    else {
      lose(queued.pointee.event, of: subscription, queue)
      return false
    }
    // The gap before it, if any, goes first. A handler that was promised the event gets it in any case.
    let isOwed = promised != nil && subscription.pointee.call.isHandler
    guard tell(subscription, queue) || isOwed else {
      spares.give(node)
      lose(queued.pointee.event, of: subscription, queue)
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
    _ event: mainstem_event, of subscription: Subscription.Pointer,
    _ queue: SubscriptionQueue.Pointer
  ) {
    queue.pointee.lose(event)
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

/// Sending an event that one scheduled observer gets and nobody else: mostly from one thread to another. Nothing is
/// called, so the event goes straight into the queue, under the scheduler's lock only.
extension Stream {
  /// Hands an event over if that is possible at once; false: nothing has happened. As in `sendAtOnce`, the handle need
  /// only be valid after the word was read.
  @_optimize(speed)
  package static func sendToQueue(
    _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) -> Bool {
    guard hasShortWays, let (slot, key) = Slot.find(handle), let stream = Stream(ofContext: slot)
    else { return false }
    let origin = slot.pointee.origin.load(ordering: .acquiring)
    let state = stream.state
    guard let observers = state.pointee.observers.find(type),
      let payload = observers.pointee.admitted(data, size, on: stream, refusers: 1)
    else { return false }
    guard stream.allowsQuickSendHere else { return false }
    let duty = stream.lockDeliverySoon(slot, key)
    guard duty.isDeliverer else { return false }
    guard let subscription = observers.pointee.onlyScheduled,
      let queue = subscription.pointee.queue
    else {
      stream.endAtOnce(duty)
      return false
    }
    let scheduler = queue.pointee.scheduler
    scheduler.pointee.lock.acquire()
    let outcome = scheduler.pointee.queueAtOnce(size, for: subscription, queue) { event, room in
      guard let position = stream.advance(with: duty) else { return false }
      room.copyMemory(from: payload, byteCount: size)
      mainstem_p_event_from_outside(event, position, type, room, Draft.nothing, size, origin)
      return true
    }
    scheduler.pointee.lock.release()
    // While this thread holds the delivery lock, or a signal is on its way, the context does not close.
    let tells = outcome == .first && stream.hostIsToBeTold(of: scheduler)
    stream.endAtOnce(duty)
    if tells { stream.signal() }
    return outcome != .lost
  }
}

extension Scheduler {
  /// What became of an event that was to be queued at once.
  fileprivate enum Outcome {
    case waits
    /// Queued, and the queue was empty: somebody must be woken.
    case first
    case lost
  }

  /// Queues an event built here, if there is room for it; lost: nothing has happened.
  ///
  /// - Parameter fill: Gets the event and the memory for its payload once there is room in the queue; false: there is
  ///   no event after all.
  fileprivate mutating func queueAtOnce(
    _ size: Int, for subscription: Subscription.Pointer, _ queue: SubscriptionQueue.Pointer,
    _ fill: (UnsafeMutablePointer<mainstem_event>, UnsafeMutableRawPointer) -> Bool
  ) -> Outcome {
    guard queue.pointee.fits(size), queue.pointee.untold.isEmpty,
      let (node, queued) = takePlace(withRoomFor: size)
    else { return .lost }
    guard fill(QueuedEvent.event(of: queued), QueuedEvent.payload(of: queued)) else {
      giveBack(node, queued)
      return .lost
    }
    node.initialize(to: QueueEntry(queued, for: subscription))
    let wasEmpty = isEmpty(for: queue)
    enqueue(node, queue)
    guard wasEmpty, entries.count > 0 else { return .waits }
    wakeSleepers()
    return .first
  }
}
