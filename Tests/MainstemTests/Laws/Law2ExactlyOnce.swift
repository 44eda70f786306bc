// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemJSON
import Testing

/// Law 2: exactly once.
extension LawTests {
  @Test func `law 2: an observer gets all that comes after it, also from inside a callback`() throws
  {
    let context = try Context()
    var inner: Subscription?
    var seen: [Int] = []
    let outer = try context.observe(Tick.self) { tick, delivery in
      guard inner == nil else { return }
      try delivery.context.send(Tick(number: 2))
      inner = try context.observe(Tick.self) { tick, _ in seen.append(tick.number) }
      try delivery.context.send(Tick(number: 3))
    }

    try context.send(Tick(number: 1))
    try context.send(Tick(number: 4))

    let from = try #require(try inner?.from())
    #expect(from == 2)
    #expect(seen == [3, 4])
    outer.cancel()
  }

  @Test func `law 2: what is kept comes first, flagged late, then the stream`() throws {
    let context = try Context()
    var seen: [String] = []
    try context.keepHistory(of: Tick.self, last: 2)
    for number in 1...3 { try context.send(Tick(number: number)) }

    let late = try context.observe(Tick.self) { tick, delivery in
      seen.append("\(tick.number) \(delivery.isLate)")
    }
    try context.send(Tick(number: 4))

    #expect(seen == ["2 true", "3 true", "4 false"])
    late.cancel()
  }

  @Test func `law 2: what is kept of several types comes by position`() throws {
    let context = try Context()
    var seen: [String] = []
    try context.keepHistory(of: Tick.self, last: 2)
    try context.keepHistory(of: Tock.self, last: 1)
    for number in 1...2 {
      try context.send(Tick(number: number))
      try context.send(Tock(text: "\(number)"))
    }
    try context.send(Tick(number: 3))

    let late = try context.observe { delivery in
      seen.append("\(delivery.position) \(delivery.isLate)")
    }
    try context.send(Tock(text: "3"))

    #expect(seen == ["3 true", "4 true", "5 true", "6 false"])
    late.cancel()
  }
}
