// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

struct ResponseGreeting: Response { var text: String }
struct RequestGreet: Request {
  typealias Answer = ResponseGreeting
  var name: String
}

@MainActor func run() async throws {
  let context = try Context(on: MainActor.shared)
  _ = try context.request(RequestGreet(name: "Ada")).text  // says: await
}
