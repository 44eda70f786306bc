// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Leaving: rows become tombstones, until they are closed up.
extension TypeObservers {
  /// Removes an observer. The rows stay where they are, so a walk over them can go on.
  @inline(__always)
  mutating func leave(
    _ subscription: Subscription.Pointer, tombstone: Subscription.Pointer
  ) {
    guard let rows, let row = row(of: subscription) else { return }
    rows[row] = tombstone
    tombstones &+= 1
    if subscription.pointee.call.isHandler { handlerRows &-= 1 }
    if subscription.pointee.refuses { change(refusers: -1) }
    // An internal row that leaves from the midst of the others keeps its place among them.
    while count > 0, rows[Int(count) &- 1] == tombstone {
      count &-= 1
      tombstones &-= 1
      if inner > 0 { inner &-= 1 }
    }
  }

  /// Like `leave`, for an observer that joined at once: it has one row, and is neither handler nor scheduled.
  @inline(__always)
  mutating func leaveAtOnce(
    _ subscription: Subscription.Pointer, tombstone: Subscription.Pointer
  ) {
    guard let rows else { return }
    rows[Int(subscription.pointee.row)] = tombstone
    tombstones &+= 1
    while count > 0, rows[Int(count) &- 1] == tombstone {
      count &-= 1
      tombstones &-= 1
    }
  }

  /// Removes the tombstones when they are many. Under both locks, between two events.
  mutating func closeUp(tombstone: Subscription.Pointer) {
    guard tombstones > 16, tombstones > count / 2, let rows, let serials else { return }
    var kept = 0
    var index = 0
    let firstInner = Int(count &- UInt32(inner))
    while index < Int(count) {
      let subscription = rows[index]
      if subscription == tombstone {
        if index >= firstInner { inner &-= 1 }
      } else {
        rows[kept] = subscription
        serials[kept] = serials[index]
        subscription.pointee.row = UInt32(truncatingIfNeeded: kept)
        kept &+= 1
      }
      index &+= 1
    }
    count = UInt32(truncatingIfNeeded: kept)
    tombstones = 0
  }

  /// The index of an observer's row: its own note of it, or a search if it has rows in several types.
  private func row(of subscription: Subscription.Pointer) -> Int? {
    guard let rows, let serials else { return nil }
    let noted = Int(subscription.pointee.row)
    if noted < Int(count), rows[noted] == subscription { return noted }
    let serial = subscription.pointee.serial
    var (low, high) = (0, Int(count) &- Int(inner))
    while low < high {
      let middle = (low &+ high) / 2
      if serials[middle] < serial { low = middle &+ 1 } else { high = middle }
    }
    if low < Int(count), rows[low] == subscription { return low }
    // An internal row: they are few, and in no order.
    var index = Int(count) &- 1
    while index >= 0 {
      if rows[index] == subscription { return index }
      index &-= 1
    }
    return nil
  }
}

/// Types that have lost the first of their handlers. Under the lock.
extension Observers {
  /// Lets a type wait to be looked at.
  mutating func noteAbandoned(_ observers: TypeObservers.Pointer) {
    guard !observers.pointee.waitsAbandoned else { return }
    observers.pointee.waitsAbandoned = true
    observers.pointee.nextAbandoned = abandoned
    abandoned = observers
  }

  /// Visits the types for which that was with an end of scopes. Others wait on.
  package mutating func eachAbandoned(
    at end: UInt32, _ visit: (TypeObservers.Pointer) -> Void
  ) {
    var rest = abandoned
    abandoned = nil
    while let observers = rest {
      rest = observers.pointee.nextAbandoned
      observers.pointee.waitsAbandoned = false
      if observers.pointee.abandoned == end {
        visit(observers)
      } else {
        noteAbandoned(observers)
      }
    }
  }
}
