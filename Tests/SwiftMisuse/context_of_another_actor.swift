// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

struct Tick: Notice { var number: Int }

actor Other {
  func use(_ context: Context) throws { try context.send(Tick(number: 1)) }
}

@MainActor func run() async throws {
  let context = try Context(on: MainActor.shared)
  try await Other().use(context)  // says: sending 'context' risks causing data races
}
