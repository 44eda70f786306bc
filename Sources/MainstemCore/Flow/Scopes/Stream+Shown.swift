// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a scope shows ends with it: its values, and the wait of those that watch it. If the end is told, that is when the
/// event is delivered, in a replay too. Under the lock.
extension Stream {
  /// Ends what the scope of an origin shows.
  func endShown(of origin: UInt32, _ ends: inout EndsToTell) {
    endValues(of: origin)
    if tellWatchers(of: origin) { ends.tellsHost = true }
  }

  /// Lets the end of a scope be told if it has a value, or will have when what was accepted is delivered. In a callback
  /// the end is a read point, so a replay knows of what waits.
  func oweEndIfShowing(_ scope: Scope.Pointer) {
    guard let notice = scope.pointee.endNotice, !notice.pointee.isOwed else { return }
    state.pointee.scopes.origins.eachValue(of: scope.pointee.origin) { value in
      if value.pointee.isThere { notice.pointee.isOwed = true }
    }
  }

  /// A value of an origin, which ends with the scope that has it; nil without memory, or if it is not kept.
  func makeValue(_ type: UInt32, _ origin: UInt32) -> Value.Pointer? {
    if let scope = state.pointee.scopes.origins.find(origin)?.pointee.live {
      do throws(Refusal) { try reserveEnd(of: scope) } catch { return nil }
    }
    guard let value = values.pointee.make(type, origin) else { return nil }
    state.pointee.scopes.origins.add(value, to: origin)
    return value
  }
}

extension Value {
  /// Whether it is set, or something is on its way that sets it.
  fileprivate var isThere: Bool { isSet || output != nil || input != nil }
}
