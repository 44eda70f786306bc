// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The observers of one type that look at one origin each: what is sent through one scope. They are found by the number
/// of the origin, so a send costs the same however many scopes there are.
///
/// An internal row of the type, the caller, looks here, behind all other observers: a type that nobody observes so has
/// no such row. The chains change only under both locks.
struct OriginObservers: ~Copyable {
  private typealias Chains = UnsafeMutablePointer<OriginRow.Pointer?>

  /// How many rows are in place, and how many have room and are not. First, for the reason given at `StreamState`.
  private var count: UInt32 = 0
  private var joining: UInt32 = 0
  /// Rows by the hash of their origin, each chain in the order of registration.
  private var chains: Chains?
  /// Wider chains, made before they are needed, so that joining cannot fail.
  private var widerChains: Chains?
  /// The numbers of chains, as powers of two.
  private var bits: UInt32 = 0
  private var widerBits: UInt32 = 0
  /// Where the deliverer goes on after the call that it makes now.
  private var next: OriginRow.Pointer?
  let caller: Subscription.Pointer
  /// Whether the type has room for the caller, or has it among its rows.
  fileprivate var callerHasRoom = false

  typealias Pointer = UnsafeMutablePointer<OriginObservers>

  private init(_ caller: Subscription.Pointer) { self.caller = caller }

  /// No observers; nil without memory.
  static func make(_ caller: Subscription.Options, _ root: Scope.Pointer) -> Pointer? {
    guard let row = Memory.allocate(Subscription.self) else { return nil }
    guard let origins = Memory.allocate(OriginObservers.self) else {
      Memory.free(row)
      return nil
    }
    row.initialize(to: .unlisted(caller, root))
    origins.initialize(to: OriginObservers(row))
    return origins
  }

  /// Frees the memory; the rows belong to their observers.
  static func free(_ origins: Pointer?) {
    guard let origins else { return }
    origins.pointee.freeChains()
    Memory.free(origins.pointee.caller)
    Memory.free(origins)
  }

  fileprivate var isUnused: Bool { count == 0 && joining == 0 }

  private func index(of origin: UInt32) -> Int {
    Int((origin &* 0x9E37_79B9) &>> (32 &- bits))
  }

  fileprivate mutating func freeChains() {
    Memory.free(chains)
    (chains, bits) = (nil, 0)
    freeWiderChains()
  }

  fileprivate mutating func freeWiderChains() {
    Memory.free(widerChains)
    (widerChains, widerBits) = (nil, 0)
  }
}

/// Joining and leaving.
extension OriginObservers {
  /// Makes room for one more row; `join` then cannot fail. Under the lock; false without memory.
  fileprivate mutating func reserve() -> Bool {
    let needed = count &+ joining &+ 1
    if chains == nil && widerChains == nil || needed > 1 &<< max(bits, widerBits) {
      let wider = max(bits, widerBits, 1) &+ 1
      guard wider < 32,
        let fresh = Memory.allocate(OriginRow.Pointer?.self, count: 1 &<< Int(wider))
      else { return false }
      fresh.initialize(repeating: nil, count: 1 &<< Int(wider))
      Memory.free(widerChains)
      (widerChains, widerBits) = (fresh, wider)
    }
    joining &+= 1
    return true
  }

  fileprivate mutating func unreserve() { joining &-= 1 }

  /// Puts a row behind the others of its origin. Under both locks, after `reserve`.
  fileprivate mutating func join(_ row: OriginRow.Pointer) {
    widen()
    append(row)
    joining &-= 1
    count &+= 1
  }

  /// Removes a row. A walk that is under way goes on behind it. Under both locks.
  fileprivate mutating func leave(_ row: OriginRow.Pointer) {
    if next == row { next = row.pointee.next }
    let chain = index(of: row.pointee.subscription.pointee.origin)
    guard let chains, let first = chains[chain] else { return }
    if first == row {
      chains[chain] = row.pointee.next
      row.pointee.next?.pointee.previous = row.pointee.previous
    } else {
      row.pointee.previous?.pointee.next = row.pointee.next
      (row.pointee.next ?? first).pointee.previous = row.pointee.previous
    }
    count &-= 1
  }

  private mutating func append(_ row: OriginRow.Pointer) {
    let chain = index(of: row.pointee.subscription.pointee.origin)
    guard let chains else { return }
    row.pointee.next = nil
    if let first = chains[chain] {
      row.pointee.previous = first.pointee.previous
      first.pointee.previous?.pointee.next = row
      first.pointee.previous = row
    } else {
      row.pointee.previous = row
      chains[chain] = row
    }
  }

  /// Uses the room that `reserve` made. What has one origin stays in order.
  private mutating func widen() {
    guard let fresh = widerChains else { return }
    let (old, size) = (chains, 1 &<< Int(bits))
    (chains, bits) = (fresh, widerBits)
    (widerChains, widerBits) = (nil, 0)
    var chain = 0
    while let old, chain < size {
      var next = old[chain]
      while let row = next {
        next = row.pointee.next
        append(row)
      }
      chain &+= 1
    }
    Memory.free(old)
  }
}

/// Looking up.
extension OriginObservers {
  /// Visits all rows, in no order. Under the lock, or for the deliverer.
  func each(_ visit: (OriginRow.Pointer) -> Void) {
    var chain = 0
    while let chains, chain < 1 &<< Int(bits) {
      var next = chains[chain]
      while let row = next {
        next = row.pointee.next
        visit(row)
      }
      chain &+= 1
    }
  }

  private func first(of origin: UInt32) -> OriginRow.Pointer? {
    guard let chains else { return nil }
    return chains[index(of: origin)]
  }

  /// Visits the rows of an origin, in order of registration, until `visit` returns false. `visit` may let any row leave,
  /// and gets rows that are still in place. For the deliverer.
  @inline(__always)
  static func walk(
    _ origins: Pointer, of origin: UInt32, _ visit: (OriginRow.Pointer) -> Bool
  ) {
    origins.pointee.next = origins.pointee.first(of: origin)
    while let row = origins.pointee.next {
      origins.pointee.next = row.pointee.next
      guard row.pointee.subscription.pointee.origin != origin || visit(row) else { break }
    }
    origins.pointee.next = nil
  }

  /// Visits the observers of an origin until `visit` returns false. Under the lock, or for the deliverer.
  func all(of origin: UInt32, _ visit: (Subscription.Pointer) -> Bool) -> Bool {
    var next = first(of: origin)
    while let row = next {
      next = row.pointee.next
      let subscription = row.pointee.subscription
      guard subscription.pointee.origin != origin || visit(subscription) else { return false }
    }
    return true
  }
}

extension TypeObservers {
  /// Makes room for an observer of one origin; `joinOrigin` then cannot fail. Under the lock; false without memory.
  mutating func reserveOrigin() -> Bool {
    guard let origins, reserveCaller(origins) else { return false }
    guard origins.pointee.reserve() else {
      leaveIfUnused(origins)
      return false
    }
    return true
  }

  private mutating func reserveCaller(_ origins: OriginObservers.Pointer) -> Bool {
    if !origins.pointee.callerHasRoom { origins.pointee.callerHasRoom = reserve() }
    return origins.pointee.callerHasRoom
  }

  /// Takes a `reserveOrigin` back.
  mutating func unreserveOrigin() {
    guard let origins else { return }
    origins.pointee.unreserve()
    leaveIfUnused(origins)
  }

  /// Adds an observer of one origin behind the others of that origin. Under both locks.
  mutating func joinOrigin(_ row: OriginRow.Pointer) {
    guard let origins else { return }
    if !origins.pointee.caller.pointee.hasJoined {
      origins.pointee.caller.pointee.hasJoined = true
      joinFirstInner(origins.pointee.caller)
    }
    origins.pointee.join(row)
    passOver(ownHandler: row.pointee.subscription)
    if row.pointee.subscription.pointee.refuses { change(refusers: 1) }
  }

  /// Removes an observer of one origin. Under both locks.
  mutating func leaveOrigin(_ row: OriginRow.Pointer, tombstone: Subscription.Pointer) {
    guard let origins else { return }
    origins.pointee.leave(row)
    if row.pointee.subscription.pointee.refuses { change(refusers: -1) }
    guard origins.pointee.isUnused else { return }
    leave(origins.pointee.caller, tombstone: tombstone)
    origins.pointee.caller.pointee.hasJoined = false
    origins.pointee.callerHasRoom = false
    origins.pointee.freeChains()
  }

  /// Gives the caller's room back if nobody looks at one origin.
  private mutating func leaveIfUnused(_ origins: OriginObservers.Pointer) {
    guard origins.pointee.isUnused, !origins.pointee.caller.pointee.hasJoined,
      origins.pointee.callerHasRoom
    else { return }
    unreserve()
    origins.pointee.callerHasRoom = false
    // The deliverer may look at the others.
    origins.pointee.freeWiderChains()
  }
}

/// The place of an observer of one origin in one of its types. It has memory of its own, made before it is needed.
struct OriginRow {
  /// First, so that a frame may point here: see `Frame.current`.
  let subscription: Subscription.Pointer
  /// The type's observers.
  let observers: TypeObservers.Pointer
  /// The neighbours in its chain; `previous` of the first is the last. Nil: it is not in place yet.
  var next: Pointer?
  var previous: Pointer?
  /// The observer's row in another of its types.
  var sibling: Pointer?

  typealias Pointer = UnsafeMutablePointer<OriginRow>

  /// A row that is not in place; nil without memory.
  static func make(
    _ subscription: Subscription.Pointer, in observers: TypeObservers.Pointer
  ) -> Pointer? {
    guard let row = Memory.allocate(OriginRow.self) else { return nil }
    row.initialize(to: OriginRow(subscription: subscription, observers: observers))
    return row
  }

  /// Where the observer is noted, as a frame has it.
  static func place(of row: Pointer) -> UnsafeMutablePointer<Subscription.Pointer> {
    UnsafeMutableRawPointer(row).assumingMemoryBound(to: Subscription.Pointer.self)
  }

  /// Frees a row and its siblings.
  static func freeAll(_ first: Pointer?) {
    var next = first
    while let row = next {
      next = row.pointee.sibling
      Memory.free(row)
    }
  }
}

/// The rows of an observer that looks at one origin: one for each of its types.
extension Stream {
  /// Makes them before they are needed. Under the lock; false without memory: nothing has changed.
  @inline(never)
  func reserveOriginRows(
    _ options: Subscription.Options, _ subscription: Subscription.Pointer,
    _ rows: inout OriginRow.Pointer?
  ) -> Bool {
    var isDone = true
    eachType(of: options.filter) { observers in
      guard isDone else { return }
      isDone =
        (!options.call.isScheduled || reserveHandOver(observers))
        && (!options.call.shows || reservePayer(observers))
        && reserveOriginRow(subscription, observers, &rows)
    }
    if !isDone {
      unreserveOriginRows(rows)
      rows = nil
    }
    return isDone
  }

  private func reserveOriginRow(
    _ subscription: Subscription.Pointer, _ observers: TypeObservers.Pointer,
    _ rows: inout OriginRow.Pointer?
  ) -> Bool {
    if observers.pointee.origins == nil, let root = state.pointee.scopes.root {
      let caller = Subscription.Options(
        { Stream.callOriginObservers($0, $1) }, UnsafeMutableRawPointer(observers), nil, .nothing)
      observers.pointee.setOrigins(OriginObservers.make(caller, root))
    }
    guard let row = OriginRow.make(subscription, in: observers) else { return false }
    guard observers.pointee.reserveOrigin() else {
      Memory.free(row)
      return false
    }
    row.pointee.sibling = rows
    rows = row
    return true
  }

  /// Takes back what was reserved, and frees it.
  func unreserveOriginRows(_ rows: OriginRow.Pointer?) {
    var next = rows
    while let row = next {
      next = row.pointee.sibling
      row.pointee.observers.pointee.unreserveOrigin()
      Memory.free(row)
    }
  }

  /// Puts them in place. Under both locks.
  @inline(never)
  func takeOriginRows(_ subscription: Subscription.Pointer) {
    var next = subscription.pointee.originRows
    while let row = next {
      next = row.pointee.sibling
      // A type registered later has taken the observer along.
      if row.pointee.previous == nil { join(row) }
    }
  }

  private func join(_ row: OriginRow.Pointer) {
    row.pointee.observers.pointee.joinOrigin(row)
    if row.pointee.subscription.pointee.queue != nil {
      row.pointee.observers.pointee.joinHandOver()
    }
    if row.pointee.subscription.pointee.call.shows { joinPayer(row.pointee.observers) }
  }

  /// Gives an observer a row in a type that is being registered. Under the lock; false without memory.
  func takeAlong(
    _ subscription: Subscription.Pointer, _ observers: TypeObservers.Pointer
  ) -> Bool {
    guard reserveOriginRow(subscription, observers, &subscription.pointee.originRows),
      let row = subscription.pointee.originRows
    else { return false }
    join(row)
    return true
  }

  /// Frees the rows in a type that is not registered after all. Under the lock.
  func leaveBehind(_ observers: TypeObservers.Pointer) {
    guard observers.pointee.origins != nil else { return }
    _ = state.pointee.observers.allPatterns { subscription in
      if let row = subscription.pointee.originRows, row.pointee.observers == observers {
        subscription.pointee.originRows = row.pointee.sibling
        Memory.free(row)
      }
      return true
    }
  }
}

extension Observers {
  /// Removes and frees them. Under both locks.
  @inline(never)
  func leaveOriginRows(_ subscription: Subscription.Pointer, _ isBetween: Bool) {
    let tombstone = tombstone
    while let row = subscription.pointee.originRows {
      subscription.pointee.originRows = row.pointee.sibling
      let observers = row.pointee.observers
      if row.pointee.previous == nil {
        observers.pointee.unreserveOrigin()
      } else {
        observers.pointee.leaveOrigin(row, tombstone: tombstone)
      }
      if isBetween { observers.pointee.closeUp(tombstone: tombstone) }
      Memory.free(row)
    }
  }
}
