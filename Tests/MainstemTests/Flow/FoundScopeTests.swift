// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct Opened: Notice {
  var name: String
}

@Suite("Scopes that are found") struct FoundScopeTests {
  @Test func `a scope is found by its number while it lives`() throws {
    let context = try Context()
    let view = try context.scope("View")
    let cell = try view.scope("Cell")
    let number = try cell.number

    #expect(try context.number == 0)
    #expect(try context.scope(number: number)?.handle == cell.handle)
    #expect(try cell.scope(number: 0)?.handle == context.handle)
    #expect(try context.stats().scopes == 2, "what is found does not end when it is released")

    try view.close()
    #expect(try context.scope(number: number) == nil)
    #expect(throws: StreamError.self) { try cell.number }
  }

  @Test func `a limited scope finds no stronger one`() throws {
    let context = try Context()
    let view = try context.scope("View", rights: Rights(sends: [.view]))
    let other = try context.scope("View", rights: Rights(sends: [.view]))
    let model = try context.scope("Model")

    #expect(try view.scope(number: try other.number) != nil)
    #expect(try view.scope(number: try model.number) == nil)
    #expect(try view.scope(number: 0) == nil)
  }

  @Test func `numbers are the same in every run`() throws {
    func numbers(seed: UInt64) throws -> [UInt64] {
      var options = ContextOptions()
      options.seed = seed
      let context = try Context(options)
      var made: [Context] = []
      let opens = try context.observe(Opened.self) { opened, _ in
        for _ in 0..<2 { made.append(try context.scope(opened.name)) }
      }
      try context.send(Opened(name: "Cell"))
      defer { withExtendedLifetime(opens) {} }
      return try made.map { scope throws in try scope.number }
    }

    let first = try numbers(seed: 1)
    #expect(Set(first).count == 2)
    #expect(try numbers(seed: 2) == first)
  }
}
