// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemSignals
import MainstemTesting
import Testing

@testable import Dashboard

/// XC-10: who is found, and when. A character is 10 ms. A query is typed where it stands; `e` is the empty one. What is
/// shown then has a letter.
@Suite("What is found, drawn") struct MarbleTests {
  private static let letters = [
    "---": "e", "I found Clark Kent aka Superman": "A", "I found Bruce Wayne aka Batman": "B",
    "User not found": "x",
  ]

  @Test(arguments: [
    ("e---1----2-", "e---A----B-"),
    ("e-9-1-{abc}-2-e", "e-x-A-x-B-e"),
    ("1-1-2", "(eA)---B"),
  ])
  func `after the users`(queries: String, found: String) throws {
    try expect(found, queries, [.body(two)])
  }

  @Test(arguments: [
    ("e-1------", "e-----A--"),
    ("e-1-2--1--", "e-----BA--"),
    ("e-1-e-----", "e"),
  ])
  func `before the users, who take 60 ms`(queries: String, found: String) throws {
    try expect(found, queries, [.after(.milliseconds(60), .body(two))])
  }

  private func expect(
    _ found: String, _ queries: String, _ users: [StubAnswer<ResponseHttp>]
  ) throws {
    let world = try World(users)
    let shown = world.widget()
    var seen: [Marbles.Mark] = []
    var time = Duration.zero
    let view = try world.test.context.bind(to: shown.scope) { rows in
      rows.show("found") { (text: String) in
        seen.append(.init(time, .next(Self.letters[text] ?? text)))
      }
    }
    for mark in Marbles(queries).marks + [.init(.milliseconds(200), .completed)] {
      while time < mark.time {
        time += Marbles.frame
        world.test.advance(by: Marbles.frame)
      }
      if case .next(let query) = mark.event { shown.set("query", query == "e" ? "" : query) }
    }
    view.end()
    #expect(Marbles(seen) == Marbles(found))
    world.end()
  }
}
