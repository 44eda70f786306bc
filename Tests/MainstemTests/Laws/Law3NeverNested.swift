// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// Law 3: never nested.
extension LawTests {
  @Test func `law 3: a request that waits is busy inside a callback`() throws {
    let context = try Context()
    try context.install(Doubler())
    var refused: [Status] = []
    let subscription = try context.observe(Tick.self) { _, _ in
      refused.append(context.request(RequestDouble(number: 1)).code)
    }

    try context.send(Tick(number: 1))

    #expect(refused == [.busy])
    #expect(try context.stats().events == 1)
    subscription.cancel()
  }
}
