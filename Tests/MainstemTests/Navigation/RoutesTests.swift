// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct Page: ViewModel {
  static func handlers(_ on: inout Handlers<Self>) {}
}

@Suite struct RoutesTests {
  @Test func `routes can be listed, whoever has added them`() throws {
    let context = try Context()
    try context.addRoutes { on in
      on.screen("home")
      on.dialog("pick/<from>") { _, _ in Page() }
    }
    try context.addRoutes { on in
      on.embed("users", in: "left")
      on.group("both", of: ["home", "users"])
    }
    let routes = try context.navigator.routes
    #expect(routes.map(\.pattern) == ["home", "pick/<from>", "users", "both"])
    #expect(routes.map(\.kind) == [.screen, .dialog, .embed, .group])
    #expect(routes.map(\.name) == ["", "Page", "", ""])
    #expect(routes.map(\.parts) == ["", "", "left", "home users"])
  }

  @Test func `without a navigator there are no routes to list`() throws {
    let context = try Context()
    #expect(throws: StreamError.self) { try context.navigator.routes }
  }
}
