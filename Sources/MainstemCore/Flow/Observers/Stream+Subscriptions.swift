// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// All subscriptions. Under the lock.
extension Stream {
  /// Enters a new subscription in all lists: those of the stream and that of its scope.
  @inline(__always)
  func link(_ subscription: Subscription.Pointer) {
    state.pointee.observers.add(subscription)
    Scope.add(subscription, to: subscription.pointee.scope)
  }

  /// Removes a subscription from all lists; its scope is freed if this was the last of a scope that has ended.
  @inline(__always)
  func unlink(_ subscription: Subscription.Pointer) {
    state.pointee.observers.remove(subscription)
    leaveScope(subscription)
  }

  /// Marks the origins of what is kept for observers: of histories, and of what waits in queues, including what nobody
  /// has asked for yet. For the deliverer.
  ///
  /// - Returns: The number of steps.
  package func markOriginsOfKept() -> Int {
    var steps = eachKept { markOrigin(of: $0) }
    state.pointee.observers.each { subscription in
      steps &+= 1
      if subscription.pointee.call.isOfOneOrigin { markOrigin(subscription.pointee.origin) }
      if let queue = subscription.pointee.queue { steps &+= markOrigins(of: queue) }
    }
    return steps
  }

  /// Mutes the handlers that are not called now, and lets the others be called again. For the deliverer.
  package func muteHandlers() {
    let (mutesHere, mutesElsewhere) = (
      mutesHandlers(at: Schedulers.immediate), mutesHandlers(at: Schedulers.host)
    )
    state.pointee.observers.each { subscription in
      guard subscription.pointee.call.isHandler else { return }
      if subscription.pointee.call.isScheduled ? mutesElsewhere : mutesHere {
        subscription.pointee.state.bitwiseOr(Subscription.muted, ordering: .relaxed)
      } else {
        subscription.pointee.state.bitwiseAnd(~Subscription.muted, ordering: .relaxed)
      }
    }
  }
}

/// Closing.
extension Stream {
  /// Ends the handles of all subscriptions. Under the lock.
  package func endSubscriptionHandles() {
    state.pointee.observers.each { state.pointee.slots.end($0.pointee.slot) }
  }

  /// Calls the hooks, the last registered first, and frees all observers. No lock held; nobody delivers any longer.
  package func endObservers() {
    while let subscription = state.pointee.observers.last {
      callHook(of: subscription)
      if isForked { return }
      locked {
        if let show = Show.of(subscription) { endShow(show, of: subscription.pointee.scope) }
        unlink(subscription)
      }
      // Its scheduler has stopped.
      if let queue = subscription.pointee.queue {
        SubscriptionQueue.empty(queue)
      }
      Subscription.freeParts(subscription)
      Memory.free(subscription)
    }
    locked { state.pointee.observers.clear(types: state.pointee.types.count) }
  }
}
