// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

struct RequestTick: Request { typealias Answer = ResponseTick }
struct ResponseTick: Response {}
struct Half: Notice {}
final class View { var count = 0 }

func run(_ context: Context, _ serial: SerialScheduler) throws {
  let view = View()
  try context.request(RequestTick()) { _, _ in view.count += 1 }
  try context.request(RequestTick(), on: serial) { _, _ in
    view.count += 1  // says: capture of 'view' with non-Sendable type 'View'
  }
  try context.request(RequestTick(), on: serial, progress: Half.self) { _, _ in
    view.count += 1  // says: capture of 'view' with non-Sendable type 'View'
  } answer: { _, _ in
  }
}
