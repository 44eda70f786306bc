// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Counts those that live.
final class Alive {
  final class Token {
    private let alive: Alive
    init(_ alive: Alive) {
      self.alive = alive
      alive.count += 1
    }
    deinit { alive.count -= 1 }
  }
  var count = 0
}
