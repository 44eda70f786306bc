// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Mainstem
import MainstemSignals
import MainstemTesting
import Testing

private typealias Row = Ware<Plain>
private typealias Items = ShopItems<Plain>

/// Counts what another view model lists.
private struct Counter: ViewModel {
  var count = 0
  var last = ""

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("last", \.last)
    on.observes("items", of: Stock<Plain>.self) { (counter, items: Rows<Row>) in
      counter.count = items.count
      counter.last = items.last?.name ?? ""
    }
  }
}

/// Lists what it finds.
private struct Finder: ViewModel {
  var words = ["a", "ab", "b"]
  var prefix = "a"
  var noise = 0
  var asked = Tally()

  final class Tally { var count = 0 }
  struct Found: Codable, Equatable, Identifiable { var id: String }

  static func handlers(_ on: inout Handlers<Self>) {
    on.list("found", of: \.words, \.prefix) { finder in
      finder.asked.count += 1
      return finder.words.filter { $0.hasPrefix(finder.prefix) }.map(Found.init)
    }
    on.list("all") { $0.words.map(Found.init) }
    on.writable("prefix", \.prefix)
    on.writable("noise", \.noise)
  }
}

/// Lists what a query selects.
private struct Pages: ViewModel {
  var query = try? Query(limit: 2)

  static func handlers(_ on: inout Handlers<Self>) {
    on.list("page", of: \.query) { pages in
      let all = (0..<30).map { Row($0) }
      return (try? pages.query?.select(all)) ?? all.selection
    }
    on.command("show", with: Query.self) { $0.query = $1 }
  }
}

private struct Feed: Reactor {
  enum Action { case more }
  struct State: Codable { var items: [Ware<Plain>] = [] }
  var state = State()

  func mutate(_ action: Action) -> Signal<Int, Failure> { .just(state.items.count) }
  static func reduce(_ state: inout State, _ id: Int) { state.items.append(Ware(id)) }
  static func shown(_ on: inout Shown<Self>) {
    on.list("items", \.items)
    on.list("odd") { $0.items.filter { $0.id % 2 == 1 } }
    on.list("even", of: \.items) { $0.items.filter { $0.id % 2 == 0 } }
    on.action("more", .more)
  }
}

@Suite("Lists") struct ListTests {
  private let context: Context
  private let view: Context

  init() throws {
    context = try Context()
    view = try context.scope("View")
  }

  // MARK: - A list of a view model

  @Test func `a view gets the rows and what has changed`() throws {
    let shop = try context.open(Stock<Plain>())
    var got: [Rows<Row>] = []
    let binding = try view.bind(to: shop, as: Stock<Plain>.self) {
      $0.list(\.items) { got.append($0) }
    }
    for ids in [[1, 2, 3], [1, 2, 4, 3], [3, 1, 2], [3, 2]] { try binding.run("set", items(ids)) }
    try binding.run("set", [Row(3, "new"), Row(2, "number 2")])
    try binding.run("set", [Row(3, "new"), Row(2, "number 2")])

    #expect(
      got.map { $0.map(\.id) } == [[], [1, 2, 3], [1, 2, 4, 3], [3, 1, 2], [3, 2], [3, 2]])
    #expect(
      got.map(\.changes) == [
        [.reset], [.insert(0..<3)], [.insert(2..<3)], [.remove(2..<3), .move(2..<3, to: 0)],
        [.remove(1..<2)], [.update(0..<1)],
      ])
    #expect(got[2].span == RowSpan(at: 2, removed: 0, added: 1))
    #expect(got[5].span == RowSpan(at: 0, removed: 1, added: 1))
    #expect(got[1].span == RowSpan(at: 0, removed: 0, added: 3))
  }

  @Test func `a view that reads an array gets one`() throws {
    let shop = try context.open(Stock<Plain>(items: items([1, 2])))
    var (arrays, maybe): ([[Row]], [Row]?) = ([], nil)
    let binding = try view.bind(to: shop, as: Stock<Plain>.self) { rows in
      rows.show(\.items) { arrays.append($0) }
      rows.named.show("items") { (items: [Row]?) in maybe = items }
    }
    try binding.run("set", items([2]))
    #expect(arrays == [items([1, 2]), items([2])])
    #expect(maybe == items([2]))
  }

  @Test func `no other type is read of a list, and no view writes it`() throws {
    let shop = try context.open(Stock<Plain>(items: items([1])))
    let message = "Shop.items is of type list of Ware<Plain>, and cannot be read as Int"
    let read = #expect(throws: StreamError.self) {
      _ = try view.bind(to: shop) { $0.show("items") { (_: Int) in } }
    }
    #expect(read?.message == message)
    let binding = try view.bind(to: shop) { _ in }
    let edit = #expect(throws: StreamError.self) {
      _ = try view.bind(to: shop) { $0.twoWay("items") { (_: [Row]) in } }
    }
    #expect(edit?.message.contains("a list has no two-way row") == true, "\(edit)")
    let write = #expect(throws: StreamError.self) { try binding.set("items", items([2])) }
    #expect(write?.status == .invalid)
    #expect(write?.message.hasSuffix(": views do not write a list") == true)
  }

  @Test func `a list that follows from others is made again where they differ`() throws {
    let finder = Finder()
    let scope = try context.open(finder)
    let (found, all) = (Applied<Finder.Found>(), Applied<Finder.Found>())
    let binding = try view.bind(to: scope) { rows in
      rows.show("found") { found.take($0) }
      rows.show("all") { all.take($0) }
    }
    try binding.set("noise", 1)
    try binding.set("prefix", "ab")
    #expect(found.changes == [[.reset], [.remove(0..<1)]])
    #expect(all.events == 1)
    #expect(finder.asked.count == 2)
  }

  @Test func `another view model observes a list`() throws {
    let shop = try context.open(Stock<Plain>(items: items([1])))
    let counter = try context.open(Counter())
    var seen: [String] = []
    let shown = try view.bind(to: counter) { $0.show("last") { seen.append($0) } }
    let binding = try view.bind(to: shop) { _ in }
    try binding.run("insert", Row(0, "zero"))
    try binding.run("set", items([4, 5]))
    try binding.run("set", [Row]())
    #expect(seen == ["number 1", "number 5", ""])
    shown.end()
  }

  @Test func `a reactor lists its state`() throws {
    let feed = try context.open(Feed())
    let (all, odd, even) = (Applied<Row>(), Applied<Row>(), Applied<Row>())
    let binding = try view.bind(to: feed) { rows in
      rows.show("items") { all.take($0) }
      rows.show("odd") { odd.take($0) }
      rows.show("even") { even.take($0) }
    }
    for _ in 1...4 { try binding.run("more") }
    #expect(all.rows.map(\.id) == [0, 1, 2, 3])
    #expect(odd.rows.map(\.id) == [1, 3])
    #expect(even.rows.map(\.id) == [0, 2])
    #expect((all.events, odd.events, even.events) == (5, 3, 3))
  }

  @Test func `a refused list leaves the old one`() throws {
    let shop = try context.open(Stock<Plain>(items: items([1, 2])))
    let seen = Applied<Row>()
    let binding = try view.bind(to: shop, as: Stock<Plain>.self) {
      $0.list(\.items) { seen.take($0) }
    }
    var reports: [FailureReport] = []
    let reporting = try context.observe(FailureReport.self) { report, _ in reports.append(report) }
    try binding.run("set", items([4, 5, 4]))
    #expect(seen.rows == items([1, 2]))
    #expect(reports.map(\.code) == [Status.invalid.rawValue])
    #expect(context.firstError?.message == "set: rows: row 0 and row 2 have the same key")
    reporting.cancel()
    try binding.run("set", items([4, 5]))
    #expect(seen.rows == items([4, 5]))
    #expect(seen.resets == 1)
  }

  @Test func `a test compares a list with an array`() {
    let test = TestContext()
    let shown = test.open(Stock<Plain>(items: items([1])))
    test.expect(shown, \.items, items([1]))
    shown.run("set", items([1, 2]))
    test.expect(shown, "items", items([1, 2]))
    test.expect(shown, "items", Rows(items([1, 2])))
    withKnownIssue { test.expect(shown, \.items, items([2])) }
  }

  @Test func `a test expects a list`() throws {
    let test = TestContext()
    try test.context.set(Items.self, items([1]))
    try test.context.set(Items.self, items([2, 1]))
    test.expect(Items(rows: Rows(items([1]))))
    #expect(test.next(Items.self)?.rows.changes == [.insert(0..<1)])
    test.expectNothing()
  }

  // MARK: - A list of a scope

  @Test func `a scope sets a list`() throws {
    let shop = try context.scope("Shop")
    let seen = Applied<Row>()
    #expect(try shop.value(of: Items.self) == nil)
    let observer = try context.observe(Items.self) { items, _ in seen.take(items.rows) }
    try shop.set(Items.self, items([1, 2, 3]))
    try shop.set(Items.self, items([3, 1]))
    try shop.set(Items.self, items([3, 1]))
    #expect(seen.changes == [[.reset], [.remove(1..<2), .move(0..<1, to: 1)]])
    #expect(try shop.value(of: Items.self)?.rows == Rows(items([3, 1])))
    #expect(try context.stats().events == 2)
    observer.cancel()
  }

  @Test func `a list may be what a query has selected`() throws {
    let pages = try context.open(Pages())
    var parts: [[Int]] = []
    var changes: [[RowChange]] = []
    func show(_ rows: Rows<Row>) {
      parts.append([rows.offset, rows.count, rows.total])
      changes.append(rows.changes)
    }
    let binding = try view.bind(to: pages) { $0.show("page") { (rows: Rows<Row>) in show(rows) } }
    for query in [
      try Query(offset: 20, limit: 2), try Query("id < 25", offset: 20, limit: 2),
      try Query(offset: 40),
    ] {
      try binding.run("show", query)
    }
    #expect(parts == [[0, 2, 30], [20, 2, 30], [20, 2, 25], [30, 0, 30]])
    #expect(changes == [[.reset], [.remove(0..<2), .insert(0..<2)], [], [.remove(0..<2)]])
    binding.end()
  }

  @Test func `a list may be the part that another list is`() throws {
    let shop = try context.scope("Shop")
    let part = Selection(rows: items([1]), offset: 7, total: 9)
    try shop.set(Items.self, part)
    let rows = try #require(try shop.value(of: Items.self)?.rows)
    #expect(rows.offset == 7 && rows.total == 9 && rows.selection == part)
    try context.scope("Other").set(Items.self, rows)
    #expect(Rows(part).selection == part)
    #expect(throws: StreamError.self) {
      try shop.set(Items.self, Selection(rows: items([1]), offset: 9, total: 9))
    }
    try shop.set(Items.self, items([1]))
    #expect(try shop.value(of: Items.self)?.rows.total == 1)
  }

  @Test func `an empty list is set once`() throws {
    let shop = try context.scope("Shop")
    let seen = Applied<Row>()
    let observer = try context.observe(Items.self) { items, _ in seen.take(items.rows) }
    for _ in 1...2 { try shop.set(Items.self, []) }
    try shop.set(Items.self, items([1]))
    for _ in 1...2 { try shop.set(Items.self, []) }
    #expect(seen.changes == [[.reset], [.insert(0..<1)], [.remove(0..<1)]])
    observer.cancel()
  }

  @Test func `a late observer gets the whole list first, then each change`() throws {
    let shop = try context.scope("Shop")
    for count in [3, 5, 4] { try shop.set(Items.self, items(0..<count)) }
    let (late, new) = (Applied<Row>(), Applied<Row>())
    var flags: [Bool] = []
    let observer = try context.observe(Items.self) { items, delivery in
      late.take(items.rows)
      flags.append(delivery.isLate)
    }
    let other = try context.observe(Items.self, history: false) { items, _ in
      if new.events == 0 { new.take(Rows(items.rows)) } else { new.take(items.rows) }
    }
    try shop.set(Items.self, items(0..<6))
    try shop.set(Items.self, items(1..<6))
    #expect(flags == [true, false, false])
    #expect(late.changes == [[.reset], [.insert(4..<6)], [.remove(0..<1)]])
    #expect(new.rows == items(1..<6))
    observer.cancel()
    other.cancel()
  }

  @Test func `an observer of everything reads rows`() throws {
    let shop = try context.scope("Shop")
    var (read, lines): ([[Row]], [String]) = ([], [])
    let observer = try context.observe { delivery in
      lines.append(delivery.line)
      read.append(Array(try delivery.decode(Items.self).rows))
    }
    try shop.set(Items.self, items([1]))
    try shop.set(Items.self, items([2, 1]))
    #expect(read == [items([1]), items([2, 1])])
    #expect(lines == ["#1 Shop.items Shop =1 -0 ~0 of 1", "#2 Shop.items Shop +1 -0 ~0 of 2"])
    observer.cancel()
  }

  @Test @MainActor func `an async sequence has rows`() async throws {
    let context = try Context(on: MainActor.shared)
    let shop = try context.scope("Shop")
    let events = try context.events(Items.self)
    for count in 1...3 { try shop.set(Items.self, items(0..<count)) }
    try context.close()
    let seen = Applied<Row>()
    for await items in events { seen.take(items.rows) }
    #expect(seen.changes == [[.reset], [.insert(1..<2)], [.insert(2..<3)]])
  }

  @Test func `an observer that loses events gets the whole list`() throws {
    let shop = try context.scope("Shop")
    let seen = Applied<Row>()
    let observer = try context.observe(Items.self, on: .host, queue: .latest) { items, _ in
      seen.take(items.rows)
    }
    var dice = Chances(seed: 7)
    var rows: [Row] = []
    for step in 0..<200 {
      rows = changed(rows, &dice)
      try shop.set(Items.self, rows)
      if step % 7 == 0 { try context.drain() }
    }
    try context.drain()
    #expect(seen.rows == rows)
    observer.cancel()
  }

  @Test func `two writers, and the changes still fit`() throws {
    let shop = try context.scope("Shop")
    let other = try #require(try context.scope(number: try shop.number))
    let seen = Applied<Row>()
    let observer = try context.observe(Items.self) { items, _ in seen.take(items.rows) }
    let rows = items(0..<100)
    try shop.set(Items.self, rows)
    try other.set(Items.self, Array(rows[50...]))
    try shop.set(Items.self, rows + [Row(100)])
    #expect(seen.rows == rows + [Row(100)])
    try shop.set(Items.self, rows + [Row(100), Row(101)])
    #expect(seen.changes.last == [.insert(101..<102)])
    #expect(seen.resets == 1)
    observer.cancel()
  }

  @Test func `a scope that has ended is stale, and a new one begins anew`() throws {
    let shop = try context.scope("Shop")
    let seen = Applied<Row>()
    let observer = try context.observe(Items.self) { items, _ in seen.take(items.rows) }
    try shop.set(Items.self, items([1]))
    try shop.close()
    let error = #expect(throws: StreamError.self) { try shop.set(Items.self, items([1, 2])) }
    #expect(error?.status == .stale)
    let again = try context.scope("Shop")
    try again.set(Items.self, items([1]))
    #expect(seen.changes == [[.reset], [.reset]])
    observer.cancel()
  }

  @Test func `what is refused names its reason, and the list stays`() throws {
    var limits = Limits()
    limits.payload = 100
    let context = try Context(ContextOptions(limits: limits))
    let shop = try context.scope("Shop")
    try shop.set(Items.self, items([1]))
    func refusal(_ rows: [Row]) -> StreamError? {
      #expect(throws: StreamError.self) { try shop.set(Items.self, rows) }
    }
    let twice = refusal(items([1, 2, 1]))
    #expect(
      twice?.description.contains("set: rows: row 0 and row 2 have the same key") == true,
      "\(twice)")
    let big = refusal([Row(1, "number 1"), Row(2, String(repeating: "x", count: 100))])
    #expect(big?.status == .tooBig)
    #expect(try shop.value(of: Items.self)?.rows == Rows(items([1])))
    let sent = #expect(throws: StreamError.self) { try shop.set(Items(rows: Rows(items([2])))) }
    #expect(sent?.description.contains("is a list: set(_:_:) sets it") == true, "\(sent)")
  }
}

/// Random programs.
@Suite("Lists, at random") struct RandomListTests {
  @Test(arguments: 0..<40) func `changes that are applied give the rows`(seed: UInt64) throws {
    var dice = Chances(seed: seed)
    let context = try Context(ContextOptions(deliverOnHost: seed % 2 == 1))
    let shop = try context.scope("Shop")
    var rows: [Row] = []
    var seen: [Applied<Row>] = []
    var observers: [Subscription] = []
    var kept: [(rows: Rows<Row>, wanted: [Row])] = []
    for _ in 0..<30 {
      if Int.random(in: 0..<5, using: &dice) == 0 {
        let view = Applied<Row>()
        seen.append(view)
        observers.append(
          try context.observe(Items.self, on: seed % 3 == 0 ? .host : .immediate) { items, _ in
            view.take(items.rows)
          })
      }
      if rows.count > 1, Int.random(in: 0..<4, using: &dice) == 0 {
        #expect(throws: StreamError.self) { try shop.set(Items.self, rows + [rows[0]]) }
      }
      rows = changed(rows, &dice)
      try shop.set(Items.self, rows)
      if Int.random(in: 0..<3, using: &dice) == 0 {
        try context.drain()
        if let now = try shop.value(of: Items.self) { kept.append((now.rows, rows)) }
      }
    }
    try context.drain()
    for view in seen where view.events > 0 {
      #expect(view.rows == rows)
      #expect(view.resets == 1)
    }
    try context.close()
    for (rows, wanted) in kept { #expect(Array(rows) == wanted) }
    withExtendedLifetime(observers) {}
  }
}

/// Rows with a few random changes.
private func changed(_ rows: [Row], _ dice: inout Chances) -> [Row] {
  var rows = rows
  for _ in 0..<Int.random(in: 0..<4, using: &dice) {
    let at = Int.random(in: 0...rows.count, using: &dice)
    let run = at..<min(rows.count, at + Int.random(in: 0..<4, using: &dice))
    switch Int.random(in: 0..<6, using: &dice) {
    case 0, 1:
      let used = Set(rows.map(\.id))
      let fresh = (0..<40).filter { !used.contains($0) }.shuffled(using: &dice).prefix(3)
      rows.insert(contentsOf: fresh.map { Row($0) }, at: at)
    case 2: rows.removeSubrange(run)
    case 3: for index in run { rows[index].name = "\(Int.random(in: 0..<3, using: &dice))" }
    case 4:
      let moved = rows[run]
      rows.removeSubrange(run)
      rows.insert(contentsOf: moved, at: Int.random(in: 0...rows.count, using: &dice))
    default: rows.reverse()
    }
  }
  return rows
}
