// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct RequestName: Request { typealias Answer = ResponseName }
private struct ResponseName: Response, Equatable { var name: String }
private struct Said: Notice, Equatable { var words: String }

/// Answers for itself; what is said by anybody makes it say more.
private struct Cell: Server {
  let name: String

  static func handlers(_ on: inout Handlers<Self>) {
    on.own { own in
      own.answer(RequestName.self) { cell, _ in ResponseName(name: cell.name) }
    }
    on.event(Said.self) { cell, said in
      said.words == "who?" ? [Said(words: "\(cell.name)!")] : []
    }
  }
}

private struct Torn: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.own { own in own.event(ResponseName.self) { _, _ in [] } }
    on.failed(ResponseName.self) { _, _, _ in [] }
  }
}

@Suite("One origin")
struct OwnTests {
  @Test func `an own handler gets what is sent through its server`() throws {
    let context = try Context()
    let (one, two) = (
      try context.install(Cell(name: "one")), try context.install(Cell(name: "two"))
    )

    #expect(one.request(RequestName()) == .success(ResponseName(name: "one")))
    #expect(two.request(RequestName()) == .success(ResponseName(name: "two")))
    let nobody = context.request(RequestName())
    #expect(throws: Failure.self) { try nobody.get() }
  }

  @Test func `an observer of a scope gets what is sent through it`() throws {
    let context = try Context()
    let (one, two) = (
      try context.install(Cell(name: "one")), try context.install(Cell(name: "two"))
    )
    var (said, lines) = ([String](), 0)
    let first = try context.observe(Said.self, of: one) { event, _ in said.append(event.words) }
    let second = try context.observe(of: two) { _ in lines += 1 }
    let box = try context.mailbox(Said.self, of: two)

    try context.send(Said(words: "who?"))
    let records = try box.fetch()

    #expect(said == ["one!"])
    #expect(lines == 1)
    #expect(records.count == 1)
    first.cancel()
    second.cancel()
  }

  @Test func `a server whose handlers of one type are own in part is refused`() throws {
    let context = try Context()

    #expect(throws: StreamError.self) { try context.install(Torn()) }
  }
}
