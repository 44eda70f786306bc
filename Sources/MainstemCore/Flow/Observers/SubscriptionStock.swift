// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Memory of subscriptions that ended, for reuse. Under the stream's lock.
package struct SubscriptionStock {
  private var first: Subscription.Pointer?
  private var count = 0

  package init() {}

  /// Memory for one subscription; nil if the stock is empty.
  @inline(__always)
  package mutating func take() -> Subscription.Pointer? {
    guard let subscription = first else { return nil }
    first = subscription.pointee.next
    count &-= 1
    return subscription
  }

  /// Takes over the memory of a subscription that has ended.
  @inline(__always)
  package mutating func give(_ subscription: Subscription.Pointer) {
    guard count < 64 else { return Memory.free(subscription) }
    subscription.pointee.next = first
    first = subscription
    count &+= 1
  }

  /// Frees all memory, when the stream is closed.
  package mutating func empty() {
    while let subscription = take() { Memory.free(subscription) }
  }
}
