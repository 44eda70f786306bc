// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The scopes that are servers, in order of registration. Under the stream's lock.
struct Servers {
  private var first: Scope.Pointer?
  private var last: Scope.Pointer?

  mutating func add(_ scope: Scope.Pointer) {
    scope.pointee.isServer = true
    scope.pointee.previousServer = last
    if let last {
      last.pointee.nextServer = scope
    } else {
      first = scope
    }
    last = scope
  }

  mutating func remove(_ scope: Scope.Pointer) {
    scope.pointee.isServer = false
    let (previous, next) = (scope.pointee.previousServer, scope.pointee.nextServer)
    if let previous {
      previous.pointee.nextServer = next
    } else {
      first = next
    }
    if let next {
      next.pointee.previousServer = previous
    } else {
      last = previous
    }
  }

  /// Visits them until `visit` returns false.
  func each(_ visit: (_ server: Scope.Pointer, _ isLast: Bool) -> Bool) {
    var next = first
    while let server = next {
      next = server.pointee.nextServer
      guard visit(server, next == nil) else { return }
    }
  }
}
