// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// The deliverer's work: one event after another, each to its observers.
extension Stream {
  /// Delivers an event that waited, and releases its memory.
  package func deliverQueued(_ queued: QueuedEvent.Pointer) {
    let event = QueuedEvent.event(of: queued)
    if event.pointee.isOfList { makeChanges(event) }
    guard mayBeSeen(event) else { return drop(queued) }
    deliverer.pointee.current = queued
    if let observers = state.pointee.observers.find(event.pointee.type) {
      deliver(event, observers)
    }
    tellAnswers(event)
    deliverer.pointee.current = nil
    endQueued(queued)
  }

  /// Drops an event that could not be recorded.
  @inline(never)
  private func drop(_ queued: QueuedEvent.Pointer) {
    let event = QueuedEvent.event(of: queued)
    forgetValue(event)
    if event.pointee.reply != 0 {
      deliverer.pointee.current = queued
      tellPassed(event, isDropped: true)
      deliverer.pointee.current = nil
    }
    endQueued(queued)
  }

  /// Ends an event that waited: releases its promised room and its memory.
  @inline(__always)
  package func endQueued(_ queued: QueuedEvent.Pointer) {
    giveBackRoom(of: queued)
    if let lender = queued.pointee.lender { takeBack(lender) } else { QueuedEvent.release(queued) }
  }

  /// Tells the station above that a tracked request, or an answer to one, has reached its observers.
  @inline(__always)
  package func tellAnswers(_ event: UnsafeMutablePointer<mainstem_event>) {
    guard event.pointee.reply != 0 else { return attend(behind: event) }
    if !isUndisturbed {
      attendObservers(between: false)
      if isForked { return }
    }
    tellPassed(event)
    attend(behind: event)
  }

  /// What is still to be known of an event that has reached everybody.
  @inline(__always)
  package func attend(behind event: UnsafeMutablePointer<mainstem_event>) {
    if !isUndisturbed { oweRefused(event) }
  }

  /// Does everything that waits, and releases the delivery lock. No lock is held.
  @inline(__always)
  package func fulfill(_ duty: consuming Duty) {
    let last = position(of: duty)
    fulfill(duty, after: last)
  }

  /// Like `fulfill`, when everything up to a position was delivered.
  @inline(__always)
  package func fulfill(_ duty: consuming Duty, after position: UInt64) {
    let isDeliverer = duty.isDeliverer
    duty.end()
    if isDeliverer { finishWork(after: position) }
  }

  /// Like `fulfill`, right after the delivery lock was taken: mostly nothing waits.
  package func endAtOnce(_ duty: consuming Duty) {
    let last = position
    fulfill(unlockIfDone(duty), after: last)
  }

  /// Does everything that waits, and releases the delivery lock.
  @inline(never)
  private func finishWork(after position: UInt64) {
    var last = position
    repeat {
      last = work(after: last)
    } while !release()
  }

  /// Releases the delivery lock; false if something waits.
  @_optimize(speed)
  private func release() -> Bool {
    let attention = state.pointee.delivery.attention.load(ordering: .relaxed)
    guard attention & Attention.forked == 0 else { return true }
    let isLeft = Attention.silence | Attention.bounds | Attention.values | Attention.ends
    guard attention & isLeft == 0 else { return false }
    // Cancel asks for attention first, then marks the word. The mark may have been cleared since, for something else
    // that waited.
    guard attention & Attention.cancelled == 0 else { return false }
    if attention & Attention.waiters != 0 {
      return locked {
        let isFree = unlockDelivery()
        state.pointee.lock.wakeAll()
        return isFree
      }
    }
    return unlockDelivery()
  }

  /// Does everything that waits: ends cancelled subscriptions, delivers, lets observers join. Keeps the delivery lock.
  @_optimize(speed)
  package func work(after position: UInt64) -> UInt64 {
    var last = position
    while true {
      guard attend(after: last) else { return last }
      guard let queued = takeNext() else {
        sweepOriginsIfAsked()
        return last
      }
      if let other = queued.pointee.other {
        joinLate(other.assumingMemoryBound(to: Subscription.self))
        QueuedEvent.free(queued)
      } else {
        last = queued.pointee.event.position
        deliverer.pointee.allowance.events &-= 1
        deliverQueued(queued)
      }
    }
  }

  /// The next entry in the one order, either the deliverer's own or one from another thread.
  private func takeNext() -> QueuedEvent.Pointer? {
    if hasShared { locked { _ = takeShared() } }
    let isOwn = deliverer.pointee.isOwnNext
    guard let next = isOwn ? deliverer.pointee.own.first : deliverer.pointee.arrived.first else {
      return nil
    }
    guard deliverer.pointee.allowance.permits(next) else {
      deferRest()
      return nil
    }
    return isOwn ? deliverer.pointee.own.takeFirst() : deliverer.pointee.arrived.takeFirst()
  }

  /// Between two events: ends cancelled subscriptions, and wakes threads that wait for the deliverer. False: there is
  /// no next event.
  package func attend(after position: UInt64) -> Bool {
    let attention = state.pointee.delivery.attention.load(ordering: .relaxed)
    guard attention != 0 else { return true }
    attendObservers(between: true)
    if isAsked(for: Attention.shows | Attention.dueShows) { payShows() }
    if attention & Attention.silence != 0 { endSilence() }
    if attention & Attention.waiters != 0 {
      locked {
        state.pointee.delivery.reached = position
        state.pointee.lock.wakeAll()
      }
    }
    return !isForked
  }
}

extension Delivery {
  /// Counts calls. Only the deliverer does, so the load and the store need not be one atomic step.
  @inline(__always)
  package func add(calls: UInt64) {
    let total = deliveries.load(ordering: .relaxed) &+ calls
    deliveries.store(total, ordering: .relaxed)
  }
}

extension DelivererState {
  fileprivate var isOwnNext: Bool {
    guard let arrived = arrived.first else { return true }
    guard let own = own.first else { return false }
    return own.pointee.key < arrived.pointee.key
  }
}

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
      guard event.pointee.position == last &+ 1 else { return }
      if event.pointee.isOfList { makeChanges(event) }
      guard visit(event) else { return }
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

// MARK: - The origins of what waits

extension Stream {
  /// Marks the origins of what waits for the deliverer, and of the callbacks that this thread is in. Under both locks.
  ///
  /// - Returns: How many things were looked at.
  package func markOriginsOfQueued() -> Int {
    deliverer.pointee.own.each { markOrigin(of: $0) }
      &+ deliverer.pointee.arrived.each { markOrigin(of: $0) }
      &+ state.pointee.order.shared.each { markOrigin(of: $0) } &+ markOriginsOfFrames()
  }

  /// The callbacks that the deliverer is in are a scheduler's.
  private func markOriginsOfFrames() -> Int {
    var (next, count) = (Frame.innermost, 0)
    while let frame = next {
      if frame.pointee.stream.state == state {
        markOrigin(frame.pointee.origin)
        if let event = frame.pointee.event { markOrigin(event.pointee.origin) }
      }
      next = frame.pointee.previous
      count &+= 1
    }
    return count
  }

  /// Marks the origin of an event. Under the lock.
  package func markOrigin(of queued: QueuedEvent.Pointer) {
    markOrigin(queued.pointee.event.origin)
  }
}

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
