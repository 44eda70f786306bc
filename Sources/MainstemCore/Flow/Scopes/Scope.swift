// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A scope: it sends, and its subscriptions end together. The context itself is the root scope. Under the stream's
/// lock.
package struct Scope {
  package let slot: Slot.Pointer
  package let handle: Handle
  package let origin: UInt32
  package let parent: Pointer?
  /// The nearest budget, its own or one from above.
  package let budget: Budget.Pointer?
  package var firstChild: Pointer?
  package var previousSibling: Pointer?
  package var nextSibling: Pointer?
  package var firstSubscription: Subscription.Pointer?
  package var lastSubscription: Subscription.Pointer?
  var firstTimer: Timer.Pointer?
  /// The same in every run, whatever else there is: see `ScopeNumbers`. The context's is 0.
  package let number: UInt64
  /// The numbers that its callbacks draw derive from this, so that they are the same in every run, too.
  package let identity: UInt64
  /// The keys that report its end to `ScopeNumbers`; 0: not counted.
  package let numberKey: UInt64
  package let identityKey: UInt64
  /// Counts its subscriptions, including ended ones.
  package var observed: UInt32 = 0
  /// Subscriptions that point here; the last one to go frees the memory.
  package var subscriptions = 0
  package var hasEnded = false
  /// Requests made through it whose answers are not delivered yet; the list belongs to the station above.
  package var firstRequest: UnsafeMutableRawPointer?
  /// Links the servers, in order of registration.
  package var isServer = false
  package var previousServer: Pointer?
  package var nextServer: Pointer?

  package typealias Pointer = UnsafeMutablePointer<Scope>

  package init(
    slot: Slot.Pointer, handle: Handle, origin: UInt32, parent: Pointer?,
    number: ScopeNumbers.Drawn = ScopeNumbers.Drawn(number: 0, key: 0),
    identity: ScopeNumbers.Drawn = ScopeNumbers.Drawn(number: 0, key: 0),
    budget: Budget.Pointer? = nil
  ) {
    self.slot = slot
    self.handle = handle
    self.origin = origin
    self.parent = parent
    self.number = number.number
    numberKey = number.key
    self.identity = identity.number
    identityKey = identity.key
    self.budget = budget
  }
}

/// The options of a scope besides its name.
extension Scope {
  package struct Options {
    package var rights = Rights.all
    /// How many subscriptions it may have at a time, including those of its children.
    package var observers: UInt64 = .max

    package init() {}
  }

  /// Frees the memory.
  package static func free(_ scope: Pointer) {
    Budget.leave(scope.pointee.budget)
    Memory.free(scope)
  }
}

extension Scope {
  package static func adopt(_ child: Pointer, into parent: Pointer) {
    child.pointee.nextSibling = parent.pointee.firstChild
    parent.pointee.firstChild?.pointee.previousSibling = child
    parent.pointee.firstChild = child
  }

  package static func unlink(_ child: Pointer) {
    let (previous, next) = (child.pointee.previousSibling, child.pointee.nextSibling)
    if let previous {
      previous.pointee.nextSibling = next
    } else {
      child.pointee.parent?.pointee.firstChild = next
    }
    next?.pointee.previousSibling = previous
    child.pointee.previousSibling = nil
    child.pointee.nextSibling = nil
  }

  package static func add(_ subscription: Subscription.Pointer, to scope: Pointer) {
    subscription.pointee.previousInScope = scope.pointee.lastSubscription
    if let last = scope.pointee.lastSubscription {
      last.pointee.nextInScope = subscription
    } else {
      scope.pointee.firstSubscription = subscription
    }
    scope.pointee.lastSubscription = subscription
    scope.pointee.subscriptions &+= 1
    scope.pointee.observed &+= 1
    subscription.pointee.number = scope.pointee.observed
    Budget.add(to: scope.pointee.budget)
  }

  package static func remove(_ subscription: Subscription.Pointer) {
    let scope = subscription.pointee.scope
    let (previous, next) = (subscription.pointee.previousInScope, subscription.pointee.nextInScope)
    if let previous {
      previous.pointee.nextInScope = next
    } else {
      scope.pointee.firstSubscription = next
    }
    if let next {
      next.pointee.previousInScope = previous
    } else {
      scope.pointee.lastSubscription = previous
    }
    scope.pointee.subscriptions &-= 1
    Budget.remove(from: scope.pointee.budget)
  }
}
