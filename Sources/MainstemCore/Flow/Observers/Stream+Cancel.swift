// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Ending: a flag says that no call follows; the deliverer does the rest.
extension Stream {
  /// Ends a subscription. Never waits.
  package static func cancel(_ handle: Handle) throws(Refusal) {
    let resolved = try ResolvedHandle(handle, .subscription, "subscription")
    let stream = resolved.stream
    stream.state.pointee.lock.acquire()
    guard resolved.isLive, let subscription = resolved.subscription,
      !Subscription.isCancelled(subscription)
    else {
      stream.state.pointee.lock.release()
      throw Refusal(.stale, "subscription", "has ended")
    }
    let duty: Duty
    if subscription.pointee.release == nil, subscription.pointee.queue == nil,
      stream.isUndisturbed, stream.isMine,
      stream.lockDeliveryOrMark()
    {
      duty = stream.endSilently(subscription)
    } else {
      stream.markCancelled(subscription)
      duty = stream.claimCancelled()
    }
    stream.state.pointee.lock.release()
    stream.fulfill(duty)
  }

  /// Ends a subscription without a hook, while nobody delivers, in one locked step. Under both locks; releases the
  /// delivery lock if it can.
  @inline(__always)
  private func endSilently(_ subscription: Subscription.Pointer) -> Duty {
    leaveRows(subscription, true)
    forget(subscription)
    let last = position
    return unlockDeliveryIfDone() ? .nothing : .finishWork(after: last)
  }

  /// Ends a subscription, and waits for its running call and its hook.
  package static func cancelAndWait(_ handle: Handle) throws(Refusal) {
    let resolved = try ResolvedHandle.blocking(handle, .subscription, "subscription")
    let stream = resolved.stream
    stream.state.pointee.lock.acquire()
    guard resolved.isLive, let subscription = resolved.subscription else {
      stream.state.pointee.lock.release()
      throw Refusal(.stale, "subscription", "has ended")
    }
    let isScheduled = subscription.pointee.queue != nil
    if !Subscription.isCancelled(subscription) { stream.markCancelled(subscription) }
    let duty = stream.claimCancelled()
    stream.state.pointee.lock.release()
    stream.fulfill(duty)
    stream.locked {
      while resolved.isLive, !stream.isForked {
        if isScheduled { stream.waitForEnd() } else { stream.waitForDeliverer() }
      }
    }
  }

  /// Sets the flag after which no call is decided, and queues the rest. Under the lock.
  package func markCancelled(_ subscription: Subscription.Pointer) {
    subscription.pointee.state.bitwiseOr(Subscription.cancelled, ordering: .relaxed)
    subscription.pointee.nextInList = nil
    if subscription.pointee.call.isHandler, let observers = observersHandled(by: subscription) {
      if observers.pointee.handlers.first == subscription {
        observers.pointee.abandoned = state.pointee.scopeEnds
        state.pointee.lastAbandoned = state.pointee.scopeEnds
      }
      observers.pointee.handlers.remove(subscription)
    }
    if let last = state.pointee.lastCancelled {
      last.pointee.nextInList = subscription
    } else {
      state.pointee.firstCancelled = subscription
    }
    state.pointee.lastCancelled = subscription
    ask(for: Attention.cancelled)
    // In a context of one thread only that thread writes the word: it looks when it next sends.
    if !isMine { forbidQuickSends() }
  }

  /// The observers of a handler's type; a handler has exactly one. Under the lock.
  package func observersHandled(by handler: Subscription.Pointer) -> TypeObservers.Pointer? {
    guard case .one(let type) = handler.pointee.filter else { return nil }
    return state.pointee.observerTable.find(type)
  }

  /// Decides who ends what was marked: this thread if nobody delivers, otherwise the deliverer. Under the lock. In a
  /// context of one thread, another thread leaves it to the owner.
  @inline(never)
  package func claimCancelled() -> Duty {
    isMine ? claimDelivery() : .nothing
  }

  /// In a context of one thread, ends what another thread cancelled. Called first in the owner's calls, before they do
  /// anything else.
  package func endLeftovers() {
    guard !isUndisturbed, Frame.holding(self) == nil else { return }
    fulfill(locked { claimCancelled() })
  }

  /// Ends an observer that has had the last call it asked for.
  package func endAfterLast(_ subscription: Subscription.Pointer) {
    locked {
      if !Subscription.isCancelled(subscription) { markCancelled(subscription) }
      // A request for attention marks the word: a send at once looks only there.
      callDeliverer()
    }
  }

  /// Like `endAfterLast`, on a scheduler: perhaps nobody holds the delivery lock.
  package func endAfterLastScheduled(_ subscription: Subscription.Pointer) {
    let duty = locked {
      if !Subscription.isCancelled(subscription) { markCancelled(subscription) }
      return claimCancelled()
    }
    fulfill(duty)
  }

  /// Ends everything that was cancelled: rows, hook, handle. For the deliverer, between two calls.
  ///
  /// - Parameter isBetween: Whether it is between two events, so that rows may move.
  @inline(never)
  package func endCancelled(between isBetween: Bool) {
    guard isAsked(for: Attention.cancelled), !isForked else { return }
    state.pointee.lock.acquire()
    endAsking(for: Attention.cancelled)
    while let subscription = state.pointee.firstCancelled {
      state.pointee.firstCancelled = subscription.pointee.nextInList
      if state.pointee.firstCancelled == nil { state.pointee.lastCancelled = nil }
      leaveRows(subscription, isBetween)
      state.pointee.lock.release()
      if let queue = subscription.pointee.queue {
        finish(subscription, queue)
        if isForked { return }
        state.pointee.lock.acquire()
      } else {
        callHook(of: subscription)
        if isForked { return }
        state.pointee.lock.acquire()
        forget(subscription)
      }
    }
    allowQuickSends()
    state.pointee.lock.release()
  }

  private func callHook(of subscription: Subscription.Pointer) {
    guard let release = subscription.pointee.release else { return }
    Frame.enter(self, nil) { _ in release(subscription.pointee.userData) }
  }

  /// Removes a subscription's rows. Under both locks.
  @inline(__always)
  private func leaveRows(_ subscription: Subscription.Pointer, _ isBetween: Bool) {
    let (serial, hasJoined) = (subscription.pointee.serial, subscription.pointee.hasJoined)
    let tombstone = state.pointee.tombstone
    eachType(of: subscription.pointee.filter) { observers in
      guard hasJoined || observers.pointee.serial > serial else {
        return observers.pointee.unreserve()
      }
      observers.pointee.leave(subscription, tombstone: tombstone)
      if isBetween { observers.pointee.closeUp(tombstone: tombstone) }
    }
  }

  /// The last step: frees the subscription's handle and memory. Under both locks.
  @inline(__always)
  package func forget(_ subscription: Subscription.Pointer) {
    unlinkWithScope(subscription)
    state.pointee.slots.end(subscription.pointee.slot)
    subscription.pointee.slotHasEnded = true
    Subscription.freeParts(subscription)
    if !subscription.pointee.isQueued { state.pointee.spares.give(subscription) }
    wakeWaiters()
  }
}

extension ResolvedHandle {
  /// The subscription that the handle names. Under the lock.
  package var subscription: Subscription.Pointer? {
    slot.pointee.object?.assumingMemoryBound(to: Subscription.self)
  }
}
