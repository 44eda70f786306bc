// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// Law 8: accepted means answered.
extension LawTests {
  @Test func `law 8: a request that waits and that nobody can answer is answered`() throws {
    let context = try Context()

    #expect(context.request(RequestDouble(number: 1)).code == .unhandled)
    #expect(try context.stats().requests == 0)
  }
}
