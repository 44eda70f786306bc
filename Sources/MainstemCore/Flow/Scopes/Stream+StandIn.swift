// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Scopes of a session that is shown again: what was behind them is not there, but views find them by their numbers.
extension Stream {
  /// The scope that stands in for one of a session in a muted replay, made when it is first looked for. It ends where
  /// the session's ended. Nil: the journal has none of this number, or it has ended. Under the lock.
  func standIn(for number: UInt64) throws(Refusal) -> Scope.Pointer? {
    guard isIn(.fedAll), let root = state.pointee.scopes.root,
      let entry = state.pointee.scopes.origins.find(scope: number),
      !entry.pointee.hadScope, !entry.pointee.isEndTold
    else { return nil }
    guard let scope = Memory.allocate(Scope.self) else { throw .noMemory }
    let origin = entry.pointee.number
    guard
      let (slot, handle) = state.pointee.slots.make(
        .context, stream: address, object: scope, origin: origin)
    else {
      Memory.free(scope)
      throw Refusal.lacking(.handles)
    }
    let drawn = ScopeNumbers.Drawn(number: number, key: 0)
    scope.initialize(
      to: Scope(
        slot: slot, handle: handle, origin: origin, parent: root, number: drawn, identity: drawn))
    scope.pointee.isStandIn = true
    state.pointee.scopes.origins.standIn(entry)
    state.pointee.scopes.add(scope, below: root)
    return scope
  }

  /// Ends the scope that stands in for one that has ended in the session. For the deliverer; no lock held.
  func endStandIn(of origin: UInt32) {
    var ends = EndsToTell()
    locked {
      guard let scope = state.pointee.scopes.origins.find(origin)?.pointee.live,
        scope.pointee.isStandIn
      else { return }
      endTree(scope, &ends)
    }
    if ends.tellsHost { signal() }
  }
}

extension Origins {
  /// Notes that a scope of a session has a scope here.
  fileprivate func standIn(_ entry: Entry.Pointer) {
    entry.pointee.rights = .all
    entry.pointee.isLive = true
    entry.pointee.hadScope = true
    entry.pointee.stoodIn = true
  }
}
