// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

@testable import DiaryApp

@Suite("A-40: the list") @MainActor struct ListTests {
  private func rows(_ list: TestView) -> [EntryRow] {
    (try? list.value(of: "rows", as: [EntryRow].self)) ?? []
  }

  private func expect(
    _ world: World, _ list: TestView, _ ids: [Int]?, loading: Bool = false, more: Bool = false,
    noMore: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(rows(list).map(\.id) == ids ?? [], sourceLocation: sourceLocation)
    world.test.expect(list, "isKnown", ids != nil, sourceLocation: sourceLocation)
    world.test.expect(list, "isLoading", loading, sourceLocation: sourceLocation)
    world.test.expect(list, "isMoreLoading", more, sourceLocation: sourceLocation)
    world.test.expect(list, "noMore", noMore, sourceLocation: sourceLocation)
    world.test.skip()
  }

  @Test func `page 1 replaces, more appends, the last page ends it, each page is asked once`()
    throws
  {
    let world = try World(pages: [
      .after(.seconds(1), World.page(9...12)), World.page(5...8),
      World.page(1...4, isLast: true), World.page(9...12),
    ])
    let list = world.open(DiaryList())
    expect(world, list, nil, loading: true)
    world.test.advance(by: .seconds(1))
    expect(world, list, [12, 11, 10, 9])
    #expect(list.run("more").isDone)
    expect(world, list, [12, 11, 10, 9, 8, 7, 6, 5])
    #expect(list.run("more").isDone)
    expect(world, list, Array((1...12).reversed()), noMore: true)
    #expect(list.run("more").failure?.code == .disabled)
    #expect(list.run("refresh").isDone)
    expect(world, list, [12, 11, 10, 9])
    #expect(world.pages.requests.map(\.before) == [nil, 9, 5, nil])
    #expect(world.accounts.calls == 1)
  }

  @Test func `more is ignored while the first page or the next one loads: one provider call`()
    throws
  {
    let world = try World(pages: [
      .after(.seconds(1), World.page(9...12)), .after(.seconds(1), World.page(5...8)),
    ])
    let list = world.open(DiaryList())
    #expect(list.run("more").failure?.code == .disabled)
    world.test.advance(by: .seconds(1))
    let more = list.run("more")
    expect(world, list, [12, 11, 10, 9], more: true)
    for _ in 1...5 { #expect(list.run("more").failure?.code == .executing) }
    world.test.advance(by: .seconds(1))
    #expect(more.isDone)
    expect(world, list, Array((5...12).reversed()))
    #expect(world.pages.calls == 2)
  }

  @Test func `a refresh during more: the stale page is ignored`() throws {
    let world = try World(pages: [
      World.page(9...12), .after(.seconds(2), World.page(5...8)),
      .after(.seconds(1), World.page(10...13)), World.page(6...9),
    ])
    let list = world.open(DiaryList())
    let more = list.run("more")
    let refresh = list.run("refresh")
    #expect(more.failure?.code == .cancelled)
    expect(world, list, [12, 11, 10, 9], loading: true)
    #expect(list.run("more").failure?.code == .disabled)
    world.test.advance(by: .seconds(1))
    #expect(refresh.isDone)
    expect(world, list, [13, 12, 11, 10])
    world.test.advance(by: .seconds(5))
    expect(world, list, [13, 12, 11, 10])
    #expect(list.run("more").isDone)
    #expect(world.pages.requests.map(\.before) == [nil, 9, nil, 10])
    world.test.skip()
  }

  @Test func `a refresh takes the place of another one`() throws {
    let world = try World(pages: [
      .after(.seconds(2), World.page(1...4)), .after(.seconds(1), World.page(9...12)),
    ])
    let list = world.open(DiaryList())
    #expect(list.run("refresh").failure == nil)
    world.test.advance(by: .seconds(5))
    expect(world, list, [12, 11, 10, 9])
  }

  @Test func `destroyed and opened again, the list is new, and the service's value is kept`() throws
  {
    let world = try World(pages: [World.page(9...12), .after(.seconds(1), World.page(9...12))])
    let list = world.open(DiaryList())
    world.test.expect(list, "title", "Ada's diary: 12 entries")
    try list.scope.close()
    let again = world.test.open(DiaryList())
    world.test.expect(again, "title", "Ada's diary: 12 entries")
    expect(world, again, nil, loading: true)
    world.test.advance(by: .seconds(1))
    expect(world, again, [12, 11, 10, 9])
  }

  @Test func `none is not the same as not known`() throws {
    let world = try World(pages: [.after(.seconds(1), World.none)])
    let list = world.open(DiaryList())
    world.test.expect(list, "footer", "Loading …")
    expect(world, list, nil, loading: true)
    world.test.advance(by: .seconds(1))
    expect(world, list, [], noMore: true)
    world.test.expect(list, "footer", "Nothing is written yet.")
    #expect(list.run("more").failure?.code == .disabled)
  }

  @Test func `what fails is told once each time, keeps the list, and is tried again`() throws {
    let gone = StubAnswer<ResponseEntries>.failure(Failure("DISK", userMessage: "No disk."))
    let world = try World(pages: [World.page(9...12), gone, gone, .never, World.page(5...8)])
    let list = world.open(DiaryList())
    try world.hear(list, "alertMessage", String.self)
    #expect(list.run("more").isDone)
    #expect(list.run("refresh").isDone)
    let more = list.run("more")
    world.test.advance(by: .seconds(10))
    #expect(more.isDone)
    let late = "alertMessage The diary does not open."
    #expect(world.told == ["alertMessage No disk.", "alertMessage No disk.", late])
    expect(world, list, [12, 11, 10, 9])
    #expect(list.run("more").isDone)
    expect(world, list, Array((5...12).reversed()))
  }

  @Test func `what the diary tells is merged`() throws {
    let world = try World(pages: [World.page(9...12)])
    let list = world.open(DiaryList())
    world.test.send(RequestCreateEntry(text: "New"))
    expect(world, list, [13, 12, 11, 10, 9])
    world.test.expect(list, "title", "Ada's diary: 13 entries")
    world.test.send(RequestDeleteEntry(id: 10))
    expect(world, list, [13, 12, 11, 9])
    world.test.send(RequestUpdateEntry(id: 12, text: "Sun.\nAll day."))
    #expect(rows(list)[1].title == "Sun.")
    world.test.skip()
  }

  @Test func `signed out, nothing is known any more`() throws {
    let world = try World(pages: [World.page(9...12), World.page(9...12)])
    let list = world.open(DiaryList())
    try world.hear(list, "alertMessage", String.self)
    world.test.send(RequestPerformSignOut())
    expect(world, list, nil)
    world.test.expect(list, "title", "A diary")
    let refresh = list.run("refresh")
    world.test.advance(by: .seconds(1000))
    expect(world, list, nil, loading: true)
    #expect((world.told, world.pages.calls) == ([], 1))
    world.test.send(RequestPerformSignIn(nickname: "Ada", hasAgreed: true))
    #expect(refresh.isDone)
    expect(world, list, [12, 11, 10, 9])
    world.test.skip()
  }

  @Test func `an entry that comes, changes or goes is one change of one row`() throws {
    let world = try World(pages: [World.page(9...12)])
    let list = world.open(DiaryList())
    var changes: [[RowChange]] = []
    let binding = try world.test.context.bind(to: list.scope) { rows in
      rows.show("rows") { (rows: Rows<EntryRow>) in changes.append(Array(rows.changes)) }
    }
    world.test.send(RequestCreateEntry(text: "New"))
    world.test.send(RequestUpdateEntry(id: 12, text: "Sun."))
    world.test.send(RequestDeleteEntry(id: 10))
    #expect(changes == [[.reset], [.insert(0..<1)], [.update(1..<2)], [.remove(3..<4)]])
    binding.end()
    world.test.keep()
    world.test.skip()
  }

  @Test func `at midnight, the words of the days change, once`() throws {
    let first = Today(day: "2026-11-23", ends: 3600)
    let world = try World(pages: [
      World.page(9...12, today: first),
      World.page(12...12, today: Today(day: "2026-11-24", ends: 3600 + 86400)),
      World.page(12...12, today: Today(day: "2026-11-25", ends: nil)),
    ])
    let list = world.open(DiaryList())
    #expect(rows(list).map(\.day) == Array(repeating: "Today", count: 4))
    world.test.advance(by: .seconds(3599))
    #expect(world.pages.calls == 1)
    world.test.advance(by: .seconds(1))
    #expect(rows(list).map(\.day) == Array(repeating: "Yesterday", count: 4))
    #expect(rows(list).map(\.date) == Array(repeating: "2026-11-23", count: 4))
    world.test.advance(by: .seconds(86400))
    #expect(rows(list).map(\.day) == Array(repeating: "Monday", count: 4))
    world.test.advance(by: .seconds(864000))
    #expect(world.pages.requests.map(\.count) == [10, 0, 0])
    world.test.skip()
  }

  @Test func `a store that is out of order at midnight leaves the words as they are`() throws {
    let gone = StubAnswer<ResponseEntries>.failure(Failure("DISK", userMessage: "No disk."))
    let world = try World(pages: [
      World.page(9...12, today: Today(day: "2026-11-23", ends: 3600)), gone,
      World.page(9...12, today: Today(day: "2026-11-24", ends: 7200)),
    ])
    let list = world.open(DiaryList())
    try world.hear(list, "alertMessage", String.self)
    world.test.advance(by: .seconds(3600))
    #expect(rows(list)[0].day == "Today")
    #expect(list.run("refresh").isDone)
    #expect(rows(list)[0].day == "Yesterday")
    #expect(world.told == [])
    #expect(try world.test.context.stats().failures == 0)
    world.test.keep()
    world.test.skip()
  }

  @Test func `it says what the user wants`() throws {
    let world = try World(pages: [World.page(9...12)])
    let list = world.open(DiaryList())
    try world.hear(list, "picked", Int.self)
    try world.hear(list, "writePressed", Bool.self)
    try world.hear(list, "menuPressed", Bool.self)
    list.run("pick", 9)
    list.run("write")
    list.run("menu")
    list.run("pick", 9)
    list.run("pick", 0)  // no entry
    #expect(world.told == ["picked 9", "writePressed true", "menuPressed true", "picked 9"])
    world.test.skip()
  }
}
