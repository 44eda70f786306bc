// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The lists of subscriptions: of all, of a scope, of patterns. Under the lock.
extension Stream {
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

  /// Removes a subscription from all lists; its scope is freed if this was the last of a scope that has ended.
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
    leaveScope(subscription)
    if !subscription.pointee.call.isInner { state.pointee.counts.subscriptions &-= 1 }
    if subscription.pointee.filter.pattern != nil { unlinkPattern(subscription) }
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
