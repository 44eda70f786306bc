// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A scope: it sends, and its subscriptions end together. The context itself is the root scope. Under the stream's
/// lock.
package struct Scope {
  package let slot: Slot.Pointer
  package let handle: Handle
  package let origin: UInt32
  let parent: Pointer?
  /// The nearest budget, its own or one from above.
  let budget: Budget.Pointer?
  private var firstChild: Pointer?
  private var previousSibling: Pointer?
  private var nextSibling: Pointer?
  private var observers = List<Subscription, Subscription.InScope>()
  var firstTimer: Timer.Pointer?
  /// Its number and the key that reports its end to `ScopeNumbers`; 0: not counted.
  var drawn: ScopeNumbers.Drawn
  /// The same in every run, whatever else there is: see `ScopeNumbers`. The context's is 0.
  var number: UInt64 { drawn.number }
  /// The numbers that its callbacks draw derive from this, so that they are the same in every run, too.
  package let identity: UInt64
  /// Its first group of subscriptions that have drawn numbers; 0: there is none. See `ScopeNumbers`.
  var drawers: UInt64 = 0
  /// The key that reports its end there, too; 0: not counted.
  let identityKey: UInt64
  /// Whether it was made outside callbacks.
  var isOfProgram: Bool { identityKey != 0 }
  /// Counts its subscriptions, including ended ones.
  private(set) var observed: UInt32 = 0
  /// Subscriptions that point here; the last one to go frees the memory.
  private(set) var subscriptions = 0
  var hasEnded = false
  /// Whether it stands in for a scope of a session that is shown again.
  var isStandIn = false
  /// Requests made through it whose answers are not delivered yet; the list belongs to the station above.
  package var firstRequest: UnsafeMutableRawPointer?
  /// Of an instance of a service: the open requests that it got; the list belongs to the station above.
  package var firstServed: UnsafeMutableRawPointer?
  /// Of an instance of a service: the type that asks for the service; 0: it is none.
  package internal(set) var service: UInt32 = 0
  /// Of a server that shows. Changes under both locks, or before anybody can be called.
  var show: Show.Pointer?
  /// That its end is told on the stream; nil: it is not.
  var endNotice: EndNotice.Pointer?
  /// Links the servers, in order of registration.
  var isServer = false
  var previousServer: Pointer?
  var nextServer: Pointer?

  package typealias Pointer = UnsafeMutablePointer<Scope>

  init(
    slot: Slot.Pointer, handle: Handle, origin: UInt32, parent: Pointer?,
    number: ScopeNumbers.Drawn = ScopeNumbers.Drawn(number: 0, key: 0),
    identity: ScopeNumbers.Drawn = ScopeNumbers.Drawn(number: 0, key: 0),
    budget: Budget.Pointer? = nil
  ) {
    self.slot = slot
    self.handle = handle
    self.origin = origin
    self.parent = parent
    drawn = number
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
  static func free(_ scope: Pointer) {
    EndNotice.free(scope.pointee.endNotice)
    Budget.leave(scope.pointee.budget)
    Memory.free(scope)
  }
}

/// The tree.
extension Scope {
  static func adopt(_ child: Pointer, into parent: Pointer) {
    child.pointee.nextSibling = parent.pointee.firstChild
    parent.pointee.firstChild?.pointee.previousSibling = child
    parent.pointee.firstChild = child
  }

  static func unlink(_ child: Pointer) {
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

  /// Visits a tree, parents before children.
  static func eachDownwards(_ root: Pointer, _ visit: (Pointer) -> Void) {
    var scope = root
    while true {
      visit(scope)
      if let child = scope.pointee.firstChild {
        scope = child
        continue
      }
      while scope != root, scope.pointee.nextSibling == nil, let parent = scope.pointee.parent {
        scope = parent
      }
      guard scope != root, let sibling = scope.pointee.nextSibling else { return }
      scope = sibling
    }
  }

  /// Visits a tree, children before parents; the visitor may free what it visits.
  static func eachUpwards(_ root: Pointer, _ visit: (Pointer) -> Void) {
    var scope = root
    while true {
      while let child = scope.pointee.firstChild { scope = child }
      let parent = scope.pointee.parent
      let isRoot = scope == root
      visit(scope)
      guard !isRoot, let parent else { return }
      scope = parent
    }
  }
}

/// Its subscriptions.
extension Scope {
  package static func add(_ subscription: Subscription.Pointer, to scope: Pointer) {
    scope.pointee.observers.append(subscription)
    scope.pointee.subscriptions &+= 1
    scope.pointee.observed &+= 1
    subscription.pointee.number = scope.pointee.observed
    Budget.add(to: scope.pointee.budget)
  }

  /// Visits the subscriptions of a tree of scopes, in each the last registered first.
  package static func eachObserver(below root: Pointer, _ visit: (Subscription.Pointer) -> Void) {
    eachDownwards(root) { $0.pointee.observers.eachBackwards(visit) }
  }

  /// Visits its own subscriptions, the last registered first.
  package static func eachObserver(of scope: Pointer, _ visit: (Subscription.Pointer) -> Void) {
    scope.pointee.observers.eachBackwards(visit)
  }

  static func remove(_ subscription: Subscription.Pointer) {
    let scope = subscription.pointee.scope
    scope.pointee.observers.remove(subscription)
    scope.pointee.subscriptions &-= 1
    Budget.remove(from: scope.pointee.budget)
  }
}
