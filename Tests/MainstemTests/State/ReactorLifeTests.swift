// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemSignals
import Testing

private final class Canary: Sendable {}

/// Keeps something, so that a test sees when it lets go.
private struct Keeper: Reactor {
  enum Action { case wait, ask, end }
  struct State: Codable { var seconds = 0 }
  var state = State()
  var canary: Canary?

  func mutate(_ action: Action) -> Signal<Int, Failure> {
    switch action {
    case .wait: Signal.every(.seconds(1)).map { [canary] number in canary == nil ? -1 : number + 1 }
    case .ask: asking(Reactors.RequestPage(number: 1)).map { $0.text.count }
    case .end: .empty
    }
  }

  static func reduce(_ state: inout State, _ seconds: Int) { state.seconds = seconds }

  static func shown(_ on: inout Shown<Self>) {
    on.shows("seconds", \.seconds)
    on.action("wait", .wait, policy: .concurrent, cancelledBy: "end")
    on.action("ask", .ask, cancelledBy: "end")
    on.action("end", .end)
  }
}

private struct Entry: Codable, Equatable, Identifiable { var id: Int }

/// A view model whose children are reactors.
private struct Desk: ViewModel {
  var entries: [Entry] = []

  static func handlers(_ on: inout Handlers<Self>) {
    on.children("feeds", \.entries) { _ in Reactors.Feed() }
    on.command("add") { $0.entries.append(Entry(id: $0.entries.count)) }
  }
}

/// Answers at once; sometimes it fails, and there is an end.
private struct SomePages: Server {
  let context: Context
  static var name: String { "Pages" }

  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(Reactors.RequestPage.self) { server, request in
      if try server.context.random() % 4 == 0 { throw Failure("OFFLINE", userMessage: "Offline.") }
      return Reactors.ResponsePage(text: request.number > 3 ? "" : "\(request.number)")
    }
  }
}

@Suite("Reactors live") struct ReactorLifeTests {
  private let folder = Folder()

  private enum End: CaseIterable { case action, scope, context, run }

  @Test(arguments: End.allCases)
  private func `XR-13: everything is let go`(end: End) throws {
    let context = try Context(ContextOptions(clock: .virtual))
    let pages = Reactors.Pages()
    try context.install(Reactors.PageServer(pages: pages))
    weak var kept: Canary?
    var scope: Context?
    do {
      let canary = Canary()
      kept = canary
      scope = try context.open(Keeper(canary: canary))
    }
    let binding = try context.bind(to: scope) { _ in }
    var runs = [try binding.run("wait"), try binding.run("wait"), try binding.run("ask")]
    try context.advance(by: .seconds(2))
    #expect(kept != nil)

    switch end {
    case .action:
      try binding.run("end")
      try scope?.close()
    case .run:
      for run in runs { run.cancel() }
      try scope?.close()
    case .scope: try scope?.close()
    case .context: try context.close()
    }
    runs = []
    if end != .context {
      #expect(try context.stats().timers == 0)
      #expect(try context.stats().requests == 0)
    }
    binding.end()
    scope = nil
    #expect(kept == nil)
  }

  @Test func `what a run has asked for is given up with it`() throws {
    let context = try Context()
    let pages = Reactors.Pages()
    try context.install(Reactors.PageServer(pages: pages))
    let feed = try context.open(Reactors.Feed())
    var seen: [String] = []
    let binding = try context.bind(to: feed) { rows in
      rows.show("items") { (items: String) in seen.append(items) }
    }
    let run = try binding.run("refresh")
    #expect(try context.stats().requests == 2)
    run.cancel()
    #expect(try context.stats().requests == 0)
    pages.answer("late")
    try binding.run("refresh")
    pages.answer("a")
    #expect(seen == ["", "a"])
  }

  @Test func `a factory makes reactors, and view models have them`() throws {
    let context = try Context()
    try context.addFactory(Reactors.Counter.self) { (count: Int) in
      Reactors.Counter(state: Reactors.Counter.State(count: count))
    }
    let number = try context.open("Counter", 7).get()
    let desk = try context.open(Desk())
    var seen: [String] = []
    let counter = try context.bind(to: try context.scope(number: number)) { rows in
      rows.show("count") { (count: Int) in seen.append("\(count)") }
    }
    try counter.run("up")
    #expect(seen == ["7", "8"])

    var feeds: [UInt64] = []
    var more: [Bool] = []
    var cells: [Binding] = []
    let view = try context.bind(to: desk) { rows in
      rows.show("feeds") { (numbers: [UInt64]) in
        feeds = numbers
        guard let last = numbers.last else { return }
        // It is ready when its parent tells of it.
        cells.append(
          try context.bind(to: try context.scope(number: last)) { rows in
            rows.show("more.enabled") { (isEnabled: Bool) in more.append(isEnabled) }
          })
      }
    }
    try view.run("add")
    #expect(feeds.count == 1)
    #expect(more == [false])
  }

  /// The program: without its views.
  private func add(to context: Context) throws -> (feed: Context, watch: Context) {
    try context.install(SomePages(context: context))
    return (try context.open(Reactors.Feed()), try context.open(Reactors.Stopwatch()))
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `sessions of reactors verify, event by event, at another time`(seed: UInt64) throws {
    let path = folder.file("session-\(seed)")
    let options = ContextOptions(clock: .virtual, seed: seed)
    let context = try Context(options)
    try context.advance(by: .seconds(1000 * seed))
    try context.record(to: path)
    let program = try add(to: context)
    var lines: [String] = []
    let log = try context.observe { lines.append($0.line) }
    let (feed, watch) = (
      try context.bind(to: program.feed) { _ in }, try context.bind(to: program.watch) { _ in }
    )
    let steps = [
      (feed, "refresh"), (feed, "more"), (watch, "start"), (feed, "more"), (watch, "stop"),
    ]
    for step in 0..<40 {
      let (binding, name) = steps[step % 5]
      // Refused: disabled, or executing.
      _ = try? binding.run(name)
      try context.advance(by: .milliseconds(700))
    }
    log.cancel()
    try context.close()

    let again = try Context(options)
    try again.advance(by: .seconds(3000))
    let replay = try again.replay(path, mode: .verify)
    _ = try add(to: again)
    var repeated: [String] = []
    let second = try again.observe { repeated.append($0.line) }
    try replay.toEnd()
    #expect(repeated == lines)
    #expect(lines.contains { $0.contains("Stopwatch.mutation") })
    second.cancel()
  }

  @Test func `what a mutation has become in the program is a difference`() throws {
    let path = folder.file("session")
    let context = try Context()
    try context.record(to: path)
    let counter = try context.open(Reactors.Counter())
    try context.bind(to: counter) { _ in }.run("up")
    try context.close()

    try Journal.verify(path) { try $0.open(Reactors.Counter()) }
    let difference = #expect(throws: Difference.self) {
      try Journal.verify(path) { try $0.open(Reversed(), name: "Counter") }
    }
    #expect("\(difference.map { "\($0)" } ?? "")".contains("Counter.mutation"))
  }
}

/// A counter that counts the other way.
private struct Reversed: Reactor {
  typealias State = Reactors.Counter.State
  var state = State()
  func mutate(_ action: Int) -> Signal<Int, Failure> { .just(action) }
  static func reduce(_ state: inout State, _ by: Int) { state.count += by }
  static func shown(_ on: inout Shown<Self>) {
    on.shows("count", \.count)
    on.action("up", -1)
    on.action("down", +1)
  }
}
