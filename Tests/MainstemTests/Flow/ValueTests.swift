// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// Law 13, beside its scenarios.
@Suite("Values")
struct ValueTests {
  @Test func `law 13: an observer gets the present value first, then each change`() throws {
    let context = try Context()
    let counter = try context.scope("Counter")
    var seen: [String] = []
    try counter.set(Count(value: 3))

    let shown = try context.observe(Count.self) { count, delivery in
      seen.append("\(count.value)\(delivery.isLate ? " late" : "")")
    }
    try counter.set(Count(value: 3))
    try counter.set(Count(value: 4))

    #expect(seen == ["3 late", "4"])
    #expect(try context.stats().events == 2)
    shown.cancel()
  }

  @Test func `law 13: the present value of a scope is read as it is`() throws {
    let context = try Context()
    let cells = try (1...2).map { _ in try context.scope("Cell") }
    #expect(try cells[0].value(of: Label.self) == nil)
    try cells[0].set(Label(text: "first"))
    try cells[1].set(Label(text: "second"))
    try cells[1].set(Label(text: ""))

    #expect(try cells[0].value(of: Label.self) == Label(text: "first"))
    #expect(try cells[1].value(of: Label.self) == Label(text: ""))
    #expect(try context.value(of: Label.self) == nil)
    #expect(try context.stats().retained == 0)
    try cells[1].close()
    #expect(try context.stats().history == 1)
  }

  @Test func `law 13: a callback sees what it sets after the current event`() throws {
    let context = try Context()
    var seen: [Int?] = []
    let typed = try context.observe(Typed.self) { typed, _ in
      try? context.set(Count(value: typed.text.count))
      try? context.set(Count(value: typed.text.count))
      seen.append(try? context.value(of: Count.self)?.value)
    }
    let shown = try context.observe(Count.self) { count, _ in seen.append(count.value) }
    try context.send(Typed(text: "abc"))

    #expect(seen == [nil, 3])
    typed.cancel()
    shown.cancel()
  }

  @Test func `an event of another role is no value`() throws {
    let context = try Context()
    #expect { try context.set(Typed(text: "")) } throws: {
      ($0 as? StreamError)?.status == .invalid
    }
    #expect { _ = try context.value(of: Typed.self) } throws: {
      ($0 as? StreamError)?.status == .invalid
    }
  }
}

private struct Count: ScalarEvent {
  static let role = Role.value
  var value: Int
}

private struct Label: TextEvent {
  static let role = Role.value
  static let layer: Layer = .view
  var text: String
}

private struct Typed: Notice, TextEvent {
  var text: String
}
