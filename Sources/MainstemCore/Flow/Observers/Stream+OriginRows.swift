// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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

  /// Removes and frees them. Under both locks.
  @inline(never)
  func leaveOriginRows(_ subscription: Subscription.Pointer, _ isBetween: Bool) {
    let tombstone = state.pointee.observers.tombstone
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
