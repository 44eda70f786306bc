// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemSignals
import Testing

/// Each stage appends its name.
private struct Staged: Reactor {
  struct State: Codable { var stages: [String] = [] }
  var state = State()

  func transform(action: [String]) -> [String]? {
    action.isEmpty ? nil : action + ["transformedAction"]
  }
  func mutate(_ action: [String]) -> Signal<[String], Failure> { .just(action + ["mutation"]) }
  func transform(mutation: [String]) -> [String]? {
    mutation.contains("quiet") ? nil : mutation + ["transformedMutation"]
  }
  static func reduce(_ state: inout State, _ mutation: [String]) {
    state.stages = mutation + ["reduce"]
  }
  func transform(state: State) -> State { State(stages: state.stages + ["transformedState"]) }

  static func shown(_ on: inout Shown<Self>) {
    on.shows("stages", \.stages)
    on.action("go") { (stages: [String]) in stages }
  }
}

/// Appends letters: each by a mutation of its own, which is what the state is then.
private struct Letters: Reactor {
  enum Action { case append(String), throwing, failing, tooMany }
  struct State: Codable { var text = "" }
  var state = State()

  func mutate(_ action: Action) throws -> Signal<String, Failure> {
    switch action {
    case .append(let letters):
      return Signal.values(letters).flatMap(.concat) { letter in
        current.map { $0.text + String(letter) }
      }
    case .throwing: throw Failure("NOT_NOW", userMessage: "Not now.")
    case .failing: return .just("kept").concat(.failed(Failure("LATER", userMessage: "Later.")))
    case .tooMany: return Signal.values(1...).map { String(repeating: "x", count: $0) }
    }
  }

  static func reduce(_ state: inout State, _ text: String) { state.text = text }

  static func shown(_ on: inout Shown<Self>) {
    on.shows("text", \.text)
    on.shows("length", of: \.text) { $0.text.count }
    on.action("append", Action.append)
    on.action("throwing", .throwing)
    on.action("failing", .failing)
    on.action("tooMany", .tooMany)
  }
}

private struct Session: ViewModel {
  var user = ""
  static func handlers(_ on: inout Handlers<Self>) { on.writable("user", \.user) }
}

private struct Paid: Notice { var cents: Int }

/// Merges what happens elsewhere.
private struct Account: Reactor {
  enum Action: Codable { case nothing }
  enum Mutation: Codable {
    case user(String)
    case paid(Int)
  }
  struct State: Codable {
    var user = "?"
    var cents = 0
  }
  var state = State()

  func mutate(_ action: Action) -> Signal<Mutation, Failure> { .empty }

  static func reduce(_ state: inout State, _ mutation: Mutation) {
    switch mutation {
    case .user(let user): state.user = user
    case .paid(let cents): state.cents += cents
    }
  }

  static func shown(_ on: inout Shown<Self>) {
    on.shows("line") { "\($0.user): \($0.cents)" }
    on.merges(Paid.self) { account, paid in
      if paid.cents < 0 { throw Failure("NEGATIVE") }
      return paid.cents > 0 ? .paid(paid.cents) : nil
    }
    on.merges("user", of: Session.self) { (_, user: String) in .user(user) }
  }
}

/// Ends a run by an action that it has not, or merges what is to be answered.
private struct EndedByNone: Reactor {
  struct State: Codable { var count = 0 }
  var state = State()
  func mutate(_ action: Int) -> Signal<Int, Failure> { .just(action) }
  static func reduce(_ state: inout State, _ by: Int) { state.count += by }
  static func shown(_ on: inout Shown<Self>) { on.action("up", 1, cancelledBy: "upp") }
}

private struct Answering: Reactor {
  struct State: Codable { var count = 0 }
  var state = State()
  func mutate(_ action: Int) -> Signal<Int, Failure> { .just(action) }
  static func reduce(_ state: inout State, _ by: Int) { state.count += by }
  static func shown(_ on: inout Shown<Self>) {
    on.merges(Reactors.RequestPage.self) { _, request in request.number }
  }
}

@Suite("Reactors") struct ReactorTests {
  private let context: Context

  init() throws { context = try Context(ContextOptions(clock: .virtual)) }

  /// A view that notes what it is shown.
  private final class View {
    fileprivate(set) var seen: [String] = []
    fileprivate(set) var binding: Binding?

    func run(_ name: String, _ value: (any Encodable)? = nil) throws {
      try binding?.run(name, value) { [unowned self] result in
        if case .failure(let failure) = result { seen.append(failure.userMessage) }
      }
    }

    func take() -> [String] {
      defer { seen = [] }
      return seen
    }
  }

  private func view<Value: Decodable>(
    of scope: Context, _ name: String, _ type: Value.Type
  ) throws -> View {
    let view = View()
    view.binding = try context.bind(to: scope) { rows in
      rows.show(name) { (value: Value) in view.seen.append("\(value)") }
    }
    return view
  }

  @Test func `a reactor is a value`() throws {
    var state = Reactors.Counter.State()
    var mutations: [Int] = []
    let run = Reactors.Counter().mutate(.down).start { event in
      if case .next(let by) = event { mutations.append(by) }
    }
    for by in mutations + [1, 1] { Reactors.Counter.reduce(&state, by) }

    #expect(run.isEnded)
    #expect(mutations == [-1])
    #expect(state.count == 1)
  }

  @Test func `without a context, it knows its own state, and asks nobody`() throws {
    var letters = Letters()
    letters.state.text = "ab"
    var texts: [String] = []
    _ = try letters.mutate(.append("cd")).start { event in
      if case .next(let text) = event { texts.append(text) }
    }
    var feed: [SignalEvent<Reactors.Feed.Mutation, Failure>] = []
    _ = Reactors.Feed().mutate(.more).start { feed.append($0) }

    #expect(texts == ["abc", "abd"])
    #expect(feed.first == .next(.loadingMore(isOn: true)))
    guard case .failed(let failure) = feed.last else {
      Issue.record("\(feed)")
      return
    }
    #expect(failure.message.hasPrefix("RequestPage is asked without a context"))
  }

  @Test func `A-31, XR-01: the stages have an order`() throws {
    let view = try view(of: try context.open(Staged()), "stages", [String].self)
    #expect(view.take() == ["[\"transformedState\"]"])

    try view.run("go", ["action"])

    let stages = [
      "action", "transformedAction", "mutation", "transformedMutation", "reduce",
      "transformedState",
    ]
    #expect(view.take() == ["\(stages)"])
    try view.run("go", [String]())
    try view.run("go", ["quiet"])
    #expect(view.take() == [])
  }

  @Test func `A-32, XR-02: each mutation finds the state of the one before`() throws {
    let letters = try context.open(Letters())
    var mutations: [String] = []
    let log = try context.observe { delivery in
      if delivery.line.contains("Letters.mutation") {
        mutations.append(String(decoding: delivery.payload, as: UTF8.self))
      }
    }
    let view = try view(of: letters, "text", String.self)
    for text in ["ab", "c", "def"] { try view.run("append", text) }

    #expect(mutations == ["a", "ab", "abc", "abcd", "abcde", "abcdef"])
    #expect(view.take() == ["", "ab", "abc", "abcdef"])
    log.cancel()
  }

  @Test func `A-33, XR-03: who comes late gets the latest state, once`() throws {
    let letters = try context.open(Letters())
    let first = try view(of: letters, "text", String.self)
    try first.run("append", "a")
    try first.run("append", "b")

    #expect(try view(of: letters, "text", String.self).take() == ["ab"])
    #expect(try view(of: letters, "length", Int.self).take() == ["2"])
  }

  @Test func `A-35, XR-05: what fails ends its own run only`() throws {
    let view = try view(of: try context.open(Letters()), "text", String.self)
    for name in ["throwing", "failing"] { try view.run(name) }
    for letter in ["1", "2", "3"] { try view.run("append", letter) }

    #expect(view.take() == ["", "Not now.", "kept", "Later.", "kept1", "kept12", "kept123"])
  }

  @Test func `A-36, XR-06: a stopwatch stops at a later action`() throws {
    let watch = try context.open(Reactors.Stopwatch())
    let view = try view(of: watch, "seconds", Int.self)
    try context.advance(by: .seconds(1))
    try view.run("start")
    try context.advance(by: .milliseconds(3_999))
    try view.run("stop")
    #expect(view.take() == ["0", "1", "2", "3", "another command has ended it"])
    try context.advance(by: .milliseconds(1_001))
    try view.run("start")
    try context.advance(by: .milliseconds(2_999))
    try view.run("stop")
    try context.advance(by: .seconds(9))

    #expect(view.take() == ["4", "5", "another command has ended it"])
    #expect(try context.stats().timers == 0)
  }

  @Test func `A-37, XR-08: a pulse is seen each time`() throws {
    let view = try view(of: try context.open(Reactors.Alerts()), "alert", String.self)
    try view.run("tell", "1")
    for name in ["other", "silence"] { try view.run(name) }
    try view.run("tell", "2")
    for name in ["silence", "other", "silence"] { try view.run(name) }
    try view.run("tell", "3")
    try view.run("tell", "3")

    #expect(view.take() == ["1", "2", "3", "3"])
  }

  @Test func `XR-09: an action from a view's row comes after the one that it sees`() throws {
    let counter = try context.open(Reactors.Counter())
    var log: [String] = []
    var binding: Binding?
    binding = try context.bind(to: counter) { rows in
      rows.show("count") { (count: Int) in
        log.append("enter \(count)")
        if count == 1 { try binding?.run("up") }
        log.append("exit \(count)")
      }
    }
    try binding?.run("up")

    #expect(log == ["enter 0", "exit 0", "enter 1", "exit 1", "enter 2", "exit 2"])
  }

  @Test func `XR-11, XR-12: a view points at another reactor, and leaves the first`() throws {
    let (first, second) = (
      try context.open(Reactors.Counter()), try context.open(Reactors.Counter())
    )
    let view = try view(of: first, "count", Int.self)
    try view.run("up")
    try view.binding?.retarget(to: second)
    try view.run("down")
    let other = try self.view(of: first, "count", Int.self)
    try other.run("up")

    #expect(view.take() == ["0", "1", "0", "-1"])
    #expect(other.take() == ["1", "2"])
    #expect(try first.number != second.number)
    try view.binding?.retarget(to: nil)
    try other.run("up")
    #expect(view.take() == [])
  }

  @Test func `XR-14: only who sees what has changed is told`() throws {
    let feed = try context.open(Reactors.Feed())
    let pages = Reactors.Pages()
    try context.install(Reactors.PageServer(pages: pages))
    let isLoading = try view(of: feed, "isLoading", Bool.self)
    let items = try view(of: feed, "items", String.self)
    try isLoading.run("refresh")
    #expect(isLoading.take() == ["false", "true"])
    #expect(items.take() == [""])
    pages.answer("a")
    #expect(items.take() == ["a"])
  }

  @Test func `what comes from elsewhere is merged`() throws {
    let session = try context.open(Session())
    let view = try view(of: try context.open(Account()), "line", String.self)
    try context.bind(to: session) { _ in }.set("user", "Ada")
    for cents in [5, 0, -1, 7] { try context.send(Paid(cents: cents)) }

    #expect(view.take() == [": 0", "Ada: 0", "Ada: 5", "Ada: 12"])
    #expect(try context.stats().failures == 1)
  }

  @Test func `a mutation that finds no room is not reduced, and its action fails`() throws {
    let letters = try context.open(Letters())
    let view = try view(of: letters, "length", Int.self)
    var mutations = 0
    let slow = try context.observe(history: false, on: .host, queue: .reject(limit: 10)) {
      if $0.line.contains("Letters.mutation") { mutations += 1 }
    }
    try view.run("tooMany")
    #expect(view.take().last?.contains("full") == true)
    try context.drain()
    #expect(mutations > 0)
    slow.cancel()
    try view.run("append", "!")
    #expect(view.take() == ["\(mutations + 1)"])
  }

  @Test func `a table that cannot be right is refused`() throws {
    #expect(
      #expect(throws: StreamError.self) { try context.open(EndedByNone()) }?.message
        == "EndedByNone: up is ended by upp, which it has not")
    #expect(
      #expect(throws: StreamError.self) { try context.open(Answering()) }?.message
        == "Answering: merges RequestPage, which is a request")
  }
}
