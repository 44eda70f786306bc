// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

struct Tick: Notice { var number: Int }

@MainActor func run() async throws {
  let context = try Context(on: MainActor.shared)
  Task.detached { try context.send(Tick(number: 1)) }  // says: risks causing data races
  try context.send(Tick(number: 2))
}
