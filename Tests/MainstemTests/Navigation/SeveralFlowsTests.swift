// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

private struct WhoAsked: Notice {}

private struct Page: ViewModel {
  var owner: String
  static func handlers(_ on: inout Handlers<Self>) { on.shows("owner", \.owner) }
}

/// A window of somebody: what is opened in it is theirs.
private struct Window: Coordinator {
  let owner: String

  static func routes(_ on: inout Routes<Self>) {
    on.screen("page") { flow, _ in Page(owner: flow.owner) }
    on.dialog("who") { flow, _ in Page(owner: flow.owner) }
  }
  static func intents(_ on: inout Intents<Self>) {
    on.intent(WhoAsked.self, whenHidden: .allowed) { _, _ in .open("who") }
  }
}

@Suite("Several flows of a type") struct SeveralFlowsTests {
  private let test = TestContext()
  private let owners = ["Ada", "Bob", "Eve"]

  /// Opens a window for each owner, and returns their pages.
  private func open() throws -> [Component] {
    _ = test.stage { on in
      on.flow("window/<owner>") { _, route in Window(owner: try route.text("owner")) }
    }
    for owner in owners { test.open("window/\(owner)") }
    return try test.context.navigator.tree.filter { $0.url == "page" }
  }

  private func scope(_ component: Component) throws -> Context {
    try #require(try test.context.scope(number: component.owner))
  }

  private func owner(in component: Component) throws -> String {
    var shown = ""
    let view = try test.context.bind(to: try scope(component)) { rows in
      rows.show("owner") { (owner: String) in shown = owner }
    }
    view.end()
    return shown
  }

  @Test func `a route gets the one that its component is in`() throws {
    let pages = try open()
    #expect(try pages.map(owner) == owners)
    for (page, name) in zip(pages, owners) {
      try scope(page).send(WhoAsked())
      test.advance(by: .zero)
      let who = try #require(try test.context.navigator.tree.last)
      #expect(who.parent == page.number)
      #expect(try owner(in: who) == name)
    }
    test.skip()
  }

  @Test func `a route that is opened from elsewhere gets the one that was opened last`() throws {
    _ = try open()
    test.open("who")
    let who = try #require(try test.context.navigator.tree.last { $0.url == "who" })
    #expect(try owner(in: who) == "Eve")
    test.skip()
  }
}
