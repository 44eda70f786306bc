// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private typealias Row = Ware<Plain>

private struct Go: Notice { var count: Int }

/// A list of which a journal has only marks.
private struct Marked: ListEvent {
  static let record = RecordMode.mark
  var rows: Rows<Ware<Plain>>
}

@Suite("Lists in journals") struct ListReplayTests {
  private let folder = Folder()

  @Test func `a session with lists is verified`() throws {
    let path = folder.file("session")
    let context = try Context()
    try context.record(to: path)
    let window = try context.scope("View")
    let view = try window.bind(to: try context.open(Stock<Plain>())) { _ in }
    for ids in [[1, 2, 3], [3, 1], [3, 4, 1], [], [5]] { try view.run("set", items(ids)) }
    try context.close()

    let seen = Applied<Row>()
    var shown: (Context, Binding)?
    let info = try Journal.verify(path) { context in
      let window = try context.scope("View")
      let scope = try context.open(Stock<Plain>())
      shown = (window, try window.bind(to: scope) { $0.show("items") { seen.take($0) } })
    }
    #expect(info.verifiedUntil == info.last)
    #expect(seen.rows == items([5]))
    #expect(seen.resets == 1)
    withExtendedLifetime(shown) {}
  }

  @Test(arguments: [0, 1]) func `a program that sets other rows differs`(more: Int) throws {
    let path = folder.file("session")
    func install(_ context: Context, _ more: Int) throws -> (Context, Subscription) {
      let shop = try context.scope("Shop")
      let go = try context.observe(Go.self) { go, _ in
        try shop.set(ShopItems<Plain>.self, items(0..<(go.count + more)))
      }
      return (shop, go)
    }
    let context = try Context()
    try context.record(to: path)
    let program = try install(context, 0)
    for count in [2, 3] { try context.send(Go(count: count)) }
    try context.close()
    withExtendedLifetime(program) {}

    var again: (Context, Subscription)?
    func verify() throws { try Journal.verify(path) { again = try install($0, more) } }
    if more == 0 { try verify() } else { #expect(throws: Difference.self) { try verify() } }
    withExtendedLifetime(again) {}

    let journal = try Journal(path)
    var lines: [String] = []
    while let event = try journal.next() {
      guard event.isEvent(ShopItems<Plain>.self) else { continue }
      lines.append(event.line)
      #expect(throws: Failure.self) { try event.decode(ShopItems<Plain>.self) }
    }
    #expect(lines.count == 2)
    #expect(lines.last?.hasSuffix("+1 -0 ~0 of 3") == true, "\(lines)")
  }

  @Test func `a list goes on after a replay`() throws {
    let path = folder.file("session")
    let context = try Context()
    try context.record(to: path)
    let window = try context.scope("View")
    let view = try window.bind(to: try context.open(Stock<Plain>())) { _ in }
    try view.run("set", items([1, 2, 3]))
    try context.close()

    let again = try Context()
    let seen = Applied<Row>()
    let replay = try again.replay(path)
    let place = try again.scope("View")
    let scope = try again.open(Stock<Plain>())
    let binding = try place.bind(to: scope) { $0.show("items") { seen.take($0) } }
    try replay.toEnd()
    try replay.close()
    #expect(seen.rows == items([1, 2, 3]))
    try binding.run("set", items([1, 2, 3, 4]))
    #expect(seen.rows == items([1, 2, 3, 4]))
  }

  @Test func `a list that a journal has not kept is not shown`() throws {
    let path = folder.file("session")
    func install(_ context: Context) throws -> (Context, Subscription, Applied<Row>) {
      let seen = Applied<Row>()
      let shop = try context.scope("Shop")
      let observer = try context.observe(Marked.self) { marked, _ in seen.take(marked.rows) }
      return (shop, observer, seen)
    }
    let context = try Context()
    try context.record(to: path)
    let (shop, observer, seen) = try install(context)
    try shop.set(Marked.self, items([1]))
    #expect(seen.rows == items([1]))
    observer.cancel()
    try context.close()

    let again = try Context()
    let replay = try again.replay(path)
    let (replayed, other, nothing) = try install(again)
    try replay.toEnd()
    #expect(nothing.events == 0)
    #expect(try again.stats().failures == 0)
    withExtendedLifetime((replayed, other)) {}
  }
}
