// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Scopes that are found again.
extension Stream {
  /// The live scope of an origin. For an origin that a source named: the scope that has its number; else one that has
  /// its name and was made outside callbacks, as a program of other shape may have placed it elsewhere. Nil: there is
  /// none. Under the lock.
  package func scope(of origin: UInt32) -> Scope.Pointer? {
    guard origin != 0 else { return state.pointee.scopes.root }
    let number = state.pointee.scopes.origins.scope(of: origin).number
    if let scope = state.pointee.scopes.origins[live: number],
      scope.pointee.origin == origin || hasSameName(scope, origin)
    {
      return scope
    }
    let namesake = state.pointee.scopes.origins.firstNamesake(of: origin)
    guard namesake.number != 0, let scope = state.pointee.scopes.origins[live: namesake.number],
      scope.pointee.isOfProgram, hasSameName(scope, origin)
    else { return nil }
    return scope
  }

  /// A journal may say of any number that it is any scope's.
  private func hasSameName(_ scope: Scope.Pointer, _ origin: UInt32) -> Bool {
    guard let name = state.pointee.scopes.origins[origin] else { return false }
    return state.pointee.scopes.origins[scope.pointee.origin] == name
  }
}

extension ResolvedHandle {
  /// The number of the scope that the handle names.
  package func readScopeNumber() throws(Refusal) -> UInt64 {
    try reading { () throws(Refusal) in
      guard let scope else { throw .ended }
      return scope.pointee.number
    }
  }

  /// Finds the live scope with a number, unless more may be done through it than through this one.
  ///
  /// - Returns: Its handle, and its name; nil: there is none.
  package func findScope(_ number: UInt64) throws(Refusal) -> (handle: Handle, name: Bytes)? {
    try reading { () throws(Refusal) in
      guard let scope else { throw .ended }
      var found =
        number == 0
        ? stream.state.pointee.scopes.root : stream.state.pointee.scopes.origins[live: number]
      if found == nil { found = try stream.standIn(for: number) }
      let scopes = stream.state.pointee.scopes.origins
      guard let found, let name = scopes[found.pointee.origin],
        scopes.rights(of: found.pointee.origin).areWithin(scopes.rights(of: scope.pointee.origin)),
        Budget.counts(found.pointee.budget, in: scope.pointee.budget)
      else { return nil }
      return (found.pointee.handle, name)
    }
  }
}
