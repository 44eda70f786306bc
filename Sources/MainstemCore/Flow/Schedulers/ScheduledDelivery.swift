// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Delivering from a scheduler's queue: by one thread at a time, without the stream's delivery lock.
extension Stream {
  /// How many entries are taken off a queue in one locked step.
  private static var batch: Int { 64 }

  /// Delivers what waits on a scheduler, at most `limit`; nothing if somebody else delivers.
  package func deliverFromQueue(of scheduler: Scheduler.Pointer, _ limit: Int) -> Int {
    scheduler.pointee.lock.acquire()
    guard scheduler.pointee.beginDelivering() else {
      scheduler.pointee.lock.release()
      return 0
    }
    var done = 0
    var spent = EntryList()
    while true {
      scheduler.pointee.putBack(&spent)
      if scheduler.pointee.hasCancelled {
        scheduler.pointee.lock.release()
        var none = EntryList()
        endCancelled(on: scheduler, &none)
        if isForked { return done }
        scheduler.pointee.lock.acquire()
        continue
      }
      if scheduler.pointee.isStopping || done >= limit { break }
      var batch = scheduler.pointee.takeBatch(min(Stream.batch, limit &- done))
      if batch.count == 0 { break }
      let isEmpty = scheduler.pointee.entries.count == 0
      scheduler.pointee.lock.release()
      if isEmpty { tellHostTaken(from: scheduler) }
      done &+= deliverEntries(&batch, scheduler, &spent)
      if isForked { return done }
      scheduler.pointee.lock.acquire()
    }
    scheduler.pointee.endDelivering()
    scheduler.pointee.lock.release()
    return done
  }

  /// Delivers what waits on the schedulers that the host runs: at most `limit`, and no more than waits now. With a
  /// virtual clock these are all schedulers, one event at a time, in an order that the seed decides.
  package func deliverScheduled(_ limit: Int) -> Int {
    guard isVirtual else {
      guard let scheduler = locked({ state.pointee.schedulers[Schedulers.host] }) else { return 0 }
      let waiting = scheduler.pointee.waiting.load(ordering: .relaxed)
      return deliverFromQueue(of: scheduler, min(limit, waiting))
    }
    var left = min(limit, waitingOnSchedulers)
    var done = 0
    while left > 0, !isForked, let scheduler = pickScheduler() {
      let before = scheduler.pointee.waiting.load(ordering: .relaxed)
      let delivered = deliverFromQueue(of: scheduler, 1)
      let after = scheduler.pointee.waiting.load(ordering: .relaxed)
      done &+= delivered
      // What was cancelled takes no turn. If nothing changed, another thread delivers.
      if delivered > 0 || after == before { left &-= 1 }
    }
    return done
  }

  private var waitingOnSchedulers: Int {
    var sum = 0
    eachScheduler { scheduler in
      sum &+= scheduler.pointee.waiting.load(ordering: .relaxed)
    }
    return sum
  }

  /// One of the schedulers on which something waits; nil if there is none.
  private func pickScheduler() -> Scheduler.Pointer? {
    var ready: UInt64 = 0
    eachScheduler { scheduler in
      if scheduler.pointee.waiting.load(ordering: .relaxed) > 0 { ready &+= 1 }
    }
    guard ready > 0 else { return nil }
    var skip = state.pointee.loop.pick(below: ready)
    var picked: Scheduler.Pointer?
    eachScheduler { scheduler in
      guard scheduler.pointee.waiting.load(ordering: .relaxed) > 0 else { return }
      if skip == 0, picked == nil { picked = scheduler }
      skip &-= 1
    }
    return picked
  }

  /// Delivers a batch. Once the context closes, the rest is dropped.
  ///
  /// - Parameter spent: Gets the used entries, for the next locked step.
  @_optimize(speed)
  private func deliverEntries(
    _ batch: inout EntryList, _ scheduler: Scheduler.Pointer, _ spent: inout EntryList
  ) -> Int {
    var calls = 0
    while batch.count > 0 {
      if scheduler.pointee.attention.load(ordering: .relaxed) {
        endCancelled(on: scheduler, &batch)
      }
      guard let node = batch.takeFirst() else { break }
      let asked = node.pointee.asked
      if runCompletion(node) || !isClosed && deliverEntry(node) { calls &+= 1 }
      if let asked, !isForked { letGo(asked.event, by: asked.origin) }
      if isForked { break }
      if let queued = node.pointee.queued, !QueuedEvent.isOnlyOwner(queued) {
        QueuedEvent.release(queued)
        node.pointee.queued = nil
      }
      spent.append(node)
    }
    return calls
  }

  /// A handler on a scheduler got a request, or does not get it any more.
  @inline(never)
  func letGo(_ event: UnsafeMutablePointer<mainstem_event>, by origin: UInt32) {
    guard locked({ tellHeld(event, -1) }) else { return }
    Frame.enterScheduled(self, event, nil) { _ in
      tellUnanswered(event, by: origin, toInbox: !isAtHome)
    }
  }

  /// Calls a subscription with what was handed over; false if it has been cancelled.
  private func deliverEntry(_ node: QueueEntry.Pointer) -> Bool {
    guard let subscription = node.pointee.subscription else { return false }
    if let queued = node.pointee.queued {
      var event = queued.pointee.event
      subscription.pointee.note(&event)
      return callScheduled(subscription, event, isLast: node.pointee.isLast)
    }
    var gap = node.pointee.gap.forHost
    return withUnsafePointer(to: &gap) { gap in
      callScheduled(subscription, event(of: gap), isGap: true)
    }
  }
}

/// Scheduled completions: functions of a station above that run on a scheduler, in the order of its queue.
extension Stream {
  /// Queues a scheduled completion together with an event that has its own memory.
  ///
  /// - Parameter place: Memory for the entry. It takes over one reference to the event.
  package func addCompletion(
    in place: QueueEntry.Pointer, _ queued: QueuedEvent.Pointer, _ owner: UnsafeMutableRawPointer,
    _ function: @escaping ScheduledCompletion.Function, to scheduler: Scheduler.Pointer
  ) {
    place.initialize(to: QueueEntry(queued, ScheduledCompletion(owner, function)))
    scheduler.pointee.lock.acquire()
    let isFirst = scheduler.pointee.add(place)
    if isFirst { scheduler.pointee.wakeSleepers() }
    scheduler.pointee.lock.release()
    if isFirst { tellHost(of: scheduler) }
  }

  /// Runs a scheduled completion; false if the entry is not one.
  func runCompletion(_ node: QueueEntry.Pointer) -> Bool {
    guard let scheduled = node.pointee.scheduled, let queued = node.pointee.queued else {
      return false
    }
    scheduled.function(
      UnsafeMutableRawPointer(state), scheduled.owner,
      UnsafeMutableRawPointer(QueuedEvent.event(of: queued)))
    return true
  }

  /// Runs the completions that are left on schedulers that have stopped. For close.
  package func runCompletions() {
    eachScheduler { scheduler in
      while let node = locked(scheduler, { scheduler.pointee.takeBatch(1).first }) {
        _ = runCompletion(node)
        if isForked { return }
        if let queued = node.pointee.queued { QueuedEvent.release(queued) }
        Memory.free(node)
      }
    }
  }

  private func locked<Result>(_ scheduler: Scheduler.Pointer, _ body: () -> Result) -> Result {
    scheduler.pointee.lock.acquire()
    defer { scheduler.pointee.lock.release() }
    return body()
  }
}

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

/// Which origins schedulers name, before the others are forgotten. Under the lock.
extension Stream {
  /// Marks the origins of what waits on schedulers.
  package func markScheduledOrigins() -> Int {
    var count = 0
    state.pointee.schedulers.each { scheduler in
      scheduler.pointee.lock.acquire()
      var next = scheduler.pointee.entries.first
      while let node = next {
        node.pointee.queued.map { markOrigin(of: $0) }
        next = node.pointee.next
        count &+= 1
      }
      scheduler.pointee.lock.release()
    }
    return count
  }

  /// Marks the origins of what waits for one observer.
  package func markOrigins(of queue: SubscriptionQueue.Pointer) -> Int {
    let scheduler = queue.pointee.scheduler
    scheduler.pointee.lock.acquire()
    defer { scheduler.pointee.lock.release() }
    var (next, count) = (queue.pointee.first, 0)
    while let node = next {
      node.pointee.queued.map { markOrigin(of: $0) }
      next = node.pointee.nextOfSubscription
      count &+= 1
    }
    return count
  }

  /// What is known about the callbacks that run on schedulers, compared with the last look.
  package func lookAtSchedulers() -> Schedulers.Callbacks {
    var found = Schedulers.Callbacks.none
    state.pointee.schedulers.each { scheduler in
      scheduler.pointee.lock.acquire()
      switch scheduler.pointee.look() {
      case .none: break
      case .began: if case .none = found { found = .began }
      case .go: found = .go
      }
      scheduler.pointee.lock.release()
    }
    return found
  }
}
