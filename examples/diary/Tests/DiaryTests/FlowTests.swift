// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

@testable import DiaryApp

@Suite("Where the app goes") @MainActor struct FlowTests {
  private let world: World
  private let stage: RecordingStage

  init() throws {
    world = try World(pages: [World.page(9...12, isLast: true)])
    stage = world.test.stage { on in on.flow("app") { _, _ in DiaryFlow() } }
  }

  /// Runs a command of what is at the top.
  private func run(_ command: String, _ value: Int? = nil) throws {
    let top = try #require(try world.test.context.navigator.top)
    let owner = try #require(try world.test.context.scope(number: top.owner))
    let view = try world.test.context.bind(to: owner) { _ in }
    if let value { try view.run(command, value) } else { try view.run(command) }
    view.end()
    world.test.advance(by: .zero)
    world.test.keep()
    world.test.skip()
  }

  private func start() {
    world.test.open("app")
    world.test.keep()
    world.test.skip()
  }

  private func expect(_ tree: String..., sourceLocation: SourceLocation = #_sourceLocation) {
    let lines = tree.enumerated().map { String(repeating: "  ", count: $0) + $1 }
    world.test.expectTree(lines.joined(separator: "\n"), sourceLocation: sourceLocation)
  }

  @Test func `an entry is picked, and its page deleted after a yes`() throws {
    start()
    try run("pick", 9)
    expect("app", "diary", "diary/9")
    try run("askDelete")
    world.test.expectShown(
      stage, "show screen diary", "show screen diary/9",
      "show dialog confirm?text=Delete%20this%20entry%3F")
    try run("refuse")
    expect("app", "diary", "diary/9")
    try run("askDelete")
    try run("confirm")
    expect("app", "diary")
    world.test.skip()
  }

  @Test func `A-38: what is presented after a dismissal stays`() throws {
    start()
    try run("menu")
    try run("signOut")
    world.test.expectShown(
      stage, "show screen diary", "show overlay drawer", "hide drawer",
      "show dialog confirm?text=Sign%20out%3F")
    expect("app", "diary", "confirm?text=Sign%20out%3F")
    try run("confirm")
    expect("app", "signin", "signin/name")
    world.test.skip()
  }

  @Test func `A-48: a group is shown and hidden as one`() throws {
    start()
    try run("write")
    try run("close")
    world.test.expectShown(
      stage, "show screen diary", "show screen diary/0", "show embed idea", "hide idea diary/0")
    world.test.skip()
  }
}
