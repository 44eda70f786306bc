// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct Word: Codable, Equatable, Identifiable, Sendable {
  var id: Int
  var text: String
}

private struct WordCell: ViewModel {
  var word: Word
  var isLong: Bool { word.text.count > 2 }

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("text", \.word.text)
    on.shows("isLong", \.isLong)
    on.command("cut", enabled: \.isLong) { $0.word.text = String($0.word.text.prefix(2)) }
    on.command("clear") { $0.word.text = "" }
  }
}

private struct Page: ViewModel {
  var words: [Word]

  static func handlers(_ on: inout Handlers<Self>) {
    on.written("words", \.words)
    on.begetsEach("cells", \.words) {
      WordCell(word: $0)
    } update: {
      $0.word = $1
    }
  }
}

@Suite("Children of view models") struct ChildTests {
  /// What a child shows, and what views see of its commands.
  private let ready =
    ["WordCell.text", "WordCell.isLong"]
    + ["cut", "clear"].flatMap { command in
      ["enabled", "executing", "error"].map { "WordCell.\(command).\($0)" }
    }

  @Test func `who hears of children finds them ready`() throws {
    let context = try Context()
    var names: [String] = []
    let log = try context.observe { names.append($0.name) }
    let page = try context.open(Page(words: [Word(id: 1, text: "one")]))
    let binding = try context.bind(to: page) { _ in }
    #expect(names == ready + ["Page.words", "Page.cells"])
    names = []
    try binding.set("words", [Word(id: 1, text: "one"), Word(id: 2, text: "two")])
    #expect(names == ["Page.words"] + ready + ["Page.cells"])
    log.cancel()
  }

  @Test func `a child that its parent changes says which commands are enabled`() throws {
    let context = try Context()
    let page = try context.open(Page(words: [Word(id: 1, text: "one")]))
    var (cells, enabled): ([UInt64], [Bool]) = ([], [])
    let binding = try context.bind(to: page) { rows in
      rows.show("cells") { (numbers: [UInt64]) in cells = numbers }
    }
    let cell = try #require(try context.scope(number: cells[0]))
    let bound = try context.bind(to: cell) { rows in
      rows.show("cut.enabled") { (isEnabled: Bool) in enabled.append(isEnabled) }
    }
    try binding.set("words", [Word(id: 1, text: "a")])
    try binding.set("words", [Word(id: 1, text: "three")])
    try bound.run("cut") { _ in }
    #expect(enabled == [true, false, true, false])
    let error = #expect(throws: StreamError.self) { try bound.run("cut") { _ in } }
    #expect(error?.status == .disabled)
    binding.end()
    bound.end()
  }
}
