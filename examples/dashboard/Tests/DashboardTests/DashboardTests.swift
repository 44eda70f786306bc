// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

@testable import Dashboard

@Suite("Dashboard") struct DashboardTests {
  @Test func `it wants a widget once its view is there, whoever that is`() throws {
    let world = try World([])
    let shown = world.test.open(Dashboard())
    var wanted: [String] = []
    let coordinator = try world.test.context.bind(to: shown.scope) { rows in
      rows.show("widgetWanted") { (slot: String) in wanted.append(slot) }
    }
    world.test.expect(shown, "title", "Dashboard")
    #expect(wanted == [])
    #expect(shown.run("didLoad").isDone)
    #expect(shown.run("didLoad").isDone)
    #expect(wanted == ["users"])
    #expect(world.network.calls == 0)
    coordinator.end()
    world.end()
  }
}
