// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The live scopes that origins lead to. Under the stream's lock.
extension Origins {
  /// The live scope with a number.
  subscript(live number: UInt64) -> MainstemCore.Scope.Pointer? {
    find(scope: number)?.pointee.live
  }

  /// Notes the scope that has an origin; nil: it has ended.
  func setLive(_ scope: MainstemCore.Scope.Pointer?, for origin: UInt32) {
    find(origin)?.pointee.live = scope
  }

  /// The scope of the first origin that has the same name as one that never had a scope; zeros: there is none.
  func firstNamesake(of origin: UInt32) -> Scope {
    guard let entry = find(origin), !entry.pointee.hadScope else { return Scope() }
    return scope(of: numbers.find(entry.pointee.name.bytes))
  }
}
