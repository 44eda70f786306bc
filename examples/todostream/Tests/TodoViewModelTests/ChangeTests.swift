// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Testing
import TodoViewModel

/// A row with an identity and a value that may differ.
private struct Row: Equatable, Identifiable {
  var id: Int
  var value = 0
}

/// Numbers that look random and are the same in every run.
private struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}

@Suite("Change")
struct ChangeTests {
  private func rows(_ ids: [Int]) -> [Row] { ids.map { Row(id: $0) } }

  @Test(
    arguments: [
      ([1, 2, 3], [1, 2, 3], []),
      ([], [7], [.insert(at: 0)]),
      ([7], [], [.delete(at: 0)]),
      ([1, 2, 3, 4], [2, 3, 4, 1], [.move(from: 0, at: 3)]),
      ([1, 2, 3, 4], [4, 1, 2, 3], [.move(from: 3, at: 0)]),
      ([1, 2, 3], [9, 1, 3], [.delete(at: 1), .insert(at: 0)]),
    ] as [([Int], [Int], [Change])])
  func `a list becomes another in the fewest steps`(old: [Int], new: [Int], steps: [Change]) {
    #expect(Change.between(rows(old), rows(new)) == steps)
  }

  @Test func `the same ids with another value are reloaded, in one batch`() {
    let old = rows([1, 2, 3])
    var new = old
    new[0].value = 5
    new[2].value = 6

    #expect(Change.between(old, new) == [.reload(at: 0), .reload(at: 2)])
  }

  @Test func `of two rows that change places, the one that is named moves`() {
    let old = rows([1, 2, 3])
    let new = rows([2, 1, 3])
    let never: (Row, Row) -> Bool = { _, _ in false }

    #expect(
      Change.between(old, new, moving: 1, reloading: never) == [.move(from: 0, at: 1)])
    #expect(
      Change.between(old, new, moving: 2, reloading: never) == [.move(from: 1, at: 0)])
    #expect(Change.between(old, old, moving: 2, reloading: never).isEmpty)
  }

  @Test(arguments: UInt64(1)...400)
  func `the steps lead from any list to any other`(seed: UInt64) {
    var dice = Dice(state: seed)
    let old = list(&dice)
    let new = list(&dice)

    let steps = Change.between(old, new)

    #expect(Change.apply(steps, to: old, from: new) == new)
    #expect(steps.isEmpty == (old == new))
    #expect(Change.between(new, new).isEmpty)
  }

  @Test(arguments: UInt64(1)...100)
  func `without coming and going, no more rows move than must`(seed: UInt64) {
    var dice = Dice(state: seed)
    let ids = Array(0..<6).shuffled(using: &dice)

    let steps = Change.between(rows(Array(0..<6)), rows(ids))

    #expect(steps.count == 6 - longestRiseByTryingAll(ids))
  }

  private func list(_ dice: inout Dice) -> [Row] {
    let ids = (0..<12).shuffled(using: &dice).prefix(Int.random(in: 0...12, using: &dice))
    return ids.map { Row(id: $0, value: Int.random(in: 0...1, using: &dice)) }
  }

  private func longestRiseByTryingAll(_ ids: [Int]) -> Int {
    (0..<(1 << ids.count)).map { mask in
      let chosen = ids.indices.filter { mask & (1 << $0) != 0 }.map { ids[$0] }
      return chosen == chosen.sorted() ? chosen.count : 0
    }.max() ?? 0
  }
}
