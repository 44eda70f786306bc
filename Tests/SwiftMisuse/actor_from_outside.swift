// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

func run() async throws {
  let context = try Context(on: MainActor.shared)  // says: from outside of the actor
  try context.close()
}
