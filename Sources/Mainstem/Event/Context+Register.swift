// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Context {
  /// Registers an event type, and the one that answers it, for calls of C that name types.
  package func register(_ type: any Event.Type) throws(StreamError) {
    _ = try types.number(of: type)
  }
}
