// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

private struct DidLoad: Notice {}

private struct Dashboard: ViewModel {
  static func handlers(_ on: inout Handlers<Self>) {
    on.command("load") { _, run in run.send(DidLoad()) }
  }
}

private struct Users: ViewModel {
  static func handlers(_ on: inout Handlers<Self>) {}
}

/// A screen with a slot, and a widget in it, which comes when the screen has loaded.
private struct DashboardFlow: Coordinator {
  static func routes(_ on: inout Routes<Self>) {
    on.screen("dashboard") { _, _ in Dashboard() }
    on.embed("users", in: "widgets") { _, _ in Users() }
  }
  static func intents(_ on: inout Intents<Self>) {
    on.intent(DidLoad.self, of: Dashboard.self) { _, _ in .open("users") }
  }
}

@Suite("RecordingStage") struct RecordingStageTests {
  private func load(_ test: TestContext) throws {
    let dashboard = try #require(try test.context.navigator.top)
    try #require(try test.context.scope(number: dashboard.owner)).send(DidLoad())
  }

  @Test func `start pushes the dashboard, and what has loaded embeds the users`() throws {
    let test = TestContext()
    let stage = test.stage { on in on.flow("root") { _, _ in DashboardFlow() } }

    test.open("root")
    test.expectShown(stage, "show screen dashboard")

    try load(test)
    test.expectShown(stage, "show embed users")
    #expect(stage.shown.map(\.slot) == ["", "widgets"])
    test.expect(DidLoad())
    test.expectTree(
      """
      root
        dashboard
          users
      """)
  }

  @Test func `a second start is a second flow`() throws {
    let test = TestContext()
    let stage = test.stage { on in on.flow("root") { _, _ in DashboardFlow() } }
    test.open("root")
    test.open("root")
    test.expectShown(stage, "show screen dashboard", "show screen dashboard")
    test.expectTree(
      """
      root
        dashboard
          root
            dashboard
      """)
  }

  @Test func `a stage fails later, and nothing is left`() throws {
    let test = TestContext()
    let stage = test.stage { on in on.flow("root") { _, _ in DashboardFlow() } }
    stage.script["dashboard"] = .later
    test.open("root")
    test.expectTree("")
    #expect(stage.answer("dashboard", failing: Failure("no window")))
    #expect(!stage.answer("dashboard"))
    test.expectShown(stage, "show screen dashboard", "hide dashboard")
    test.expectTree("")
  }

  @Test func `another call and another tree are issues`() {
    let test = TestContext()
    let stage = test.stage { on in on.screen("home") }
    test.open("home")
    withKnownIssue { test.expectShown(stage, "show screen away") }
    withKnownIssue { test.expectTree("away") }
    test.keep()
    test.expectTree("home")
  }

  @Test func `what the navigator sends need not be expected, all else must`() throws {
    let test = TestContext()
    _ = test.stage { on in on.flow("root") { _, _ in DashboardFlow() } }
    test.open("root")
    test.expectNothing()
    try load(test)
    test.expect(DidLoad())
    test.advance(by: .zero)
    test.expectNothing()
  }
}
