// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Ending: a flag says that no call follows; the deliverer does the rest.
extension Stream {
  /// Ends a subscription. Never waits.
  @_optimize(speed)
  package static func cancel(
    _ handle: Handle, _ kind: Kind = .subscription, _ argument: Phrase = "subscription"
  ) throws(Refusal) {
    let resolved = try ResolvedHandle(handle, kind, argument)
    let stream = resolved.stream
    stream.state.pointee.lock.acquire()
    guard let subscription = resolved.liveSubscription else {
      stream.state.pointee.lock.release()
      throw Refusal(.stale, argument, "has ended")
    }
    let isAtHome = stream.isAtHome
    let isPlain = subscription.pointee.release == nil && subscription.pointee.queue == nil
    var duty = isPlain && isAtHome && stream.isUndisturbed ? stream.claimCancelled() : .nothing
    if duty.isDeliverer {
      stream.endSilently(subscription)
      duty = stream.unlockIfDone(duty)
    } else {
      stream.markCancelled(subscription)
      duty = isAtHome ? stream.claimCancelled() : .nothing
    }
    stream.state.pointee.lock.release()
    stream.fulfill(duty)
  }

  /// Ends a subscription without a hook, while nobody delivers. Under both locks.
  @inline(__always)
  private func endSilently(_ subscription: Subscription.Pointer) {
    leaveRows(subscription, true)
    forget(subscription)
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
  func markCancelled(_ subscription: Subscription.Pointer) {
    subscription.pointee.state.bitwiseOr(Subscription.cancelled, ordering: .relaxed)
    if subscription.pointee.call.isHandler { removeHandler(subscription) }
    state.pointee.observers.addCancelled(subscription)
    ask(for: Attention.cancelled)
    // In a context of one thread only that thread writes the word: it looks when it next sends.
    if !isAtHome { forbidQuickSends() }
  }

  private func removeHandler(_ handler: Subscription.Pointer) {
    state.pointee.observers.countOwnHandler(handler, -1)
    guard let observers = state.pointee.observers.observersHandled(by: handler) else { return }
    if observers.pointee.removeHandler(handler, at: state.pointee.scopes.lastEnd) {
      state.pointee.observers.noteAbandoned(observers)
    }
  }

  /// Cancels the subscriptions of a tree of scopes, the last registered first. Under the lock.
  package func cancelObservers(below root: Scope.Pointer) {
    var found = Chain<Subscription>()
    Scope.eachObserver(below: root) { subscription in
      if !Subscription.isCancelled(subscription) { found.append(subscription) }
    }
    found.sort()
    while let subscription = found.takeFirst() { markCancelled(subscription) }
  }

  /// Decides who ends what was marked: this thread if nobody delivers, otherwise the deliverer. Under the lock. In a
  /// context of one thread, another thread leaves it to the owner.
  @inline(never)
  package func claimCancelled() -> Duty {
    isMine ? claimDelivery() : .nothing
  }

  /// In a context of one thread, ends what another thread cancelled; in a guarded one, what was cancelled outside its
  /// callbacks. Called first in the owner's calls, before they do anything else. Servers that have shown nothing yet do
  /// so here.
  ///
  /// - Parameter call: What the owner calls.
  @inline(__always)
  package func endLeftovers(_ call: FirstShow = .inSend) {
    if !isUndisturbed { endDisturbing(call) }
  }

  @inline(never)
  private func endDisturbing(_ call: FirstShow) {
    guard Frame.holding(self) == nil else { return }
    let duty = locked {
      readyUnshown(call)
      return claimCancelled()
    }
    fulfill(duty)
  }

  /// Ends an observer that has had the last call it asked for.
  func endAfterLast(_ subscription: Subscription.Pointer) {
    locked {
      if !Subscription.isCancelled(subscription) { markCancelled(subscription) }
      // A request for attention marks the word: a send at once looks only there.
      callDeliverer()
    }
  }

  /// Like `endAfterLast`, on a scheduler: perhaps nobody holds the delivery lock.
  func endAfterLastScheduled(_ subscription: Subscription.Pointer) {
    let duty = locked {
      if !Subscription.isCancelled(subscription) { markCancelled(subscription) }
      return claimCancelled()
    }
    fulfill(duty)
  }

  /// Does for the observers what waits for the deliverer: applies new bounds of histories, frees values that have ended,
  /// records what a host has ended, and ends what was cancelled. For the deliverer, between two calls.
  ///
  /// - Parameter isBetween: Whether it is between two events, so that rows may move.
  @inline(never)
  package func attendObservers(between isBetween: Bool) {
    if isBetween {
      applyBounds()
      freeEndedValues()
    }
    noteEndsLeft()
    endCancelled(between: isBetween)
  }

  /// Ends everything that was cancelled: rows, hook, handle.
  private func endCancelled(between isBetween: Bool) {
    guard isAsked(for: Attention.cancelled), !isForked else { return }
    state.pointee.lock.acquire()
    endAsking(for: Attention.cancelled)
    while let subscription = state.pointee.observers.takeCancelled() {
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

  func callHook(of subscription: Subscription.Pointer) {
    guard let release = subscription.pointee.release else { return }
    Frame.enter(self, nil) { _ in release(subscription.pointee.userData) }
  }

  /// The last steps of a scheduled subscription, on the thread that delivers for its scheduler: calls its hook and
  /// forgets it. No lock held.
  package func forgetScheduled(_ subscription: Subscription.Pointer) {
    if let release = subscription.pointee.release {
      Frame.enterScheduled(self, nil, nil) { _ in release(subscription.pointee.userData) }
    }
    if isForked { return }
    locked { forget(subscription) }
  }

  /// Removes a subscription's rows. Under both locks.
  @inline(__always)
  private func leaveRows(_ subscription: Subscription.Pointer, _ isBetween: Bool) {
    if subscription.pointee.call.isOfOneOrigin {
      return state.pointee.observers.leaveOriginRows(subscription, isBetween)
    }
    let (serial, hasJoined) = (subscription.pointee.serial, subscription.pointee.hasJoined)
    let tombstone = state.pointee.observers.tombstone
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
  private func forget(_ subscription: Subscription.Pointer) {
    if let show = Show.of(subscription) { endShow(show, of: subscription.pointee.scope) }
    unlink(subscription)
    state.pointee.slots.end(subscription.pointee.slot)
    subscription.pointee.slotHasEnded = true
    Subscription.freeParts(subscription)
    if !subscription.pointee.isQueued { state.pointee.observers.giveSpare(subscription) }
    wakeWaiters()
  }
}

extension Observers {
  /// The observers of a handler's type; a handler has exactly one. Nil for a handler of what is sent through its server's
  /// own scope: those requests end with the scope. Under the lock.
  func observersHandled(by handler: Subscription.Pointer) -> TypeObservers.Pointer? {
    guard case .one(let type) = handler.pointee.filter, !handler.pointee.call.isOfOneOrigin else {
      return nil
    }
    return find(type)
  }
}

extension ResolvedHandle {
  /// The subscription that the handle names, until it is cancelled. Under the lock.
  package var liveSubscription: Subscription.Pointer? {
    guard isLive, let subscription, !Subscription.isCancelled(subscription) else { return nil }
    return subscription
  }

  /// The subscription that the handle names, if it is live. Under the lock.
  fileprivate var subscription: Subscription.Pointer? {
    slot.pointee.object?.assumingMemoryBound(to: Subscription.self)
  }
}
