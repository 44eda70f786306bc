// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Registering event types. A new type takes along the observers whose pattern it matches.
extension Stream {
  /// The number of a type, new or known. Under the lock.
  package func addType(
    _ name: Bytes, _ bits: UInt64, response: Bytes?
  ) throws(Refusal) -> UInt32 {
    let contract = try Contract(checking: bits, for: name, layers: state.pointee.layers.count)
    let known = state.pointee.types.find(name)
    if known != 0 {
      try state.pointee.types.confirm(known, contract, response: response)
      return known
    }
    let type = UInt32(truncatingIfNeeded: state.pointee.types.count &+ 1)
    guard let observers = state.pointee.observerTable.reserve(type) else { throw .noMemory }
    guard takeAlong(observers, contract) else {
      observers.pointee.clear()
      throw .noMemory
    }
    do throws(Refusal) {
      _ = try state.pointee.types.add(name, contract, response: response)
    } catch {
      observers.pointee.clear()
      throw error
    }
    state.pointee.serial &+= 1
    observers.pointee.serial = state.pointee.serial
    if state.pointee.reportsActivity, contract.role == .request {
      observers.pointee.open.store(TypeObservers.reported, ordering: .relaxed)
    }
    // The last step: from here on events of the type can be sent.
    observers.pointee.open(contract, most: mostPayload)
    return type
  }

  /// Gives a new type its rows: every live pattern that matches, in order of registration.
  private func takeAlong(_ observers: TypeObservers.Pointer, _ contract: Contract) -> Bool {
    var next = state.pointee.firstPattern
    while let subscription = next {
      next = subscription.pointee.nextAlike
      guard subscription.pointee.filter.pattern?.matches(contract) == true,
        !Subscription.isCancelled(subscription)
      else { continue }
      guard subscription.pointee.queue == nil || reserveHandOver(observers),
        observers.pointee.reserve()
      else { return false }
      join(subscription, observers)
    }
    return true
  }
}
