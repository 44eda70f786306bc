// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

struct Tick: Notice { var number: Int }

@MainActor final class Model {
  var count = 0

  func observe(_ context: Context, _ serial: SerialScheduler) throws -> [Subscription] {
    [
      try context.observe(Tick.self, on: .host) { _, _ in self.count += 1 },
      try context.observe(Tick.self, on: serial) { _, _ in
        self.count += 1  // says: can not be mutated from a Sendable closure
      },
    ]
  }
}
