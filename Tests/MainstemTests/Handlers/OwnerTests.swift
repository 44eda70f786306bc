// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

private struct Tick: Notice {}
private struct Tock: Notice, TextEvent {
  var text: String
}
private struct OpenCell: OpenRequest {
  static let owner = "Cell"
  var title: String
  var isNested = false
}
private struct ResponseRow: Response { var number: UInt64 }
private struct RequestRow: Request {
  typealias Answer = ResponseRow
  var title: String
}

/// Opens a cell for whoever asks for a row.
private struct Table: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(
      RequestRow.self, asking: { OpenCell(title: $1.title) },
      then: { _, _, opened in ResponseRow(number: opened.number) })
  }
}

/// A program whose owners say "Tock" when they hear "Tick": as in Tests/PythonTests/test_owners.py.
private final class House {
  let context, view: Context
  var seen: [String] = []
  var numbers: [UInt64] = []
  var refuses: (any Error)?
  private let subscriptions = Subscriptions()

  init(_ context: Context) throws {
    self.context = context
    view = try context.scope("View")
    try context.addFactory(OpenCell.self) { [weak self] scope, cell in
      self?.numbers.append(try scope.number)
      let ticks = try scope.observe(Tick.self) { _, _ in try scope.send(Tock(text: cell.title)) }
      if let refuses = self?.refuses { throw refuses }
      if cell.isNested {
        try scope.request(OpenCell(title: "inner")) { _, _ in }
      }
      return ticks
    }
    subscriptions.keep(
      try context.observe(Tock.self) { [weak self] tock, _ in self?.seen.append(tock.text) })
    subscriptions.keep(
      try context.observe(EndReport.self) { [weak self] end, delivery in
        let known = self?.numbers.firstIndex(of: end.number).map { "\($0)" } ?? "view"
        self?.seen.append("\(known) ends\(delivery.isOutside ? "!" : "")")
      })
  }

  func open(_ title: String, isNested: Bool = false) throws -> UInt64 {
    try view.request(OpenCell(title: title, isNested: isNested)).get().number
  }
}

@Suite("Owners") struct OwnerTests {
  private let folder = Folder()

  @Test func `an owner lives as long as who asked`() throws {
    let context = try Context()
    let house = try House(context)
    let number = try house.open("one")
    #expect(house.numbers == [number])
    #expect(try context.scope(number: number)?.number == number)

    try context.send(Tick())
    try house.view.close()
    #expect(try context.scope(number: number) == nil)
    try context.send(Tick())

    #expect(house.seen == ["one", "view ends!", "0 ends"])
  }

  @Test func `what is nested ends with what opened it`() throws {
    let context = try Context()
    let house = try House(context)
    let number = try house.open("one", isNested: true)
    #expect(house.numbers.count == 2)

    try context.scope(number: number)?.close()

    #expect(house.seen == ["0 ends!", "1 ends"])
    #expect(try context.scope(number: house.numbers[1]) == nil)
  }

  @Test func `a factory that fails leaves nothing`() throws {
    let context = try Context()
    let house = try House(context)
    house.refuses = Failure("FULL_HOUSE", userMessage: "No room.")
    let before = try context.stats()

    let failure = #expect(throws: Failure.self) { try house.open("one") }

    #expect(failure == Failure("FULL_HOUSE", userMessage: "No room."))
    #expect(try context.stats().scopes == before.scopes)
    #expect(try context.stats().subscriptions == before.subscriptions)
    house.refuses = StreamError(.full, "no cell")
    #expect(throws: Failure("no cell", code: .full)) { try house.open("one") }
    try house.view.close()
    #expect(house.seen == ["view ends!"])
  }

  @Test func `an owner is opened by name, with a value`() throws {
    let context = try Context()
    var made: [String] = []
    try context.addFactory("Cell") { (_, title: String) in made.append(title) }
    try context.addFactory("Page") { (_, number: Int) in made.append("page \(number)") }
    try context.addFactory("Pair") { (_, pair: [Int]) in made.append("\(pair)") }
    try context.addFactory("Plain") { _ in made.append("plain") }

    let number = try context.open("Cell", "milk").get()
    _ = try context.open("Page", 3).get()
    _ = try context.open("Pair", [1, 2]).get()
    var opened: UInt64?
    try context.open("Plain") { result, _ in opened = try? result.get() }

    #expect(made == ["milk", "page 3", "[1, 2]", "plain"])
    #expect(try context.scope(number: number) != nil)
    #expect(try opened.flatMap { try context.scope(number: $0) } != nil)
    let wrong = #expect(throws: Failure.self) { try context.open("Pair", ["one"]).get() }
    let types = "RequestOpen.Pair is of type Array<Int>, and this is Array<String>"
    #expect(wrong == Failure("\(types): [0]: expected Int, got a string", code: .invalid))
    #expect(
      context.open("Sell")
        == .failure(
          Failure("open: Sell has no factory: add one with addFactory", code: .invalid)))
  }

  @Test func `what a factory returns is kept until the owner ends`() throws {
    final class Cell {
      let ends: () -> Void
      init(_ ends: @escaping () -> Void) { self.ends = ends }
      deinit { ends() }
    }
    let context = try Context()
    var ended = 0
    try context.addFactory("Cell") { _ in Cell { ended += 1 } }
    let number = try context.open("Cell").get()
    #expect(ended == 0)

    try context.scope(number: number)?.close()

    #expect(ended == 1)
  }

  @Test func `factories come before the first event, one for each name`() throws {
    let context = try Context()
    try context.addFactory("Cell") { _ in }
    let twice = #expect(throws: StreamError.self) { try context.addFactory("Cell") { _ in } }
    #expect(twice?.message.contains("has a factory already") == true)
    try context.send(Tick())
    let late = #expect(throws: StreamError.self) { try context.addFactory("Page") { _ in } }
    #expect(late?.message.contains("before the first") == true)
  }

  @Test func `a handler opens an owner and goes on with its number`() throws {
    let context = try Context()
    let house = try House(context)
    let table = try context.install(Table())

    let row = try table.request(RequestRow(title: "row")).get()

    #expect(house.numbers == [row.number])
    try context.send(Tick())
    try table.close()
    #expect(house.seen == ["row", "view ends!", "0 ends"])
  }

  @MainActor @Test func `an owner is awaited`() async throws {
    let context = try Context(on: MainActor.shared)
    let house = try House(context)
    let number = try await context.open("Cell", OpenCell(title: "one"))
    #expect(house.numbers == [number])
    #expect(try await house.view.request(OpenCell(title: "two")).number == house.numbers[1])
    try context.close()
  }

  @Test func `a session with owners verifies`() throws {
    let path = folder.file("owners")
    var recorded: [String] = []
    do {
      let context = try Context()
      try context.record(to: path)
      let house = try House(context)
      let first = try house.open("nested", isNested: true)
      _ = try house.open("two")
      try context.send(Tick())
      try context.scope(number: first)?.close()
      try context.send(Tick())
      try house.view.close()
      try context.send(Tick())
      recorded = house.seen
      try context.close()
    }
    #expect(
      recorded == [
        "nested", "inner", "two", "0 ends!", "1 ends", "two", "view ends!", "2 ends",
      ])
    var again: House?
    try Journal.verify(path) { again = try House($0) }
    #expect(again?.seen == recorded)
  }
}
