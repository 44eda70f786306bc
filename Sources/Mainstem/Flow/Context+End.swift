// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Context {
  /// Calls a closure that ends something of the context, for who is released: in a context of an actor, on that actor; at
  /// once if this is the actor, otherwise soon. Elsewhere here and now.
  package func end(_ body: @escaping @Sendable () -> Void) {
    guard let drainer = types.drainer else { return body() }
    drainer.end(body)
  }
}
