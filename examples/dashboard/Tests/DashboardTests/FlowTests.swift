// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

@testable import Dashboard

/// What is opened when. The stage of the kit notes it: a mock of navigation, as XC-10 wants.
@Suite("DashboardFlow") struct FlowTests {
  private let all = """
    app?site=s
      dashboard
        users
    """

  @Test func `A-49: started, it shows the screen; loaded, the widget in its slot`() throws {
    let world = try World([.body(two)])
    world.test.open("app?site=s")
    world.test.expectShown(world.stage, "show screen dashboard")
    world.test.expectTree("app?site=s\n  dashboard")
    #expect(world.network.calls == 0)
    try world.load()
    world.test.expectShown(world.stage, "show embed users")
    world.test.expectTree(all)
    #expect(world.stage.shown.map(\.slot) == ["", "users"])
    #expect(world.network.calls == 1)
    world.end()
  }

  @Test func `XC-10: the count of two users`() throws {
    let world = try World([.body(two)])
    world.test.open("app?site=s")
    try world.load()
    #expect(try world.shown("count", of: "users") == "The system has 2 users")
    world.end()
  }

  @Test func `a view that is made anew finds its slot filled`() throws {
    let world = try World([.body(two)])
    world.test.open("app?site=s")
    try world.load()
    try world.load()
    world.test.expectTree(all)
    world.test.expectShown(world.stage, "show screen dashboard", "show embed users")
    world.end()
  }

  @Test func `A-50: closed before the load, nothing is opened any more`() throws {
    let world = try World([])
    world.test.open("app?site=s")
    let view = try world.view(of: "dashboard")
    try world.back()
    #expect(throws: StreamError.self) { try view.run("didLoad") }
    view.end()
    world.test.expectTree("")
    world.test.expectShown(world.stage, "show screen dashboard")
    #expect(world.network.calls == 0)
    world.end()
  }

  @Test func `A-50: closed before the data comes, nobody is told`() throws {
    let world = try World([.after(.seconds(1), .body(two))])
    world.test.open("app?site=s")
    try world.load()
    var seen: [String] = []
    let owner = try world.owner(of: "users")
    let view = try world.test.context.bind(to: owner) { rows in
      rows.show("load") { (load: String) in seen.append(load) }
    }
    try world.back()
    world.test.advance(by: .seconds(2))
    #expect(seen == ["loading"])
    view.end()
    world.test.expectTree("")
    world.test.expectShown(
      world.stage, "show screen dashboard", "show embed users", "hide users")
    world.end()
  }

  @Test func `a widget that cannot be shown leaves the screen as it is`() throws {
    let world = try World([.body(two)])
    world.stage.script["users"] = .failure(Failure("no room", code: 1002))
    world.test.open("app?site=s")
    try world.load()
    world.test.expectTree("app?site=s\n  dashboard")
    world.end()
  }

  @Test func `a screen that cannot be shown leaves nothing`() throws {
    let world = try World([])
    world.stage.script["dashboard"] = .failure(Failure("no window", code: 1002))
    var failures: [Failure] = []
    try world.test.context.navigator.open("app?site=s") { result, _ in
      if case .failure(let failure) = result { failures.append(failure) }
    }
    world.test.expectTree("")
    #expect(failures.map(\.code) == [1002])
    world.end()
  }

  @Test func `a screen that another covers is filled when it is seen again`() throws {
    let world = try World([.body(two)])
    world.test.open("app?site=s")
    let below = try world.component("dashboard")
    world.test.open("app?site=other")
    try world.load(below)
    #expect(world.network.calls == 0)
    try world.back()
    world.test.expectTree(all)
    world.end()
  }

  @Test func `each app that is open has its own site`() throws {
    let world = try World([.body(two), .body("[]")])
    for site in ["s", "other"] {
      world.test.open("app?site=\(site)")
      try world.load()
    }
    let counts = try world.test.context.navigator.tree.filter { $0.url == "users" }.map {
      try world.shown("count", of: $0)
    }
    #expect(counts == ["The system has 2 users", "The system has 0 users"])
    world.end()
  }
}
