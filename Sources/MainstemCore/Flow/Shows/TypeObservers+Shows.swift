// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The row behind all others that pays the shows of a type's observers: the same in every type, see `payHere`.
extension Stream {
  /// Makes it, before the first server needs it that shows. Under the lock; false without memory.
  func makePayer() -> Bool {
    guard state.pointee.payer == nil else { return true }
    guard let root = state.pointee.scopes.root, let row = Memory.allocate(Subscription.self) else {
      return false
    }
    let options = Subscription.Options({ _, _ in Stream.payHere() }, nil, nil, .nothing)
    row.initialize(to: .unlisted(options, root))
    state.pointee.payer = row
    return true
  }

  /// Makes room for it in a type. Under the lock; false without memory.
  func reservePayer(_ observers: TypeObservers.Pointer) -> Bool {
    if !observers.pointee.hasRoomForPayer {
      observers.pointee.hasRoomForPayer = observers.pointee.reserve()
    }
    return observers.pointee.hasRoomForPayer
  }

  /// Under both locks.
  func joinPayer(_ observers: TypeObservers.Pointer) {
    guard let payer = state.pointee.payer, !observers.pointee.hasPayer else { return }
    observers.pointee.joinInner(payer)
    observers.pointee.hasPayer = true
  }
}
