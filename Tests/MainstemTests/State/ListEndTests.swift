// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Synchronization
import Testing

/// Nobody else encodes rows of this kind.
private enum Counted: WareKind {
  static let encoded = Atomic(0)
  static func count() { encoded.add(1, ordering: .relaxed) }
}

private typealias Row = Ware<Counted>
private typealias Items = ShopItems<Counted>

/// A row that may change in place.
private final class Mutable: Codable, Equatable, Identifiable, Sendable {
  let id: Int
  private let mutex: Mutex<String>

  var name: String {
    get { mutex.withLock { $0 } }
    set { mutex.withLock { $0 = newValue } }
  }

  init(_ id: Int, _ name: String) {
    self.id = id
    mutex = Mutex(name)
  }

  convenience init(from decoder: any Decoder) throws {
    let parts = try [String](from: decoder)
    self.init(Int(parts[0]) ?? 0, parts[1])
  }

  func encode(to encoder: any Encoder) throws { try ["\(id)", name].encode(to: encoder) }

  static func == (one: Mutable, other: Mutable) -> Bool { one === other }
}

private struct LooseRows: ListEvent { var rows: Rows<Mutable> }

private struct Go: Notice {}

/// Only what differs from the list that was accepted last is encoded.
@Suite("The ends of lists", .serialized) struct ListEndTests {
  private let context: Context
  private let shop: Context

  init() throws {
    context = try Context()
    shop = try context.scope("Shop")
  }

  private func encoded(_ work: () throws -> Void) rethrows -> Int {
    let before = Counted.encoded.load(ordering: .relaxed)
    try work()
    return Counted.encoded.load(ordering: .relaxed) - before
  }

  @Test func `an insert into 10,000 rows encodes one`() throws {
    var rows = (0..<10_000).map { Row($0, "number \($0)") }
    #expect(try encoded { try shop.set(Items.self, rows) } == 10_000)
    for at in [0, 5_000, 10_002] {
      rows.insert(Row(20_000 + at), at: at)
      #expect(try encoded { try shop.set(Items.self, rows) } == 1)
    }
    rows.removeSubrange(4_000..<4_100)
    #expect(try encoded { try shop.set(Items.self, rows) } == 0)
    #expect(try encoded { try shop.set(Items.self, rows) } == 0)
    rows[7].name = "seven"
    #expect(try encoded { try shop.set(Items.self, rows) } == 1)
    // Others that are equal.
    let equal = rows.map { Row($0.id, String($0.name.reversed().reversed())) }
    #expect(try encoded { try shop.set(Items.self, equal) } == 0)
    let now = try #require(try shop.value(of: Items.self)?.rows)
    #expect(now == Rows(rows))
    #expect(now.index(of: 25_000) == 4_900)
    #expect(now.find(6)?.name == "seven")
  }

  @Test func `so does one in a view model`() throws {
    let context = try Context()
    let scope = try context.open(Stock(items: (0..<10_000).map { Row($0) }))
    let binding = try context.bind(to: scope) { _ in }
    // One is given to the command, and the other is shown.
    #expect(try encoded { try binding.run("insert", Row(20_000)) } == 2)
    #expect(try encoded { try binding.run("rattle") } == 0)
  }

  @Test func `after a refusal the ends are those of the accepted list`() throws {
    var rows = (0..<100).map { Row($0) }
    try shop.set(Items.self, rows)
    #expect(throws: StreamError.self) { try shop.set(Items.self, rows + [Row(100), Row(100)]) }
    #expect(try encoded { try shop.set(Items.self, rows) } == 0)
    rows.insert(Row(200), at: 50)
    #expect(try encoded { try shop.set(Items.self, rows) } == 1)
  }

  @Test func `after another writer all is said again`() throws {
    let rows = (0..<100).map { Row($0) }
    let other = try #require(try context.scope(number: try shop.number))
    try shop.set(Items.self, rows)
    try other.set(Items.self, Array(rows[50...]))
    #expect(try encoded { try shop.set(Items.self, rows) } == 100)
    #expect(try encoded { try shop.set(Items.self, rows + [Row(100)]) } == 1)
    #expect(try shop.value(of: Items.self)?.rows.count == 101)
  }

  @Test func `several sets in one callback follow each other`() throws {
    let rows = (0..<50).map { Row($0) }
    let go = try context.observe(Go.self) { [shop] _, _ in
      for count in [10, 20, 5, 50] { try shop.set(Items.self, Array(rows[..<count])) }
    }
    #expect(try encoded { try context.send(Go()) } == 65)
    #expect(try shop.value(of: Items.self)?.rows == Rows(rows))
    go.cancel()
  }

  @Test func `an observer that sets the list is followed`() throws {
    let rows = (0..<10).map { Row($0) }
    let seen = Applied<Row>()
    let observer = try context.observe(Items.self) { [shop] items, _ in
      seen.take(items.rows)
      if items.rows.count == 5 { try shop.set(Items.self, rows) }
    }
    try shop.set(Items.self, Array(rows[..<5]))
    #expect(seen.rows == rows)
    #expect(try encoded { try shop.set(Items.self, rows + [Row(10)]) } == 1)
    #expect(seen.rows.count == 11)
    observer.cancel()
  }

  @Test func `rows that may change in place are always encoded`() throws {
    let rows = [Mutable(1, "a"), Mutable(2, "b")]
    try shop.set(LooseRows.self, rows)
    rows[0].name = "c"
    try shop.set(LooseRows.self, rows)
    #expect(try shop.value(of: LooseRows.self)?.rows.map(\.name) == ["c", "b"])
  }
}
