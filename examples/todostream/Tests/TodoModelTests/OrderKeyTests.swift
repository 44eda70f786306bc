// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Testing
import TodoModel

/// Numbers that look random and are the same in every run.
private struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}

@Suite("OrderKey")
struct OrderKeyTests {
  @Test(
    arguments: [
      ("A", "C", "B"), ("A", "B", "AV"), ("A", "A1", "A0V"), ("A0V", "A1", "A0k"), ("z", nil, "zV"),
      ("A", nil, "a"), ("", "1", "0V"), ("Az", "B", "AzV"), ("5", "50001", "50000V"),
    ] as [(String, String?, String)])
  func `a key goes between two others, or behind the last`(
    low: String, high: String?, key: String
  ) {
    #expect(OrderKey.between(low, high) == key)
  }

  @Test(
    arguments: [
      ("A", "A"), ("B", "A"), ("A0", "A"), ("A", "A0"), ("A", "é"), ("!", nil),
      (String(repeating: "z", count: 64), nil),
    ] as [(String, String?)])
  func `between some there is no key`(low: String, high: String?) {
    #expect(OrderKey.between(low, high) == nil)
  }

  @Test func `a key may have 64 characters, but no more`() {
    let key = OrderKey.between(String(repeating: "z", count: 63), nil)

    #expect(key == String(repeating: "z", count: 63) + "V")
  }

  @Test func `the highest order has the lowest key, and all are of one length`() {
    let orders: [Int64] = [.max, 2_000_000_000_000_000, 1_700_000_000_000_001, 10, 1, 0, -7, .min]
    let keys = orders.map(OrderKey.derived)

    #expect(isRising(keys))
    #expect(keys.allSatisfy { $0.utf8.count == 12 && !$0.hasSuffix("0") })
  }

  @Test(arguments: [0, 1, 2, 50, 3161, 10_000])
  func `keys for a whole list are short, rise, and come behind each new todo`(count: Int) {
    let keys = OrderKey.spread(count)

    #expect(keys.count == count)
    #expect(isRising([OrderKey.derived(from: -8_500_000_000_000_000)] + keys))
    #expect(keys.allSatisfy { $0.utf8.count <= 4 && !$0.hasSuffix("0") })
  }

  private func isRising(_ keys: [String]) -> Bool {
    zip(keys, keys.dropFirst()).allSatisfy { OrderKey.isLower($0, than: $1) }
  }
}

@Suite("Moves in a list")
struct MoveTests {
  static func todos(_ count: Int) -> [Todo] {
    (0..<count).map {
      Todo(id: "\($0)", list: "home", createdAt: Moment(microseconds: 1000 - Int64($0)))
    }
  }

  let newest = OrderKey.derived(from: 2000)

  @Test(
    arguments: [
      ("3", "0", ["3", "0", "1", "2"]), ("0", nil, ["1", "2", "3", "0"]),
      ("0", "2", ["1", "0", "2", "3"]), ("1", "0", ["1", "0", "2", "3"]),
      ("2", nil, ["0", "1", "3", "2"]),
    ] as [(String, String?, [String])])
  func `one todo gets a place, and is there`(id: String, before: String?, ids: [String]) {
    let todos = Self.todos(4)
    let places = todos.places(moving: id, before: before, behind: newest)

    #expect(places.map(\.id) == [id])
    #expect(todos.placed(places).inListOrder.map(\.id) == ids)
  }

  @Test(arguments: [("1", "1"), ("1", "2"), ("3", nil), ("9", "1")] as [(String, String?)])
  func `what is there already gets no place`(id: String, before: String?) {
    #expect(Self.todos(4).places(moving: id, before: before, behind: newest).isEmpty)
  }

  @Test func `deleted todos in between do not count`() {
    var todos = Self.todos(4)
    todos[2].isDeleted = true

    #expect(todos.places(moving: "1", before: "3", behind: newest).isEmpty)
    let places = todos.places(moving: "0", before: "3", behind: newest)
    #expect(todos.placed(places).inListOrder.map(\.id) == ["1", "2", "0", "3"])
  }

  @Test func `where there is no room, all get new places, the deleted too`() {
    var todos = Self.todos(4)
    todos[1].place = "C"
    todos[2].place = "C"
    todos[3].place = "D"
    todos[3].isDeleted = true

    let places = todos.places(moving: "0", before: "2", behind: newest)

    #expect(places.map(\.id) == ["1", "0", "2", "3"])
    #expect(todos.placed(places).inListOrder.map(\.id) == ["1", "0", "2", "3"])
    #expect(places.allSatisfy { $0.place.utf8.count == 2 })
  }

  @Test func `a new todo comes first, after a move and after new places for all`() {
    let todos = Self.todos(4)
    let moved = todos.placed(todos.places(moving: "2", before: "0", behind: newest)).inListOrder
    // Its time is later than that of all others, so what is moved to the front goes behind a new todo.
    let future = OrderKey.derived(from: 900)
    let all = todos.placed(todos.places(moving: "2", before: "0", behind: future)).inListOrder
    let new = Todo(id: "new", list: "home", createdAt: Moment(microseconds: 2000))
    let later = Todo(id: "later", list: "home", createdAt: Moment(microseconds: 2001))

    #expect(all.filter { $0.place != nil }.count == 4)
    for list in [moved, all] {
      #expect((list + [new, later]).inListOrder.map(\.id) == ["later", "new", "2", "0", "1", "3"])
    }
  }

  enum Target: CaseIterable { case anywhere, front, end, middle }

  @Test(arguments: Target.allCases)
  func `the keys of 50 todos rise after each of many moves, none longer than 64`(target: Target) {
    var dice = Dice(state: 27)
    var todos = Self.todos(50)
    var longest = 0
    var rebalances = 0
    for _ in 0..<(target == .anywhere ? 100_000 : 3000) {
      let from = Int.random(in: 0..<50, using: &dice)
      let at =
        switch target {
        case .anywhere: Int.random(in: 0..<50, using: &dice)
        case .front: 0
        case .end: 49
        case .middle: 25
        }
      let todo = todos[from]
      let next = at < from ? at : at + 1
      let places = todos.places(
        moving: todo.id, before: next < 50 ? todos[next].id : nil, behind: newest)
      guard from != at else {
        #expect(places.isEmpty)
        continue
      }
      todos.remove(at: from)
      todos.insert(todo, at: at)
      if places.count == 1 {
        todos[at].place = places[0].place
      } else {
        rebalances += 1
        todos = todos.placed(places)
      }
      longest = max(longest, todos[at].key.utf8.count)
      let near = todos[max(at - 1, 0)...min(at + 1, 49)].map(\.key)
      let isRising = zip([newest] + near, near).allSatisfy { OrderKey.isLower($0, than: $1) }
      guard places.count == 1 || places.map(\.id) == todos.map(\.id), isRising else {
        Issue.record("\(near)")
        return
      }
    }
    #expect(longest <= 64)
    #expect(target == .anywhere || rebalances > 0)
    #expect(rebalances < 100)
    #expect(todos.shuffled(using: &dice).inListOrder == todos)
  }
}

extension Array where Element == Todo {
  fileprivate func placed(_ places: [TodoPlace]) -> [Todo] {
    let new = Dictionary(uniqueKeysWithValues: places.map { ($0.id, $0.place) })
    return map {
      var todo = $0
      todo.place = new[todo.id] ?? todo.place
      return todo
    }
  }
}
