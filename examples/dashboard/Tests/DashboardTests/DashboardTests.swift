// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

@testable import Dashboard

@Suite("Dashboard") struct DashboardTests {
  @Test func `it wants its widgets once, when its view is there`() throws {
    let world = try World([])
    let shown = world.test.open(Dashboard())
    world.test.expect(shown, "title", "Dashboard")
    world.test.expectNothing()
    #expect(shown.run("didLoad").isDone)
    #expect(shown.run("didLoad").isDone)
    world.test.expect(WidgetsWanted())
    world.test.expectNothing()
    #expect(world.network.calls == 0)
    world.end()
  }
}
