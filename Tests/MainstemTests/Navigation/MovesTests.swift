// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

private struct Said: Notice { var word: String }

/// Goes where a word says.
private struct Guide: Coordinator {
  static func routes(_ on: inout Routes<Self>) {
    on.screen("first")
    on.screen("second")
    on.dialog("ask")
    on.embed("users", in: "left")
  }
  static func intents(_ on: inout Intents<Self>) {
    on.intent(Said.self, whenHidden: .allowed) { _, said in
      switch said.word {
      case "pop": .pop
      case "back": .popTo()
      case "close": .close()
      case "dismiss": .dismiss
      case "finish": .finish
      case "root": .replaceRoot("away")
      case "replace": .replace("away")
      case "link": .link("away")
      case "right": .open("users", slot: "right")
      case "fail": throw Failure("CONFUSED")
      case "none": .none
      default: .open(said.word)
      }
    }
  }
}

@Suite("Moves") struct MovesTests {
  private let test = TestContext()
  private let stage: RecordingStage

  init() throws {
    stage = test.stage { on in
      on.flow("guide") { _, _ in Guide() }
      on.screen("away")
    }
    test.open("guide")
    _ = stage.takeCalls()
  }

  /// Says a word from the component of a URL.
  private func say(_ word: String, from url: String) throws {
    let found = try test.context.navigator.tree.last { $0.url == url }
    let scope = try test.context.scope(number: try #require(found).number)
    try #require(scope).send(Said(word: word))
    test.advance(by: .zero)
    test.expect(Said(word: word))
  }

  @Test(arguments: [
    ("none", "guide\n  first\n    second\n      ask"),
    ("pop", "guide\n  first"),
    ("back", "guide\n  first"),
    ("close", ""),
    ("dismiss", "guide\n  first\n    second"),
    ("finish", ""),
    ("root", "away"),
    ("replace", "guide\n  first\n    away"),
    ("link", "guide\n  first\n    second\n      away"),
  ])
  func `a word of the first screen moves the app`(word: String, tree: String) throws {
    try say("second", from: "first")
    try say("ask", from: "second")
    test.expectTree("guide\n  first\n    second\n      ask")
    try say(word, from: "first")
    test.expectTree(tree)
  }

  @Test func `an embed goes into the slot that is asked for`() throws {
    try say("users", from: "first")
    try say("right", from: "first")
    test.expectShown(stage, "show embed users", "show embed users")
    #expect(stage.shown.map(\.slot) == ["", "left", "right"])
  }

  @Test(arguments: [("nowhere", "NO_ROUTE"), ("fail", "CONFUSED")])
  func `what fails is reported`(word: String, message: String) throws {
    try say(word, from: "first")
    let report = try #require(test.next(FailureReport.self))
    #expect("\(report)".contains(word == "fail" ? message : "no route"))
    test.expectTree("guide\n  first")
  }
}
