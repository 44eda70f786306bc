// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

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
  /// Its number in the description that is being written, from 1; 0: it is in none.
  var described: UInt32 = 0
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

  /// Visits a tree, parents before children, and children in the order in which they were added.
  @inline(never)
  static func eachInOrder(_ root: Pointer, _ visit: (Pointer) -> Void) {
    var scope = root
    while true {
      visit(scope)
      if var child = scope.pointee.firstChild {
        while let older = child.pointee.nextSibling { child = older }
        scope = child
        continue
      }
      while scope != root, scope.pointee.previousSibling == nil, let parent = scope.pointee.parent {
        scope = parent
      }
      guard scope != root, let younger = scope.pointee.previousSibling else { return }
      scope = younger
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

/// Scopes: who sends, and what ends together.
extension Stream {
  /// Makes a scope below another. Under the lock.
  ///
  /// - Parameter other: The number from which its own derives; nil: that of its parent.
  package func addScope(
    _ name: Bytes, below parent: Scope.Pointer, _ options: Scope.Options = Scope.Options(),
    numberedBelow other: UInt64? = nil
  ) throws(Refusal) -> Scope.Pointer {
    guard let scope = Memory.allocate(Scope.self) else { throw .noMemory }
    do throws(Refusal) {
      try initialize(scope, name, parent, options, other ?? parent.pointee.number)
    } catch {
      Memory.free(scope)
      throw error
    }
    state.pointee.scopes.add(scope, below: parent)
    return scope
  }

  /// Like `addScope`, for a server.
  package func addServer(
    _ name: Bytes, below parent: Scope.Pointer
  ) throws(Refusal) -> Scope.Pointer {
    let scope = try addScope(name, below: parent)
    state.pointee.scopes.servers.add(scope)
    return scope
  }

  /// Makes the context's own scope. Nobody knows the stream yet.
  package func addRoot() throws(Refusal) -> Scope.Pointer {
    guard let root = Memory.allocate(Scope.self) else { throw .noMemory }
    guard let (slot, handle) = state.pointee.slots.make(.root, stream: address, object: root) else {
      Memory.free(root)
      throw Refusal(.limit, "", "out of handles")
    }
    root.initialize(to: Scope(slot: slot, handle: handle, origin: 0, parent: nil))
    state.pointee.scopes.open(root)
    return root
  }

  @_optimize(speed)
  private func initialize(
    _ scope: Scope.Pointer, _ name: Bytes, _ parent: Scope.Pointer, _ options: Scope.Options,
    _ above: UInt64
  ) throws(Refusal) {
    let rights = state.pointee.scopes.origins.rights(of: parent.pointee.origin).narrowed(
      by: options.rights)
    guard let (number, identity) = drawNumbers(name, below: above) else { throw .noMemory }
    let described = Origins.Scope(number: number.number, parent: above)
    guard let origin = state.pointee.scopes.origins.add(name, rights, described) else {
      state.pointee.scopes.takeBack(number, identity)
      throw .noMemory
    }
    do throws(Refusal) {
      let budget = try joinBudget(options.observers, for: origin, below: parent)
      guard
        let (slot, handle) = state.pointee.slots.make(
          rights == .all ? .context : .limitedContext, stream: address, object: scope,
          origin: origin)
      else {
        Budget.leave(budget)
        throw Refusal.lacking(.handles)
      }
      if rights != .all { state.pointee.scopes.noteLimited() }
      scope.initialize(
        to: Scope(
          slot: slot, handle: handle, origin: origin, parent: parent,
          number: number, identity: identity, budget: budget))
    } catch {
      state.pointee.scopes.takeBack(number, identity)
      state.pointee.scopes.origins.takeBack(origin)
      throw error
    }
  }

  /// A scope's number; and outside of callbacks, where the number depends on chance, its identity. Nil without memory.
  @inline(__always)
  private func drawNumbers(
    _ name: Bytes, below parent: UInt64
  ) -> (number: ScopeNumbers.Drawn, identity: ScopeNumbers.Drawn)? {
    let position = positionOfCallback
    guard
      let number = state.pointee.scopes.numbers.draw(
        name, below: parent, at: position)
    else { return nil }
    guard position == 0 else { return (number, ScopeNumbers.Drawn(number: number.number, key: 0)) }
    guard let identity = state.pointee.scopes.numbers.drawIdentity(name) else {
      state.pointee.scopes.numbers.takeBack(number.key)
      return nil
    }
    return (number, identity)
  }

  /// The budget that a scope counts in: one of its own, or its parent's.
  @inline(__always)
  private func joinBudget(
    _ observers: UInt64, for origin: UInt32, below parent: Scope.Pointer
  ) throws(Refusal) -> Budget.Pointer? {
    var budget = parent.pointee.budget
    if observers != .max {
      budget = Budget.make(observers, for: origin, below: budget)
      guard budget != nil else { throw .noMemory }
    }
    Budget.join(budget)
    return budget
  }

  /// The position that a scope made now is counted by; 0 outside callbacks.
  private var positionOfCallback: UInt64 {
    guard let frame = Frame.of(self), let event = frame.pointee.event else { return 0 }
    let position = event.pointee.position
    return frame.pointee.sendsInputs ? position | ScopeNumbers.unrepeated : position
  }

  /// Takes back a scope that nobody has seen yet. Under the lock.
  package func removeScope(_ scope: Scope.Pointer) {
    state.pointee.slots.end(scope.pointee.slot)
    state.pointee.scopes.numbers.takeBack(scope.pointee.drawn.key)
    state.pointee.scopes.numbers.takeBack(scope.pointee.identityKey)
    state.pointee.scopes.origins.takeBack(scope.pointee.origin)
    state.pointee.scopes.remove(scope)
    Scope.free(scope)
  }

  /// Ends a scope: its subscriptions are cancelled, the last registered first.
  package static func endScope(_ handle: Handle) throws(Refusal) {
    try endScope(try ResolvedHandle.changing(handle, .context, "scope"))
  }

  static func endScope(_ resolved: ResolvedHandle) throws(Refusal) {
    let stream = resolved.stream
    // While the stream is fed, what the end of a scope reports comes from the source, unless a callback ends the scope.
    let isTold = (try? stream.goesAhead()) == true
    // The callback's event does not say which of the scope's requests are still open.
    let asking = stream.readPoint()
    stream.settleAsRecorded()
    stream.state.pointee.lock.acquire()
    let last = stream.position
    defer {
      asking?.note(last)
      stream.noteAnswersWaiting(after: last)
    }
    let serial = stream.state.pointee.scopes.countEnd()
    var ends = EndsToTell()
    do throws(Refusal) {
      try resolved.endScope(isTold: isTold, &ends)
    } catch {
      stream.state.pointee.lock.release()
      throw error
    }
    // The end of an owner takes effect when it is delivered.
    let isOfHost =
      stream.connectedRecorder != nil && stream.eventOfCallback == nil && !resolved.isLive
    let duty = stream.claimDelivery()
    if duty.isDeliverer {
      let delivered = isOfHost ? stream.delivered : 0
      stream.state.pointee.lock.release()
      stream.attendObservers(between: true)
      if isTold { stream.locked { stream.tell(&ends, serial) } }
      if isOfHost { stream.note(ends.told, after: delivered) }
      stream.fulfill(duty)
    } else {
      if isTold { stream.tell(&ends, serial) }
      if isOfHost { stream.leaveNote(of: ends.told) }
      stream.state.pointee.lock.release()
    }
    if ends.tellsHost { stream.signal() }
  }

  /// Cancels the subscriptions of a tree of scopes in one order, the last registered first, then ends the scopes.
  /// Constant stack, whatever the depth of the tree. Under the lock.
  ///
  /// - Parameter ends: Gets the ends that are to be told, parents before children.
  func endTree(_ root: Scope.Pointer, isTold: Bool = true, _ ends: inout EndsToTell) {
    Scope.eachDownwards(root) { scope in
      scope.pointee.hasEnded = true
      if isTold {
        oweEndIfShowing(scope)
        if let room = EndNotice.takeRoom(scope.pointee.endNotice) {
          ends.add(room, of: scope)
        }
      }
      tellEnding(scope)
    }
    cancelObservers(below: root)
    Scope.eachUpwards(root) { scope in
      endTimers(of: scope)
      if scope.pointee.endNotice?.pointee.isTold != true {
        endShown(of: scope.pointee.origin, &ends)
      }
      state.pointee.slots.end(scope.pointee.slot)
      state.pointee.scopes.numbers.end(scope.pointee.drawn.key)
      state.pointee.scopes.numbers.end(scope.pointee.identityKey)
      state.pointee.scopes.remove(scope)
      freeIfLeft(scope)
    }
  }

  /// Ends the handles of all scopes, their timers and what was retained. Under the lock; the context closes.
  package func endScopes() {
    state.pointee.scopes.each { scope in
      endTimers(of: scope)
      state.pointee.slots.end(scope.pointee.slot)
    }
    endAllRetained()
  }
}

extension Scopes {
  fileprivate mutating func takeBack(_ number: ScopeNumbers.Drawn, _ identity: ScopeNumbers.Drawn) {
    numbers.takeBack(number.key)
    numbers.takeBack(identity.key)
  }
}
