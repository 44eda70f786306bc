// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemSignals
import MainstemTesting
import Testing

private typealias Feed = Reactors.Feed
private typealias RequestPage = Reactors.RequestPage
private typealias ResponsePage = Reactors.ResponsePage

private struct Calls: ScalarEvent {
  static let role = Role.value
  var value: Int
}

/// A service: it has the pages, and counts who asked.
private struct Shelf: Server {
  var calls = 0

  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestPage.self) { shelf, request, delivery in
      shelf.calls += 1
      try delivery.context.set(Calls(value: shelf.calls))
      return ResponsePage(text: "page \(request.number)")
    }
  }
}

@Suite("Reactors in a test") struct ReactorKitTests {
  private let folder = Folder()

  /// Lets a feed ask for a page, which comes when the test says so.
  private func expect(_ test: TestContext, asks number: Int, gets text: String) {
    test.expect(RequestPage(number: number))
    test.expect(ResponsePage(text: text))
  }

  @Test func `A-40: pages replace, are appended, come once, and too late`() throws {
    let test = TestContext()
    let pages = test.stub(
      RequestPage.self,
      [
        .after(.seconds(1), .answer(ResponsePage(text: "a,b"))),
        .after(.seconds(1), .answer(ResponsePage(text: "c"))),
        .after(.seconds(5), .answer(ResponsePage(text: "late"))),
        .after(.seconds(1), .answer(ResponsePage(text: "d"))),
        .answer(ResponsePage(text: "")),
      ])
    let feed = test.open(Feed())
    test.expect(feed, "more.enabled", false)

    feed.run("refresh")
    test.expect(feed, "isLoading", true)
    test.advance(by: .seconds(1))
    expect(test, asks: 1, gets: "a,b")
    test.expect(feed, "items", "a,b")

    let more = feed.run("more")
    #expect(feed.run("more").failure?.code == .executing)
    test.advance(by: .seconds(1))
    expect(test, asks: 2, gets: "c")
    test.expect(feed, "items", "a,b,c")
    #expect(more.isDone)
    #expect(pages.calls == 2)

    // A refresh ends the run that loads more: its page comes too late.
    let ended = feed.run("more")
    test.expect(feed, "isLoadingMore", true)
    feed.run("refresh")
    test.expect(feed, "isLoadingMore", false)
    #expect(ended.failure?.code == .cancelled)
    test.expect(RequestPage(number: 3))
    test.skip()
    test.advance(by: .seconds(9))
    test.expect(ResponsePage(text: "d"))
    test.expect(feed, "items", "d")

    // An empty page is the last one.
    feed.run("more")
    expect(test, asks: 2, gets: "")
    test.expect(feed, "noMore", true)
    #expect(feed.run("more").failure?.code == .disabled)
    #expect(pages.requests.map(\.number) == [1, 2, 3, 1, 2])
  }

  @Test func `A-40: one that ends is opened as new, and what a service knows is kept`() throws {
    let context = try Context()
    try context.addService(Shelf.self) { Shelf() }
    var items: [String] = []
    func open() throws -> (scope: Context, binding: Binding) {
      let scope = try context.open(Feed())
      return (
        scope,
        try context.bind(to: scope) { rows in
          rows.show("items") { (now: String) in items.append(now) }
        }
      )
    }
    let first = try open()
    for name in ["refresh", "more"] { try first.binding.run(name) }
    try first.scope.close()
    let second = try open()
    #expect(try context.find(Shelf.self).value(of: Calls.self) == Calls(value: 2))
    try second.binding.run("refresh")

    #expect(items == ["", "page 1", "page 1,page 2", "", "page 1"])
    #expect(try context.find(Shelf.self).value(of: Calls.self) == Calls(value: 3))
  }

  @Test func `A-39, XR-07: a stub remembers its actions, and shows what a test says`() {
    let test = TestContext()
    let counter = test.stub(Reactors.Counter())
    test.expect(counter.view, "count", 0)

    let run = counter.view.run("up")
    #expect(run.isDone)
    test.expect(counter.view, "count", 0)
    for count in [7, 7, 9] { counter.show(Reactors.Counter.State(count: count)) }
    counter.view.run("down")

    #expect(counter.actions == [.up, .down])
    test.expect(counter.view, "count", 9)
  }

  @Test func `A-39: a stub of a feed asks nobody`() {
    let test = TestContext()
    let feed = test.stub(Feed())
    feed.show(Feed.State(items: "a", page: 1))
    test.expect(feed.view, "canMore", true)
    feed.view.run("more")
    #expect(feed.actions == [.more])
    feed.show(Feed.State(isLoading: true, page: 1))
    #expect(feed.view.run("more").failure?.code == .disabled)
  }

  @Test func `a session with a stub verifies`() throws {
    let path = folder.file("session")
    let context = try Context()
    try context.record(to: path)
    let stub = try context.stub(Reactors.Counter())
    let binding = try context.bind(to: stub.scope) { _ in }
    for count in [3, 4] {
      try binding.run("up")
      try stub.show(Reactors.Counter.State(count: count))
    }
    try context.close()

    var kept: ReactorStub<Reactors.Counter>?
    try Journal.verify(path) { kept = try $0.stub(Reactors.Counter()) }
    #expect(kept?.actions == [.up, .up])
  }

  @Test func `timers of a run go by the test's clock`() {
    let test = TestContext()
    let watch = test.open(Reactors.Stopwatch())
    watch.run("start")
    test.advance(by: .milliseconds(2_500))
    test.expect(SignalAlarm(value: 1))
    test.expect(SignalAlarm(value: 2))
    test.expect(watch, "seconds", 2)
    watch.run("stop")
  }

  @Test func `alarms of a reactor need not be expected`() {
    let test = TestContext()
    let watch = test.open(Reactors.Stopwatch())
    watch.run("start")
    test.advance(by: .milliseconds(2_500))
    test.expect(watch, "seconds", 2)
    watch.run("stop")
  }
}
