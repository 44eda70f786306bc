// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

struct Tick: Notice { var number: Int }

func run() async throws {
  let context = try Context()  // says: Use Context(on: MainActor.shared) in a @MainActor function
  try context.send(Tick(number: 1))
}
