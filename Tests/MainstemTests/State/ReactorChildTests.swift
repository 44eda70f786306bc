// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemSignals
import Testing

private struct Post: Codable, Equatable, Identifiable {
  var id: Int
  var text: String
}

/// A child that is a view model.
private struct Cell: ViewModel {
  var post: Post
  var liked = Pulses<Int>()

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("text", \.post.text)
    on.pulse("liked", \.liked)
    on.command("like") { $0.liked($0.post.id) }
  }
}

/// A child that is a reactor, and begins when it is opened.
private struct Author: Reactor {
  enum Action { case load }
  struct State: Codable { var name = "" }
  var state = State()
  var id: Int

  func mutate(_ action: Action) -> Signal<String, Failure> {
    .values(["loading", "author \(id)"])
  }

  static func reduce(_ state: inout State, _ name: String) { state.name = name }

  static func shown(_ on: inout Shown<Self>) {
    on.shows("name", \.name)
    on.action("load", .load)
    on.opened("load")
  }
}

/// A reactor with children of both kinds.
private struct Wall: Reactor {
  enum Action { case refresh, drop, edit(String) }
  enum Mutation: Codable {
    case posts(Int)
    case edited(String)
    case liked(Int)
    case named(String)
  }
  struct State: Codable {
    var posts: [Post] = []
    var likes: [Int] = []
    var author = ""
    var isSmall = false
  }
  var state = State()

  func mutate(_ action: Action) -> Signal<Mutation, Failure> {
    switch action {
    case .refresh: .values([.posts(1), .posts(3), .posts(2)])
    case .drop: .just(.posts(0))
    case .edit(let text): .just(.edited(text))
    }
  }

  static func reduce(_ state: inout State, _ mutation: Mutation) {
    switch mutation {
    case .posts(let count): state.posts = (0..<count).map { Post(id: $0, text: "post \($0)") }
    case .edited(let text): state.posts[0].text = text
    case .liked(let id): state.likes.append(id)
    case .named(let name): state.author = name
    }
  }

  /// What views see is upper case.
  func transform(state: State) -> State {
    var seen = state
    for index in seen.posts.indices { seen.posts[index].text = seen.posts[index].text.uppercased() }
    return seen
  }

  static func shown(_ on: inout Shown<Self>) {
    on.shows("count", \.posts.count)
    on.shows("likes", \.likes)
    on.shows("author", \.author)
    let cells = on.children("cells", \.posts) {
      Cell(post: $0)
    } update: {
      $0.post = $1
    }
    on.merges("liked", of: cells) { _, _, id in .liked(id) }
    let author = on.child("about") { Author(id: $0.posts.count) }
    on.merges("name", of: author) { _, name in .named(name) }
    on.action("refresh", .refresh, policy: .latest)
    on.action("drop", .drop)
    on.action("edit", Action.edit)
    on.opened("refresh")
  }
}

/// One that begins what a value enables.
private struct Early: Reactor {
  enum Action { case go }
  struct State: Codable { var isReady = true }
  var state = State()
  func mutate(_ action: Action) -> Signal<Int, Failure> { .empty }
  static func reduce(_ state: inout State, _ mutation: Int) {}
  static func shown(_ on: inout Shown<Self>) {
    on.shows("isReady", \.isReady)
    on.action("go", .go, enabled: \.isReady)
    on.opened("go")
  }
}

private struct EarlyDesk: ViewModel {
  static func handlers(_ on: inout Handlers<Self>) {
    on.child("early") { _ in Early() }
  }
}

@Suite("Children of reactors") struct ReactorChildTests {
  private let folder = Folder()

  /// A wall with a view, and what it has seen.
  private final class View {
    var lines: [String] = []
    var cells: [UInt64] = []
    private(set) var binding: Binding?

    init(_ context: Context, _ wall: Context) throws {
      binding = try context.bind(to: wall) { [unowned self] rows in
        rows.show("cells") { [unowned self] (numbers: [UInt64]) in cells = numbers }
        rows.show("likes") { [unowned self] (likes: [Int]) in lines.append("likes \(likes)") }
        rows.show("author") { [unowned self] (name: String) in lines.append("author \(name)") }
      }
    }

    func run(_ name: String) throws { try binding?.run(name) }
  }

  private func text(_ context: Context, _ number: UInt64) throws -> String? {
    var text: String?
    let binding = try context.bind(to: try context.scope(number: number)) { rows in
      rows.show("text") { (seen: String) in text = seen }
    }
    binding.end()
    return text
  }

  @Test func `it begins an action when it is opened, and makes a child for each element`() throws {
    let context = try Context()
    let view = try View(context, try context.open(Wall()))
    try context.drain()

    #expect(view.cells.count == 2)
    #expect(try view.cells.map { try text(context, $0) } == ["POST 0", "POST 1"])
    let before = view.cells
    try view.binding?.run("edit", "new") { _ in }
    #expect(view.cells == before)
    #expect(try text(context, view.cells[0]) == "NEW")
    try view.run("drop")
    #expect(view.cells.isEmpty)
    #expect(try context.scope(number: before[0]) == nil)
  }

  @Test func `it merges what its children show`() throws {
    let context = try Context()
    let view = try View(context, try context.open(Wall()))
    try context.drain()
    let cell = try #require(try context.scope(number: view.cells[1]))
    try context.bind(to: cell) { _ in }.run("like")
    var author: UInt64?
    try view.binding?.open("about") { author = try? $0.get() }
    #expect(author != nil)
    #expect(view.lines == ["likes []", "author ", "likes [1]", "author author 2"])
  }

  @Test func `what no value enables yet is not begun`() throws {
    let context = try Context()
    let desk = try context.open(EarlyDesk())
    let view = try context.bind(to: desk) { _ in }
    var failure: Failure?
    try view.open("early") { if case .failure(let why) = $0 { failure = why } }
    #expect(failure?.userMessage.contains("no value that enables it") == true)
  }

  @Test func `a stub begins nothing`() throws {
    let context = try Context()
    let stub = try context.stub(Author(id: 1))
    try context.drain()
    #expect(stub.actions.isEmpty)
    try stub.show(Author.State(name: "shown"))
    #expect(stub.actions.isEmpty)
  }

  @Test func `a session of reactors with children verifies`() throws {
    let path = folder.file("children")
    let context = try Context()
    try context.record(to: path)
    let view = try View(context, try context.open(Wall()))
    for name in ["refresh", "drop", "refresh"] { try view.run(name) }
    try view.binding?.open("about") { _ in }
    let cell = try #require(try context.scope(number: view.cells[0]))
    try context.bind(to: cell) { _ in }.run("like")
    #expect(view.lines.last == "likes [0]")
    try context.close()

    let info = try Journal.verify(path) { try $0.open(Wall()) }
    #expect(info.verifiedUntil == info.last)
    #expect(info.last > 30)
  }
}
