// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Observers that are registered together: all or none.
package struct Batch {
  package fileprivate(set) var first: Subscription.Pointer?
  fileprivate var last: Subscription.Pointer?

  package init() {}
}

/// Observing: reserve first, then join between two events, where nothing can fail.
extension Stream {
  /// Registers an observer. Takes ownership of what `options` owns only if it succeeds.
  ///
  /// - Parameter given: Receives the handle, before the first late event.
  @inline(never)
  package func observe(
    _ options: Subscription.Options, through resolved: ResolvedHandle, _ handle: Handle,
    _ given: UnsafeMutablePointer<OpaquePointer?>?
  ) throws(Refusal) {
    let attempt = try attempt()
    let asking = nearReadPoint()
    state.pointee.lock.acquire()
    do throws(Refusal) {
      guard resolved.isLive, !isClosed, let scope = resolved.scope else { throw .ended }
      if attempt.lack != nil { throw observersRefusal(scope) }
      var batch = Batch()
      let made = try register(options, scope, handle, &batch)
      given?.pointee = made.pointer
      let last = position
      let rest = try join(batch)
      state.pointee.lock.release()
      if let rest { settle(after: rest) }
      noteReadPoint(of: asking, last)
    } catch {
      given?.pointee = nil
      let last = position
      state.pointee.lock.release()
      noteReadPoint(of: asking, last)
      note(error, of: attempt)
      throw error
    }
  }

  /// Makes a subscription and reserves all it needs, as part of a batch. Under the lock. If it fails, the batch is
  /// undone.
  @inline(never)
  package func register(
    _ asked: Subscription.Options, _ scope: Scope.Pointer, _ through: Handle, _ batch: inout Batch
  ) throws(Refusal) -> Handle {
    var options = asked
    options.call.isTimed = state.pointee.isTimed && !asked.call.isInner
    guard options.call.isInner || hasRoom(in: scope) else {
      undo(batch)
      throw observersRefusal(scope)
    }
    guard let subscription = state.pointee.spares.take() ?? Memory.allocate(Subscription.self)
    else {
      undo(batch)
      throw .noMemory
    }
    var queue: SubscriptionQueue.Pointer?
    var timing: Timing.Pointer?
    do throws(Refusal) {
      if options.call.isTimed {
        timing = Timing.make()
        guard timing != nil else { throw Refusal.noMemory }
      }
      if options.scheduler != Schedulers.immediate { queue = try makeQueue(options) }
    } catch {
      Memory.free(timing)
      state.pointee.spares.give(subscription)
      undo(batch)
      throw error
    }
    guard reserveRows(options) else {
      Memory.free(queue)
      Memory.free(timing)
      state.pointee.spares.give(subscription)
      undo(batch)
      throw .noMemory
    }
    guard
      let (slot, handle) = state.pointee.slots.make(
        .subscription, stream: address, object: subscription)
    else {
      unreserveRows(options.filter)
      Memory.free(queue)
      Memory.free(timing)
      state.pointee.spares.give(subscription)
      undo(batch)
      throw .lacking(.handles)
    }
    state.pointee.serial &+= 1
    subscription.initialize(
      to: Subscription(
        options, queue: queue, timing: timing, through: through.pointer, scope: scope, slot: slot,
        serial: state.pointee.serial))
    if options.call.isHandler, feeding == .all {
      subscription.pointee.state.bitwiseOr(Subscription.muted, ordering: .relaxed)
    }
    link(subscription)
    if options.call.isHandler {
      observersHandled(by: subscription)?.pointee.handlers.append(subscription)
    }
    if let last = batch.last { last.pointee.nextCancelled = subscription }
    batch.first = batch.first ?? subscription
    batch.last = subscription
    return handle
  }

  /// Whether the budgets of a scope, and of the context, have room for one more. Under the lock.
  @inline(__always)
  package func hasRoom(in scope: Scope.Pointer) -> Bool {
    state.pointee.counts.subscriptions < state.pointee.limits.observers
      && (scope.pointee.budget == nil || Budget.usedUp(from: scope.pointee.budget) == nil)
  }

  @inline(never)
  package func observersRefusal(_ scope: Scope.Pointer) -> Refusal {
    var subject = SubjectWriter()
    if let budget = Budget.usedUp(from: scope.pointee.budget) {
      subject.add("scope ")
      subject.add(state.pointee.origins[budget.pointee.origin] ?? Bytes(""))
      subject.add(" may have ")
      subject.add(budget.pointee.limit)
    } else {
      subject.add("the context may have ")
      subject.add(state.pointee.limits.observers)
    }
    subject.add(" observers:")
    return Refusal(.limit, "context", "its budget is used up", .name(subject.bytes))
  }

  /// Lets a batch join: now if nobody delivers, otherwise when its turn comes. Under the lock, which it may give up for
  /// a while if it fails.
  ///
  /// - Returns: The position to settle after, once the lock is released; nil: nothing is left to do.
  @inline(never)
  package func join(_ batch: Batch) throws(Refusal) -> UInt64? {
    guard let last = lockDeliveryToSettle() else {
      try waitForTurn(batch)
      return nil
    }
    if isDeferred && hasDeferred || state.pointee.firstHistory != nil && hasHistory(for: batch) {
      try joinInTurn(batch, last)
      return last
    }
    takeRows(batch)
    // Nobody can have queued anything, because that takes the lock.
    return isUndisturbed && unlockDelivery() ? nil : last
  }

  /// Like `join`, holding the delivery lock: the events kept for the batch come first, when it has its turn in the
  /// queue.
  @inline(never)
  private func joinInTurn(_ batch: Batch, _ from: UInt64) throws(Refusal) {
    do throws(Refusal) {
      try waitForTurn(batch)
    } catch {
      if !(isUndisturbed && unlockDelivery()) {
        state.pointee.lock.release()
        settle(after: from)
        state.pointee.lock.acquire()
      }
      throw error
    }
    set(StateWord.pending)
  }

  private func hasHistory(for batch: Batch) -> Bool {
    var next = batch.first
    while let subscription = next {
      if hasHistory(for: subscription) { return true }
      next = subscription.pointee.nextCancelled
    }
    return false
  }

  /// Puts a batch in the queue. Under the lock, with the word marked: until we release the lock, the deliverer delivers
  /// nothing later than what is accepted now.
  @inline(never)
  private func waitForTurn(_ batch: Batch) throws(Refusal) {
    var places = EventQueue()
    var next = batch.first
    while let subscription = next {
      guard let place = QueuedEvent.make(capacity: 0) else {
        while let place = places.takeFirst() { QueuedEvent.free(place) }
        undo(batch)
        throw .noMemory
      }
      place.pointee.other = UnsafeMutableRawPointer(subscription)
      places.append(place)
      next = subscription.pointee.nextCancelled
    }
    let from = position
    next = batch.first
    while let subscription = next {
      next = subscription.pointee.nextCancelled
      subscription.pointee.nextCancelled = nil
      subscription.pointee.from = from
      subscription.pointee.isQueued = true
      addJoiner(subscription)
    }
    var place = places.first
    while let current = place {
      current.pointee.key = from &* 2 &+ 1
      place = current.pointee.next
    }
    state.pointee.shared.append(&places)
  }

  /// The turn of an observer that had to wait. For the deliverer, between two events.
  package func joinLate(_ subscription: Subscription.Pointer) {
    state.pointee.lock.acquire()
    removeJoiner(subscription)
    if !subscription.pointee.slotHasEnded, !Subscription.isCancelled(subscription) {
      takeRows(subscription)
      if hasHistory(for: subscription) {
        state.pointee.lock.release()
        deliverHistory(to: subscription)
        state.pointee.lock.acquire()
      }
    }
    // Until here the entry of the queue kept the memory alive, even through a cancel.
    subscription.pointee.isQueued = false
    let hasEnded = subscription.pointee.slotHasEnded
    state.pointee.lock.release()
    if hasEnded { Memory.free(subscription) }
  }

  @inline(__always)
  private func takeRows(_ batch: Batch) {
    let from = position
    var next = batch.first
    while let subscription = next {
      next = subscription.pointee.nextCancelled
      subscription.pointee.nextCancelled = nil
      subscription.pointee.from = from
      takeRows(subscription)
    }
  }

  /// Under both locks.
  @inline(__always)
  private func takeRows(_ subscription: Subscription.Pointer) {
    subscription.pointee.hasJoined = true
    let serial = subscription.pointee.serial
    eachType(of: subscription.pointee.filter) { observers in
      // A type registered later has taken the observer along.
      guard observers.pointee.serial < serial else { return }
      if subscription.pointee.call.isInner {
        observers.pointee.joinInner(subscription)
      } else {
        join(subscription, observers)
      }
    }
  }

  /// Takes a registration back, in the same locked step that made it.
  @inline(never)
  private func undo(_ batch: Batch) {
    var next = batch.first
    while let subscription = next {
      next = subscription.pointee.nextCancelled
      unreserveRows(subscription.pointee.filter)
      if subscription.pointee.call.isHandler {
        observersHandled(by: subscription)?.pointee.handlers.remove(subscription)
      }
      unlink(subscription)
      state.pointee.slots.end(subscription.pointee.slot)
      Memory.free(subscription.pointee.queue)
      Memory.free(subscription.pointee.timing)
      Memory.free(subscription)
    }
  }
}

/// Rows and lists.
extension Stream {
  /// Calls `body` with every type that a filter covers now. Under the lock.
  @inline(__always)
  package func eachType(of filter: Filter, _ body: (TypeObservers.Pointer) -> Void) {
    switch filter {
    case .nothing: break
    case .one(let type):
      if let observers = state.pointee.observerTable.find(type) { body(observers) }
    case .several(let types, let count):
      var index = 0
      while index < count {
        if let observers = state.pointee.observerTable.find(types[index]) { body(observers) }
        index &+= 1
      }
    case .pattern(let pattern):
      var type: UInt32 = 1
      while Int(type) <= state.pointee.types.count {
        if let observers = state.pointee.observerTable.find(type),
          pattern.matches(Contract(bits: observers.pointee.contract.load(ordering: .relaxed)))
        {
          body(observers)
        }
        type &+= 1
      }
    }
  }

  @inline(__always)
  private func reserveRows(_ options: Subscription.Options) -> Bool {
    var reserved = 0
    var isDone = true
    eachType(of: options.filter) { observers in
      guard isDone else { return }
      isDone =
        (!options.call.isScheduled || reserveHandOver(observers)) && observers.pointee.reserve()
      if isDone { reserved &+= 1 }
    }
    if !isDone {
      eachType(of: options.filter) { observers in
        guard reserved > 0 else { return }
        observers.pointee.unreserve()
        reserved &-= 1
      }
    }
    return isDone
  }

  @inline(never)
  private func unreserveRows(_ filter: Filter) {
    eachType(of: filter) { observers in observers.pointee.unreserve() }
  }

  /// Enters a new subscription in the lists: of all subscriptions, of its scope, of patterns.
  @inline(__always)
  package func link(_ subscription: Subscription.Pointer) {
    subscription.pointee.previous = state.pointee.lastSubscription
    if let last = state.pointee.lastSubscription {
      last.pointee.next = subscription
    } else {
      state.pointee.firstSubscription = subscription
    }
    state.pointee.lastSubscription = subscription
    Scope.add(subscription, to: subscription.pointee.scope)
    if !subscription.pointee.call.isInner { state.pointee.counts.subscriptions &+= 1 }
    guard subscription.pointee.filter.pattern != nil else { return }
    subscription.pointee.previousAlike = state.pointee.lastPattern
    if let last = state.pointee.lastPattern {
      last.pointee.nextAlike = subscription
    } else {
      state.pointee.firstPattern = subscription
    }
    state.pointee.lastPattern = subscription
  }

  /// Removes a subscription from all lists.
  @inline(__always)
  package func unlink(_ subscription: Subscription.Pointer) {
    let (previous, next) = (subscription.pointee.previous, subscription.pointee.next)
    if let previous {
      previous.pointee.next = next
    } else {
      state.pointee.firstSubscription = next
    }
    if let next {
      next.pointee.previous = previous
    } else {
      state.pointee.lastSubscription = previous
    }
    Scope.remove(subscription)
    if !subscription.pointee.call.isInner { state.pointee.counts.subscriptions &-= 1 }
    if subscription.pointee.filter.pattern != nil { unlinkPattern(subscription) }
  }

  /// Like `unlink`, if its scope may have ended: the scope is freed with its last subscription.
  @inline(__always)
  package func unlinkWithScope(_ subscription: Subscription.Pointer) {
    let scope = subscription.pointee.scope
    unlink(subscription)
    if scope.pointee.hasEnded, scope.pointee.subscriptions == 0 { free(scope) }
  }

  private func unlinkPattern(_ subscription: Subscription.Pointer) {
    let (previous, next) = (subscription.pointee.previousAlike, subscription.pointee.nextAlike)
    if let previous {
      previous.pointee.nextAlike = next
    } else {
      state.pointee.firstPattern = next
    }
    if let next {
      next.pointee.previousAlike = previous
    } else {
      state.pointee.lastPattern = previous
    }
  }
}
