// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct Chore: Codable, Equatable, Sendable {
  var id: Int
  var title: String
  var isDone = false
  var dueOn: String?
}

private struct ChoresFound: Response, Equatable {
  var ids: [Int]
}

private struct ChoresWanted: Request {
  typealias Answer = ChoresFound
  var query: Query
}

private struct ChoreServer: Server {
  let chores: [Chore]

  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(ChoresWanted.self) { server, wanted in
      ChoresFound(ids: try wanted.query.select(server.chores).rows.map(\.id))
    }
  }
}

@Suite("Queries") struct QueryTests {
  private let chores = [
    Chore(id: 1, title: "Buy Milk"), Chore(id: 2, title: "Call Ada", isDone: true),
    Chore(id: 3, title: "buy tea", dueOn: "2026-12-01"), Chore(id: 4, title: "Ärger"),
  ]

  private func ids(_ query: Query) throws -> [Int] { try query.select(chores).rows.map(\.id) }

  @Test func `a query selects, sorts and cuts`() throws {
    let query = try Query(
      "not isDone and lower(title) begins $text", values: ["text": "buy"],
      sort: ["-lower(title)", "id"], limit: 1)
    #expect(try query.select(chores) == Selection(rows: [chores[2]], offset: 0, total: 2))
    #expect(try ids(Query()) == [1, 2, 3, 4])
    #expect(try ids(Query(sort: ["-id"])) == [4, 3, 2, 1])
    #expect(try ids(Query("dueOn != null")) == [3])
    #expect(try ids(Query("id in ($a, 4)", values: ["a": 2])) == [2, 4])
    #expect(try Query(offset: 3, limit: 5).select(chores).offset == 3)
    #expect(try Query("id").select([Chore]()) == Selection(rows: [], offset: 0, total: 0))
    #expect(try Query("id > 1").select(Rows(chores)).total == 3)
  }

  @Test(arguments: [
    ("a AND b", "Query: where, column 3: expected and, or, or the end"),
    ("a = $b", "Query: where, column 5: values has no value of this name"),
    ("'é' contains", "Query: where, column 13: expected a field or a value"),
  ])
  func `a malformed query says where`(_ condition: String, _ message: String) throws {
    let error = #expect(throws: StreamError.self) { try Query(condition) }
    #expect(error == StreamError(.invalid, message))
  }

  @Test func `what cannot be compared is refused`() throws {
    let error = #expect(throws: StreamError.self) { try Query("a").select([["a": [1]]]) }
    #expect(
      error?.message == "select: rows: a of row 0 is an object or a list: name a field in it")
    let scalar = #expect(throws: StreamError.self) { try Query().select([5]) }
    #expect(scalar?.message == "select: rows: row 0 is not a JSON object")
    #expect(throws: StreamError.self) { try Query().select([Double.nan]) }
    #expect(throws: StreamError.self) { try Query("a", values: ["v": .number(.infinity)]) }
    #expect(throws: StreamError.self) { try Query(limit: -1) }
    #expect(throws: StreamError.self) { try Query(sort: ["5"]) }
  }

  @Test func `a query is a value`() throws {
    let values: [String: Query.Value] = [
      "t": "ä\0'", "i": 9_223_372_036_854_775_807, "n": 0.5, "b": true, "z": nil,
    ]
    let query = try Query("title = $t or id = $i", values: values, sort: ["-id"], offset: 1)
    let coder = JSONCoder()
    let decoded = try coder.decode(Query.self, from: coder.encode(query))
    #expect(decoded == query)
    #expect(decoded.hashValue == query.hashValue)
    #expect(decoded.values == values)
    #expect(try Query() != query)
    #expect(try "\(Query("id", limit: 2))" == #"{"limit":2,"where":"id"}"#)
    #expect(throws: (any Error).self) {
      try coder.decode(Query.self, from: Array(#"{"where":"a ="}"#.utf8))
    }
  }

  @Test func `a query travels in an event`() throws {
    let context = try Context()
    try context.install(ChoreServer(chores: chores))
    let query = try Query("id > 1", sort: ["-id"], limit: 2)
    var found: ChoresFound?
    try context.request(ChoresWanted(query: query)) { answer, _ in found = try? answer.get() }
    #expect(found == ChoresFound(ids: [4, 3]))
  }

  @Test func `a query is written for SQLite`() throws {
    #expect(
      try Query("a = 'ä''' or b < 2", sort: ["-a"], offset: 2).sql()
        == "WHERE `a` IS 'ä''' OR `b` < 2 ORDER BY `a` DESC LIMIT -1 OFFSET 2")
    #expect(try Query().sql() == "")
  }
}

@Suite("Order keys") struct OrderKeyTests {
  @Test func `keys keep rows in order`() throws {
    let keys = try OrderKey.spread(100)
    #expect(zip(keys, keys.dropFirst()).allSatisfy { OrderKey.isLower($0, than: $1) })
    #expect(keys.count == 100 && keys.allSatisfy { $0.count <= 3 })
    let between = try OrderKey.between(keys[3], keys[4])
    #expect(OrderKey.isLower(keys[3], than: between) && OrderKey.isLower(between, than: keys[4]))
    #expect(OrderKey.isLower(try OrderKey.between(nil, keys[0]), than: keys[0]))
    #expect(OrderKey.isLower(keys[99], than: try OrderKey.between(keys[99], nil)))
    #expect(try OrderKey.between(nil, nil) == "V")
    #expect(try OrderKey.spread(0) == [])
  }

  @Test func `keys say when all rows need new ones`() throws {
    let full = String(repeating: "z", count: 64)
    let error = #expect(throws: StreamError.self) { try OrderKey.between(full, nil) }
    #expect(error?.status == .limit)
    #expect(error?.message.hasSuffix("give all rows new keys, with OrderKey.spread") == true)
    for (low, high) in [("B", "A"), ("", nil), ("A0", nil), ("a\0", nil)] {
      let error = #expect(throws: StreamError.self) { try OrderKey.between(low, high) }
      #expect(error?.status == .invalid)
    }
    #expect(throws: StreamError.self) { try OrderKey.spread(-1) }
  }
}
