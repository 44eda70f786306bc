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
    on.writable("words", \.words)
    on.children("cells", \.words) {
      WordCell(word: $0)
    } update: {
      $0.word = $1
    }
  }
}

/// How often the ids of elements are asked for, children made and updated.
private final class Touched {
  var (ids, made, updated) = (0, 0, 0)
}

private struct Tile: Identifiable, Equatable {
  let touched: Touched
  let key: Int
  var text = ""
  var id: Int {
    touched.ids += 1
    return key
  }
  static func == (one: Tile, other: Tile) -> Bool {
    one.key == other.key && one.text == other.text
  }
}

private struct TileCell: ViewModel {
  var text: String
  static func handlers(_ on: inout Handlers<Self>) { on.shows("text", \.text) }
}

private struct Wall: ViewModel {
  var tiles: [Tile]
  var count: Int { tiles.count }

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("count", \.count)
    on.children("cells", \.tiles) { tile in
      tile.touched.made += 1
      return TileCell(text: tile.text)
    } update: { cell, tile in
      tile.touched.updated += 1
      cell.text = tile.text
    }
    on.command("nothing") { _ in }
    on.command("edit") { $0.tiles[5].text += "!" }
    on.command("behind") { wall in
      wall.tiles.append(Tile(touched: wall.tiles[0].touched, key: wall.count))
    }
    on.command("front") { $0.tiles.removeFirst() }
  }
}

@Suite("Children of view models") struct ChildTests {
  @Test(arguments: [
    ("nothing", 0, 0), ("edit", 0, 1), ("behind", 1, 0), ("front", 0, 0),
  ])
  func `an edit of one element touches as many of ten as of two thousand`(
    command: String, made: Int, updated: Int
  ) throws {
    var asked: [Int] = []
    for many in [10, 2_000] {
      let touched = Touched()
      let context = try Context()
      let wall = try context.open(
        Wall(tiles: (0..<many).map { Tile(touched: touched, key: $0) }))
      var cells: [UInt64] = []
      let view = try context.bind(to: wall) { rows in
        rows.show("cells") { (numbers: [UInt64]) in cells = numbers }
      }
      let before = cells
      (touched.ids, touched.made, touched.updated) = (0, 0, 0)
      let events = try context.stats().events
      try view.run(command)
      asked.append(touched.ids)
      #expect(touched.made == made)
      #expect(touched.updated == updated)
      // The command, its answer, and the values that tell of it; and at most the child, the numbers and their count.
      #expect(try context.stats().events - events < 20)
      let kept = command == "front" ? before.dropFirst() : before[...]
      #expect(Array(cells.prefix(kept.count)) == Array(kept))
      view.end()
    }
    #expect(asked[0] == asked[1])
    #expect(asked[1] < 20)
  }

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

  @Test func `views get what has changed of the children, and a child ends behind that`() throws {
    let context = try Context()
    let words = (1...3).map { Word(id: $0, text: "word") }
    let page = try context.open(Page(words: words))
    var (names, changes, lives): ([String], [[RowChange]], [Bool]) = ([], [], [])
    var first: UInt64 = 0
    let binding = try context.bind(to: page) { rows in
      rows.show("cells") { (cells: Rows<UInt64>) in
        changes.append(cells.changes)
        if changes.count == 1 { first = cells[0] }
        lives.append(try context.scope(number: first) != nil)
      }
    }
    let log = try context.observe { names.append($0.name) }
    names = []
    try binding.set("words", Array(words.dropFirst()))
    #expect(changes == [[.reset], [.remove(0..<1)]])
    #expect(lives == [true, true])
    #expect(names == ["Page.words", "Page.cells", "MainstemEnded"])
    #expect(try context.scope(number: first) == nil)
    log.cancel()
    binding.end()
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

  @Test func `elements that change, and change back, are shown: five of them, four times`() throws {
    let context = try Context()
    let words = (1...5).map { Word(id: $0, text: "word \($0)") }
    var changed = words
    for place in changed.indices { changed[place].text += "!" }
    let page = try context.open(Page(words: words))
    var (cells, shown): ([UInt64], [String]) = ([], [])
    let binding = try context.bind(to: page) { rows in
      rows.show("cells") { (numbers: [UInt64]) in cells = numbers }
    }
    let bound = try cells.map { number in
      try context.bind(to: try context.scope(number: number)) { rows in
        rows.show("text") { (text: String) in shown.append(text) }
      }
    }
    for now in [changed, words, changed, words] {
      shown = []
      try binding.set("words", now)
      #expect(shown == now.map(\.text))
    }
    for view in bound { view.end() }
    binding.end()
  }
}
