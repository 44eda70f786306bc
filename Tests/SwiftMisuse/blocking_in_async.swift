// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

struct RequestTick: Request { typealias Answer = ResponseTick }
struct ResponseTick: Response {}

@MainActor func run() async throws {
  let context = try Context(on: MainActor.shared)
  let answer = try context.request(RequestTick())  // says: 'async' but is not marked with 'await'
  print(answer)
  try context.wait()  // says: Make the context with Context(on:): it drains by itself.
}
