// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Mainstem
import Testing

private typealias Row = Ware<Plain>
private typealias Items = ShopItems<Plain>

private struct Keyed<ID: Codable & Hashable & Sendable & RowKey>: Codable, Equatable, Identifiable,
  Sendable
{
  var id: ID
  var number = 0
}
private struct KeyedRows<ID: Codable & Hashable & Sendable & RowKey>: ListEvent {
  static var name: String { "Keyed.rows" }
  var rows: Rows<Keyed<ID>>
}

private struct Ticket: RawRepresentable, Codable, Hashable, RowKey { var rawValue: Int }

/// Rows that are a scalar each.
private struct Word: Codable, Equatable, Identifiable, Sendable {
  var id: String
  init(from decoder: any Decoder) throws { id = try String(from: decoder) }
  func encode(to encoder: any Encoder) throws { try id.encode(to: encoder) }
}

/// What a newer program has made of rows.
private struct Odd: Codable, Equatable, Sendable {
  var id: Int
  init(from decoder: any Decoder) throws {
    id = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
    if id % 2 == 0 {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "is even"))
    }
  }
}

@Suite("Rows") struct RowsTests {
  private let context: Context
  private let shop: Context

  init() throws {
    context = try Context()
    shop = try context.scope("Shop")
  }

  private func rows(_ ids: some Sequence<Int>) throws -> Rows<Row> {
    try shop.set(Items.self, items(ids))
    return try #require(try shop.value(of: Items.self)?.rows)
  }

  @Test func `rows are a collection`() throws {
    let wanted = items(0..<1_000)
    let rows = try rows(0..<1_000)
    #expect(rows.count == 1_000)
    #expect(rows.first == wanted.first)
    #expect(rows[999] == wanted[999])
    #expect(Array(rows[2..<5]) == Array(wanted[2..<5]))
    #expect(rows.reversed().map(\.id) == wanted.reversed().map(\.id))
    #expect(rows == Rows(wanted))
    #expect(rows != Rows(items(1..<1_000)))
    #expect(Array(rows) == wanted)
    #expect(rows.contains(wanted[7]))
    #expect("\(try self.rows([]))" == "[]")
    #expect(try self.rows([]).isEmpty)
    #expect(Rows(wanted).changes == [.reset])
  }

  @Test func `a row is found by its id`() throws {
    let rows = try rows([3, 1, 2])
    #expect(rows.index(of: 1) == 1)
    #expect(rows.index(of: 7) == nil)
    #expect(rows.find(2) == Row(2, "number 2"))
    #expect(rows.find(7) == nil)
    #expect(rows.index(ofKey: "3") == 0)
    #expect(Rows(items([3, 1])).index(of: 1) == 1)
    #expect(Rows(items([3, 1])).find(3) == Row(3, "number 3"))
    #expect(context.firstError == nil)
  }

  @Test func `ids are texts, whole numbers and UUIDs`() throws {
    func keys<ID: Codable & Hashable & Sendable & RowKey>(_ ids: [ID], _ keys: [String]) throws {
      let context = try Context()
      let rows = ids.map { Keyed(id: $0) }
      try context.set(KeyedRows<ID>.self, rows)
      let found = try #require(try context.value(of: KeyedRows<ID>.self)?.rows)
      #expect(found == Rows(rows))
      for (place, key) in keys.enumerated() {
        #expect(found.index(ofKey: key) == place)
        #expect(found.index(of: ids[place]) == place)
      }
    }
    try keys(["a", "Ä", " "], ["a", "Ä", " "])
    try keys([1, -2, .max], ["1", "-2", "9223372036854775807"])
    try keys([UInt64.max, 0], ["18446744073709551615", "0"])
    try keys([Int8(-8)], ["-8"])
    let uuid = try #require(UUID(uuidString: "ABCDEF00-0000-4000-8000-000000000000"))
    try keys([uuid], ["abcdef00-0000-4000-8000-000000000000"])
    try keys([Ticket(rawValue: 7)], ["7"])
  }

  @Test(arguments: ["", String(repeating: "x", count: 256)])
  func `keys of a wrong size are refused`(key: String) throws {
    let error = #expect(throws: StreamError.self) {
      try context.set(KeyedRows<String>.self, [Keyed(id: "first"), Keyed(id: key)])
    }
    #expect(error?.status == .invalid)
    #expect(error?.message.contains("1 to 255 bytes") == true)
    #expect(try context.value(of: KeyedRows<String>.self) == nil)
  }

  @Test func `rows stay as they were, and outlive scope and context`() throws {
    let first = try rows(0..<300)
    let second = try rows(100..<400)
    try shop.close()
    #expect(Array(first) == items(0..<300))
    try context.close()
    #expect(Array(second) == items(100..<400))
    #expect(second.index(of: 150) == 50)
    #expect(second.index(of: 50) == nil)
    #expect(first.index(ofKey: "299") == 299)
  }

  @Test func `rows that are got while a context closes stay`() throws {
    var kept: [Rows<Row>] = []
    let observer = try context.observe(Items.self, on: .host) {
      kept.append($0.rows); _ = $1
    }
    let poster = try context.poster(for: Added.self)
    let adding = try context.observe(Added.self) { [shop] _, _ in
      try shop.set(Items.self, items([1, 2]))
    }
    try shop.set(Items.self, items([1]))
    try context.drain()
    try poster.post(Added())
    try context.close()
    #expect(kept.first == Rows(items([1])))
    withExtendedLifetime((observer, adding)) {}
  }

  @Test func `rows outlive a context that is only released`() throws {
    var kept: Rows<Row>?
    do {
      let context = try Context()
      try context.set(Items.self, items([1, 2]))
      kept = try context.value(of: Items.self)?.rows
    }
    #expect(kept == Rows(items([1, 2])))
  }

  @Test func `rows of a context that somebody else closes stay`() throws {
    let module = Context(borrowing: context.handle)
    try module.set(Items.self, items([1, 2]))
    let kept = try #require(try module.value(of: Items.self)?.rows)
    try context.close()
    #expect(Array(kept) == items([1, 2]))
    #expect(kept.index(of: 2) == 1)
  }

  @Test func `rows that nobody keeps are released`() throws {
    for count in 0..<100 { _ = try rows(0..<count) }
    #expect(try context.stats().retained == 0)
  }

  @Test func `other threads read rows while the context closes`() async throws {
    for _ in 0..<20 {
      let rows = try await read()
      #expect(rows == (0..<2_000).reduce(0, +))
    }
  }

  private func read() async throws -> Int {
    let rows = try kept()
    return await withTaskGroup { readers in
      readers.addTask { rows.reduce(0) { $0 + $1.id } }
      return await readers.reduce(0, +)
    }
  }

  private func kept() throws -> Rows<Row> {
    let context = try Context()
    try context.set(Items.self, items(0..<2_000))
    return try #require(try context.value(of: Items.self)?.rows)
  }

  @Test func `a row that is none of the type is named, and nothing is shown until it has gone`()
    throws
  {
    var seen: [[Int]] = []
    try context.register(Items.self)
    let view = try context.scope("View")
    let binding = try view.bind(to: shop) { rows in
      rows.show("items") { (odd: Rows<Odd>) in seen.append(odd.map(\.id)) }
    }
    var failures: [String] = []
    let reports = try context.observe(FailureReport.self) { report, _ in
      failures.append("\(report)")
    }
    try shop.set(Items.self, items([1]))
    try binding.retarget(to: shop)
    try shop.set(Items.self, items([1, 2]))
    try shop.set(Items.self, items([1, 2, 3]))
    try shop.set(Items.self, items([1, 3]))
    try shop.set(Items.self, items([1, 3, 5]))
    #expect(seen == [[1], [1], [1, 3], [1, 3, 5]])
    #expect(failures.count == 2)
    #expect(failures.first?.contains("Shop.items[1]") == true, "\(failures)")
    reports.cancel()
  }

  @Test func `a mailbox says that it has no rows`() throws {
    let mailbox = try context.mailbox(Items.self)
    try shop.set(Items.self, items([1]))
    let event = try #require(try mailbox.fetch().first)
    let error = #expect(throws: Failure.self) { try event.decode(Items.self) }
    #expect(error?.message.contains("observe the list") == true)
  }

  @Test func `rows are an array to a coder`() throws {
    let bytes = try JSONEncoder().encode(try rows([1, 2]))
    #expect(try JSONDecoder().decode(Rows<Row>.self, from: bytes) == Rows(items([1, 2])))
  }

  @Test func `no row is beyond the end`() async {
    await #expect(processExitsWith: .failure) { _ = Rows([1, 2])[2] }
  }
}

private struct Added: Notice {}
