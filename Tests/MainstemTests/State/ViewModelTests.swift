// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// A view of a lookup that notes all that it is shown.
private final class Window {
  let context, lookup: Context
  private let view: Context
  private(set) var seen: [String] = []
  private(set) var cells: [UInt64] = []
  private var held: [Binding] = []

  init(_ context: Context, _ lookup: Context) throws {
    self.context = context
    self.lookup = lookup
    view = try context.scope("Window")
    held.append(
      try view.bind(to: lookup) { [unowned self] rows in
        rows.show("username") { (name: String) in self.seen.append("name \(name)") }
        rows.show("isUsernameValid") { (isValid: Bool) in self.seen.append("\(isValid)") }
        rows.show("goAlpha") { (alpha: Double) in self.seen.append("\(alpha)") }
        rows.show("summary") { (summary: String) in self.seen.append(summary) }
        rows.show("liked") { (liked: [Int]) in self.seen.append("liked \(liked)") }
        rows.show("alert") { (alert: String) in self.seen.append("! \(alert)") }
        rows.show("cells") { [unowned self] (cells: [UInt64]) in
          self.cells = cells
          self.seen.append("cells \(cells.count)")
        }
      })
  }

  var binding: Binding { held[0] }

  /// What a cell shows now.
  func text(of cell: UInt64) throws -> String {
    var text = "?"
    _ = try view.bind(to: try view.scope(number: cell)) { rows in
      rows.show("text") { (now: String) in text = now }
    }
    return text
  }

  func like(_ cell: UInt64) throws {
    try view.bind(to: try view.scope(number: cell)) { _ in }.set("isLiked", true)
  }

  func run(_ name: String, _ value: (any Encodable)? = nil) throws {
    try binding.run(name, value) { [unowned self] result in
      switch result {
      case .success: seen.append("\(name) done")
      case .failure(let failure): seen.append("\(name) \(failure.userMessage)")
      }
    }
  }

  func take() -> [String] {
    defer { seen = [] }
    return seen
  }
}

@Suite("View models") struct ViewModelTests {
  private let folder = Folder()

  private func window(_ lookup: Lookup = Lookup()) throws -> Window {
    let context = try Context()
    try context.install(Timelines())
    return try Window(context, try context.open(lookup))
  }

  @Test func `a view model is a value`() {
    var lookup = Lookup()
    lookup.username = "ab"
    #expect(!lookup.isUsernameValid)
    lookup.went(ResponseTimeline(tweets: [Tweet(id: 1, text: "a")]))
    #expect(lookup.alert.waiting == ["1 came"])
  }

  @Test func `A-55: a view gets what is there, then what differs`() throws {
    let window = try window()
    #expect(window.take() == ["name ", "false", "0.5", "0 tweets", "liked []", "cells 0"])
    try window.binding.set("username", "ja")
    #expect(window.take() == ["name ja"])
    try window.binding.set("username", "jack")
    #expect(window.take() == ["name jack", "true", "1.0"])
    try window.binding.set("username", "jack")
    #expect(window.take() == [])
  }

  @Test func `a value that changes, and changes back, is shown each time`() throws {
    let window = try window()
    for name in ["ja", "jack", "ja", "jack", "ja"] { try window.binding.set("username", name) }
    _ = window.take()
    for _ in 1...3 {
      try window.binding.set("username", "jack")
      #expect(window.take() == ["name jack", "true", "1.0"])
      try window.binding.set("username", "ja")
      #expect(window.take() == ["name ja", "false", "0.5"])
    }
  }

  @Test func `what an effect refuses is shown as it was`() throws {
    let window = try window()
    try window.binding.set("username", "jack")
    _ = window.take()
    try window.binding.set("username", "j j")
    #expect(window.take() == ["name j j", "name jack"])
    #expect(try window.context.stats().failures == 1)
  }

  @Test func `a command asks and goes on: values, pulses, then its answer`() throws {
    let window = try window()
    try window.binding.set("username", "jack")
    _ = window.take()
    try window.run("go")
    #expect(
      window.take() == [
        "cells 4", "4 tweets", "! 4 came", "go done",
      ])
    #expect(try window.cells.map { try window.text(of: $0) } == ["j", "a", "c", "k"])
  }

  @Test func `a failure is the answer of a command`() throws {
    let window = try window(Lookup(username: "nobody"))
    _ = window.take()
    try window.run("go")
    try window.run("remove", 7)
    #expect(window.take() == ["go Who?", "remove GONE"])
    #expect(throws: StreamError.self) { try window.run("remove", "no number") }
  }

  @Test func `children come and go with their elements`() throws {
    let window = try window(Lookup(username: "jack"))
    try window.run("go")
    let cells = window.cells
    _ = window.take()

    try window.run("remove", 1)
    #expect(window.take() == ["cells 3", "3 tweets", "remove done"])
    #expect(window.cells == [cells[0], cells[2], cells[3]])
    #expect(try window.context.scope(number: cells[1]) == nil)

    try window.run("edit", Tweet(id: 2, text: "C"))
    #expect(window.take() == ["edit done"])
    #expect(try window.text(of: cells[2]) == "C")

    try window.context.send(Cleared())
    #expect(window.cells == [])
    try window.lookup.close()
    #expect(try window.context.scope(number: cells[0]) == nil)
  }

  @Test func `two elements of one id are a failure, and leave what was there`() throws {
    let window = try window(Lookup(tweets: [Tweet(id: 1, text: "a"), Tweet(id: 2, text: "b")]))
    let (before, cells) = (try window.context.stats(), window.cells)
    try window.run("edit", Tweet(id: 1, text: "c"))
    try window.run("twice", 1)
    #expect(try window.context.stats().failures == 1)
    #expect(try window.context.stats().scopes == before.scopes)
    #expect(window.cells == cells)
    let lookup = Lookup(tweets: [Tweet(id: 1, text: "a"), Tweet(id: 1, text: "b")])
    let error = #expect(throws: StreamError.self) { try window.context.open(lookup) }
    #expect(error?.message == "Lookup.cells: two elements have the id 1")
    #expect(try window.context.stats().scopes == before.scopes)
  }

  @Test func `a view model hears its children`() throws {
    let window = try window(Lookup(username: "jack"))
    try window.run("go")
    _ = window.take()
    try window.like(window.cells[3])
    #expect(window.take() == ["liked [3]"])
  }

  @Test func `a view model hears another, whether that is open or not`() throws {
    struct Greeting: ViewModel {
      var text = "nobody"
      static func handlers(_ on: inout Handlers<Self>) {
        on.shows("text", \.text)
        on.observes("username", of: Profile.self) { (greeting, name: String) in
          greeting.text = "Hi, \(name)"
        }
      }
    }
    let context = try Context()
    let greeting = try context.open(Greeting())
    var shown: [String] = []
    let binding = try context.bind(to: greeting) { rows in
      rows.show("text") { (text: String) in shown.append(text) }
    }
    try context.open(Profile(username: "Ada"))
    try context.drain()
    #expect(shown == ["nobody", "Hi, Ada"])
    binding.end()
    struct Deaf: ViewModel {
      static func handlers(_ on: inout Handlers<Self>) {
        on.observes("name", of: Profile.self) { (_, _: String) in }
      }
    }
    let error = #expect(throws: StreamError.self) { try context.open(Deaf()) }
    #expect(error?.message == "Profile has no value name: it shows username")
  }

  @Test func `a child is made when it is asked for, and stays`() throws {
    let window = try window(Lookup(username: "jack"))
    var opened: [UInt64] = []
    for _ in 0..<2 { try window.binding.open("profile") { opened.append((try? $0.get()) ?? 0) } }
    #expect(opened.count == 2)
    #expect(opened[0] == opened[1])
    let profile = try #require(try window.context.scope(number: opened[0]))
    var shown = ""
    _ = try window.context.bind(to: profile) { rows in
      rows.show("username") { (name: String) in shown = name }
    }
    #expect(shown == "jack")
    try window.lookup.close()
    #expect(try window.context.scope(number: opened[0]) == nil)
  }

  @Test func `what is made of something is asked again only where that differs`() throws {
    let lookup = Lookup(username: "jack")
    let window = try window(lookup)
    #expect(lookup.summaries.count == 1)
    try window.binding.set("username", "jackie")
    try window.binding.set("username", "jim")
    #expect(lookup.summaries.count == 1)
    try window.run("go")
    #expect(lookup.summaries.count == 2)
  }

  @Test func `what somebody else has set is set again`() throws {
    let window = try window(Lookup(username: "jack"))
    _ = window.take()
    struct Alpha: ScalarEvent {
      static let name = "Lookup.goAlpha"
      static let layer = Layer.viewModel
      static let role = Role.value
      var value: Double
    }
    struct Liked: Event {
      static let name = "Lookup.liked"
      static let layer = Layer.viewModel
      static let role = Role.value
      static let payload = Payload.json
      let ids: [Int]
      func encoded(by coder: any PayloadCoder) throws -> [UInt8] { try coder.encode(ids) }
    }
    try window.lookup.set(Alpha(value: 0))
    try window.lookup.set(Liked(ids: [9]))
    #expect(window.take() == ["0.0", "liked [9]"])
    try window.context.send(Cleared())
    #expect(window.take() == ["1.0", "liked []"])
  }

  @Test func `what is asked when it is opened is repeated`() throws {
    let path = folder.file("ready")
    func install(_ context: Context) throws -> Context {
      try context.install(Timelines())
      return try context.open(Greeted())
    }
    let context = try Context()
    try context.record(to: path)
    let ready = try install(context)
    var shown: [String] = []
    let binding = try context.bind(to: ready) { rows in
      rows.show("text") { (text: String) in shown.append(text) }
    }
    #expect(shown == ["jack"])
    binding.end()
    try context.close()
    let info = try Journal.verify(path) { _ = try install($0) }
    #expect(info.last == 5)
  }

  @Test func `opened while what it hears is there, it asks, and shows what follows`() throws {
    struct Late: ViewModel {
      var name = ""
      var text = ""
      static func handlers(_ on: inout Handlers<Self>) {
        on.observes("username", of: Profile.self) { (late, name: String) in late.name = name }
        on.opened { _, run in
          run.ask(RequestTimeline(username: "jack")) { $0.text = $1.tweets.map(\.text).joined() }
        }
        on.shows("line") { "\($0.name) \($0.text)" }
        on.command("clear") { $0.text = "" }
      }
    }
    let context = try Context()
    try context.install(Timelines())
    try context.open(Profile(username: "Ada"))
    try context.drain()
    let late = try context.open(Late())
    var shown: [String] = []
    let binding = try context.bind(to: late) { rows in
      rows.show("line") { (line: String) in shown.append(line) }
    }
    try binding.run("clear")
    #expect(shown == ["Ada jack", "Ada "])
  }

  @Test func `after the first event of a recorded session none is opened`() throws {
    let path = folder.file("begun")
    // A session that continues a journal begins anew.
    for _ in 0..<2 {
      let context = try Context()
      try context.record(to: path)
      let window = try Window(context, try context.open(Lookup()))
      try window.binding.set("username", "jack")
      let error = #expect(throws: StreamError.self) {
        try context.scope("Late").open(Profile(username: "Ada"))
      }
      #expect(error?.status == .busy)
      #expect(
        error?.message == """
          open: Profile: this session is recorded and has begun: open view models before the first event, or say \
          context.addFactory(Profile.self) there
          """)
      #expect(context.firstError == nil)
      try context.close()
    }
    let window = try window()
    try window.binding.set("username", "jack")
    try window.context.open(Profile(username: "Ada"))
    #expect(window.context.firstError == nil)
  }

  @Test func `a session with views verifies without them`() throws {
    let path = folder.file("lookup")
    do {
      let context = try Context()
      try context.record(to: path)
      try context.install(Timelines())
      let window = try Window(context, try context.open(Lookup()))
      try window.binding.set("username", "jack")
      try window.run("go")
      try window.like(window.cells[1])
      try window.run("remove", 1)
      try window.run("edit", Tweet(id: 2, text: "C"))
      try window.binding.open("profile") { _ in }
      try window.binding.set("username", "nobody")
      try window.run("go")
      try window.context.send(Cleared())
      try context.close()
    }
    try Journal.verify(path) { context in
      try context.install(Timelines())
      try context.open(Lookup())
    }
  }
}
