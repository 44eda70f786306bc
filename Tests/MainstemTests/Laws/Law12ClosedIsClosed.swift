// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// Law 12: closed is closed.
extension LawTests {
  @Test func `law 12: a handle stays stale when its place is used again`() throws {
    let closed = try Context()
    let poster = try closed.poster(for: Tick.self)
    try closed.close()
    let open = try Context()
    var seen = 0
    let subscription = try open.observe { _ in seen += 1 }

    #expect(status { () throws(StreamError) in try poster.post(Tick(number: 1)) } == .stale)
    try open.drain()
    #expect(seen == 0)
    subscription.cancel()
  }
}
